"""A run folder is whole, or is taken up, or is refused; it is never lost and never half believed."""

from __future__ import annotations

import logging
import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from omegaconf import OmegaConf

from situated.errors import InputError, RunConflictError, SituatedError
from situated.io import read_json, sha256, write_json, write_text
from situated.run import Run
from situated.schema import Decision

Contents = Callable[[Path], dict[str, bytes]]
MakeRun = Callable[..., Run]
PREDICTION = Decision(
    example_id="q:1", id="1", split="dev", question="who", label="yes", prediction="no", score=0.25
)  # fmt: skip


@pytest.fixture
def make(tmp_path: Path) -> MakeRun:
    """A run on one input, below ``base``, which holds data and output."""

    def run(content: str = "input", *, base: Path = tmp_path, **settings: Any) -> Run:
        write_text(base / "data" / "questions", content)
        folder = base / "outputs" / "stage" / "name" / "seed=1"
        config = {
            "stage": "stage", "name": "name", "seed": 1, "force": False, "run_dir": str(folder),
            "paths": {"data": str(base / "data"), "out": str(base / "outputs")},
            "data": {"folder": str(base / "data"), "context": "temp"}, "lr": 0.1,
        }  # fmt: skip
        return Run(folder, config | settings, {"questions": base / "data" / "questions"})

    return run


def work(run: Run, word: str = "result", fail: BaseException | None = None) -> None:
    """What a recipe does: results, a model, and at times an end before the end."""
    with run.claim():
        run.write_predictions([PREDICTION])
        write_text(run.folder / "model" / "weights", word)
        write_text(run.folder / "checkpoints" / "last.ckpt", word)
        if fail is not None:
            raise fail
        run.write_metrics({"dev/f1": {"value": 0.5, "n": 1, "ci95": [0.0, 1.0]}})
        run.counts["dev"] = 1


def test_a_fresh_run_becomes_complete_and_is_recognised(make: MakeRun) -> None:
    run = make()
    assert not run.is_complete
    assert not run.folder.exists()
    work(run)
    assert run.is_complete
    assert make().is_complete


def test_the_manifest_accounts_for_the_run(make: MakeRun) -> None:
    run = make()
    work(run)
    found = read_json(run.folder / "manifest.json")
    questions = Path(found["inputs"]["questions"]["path"])
    assert {key: found[key] for key in ("stage", "name", "seed", "status", "config", "fingerprint")} == {
        "stage": "stage", "name": "name", "seed": 1, "status": "complete", "config": run.config,
        "fingerprint": run.fingerprint,
    }  # fmt: skip
    assert found["inputs"] == {"questions": {"path": str(questions), "sha256": sha256(questions), "bytes": 5}}
    assert set(found["outputs"]) == {"metrics.json", "model", "predictions.jsonl"}
    assert all(entry["sha256"] == sha256(run.folder / name) for name, entry in found["outputs"].items())
    assert found["counts"] == {"predictions": 1, "dev": 1}
    assert set(found["git"]) == {"revision", "dirty"}
    assert "situated" in found["versions"]
    assert found["wall_time_s"] >= 0
    assert found["starts"][0]["at"] <= found["finished"]
    assert OmegaConf.to_container(OmegaConf.load(run.folder / "config.yaml")) == run.config


def test_while_the_work_goes_on_the_run_is_not_complete(make: MakeRun) -> None:
    run = make()
    with run.claim():
        assert read_json(run.folder / "manifest.json")["status"] == "running"
        assert not make().is_complete


def test_log_lines_and_the_reason_for_stopping_lie_in_the_folder(make: MakeRun) -> None:
    run, log = make(), logging.getLogger("situated.test")

    def stop() -> None:
        with run.claim():
            log.warning("a line to keep")
            raise SituatedError("the cat sat on it")

    with pytest.raises(SituatedError):
        stop()
    log.warning("a line after it")
    text = (run.folder / "run.log").read_text(encoding="utf-8")
    assert "a line to keep" in text
    assert "the cat sat on it" in text
    assert "a line after it" not in text


def test_another_configuration_is_refused_with_the_keys_that_differ(make: MakeRun, contents: Contents) -> None:
    work(make())
    other = make(lr=0.2, extra=True, data={"folder": "x", "context": "geo"})
    before = contents(other.folder)
    assert not other.is_complete
    with pytest.raises(RunConflictError) as caught:
        work(other)
    for line in ("lr: 0.1 there, 0.2 now", "data.context: 'temp' there, 'geo' now", "extra: None there, True now"):
        assert f"\n  {line}\n" in str(caught.value)
    assert "folder" not in str(caught.value).partition("\n")[2]
    assert "name=..." in str(caught.value)
    assert "force=true" in str(caught.value)
    assert contents(other.folder) == before


def test_a_long_list_of_differences_says_how_many_are_left_out(make: MakeRun) -> None:
    work(make())
    with pytest.raises(RunConflictError, match="and 8 more"):
        work(make(**{f"key{n:02}": n for n in range(20)}))


def test_another_content_of_an_input_is_refused(make: MakeRun, contents: Contents) -> None:
    work(make())
    other = make("changed")
    before = contents(other.folder)
    assert not other.is_complete
    with pytest.raises(RunConflictError, match="input 'questions' has another content than then"):
        work(other)
    assert contents(other.folder) == before


def test_inputs_that_came_or_went_are_named(make: MakeRun) -> None:
    work(make())
    run = make()
    more = Run(run.folder, run.config, {"weights": run.folder / "config.yaml"})
    with pytest.raises(RunConflictError) as caught:
        work(more)
    assert "input 'questions'" in str(caught.value)
    assert "input 'weights'" in str(caught.value)


def test_a_missing_input_is_named_before_anything_is_made(make: MakeRun, tmp_path: Path) -> None:
    run = make()
    with pytest.raises(InputError, match=r"gone: no such file"):
        Run(run.folder, run.config, {"x": tmp_path / "gone"})
    assert not run.folder.exists()


def test_moving_data_and_output_keeps_the_identity(make: MakeRun, tmp_path: Path) -> None:
    work(make(base=tmp_path / "here"))
    (tmp_path / "here").rename(tmp_path / "there")
    assert make(base=tmp_path / "there").is_complete


def test_before_the_claim_nothing_is_touched(make: MakeRun, contents: Contents) -> None:
    run = make()
    work(run)
    before = contents(run.folder)
    for other in (make(force=True), make("changed"), make(lr=3)):
        assert not other.is_complete
    assert contents(run.folder) == before


def test_an_interrupted_run_is_taken_up(make: MakeRun) -> None:
    with pytest.raises(KeyboardInterrupt):
        work(make(), fail=KeyboardInterrupt())
    again = make()
    assert not again.is_complete
    with again.claim():
        assert (again.folder / "checkpoints" / "last.ckpt").read_text(encoding="utf-8") == "result"
    assert make().is_complete
    found = read_json(again.folder / "manifest.json")
    assert len(found["starts"]) == 2
    assert found["fingerprint"] == again.fingerprint


KILLED = """
import os, sys
from pathlib import Path
from situated.io import atomic_write
from situated.run import Run
folder = Path(sys.argv[1])
run = Run(folder, {"seed": 1}, {})
with run.claim(), atomic_write(folder / "predictions.jsonl") as file:
    file.write(b"half a li")
    file.flush()
    os._exit(9)
"""


def test_a_killed_run_is_taken_up_and_its_torn_file_is_no_output(
    tmp_path: Path, command: Callable[..., Any], contents: Contents
) -> None:
    folder = tmp_path / "seed=1"
    assert command("-c", KILLED, folder, cwd=tmp_path).returncode == 9
    assert b"half a li" in contents(folder).values()
    run = Run(folder, {"seed": 1}, {})
    assert not run.is_complete
    work(run)
    assert Run(folder, {"seed": 1}, {}).is_complete
    assert b"half a li" not in contents(folder).values()
    assert not [name for name in read_json(folder / "manifest.json")["outputs"] if name.startswith(".")]


@pytest.mark.parametrize("name", ["predictions.jsonl", "model"])
def test_a_run_whose_result_went_is_done_anew(make: MakeRun, name: str, caplog: pytest.LogCaptureFixture) -> None:
    run = make()
    work(run)
    path = run.folder / name
    shutil.rmtree(path) if path.is_dir() else path.unlink()
    assert not make().is_complete
    assert f"lacks (parts of) {name}" in caplog.text
    work(make())
    assert make().is_complete


def test_a_run_whose_result_was_cut_short_is_done_anew(make: MakeRun) -> None:
    run = make()
    work(run)
    (run.folder / "predictions.jsonl").write_bytes(b"{")
    assert not make().is_complete


@pytest.mark.parametrize("manifest", [[], {}, {"status": "complete"}])
def test_what_is_no_manifest_is_refused_by_name(make: MakeRun, manifest: Any) -> None:
    run = make()
    write_json(run.folder / "manifest.json", manifest)
    with pytest.raises(InputError, match=re.escape(f"{run.folder / 'manifest.json'}: not the manifest of a run")):
        run.is_complete  # noqa: B018 (a property that looks at the disk)


def test_force_does_the_run_anew(make: MakeRun) -> None:
    work(make(), "old")
    forced = make(force=True)
    assert not forced.is_complete
    with forced.claim():
        assert sorted(path.name for path in forced.folder.glob("*")) == [
            ".lock", ".replaced", "config.yaml", "manifest.json", "run.log",
        ]  # fmt: skip
    assert not (forced.folder / ".replaced").exists()
    assert not (forced.folder / "model").exists()
    assert len(read_json(forced.folder / "manifest.json")["starts"]) == 1


def test_force_replaces_another_configuration(make: MakeRun) -> None:
    work(make(), "old")
    work(make(lr=0.2, force=True), "new")
    assert make(lr=0.2).is_complete
    assert not make().is_complete
    assert (make().folder / "model" / "weights").read_text(encoding="utf-8") == "new"


def test_force_leaves_files_of_the_users_alone(make: MakeRun) -> None:
    run = make()
    work(run)
    write_text(run.folder / "notes.txt", "mine")
    work(make(force=True))
    assert (run.folder / "notes.txt").read_text(encoding="utf-8") == "mine"
    assert "notes.txt" not in read_json(run.folder / "manifest.json")["outputs"]


@pytest.mark.parametrize("settings", [{}, {"lr": 0.2}])
def test_a_forced_run_that_fails_puts_the_earlier_one_back(
    make: MakeRun, contents: Contents, settings: dict[str, Any]
) -> None:
    run = make()
    work(run, "old")
    before = contents(run.folder)
    with pytest.raises(SituatedError, match="no space left"):
        work(make(force=True, **settings), "new", fail=SituatedError("no space left"))
    assert contents(run.folder) == before
    assert make().is_complete


def test_a_forced_run_that_was_interrupted_is_taken_up_and_then_replaces(make: MakeRun) -> None:
    work(make(), "old")
    with pytest.raises(KeyboardInterrupt):
        work(make(lr=0.2, force=True), "new", fail=KeyboardInterrupt())
    folder = make().folder
    assert (folder / ".replaced" / "model" / "weights").read_text(encoding="utf-8") == "old"
    again = make(lr=0.2)
    assert not again.is_complete
    with again.claim():
        assert (folder / "checkpoints" / "last.ckpt").read_text(encoding="utf-8") == "new"
    assert make(lr=0.2).is_complete
    assert not (folder / ".replaced").exists()


def test_forcing_again_after_an_interruption_keeps_the_whole_run_not_the_half_one(
    make: MakeRun, contents: Contents
) -> None:
    work(make(), "old")
    before = contents(make().folder)
    with pytest.raises(KeyboardInterrupt):
        work(make(lr=0.2, force=True), "half", fail=KeyboardInterrupt())
    with pytest.raises(SituatedError):
        work(make(lr=0.3, force=True), "newer", fail=SituatedError("no"))
    assert contents(make().folder) == before


def test_a_summary_is_made_anew_each_time(tmp_path: Path) -> None:
    folder = tmp_path / "tables"
    for content in ("one", "two"):
        run = Run(folder, {"draws": content}, {}, replace=True)
        assert not run.is_complete
        with run.claim():
            write_text(folder / "table4.md", content)
    assert (folder / "table4.md").read_text(encoding="utf-8") == "two"
    assert list(read_json(folder / "manifest.json")["outputs"]) == ["table4.md"]


def test_a_run_that_failed_before_any_checkpoint_leaves_the_folder_free(make: MakeRun) -> None:
    run = make()
    with pytest.raises(ValueError, match="no model"), run.claim():
        raise ValueError("no model")
    assert read_json(run.folder / "manifest.json")["status"] == "failed"
    other = make(lr=0.2)
    assert not other.is_complete
    work(other)
    assert make(lr=0.2).is_complete
    assert len(read_json(run.folder / "manifest.json")["starts"]) == 1


def test_two_processes_do_not_work_in_one_folder(make: MakeRun) -> None:
    run = make()
    with run.claim(), pytest.raises(RunConflictError, match="another process works in it"):
        work(make())
    work(make(lr=0.2, force=True))


def test_a_broken_manifest_gives_way_to_force(make: MakeRun) -> None:
    work(make())
    manifest = make().folder / "manifest.json"
    manifest.write_text("{")
    with pytest.raises(InputError, match=r"manifest\.json"):
        work(make())
    work(make(force=True))
    assert make().is_complete


@pytest.fixture
def in_job(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Be a process of a SLURM step."""

    def enter(job: int, restarts: int = 0, rank: int = 0) -> None:
        values = {"JOB_ID": job, "STEP_ID": 0, "RESTART_COUNT": restarts, "PROCID": rank}
        for name, value in values.items():
            monkeypatch.setenv(f"SLURM_{name}", str(value))

    return enter


def test_a_requeued_job_goes_on_under_force(make: MakeRun, in_job: Callable[..., None]) -> None:
    work(make(), "old")
    in_job(17)
    with pytest.raises(KeyboardInterrupt):
        work(make(force=True), "half", fail=KeyboardInterrupt())
    in_job(17, restarts=1)
    again = make(force=True)
    assert not again.is_complete
    with again.claim():
        assert (again.folder / "checkpoints" / "last.ckpt").read_text(encoding="utf-8") == "half"
        write_text(again.folder / "model" / "weights", "new")
    assert not (again.folder / ".replaced").exists()
    assert (again.folder / "model" / "weights").read_text(encoding="utf-8") == "new"
    starts = read_json(again.folder / "manifest.json")["starts"]
    assert [start["start"] for start in starts] == ["17.0.0", "17.0.1"]
    in_job(17, restarts=2)
    assert make(force=True).is_complete, "stopped between its last file and its end"
    in_job(18)
    assert not make(force=True).is_complete, "another submission forces anew"


def test_a_requeued_forced_run_that_fails_puts_back_what_was_there(make: MakeRun, in_job: Callable[..., None]) -> None:
    work(make(), "old")
    in_job(17)
    with pytest.raises(KeyboardInterrupt):
        work(make(force=True), "half", fail=KeyboardInterrupt())
    in_job(17, restarts=1)
    with pytest.raises(ValueError, match="broken"):
        work(make(force=True), "half", fail=ValueError("broken"))
    assert (make().folder / "model" / "weights").read_text(encoding="utf-8") == "old"
    assert read_json(make().folder / "manifest.json")["status"] == "complete"


def test_further_processes_wait_for_the_owner_and_write_nothing(
    make: MakeRun, in_job: Callable[..., None], contents: Contents, monkeypatch: pytest.MonkeyPatch
) -> None:
    work(make(), "old")
    in_job(17, rank=1)
    run = make(force=True)
    monkeypatch.setattr("situated.run._OWNER_WITHIN_S", 0.3)
    with pytest.raises(SituatedError, match="the first process did not claim it"), run.claim():
        pass
    monkeypatch.setattr("situated.run._OWNER_WITHIN_S", 30)
    in_job(17)
    with make(force=True).claim():
        in_job(17, rank=1)
        before = contents(run.folder)
        with run.claim():
            run.write_predictions([PREDICTION])
            run.write_metrics({"dev/f1": {"value": 1.0}})
        assert contents(run.folder) == before
        in_job(17)
