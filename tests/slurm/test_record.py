"""The record of submissions survives a kill at any moment."""

from __future__ import annotations

import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

import pytest

from situated.errors import SituatedError
from situated.io import write_text
from situated.slurm import record
from situated.slurm.record import Dropped, Record, Submitted, Submitting, TaskRow

THEN = datetime(2026, 1, 2, tzinfo=UTC)


def attempt(name: str, *, array: bool = False) -> Submitting:
    rows = [TaskRow(index, ("a.py", f"seed={index}")) for index in (1, 4)]
    return Submitting(
        name, "my step", array, rows, "/logs%%/x_%A_%a.log" if array else "/logs/x_%j.log", (), None, THEN
    )


def test_what_slurm_took_is_read_back(tmp_path: Path) -> None:
    mine = Record(tmp_path / "new" / "folder")
    with mine.alone():
        assert mine.submissions() == []
        for event in (attempt("a", array=True), Submitted("a", "7", THEN), attempt("b"), Dropped("b", "no", THEN)):
            mine.append(event)
    (found,) = mine.submissions()
    assert [found.id(row) for row in found.attempt.tasks] == ["7_1", "7_4"]
    assert found.log(found.attempt.tasks[1]) == Path("/logs%/x_7_4.log")


def test_a_job_that_was_submitted_by_a_killed_call_is_found_by_its_name(tmp_path: Path) -> None:
    for event in (attempt("a"), Submitted("a", "7", THEN), attempt("b"), attempt("c")):
        Record(tmp_path).append(event)
    asked = []

    def find(name: str, since: datetime) -> str | None:
        asked.append((name, since))
        return "9" if name == "b" else None

    Record(tmp_path).recover(find)
    Record(tmp_path).recover(find)  # both are settled now
    assert asked == [("b", THEN), ("c", THEN)]
    assert [(found.attempt.name, found.job) for found in Record(tmp_path).submissions()] == [("a", "7"), ("b", "9")]


def test_a_torn_line_is_passed_over_and_told(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    for event in (attempt("a"), Submitted("a", "7", THEN)):
        Record(tmp_path).append(event)
    whole = (tmp_path / "jobs.jsonl").read_text()
    write_text(tmp_path / "jobs.jsonl", whole + whole[:40])
    Record(tmp_path).append(attempt("b"))
    Record(tmp_path).append(Submitted("b", "8", THEN))
    assert [found.job for found in Record(tmp_path).submissions()] == ["7", "8"]
    assert "a torn line is passed over" in caplog.text


def test_two_calls_do_not_submit_at_the_same_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(record, "_PATIENCE_S", 0.3)
    with Record(tmp_path).alone() as held:
        # sbatch holds the lock too, and goes on where its caller is killed
        child = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE, pass_fds=[held])
    with pytest.raises(SituatedError, match="another call is at work on this chain"), Record(tmp_path).alone():
        pass
    child.communicate(b"\n")
    with Record(tmp_path).alone():
        pass
