"""What decides a result counts as the run's identity; where it lies does not."""

from __future__ import annotations

import copy
import re
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from situated import manifest
from situated.errors import InputError, SituatedError
from situated.io import sha256, write_text

CONFIG: dict[str, Any] = {
    "seed": 1,
    "force": False,
    "threads": None,
    "stage": "classifier",
    "name": "tfidf_temp",
    "run_dir": "outputs/classifier/tfidf_temp/seed=1",
    "paths": {"data": "data", "out": "outputs"},
    "data": {"_target_": "a.Data", "folder": "data/x", "context": "temp", "limit": None},
    "classifier": {"_target_": "a.Tfidf", "strengths": [1, 2], "fit": {"loggers": {"csv": {}}, "max_epochs": 3}},
    "logger": {"csv": {"_target_": "a.Csv"}},
    "callbacks": {},
    "ckpt": "outputs/x",
    "input": "questions.jsonl",
}
INPUTS = {"train": {"path": "data/x/train", "sha256": "1" * 64}, "dev": {"path": "data/x/dev", "sha256": "2" * 64}}


def change(key: str, value: Any) -> dict[str, Any]:
    """The configuration with another value under a dotted key."""
    changed = copy.deepcopy(CONFIG)
    *parents, last = key.split(".")
    node = changed
    for parent in parents:
        node = node[parent]
    assert node[last] != value
    node[last] = value
    return changed


def folder_with(path: Path, **texts: str) -> Path:
    for name, text in texts.items():
        write_text(path / name, text)
    return path


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("paths.data", "/elsewhere"), ("paths.out", "/elsewhere"), ("run_dir", "/elsewhere/x"), ("force", True),
        ("threads", 2), ("data.folder", "/elsewhere/x"), ("logger", {"wandb": {}}), ("callbacks", {"bar": {}}),
        ("ckpt", "/elsewhere/x"), ("input", "/elsewhere/q.jsonl"), ("classifier.fit.loggers", {"wandb": {}}),
    ],
)  # fmt: skip
def test_places_and_reporting_make_no_other_run(key: str, value: Any) -> None:
    assert manifest.fingerprint(change(key, value), INPUTS) == manifest.fingerprint(CONFIG, INPUTS)


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("seed", 2), ("name", "other"), ("data.context", "geo"), ("data.limit", 10), ("classifier._target_", "a.B"),
        ("classifier.strengths", [2, 1]), ("classifier.fit.max_epochs", 4),
    ],
)  # fmt: skip
def test_what_decides_the_result_makes_another_run(key: str, value: Any) -> None:
    assert manifest.fingerprint(change(key, value), INPUTS) != manifest.fingerprint(CONFIG, INPUTS)


def test_the_order_of_keys_makes_no_other_run() -> None:
    turned = dict(reversed(CONFIG.items()))
    assert manifest.fingerprint(turned, dict(reversed(INPUTS.items()))) == manifest.fingerprint(CONFIG, INPUTS)


def test_inputs_count_by_content_and_name() -> None:
    moved = {name: entry | {"path": "/elsewhere"} for name, entry in INPUTS.items()}
    assert manifest.fingerprint(CONFIG, moved) == manifest.fingerprint(CONFIG, INPUTS)
    other = INPUTS | {"dev": INPUTS["dev"] | {"sha256": "3" * 64}}
    exchanged = {"train": INPUTS["dev"], "dev": INPUTS["train"]}
    fewer = {"train": INPUTS["train"]}
    assert len({manifest.fingerprint(CONFIG, inputs) for inputs in (INPUTS, other, exchanged, fewer)}) == 4


def test_files_and_folders_are_described_by_path_size_and_content(tmp_path: Path) -> None:
    folder = folder_with(tmp_path / "model", weights="12345", config="123")
    described = manifest.describe_files({"model": folder, "one": folder / "weights"})
    assert described == {
        "model": {"path": str(folder), "bytes": 8, "sha256": sha256(folder)},
        "one": {"path": str(folder / "weights"), "bytes": 5, "sha256": sha256(folder / "weights")},
    }
    with pytest.raises(InputError, match="no such file"):
        manifest.describe_files({"gone": tmp_path / "gone"})


def test_the_size_of_nothing_is_nothing(tmp_path: Path) -> None:
    assert manifest.size(tmp_path / "gone") == 0
    assert manifest.size(folder_with(tmp_path / "a", x="12") / "x") == 2


def test_the_environment_names_code_versions_command_and_machine() -> None:
    found = manifest.environment()
    assert {"git", "versions", "command", "host", "processor", "platform", "cpus"} <= set(found)
    assert {"python", "situated", "torch", "transformers", "numpy"} <= set(found["versions"])
    assert all(version[0].isdigit() for version in found["versions"].values())


@pytest.fixture
def checkout(tmp_path: Path) -> tuple[Path, Callable[..., str]]:
    """A git repository with one commit of one file, and git in it."""
    folder = folder_with(tmp_path / "checkout", code="one")

    def git(*words: str) -> str:
        identity = ["-c", "user.name=A", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false"]
        done = subprocess.run(["git", "-C", folder, *identity, *words], capture_output=True, text=True, check=True)
        return done.stdout.strip()

    git("init", "--quiet")
    git("add", "code")
    git("commit", "--quiet", "-m", "one")
    return folder, git


def test_a_checkout_is_named_by_its_revision_and_whether_it_is_dirty(
    checkout: tuple[Path, Callable[..., str]],
) -> None:
    folder, git = checkout
    revision = git("rev-parse", "HEAD")
    assert manifest.git_state(folder) == {"revision": revision, "dirty": False}
    folder_with(folder, notes="not code")
    assert manifest.git_state(folder) == {"revision": revision, "dirty": False}
    folder_with(folder, code="two")
    assert manifest.git_state(folder) == {"revision": revision, "dirty": True}
    git("commit", "--quiet", "-am", "two")
    assert manifest.git_state(folder) == {"revision": git("rev-parse", "HEAD"), "dirty": False}
    assert git("rev-parse", "HEAD") != revision


def test_the_state_of_a_checkout_is_one_word(checkout: tuple[Path, Callable[..., str]], tmp_path: Path) -> None:
    folder, git = checkout
    revision = git("rev-parse", "HEAD")
    assert manifest.commit(folder) == revision
    seen = set()
    for name, text in [("code", "two"), ("code", "three"), ("new.py", "four"), ("conf.yaml", "five")]:
        folder_with(folder, **{name: text})
        word = manifest.commit(folder)
        assert word is not None
        assert re.fullmatch(revision + r"\+[0-9a-f]{16}", word)
        seen.add(word)
    assert len(seen) == 4
    folder_with(folder, code="one")
    for name in ("new.py", "conf.yaml"):
        (folder / name).unlink()
    folder_with(folder, **{"README.md": "text", "tests/test_x.py": "test"})
    assert manifest.commit(folder) == revision, "texts and tests are no code that a job runs"
    assert manifest.commit(tmp_path) is None


def test_where_the_code_cannot_be_told_a_job_goes_on(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setenv(manifest.COMMIT, "abc")
    monkeypatch.setattr(manifest, "commit", lambda: None)
    manifest.check_commit()
    assert "Submitted from commit abc" in caplog.text
    monkeypatch.setattr(manifest, "commit", lambda: "abd")
    with pytest.raises(SituatedError, match="submitted from commit abc, but the code is at abd"):
        manifest.check_commit()


def test_outside_a_checkout_there_is_no_revision(tmp_path: Path) -> None:
    assert manifest.git_state(tmp_path) == {"revision": None, "dirty": None}


def test_an_environment_that_lies_in_a_checkout_of_something_else_is_no_part_of_it(
    checkout: tuple[Path, Callable[..., str]],
) -> None:
    installed = folder_with(checkout[0] / ".venv" / "situated", code="x")
    assert manifest.git_state(installed) == {"revision": None, "dirty": None}
