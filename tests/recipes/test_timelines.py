"""data_prep/timelines.py: from timelines to a file in the released format."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from situated.contexts.temp import Temp
from situated.data.answers import read_answers
from situated.io import read_json, sha256, write_jsonl

STATIC: dict[str, Any] = {
    "nq_answers": ["n"],
    "cur_answers": ["n"],
    "prev_answers": None,
    "timelines": None,
    "is_dependent": False,
}
DATED: dict[str, Any] = {
    "nq_answers": ["n"], "cur_answers": ["c"], "prev_answers": ["p"], "is_dependent": True,
    "timelines": [{
        "cur_answers": ["c"], "cur_start": {"year": 2010, "month": None, "date": None},
        "prev_answers": ["p"], "prev_start": {"year": 2000, "month": None, "date": None},
    }],
}  # fmt: skip
UNDATED = DATED | {"timelines": [{"cur_answers": ["c"]}]}
ROWS = [{"question": f"q{number}", "id": number} | kind for number, kind in enumerate([STATIC, DATED, UNDATED] * 4)]


@pytest.fixture
def raw(tmp_path: Path) -> Path:
    write_jsonl(tmp_path / "temp.dev.jsonl", ROWS)
    return tmp_path / "temp.dev.jsonl"


def test_a_file_in_the_released_format_and_an_account(command: Callable[..., Any], raw: Path, tmp_path: Path) -> None:
    words = ["data_prep/timelines.py", f"input={raw}"]
    assert command(*words, cwd=tmp_path).returncode == 0
    run = tmp_path / "outputs/data_prep/timelines_temp.dev/seed=0"
    examples = list(read_answers(run / "temp.dev.jsonl", Temp()))
    assert len(examples) == 4 + 4 * 6
    manifest = read_json(run / "manifest.json")
    assert manifest["counts"] == {
        "examples": 28, "questions": 12, "orig": 4, "sampled_year": 16, "start": 8, "skipped/no_current_start": 4,
        "skipped/question_without_example": 4,
    }  # fmt: skip
    assert (manifest["status"], sorted(manifest["outputs"])) == ("complete", ["output.json", "temp.dev.jsonl"])
    (run / "temp.dev.jsonl").unlink()
    assert command(*words, cwd=tmp_path).returncode == 0
    assert list(read_answers(run / "temp.dev.jsonl", Temp())) == examples

    write_jsonl(tmp_path / "reversed.jsonl", ROWS[::-1])
    elsewhere = tmp_path / "made" / "a.jsonl"
    words = [words[0], f"input={tmp_path / 'reversed.jsonl'}", f"output={elsewhere}", "name=b"]
    assert command(*words, cwd=tmp_path).returncode == 0
    assert sorted(elsewhere.read_bytes().splitlines()) == sorted((run / "temp.dev.jsonl").read_bytes().splitlines())
    account = read_json(tmp_path / "outputs/data_prep/b/seed=0/output.json")
    assert account["files"]["examples"]["sha256"] == sha256(elsewhere)


@pytest.mark.parametrize(
    ("word", "says"),
    [
        ("context=geo", "context: 'geo' has no dates"),
        ("output=temp.dev.jsonl", "is the input"),
        ("timelines.collection_date=2021-13-01", "the calendar has no such day"),
        ("timelines.full_date_share=2", "timelines.full_date_share"),
    ],
)
def test_what_the_user_can_mend(command: Callable[..., Any], raw: Path, tmp_path: Path, word: str, says: str) -> None:
    done = command("data_prep/timelines.py", f"input={raw.name}", word, cwd=tmp_path)
    assert done.returncode == 2
    assert says in done.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["temp.dev.jsonl"]


def test_a_file_of_somebody_else_is_not_written_over(command: Callable[..., Any], raw: Path, tmp_path: Path) -> None:
    other = tmp_path / "notes.jsonl"
    other.write_text("mine\n")
    words = ["data_prep/timelines.py", f"input={raw}", f"output={other}"]
    refused = command(*words, cwd=tmp_path)
    assert (refused.returncode, other.read_text()) == (2, "mine\n")
    assert "was not made by this run" in refused.stderr
    for force in ("true", "false"):
        assert command(*words, f"force={force}", cwd=tmp_path).returncode == 0
    assert len(list(read_answers(other, Temp()))) == 28
