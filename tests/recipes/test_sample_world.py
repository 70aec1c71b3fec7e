"""data_prep/sample_world.py as from a shell, and the recipes that read what it makes."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from situated.io import read_json

RECIPE = "data_prep/sample_world.py"
RUN = "out/data_prep/sample_world/seed=3"


@pytest.fixture(scope="module")
def made(command: Callable[..., Any], tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Any]:
    """Where the smallest world lies, and how making it went."""
    place = tmp_path_factory.mktemp("made")
    return place, command(RECIPE, "scale=0.1", "seed=3", "paths.out=out", cwd=place)


def test_a_world_gives_its_account(made: tuple[Path, Any], command: Callable[..., Any]) -> None:
    place, done = made
    assert (done.returncode, done.stderr) == (0, "")
    assert "48 articles, " in done.stdout
    assert "ceiling without context" in done.stdout
    assert {path.name for path in (place / RUN).iterdir()} == {
        "config.yaml", "manifest.json", "run.log", "nq_open", "situatedqa", "truth", "wikidata", "wikipedia",
    }  # fmt: skip
    manifest = read_json(place / RUN / "manifest.json")
    assert manifest["status"] == "complete"
    assert manifest["counts"]["articles"] == 48
    assert manifest["outputs"].keys() == {"nq_open", "situatedqa", "truth", "wikidata", "wikipedia"}

    again = command(RECIPE, "scale=0.1", "seed=3", "paths.out=out", cwd=place)
    assert again.returncode == 0
    assert "Already complete" in again.stdout
    other = command(RECIPE, "scale=0.2", "seed=3", "paths.out=out", cwd=place)
    assert other.returncode == 2
    assert "scale: 0.1 there, 0.2 now" in other.stderr


def test_other_recipes_read_it(made: tuple[Path, Any], command: Callable[..., Any]) -> None:
    place, _ = made
    done = command("data_prep/audit.py", f"paths.data={RUN}", "paths.out=audited", cwd=place)
    assert (done.returncode, done.stderr) == (0, "")
    audit = read_json(place / "audited/data_prep/audit/seed=0/audit.json")
    assert audit["absent"] == []
    for split in ("train", "dev", "test"):
        assert audit["timelines"]["redrawn"][split]["differences"] == []
    assert set(audit["timelines"]["temp_splits"].values()) == {True}

    raw = f"{RUN}/situatedqa/raw_data/temp.test.jsonl"
    drawn = command("data_prep/timelines.py", f"input={raw}", "paths.out=drawn", cwd=place)
    assert (drawn.returncode, drawn.stderr) == (0, "")


@pytest.mark.parametrize(
    ("word", "says"),
    [
        ("scale=0", "scale: Expected `float` > 0.0"),
        ("scale=-1", "scale: Expected `float` > 0.0"),
        ("scale=nan", "scale: "),
        ("scale=inf", "scale: inf is not above 0"),
        ("scale=1e9", "scale: 1e+09 would have 576,000,000,028 articles and take about"),
        ("scale=big", "scale: Expected `float`, got `str`"),
        ("seed=-1", "seed: "),
        ("sizes.train=4", "sizes"),
    ],
)
def test_a_world_that_cannot_be_is_one_error_and_no_folder(
    command: Callable[..., Any], tmp_path: Path, word: str, says: str
) -> None:
    done = command(RECIPE, word, "paths.out=out", cwd=tmp_path)
    assert done.returncode == 2
    assert says in done.stderr
    assert done.stderr.count("error:") == 1
    assert "Traceback" not in done.stderr
    assert not list(tmp_path.iterdir())


def test_a_full_disk_is_one_error_and_leaves_no_world(command: Callable[..., Any], tmp_path: Path) -> None:
    done = command(RECIPE, "scale=0.1", "paths.out=out", cwd=tmp_path, file_bytes=20_000)
    assert done.returncode == 2
    assert "cannot be written" in done.stderr
    assert "Traceback" not in done.stderr
    left = [path for path in (tmp_path / "out").rglob("*") if path.suffix in (".bz2", ".jsonl", ".gz")]
    assert not left
