"""Jobs of a sweep leave their errors, and the launching process tells them all."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hydra.core.utils import JobReturn, JobStatus
from omegaconf import OmegaConf

from situated.errors import InputError
from situated.slurm.sweeps import TellFailures


def end(hook: TellFailures, number: int, value: object, status: JobStatus) -> JobReturn:
    words = [f"seed={number}", "paths.out=o"]
    config = OmegaConf.create({"hydra": {"overrides": {"task": words}, "job": {"num": number}}})
    job = JobReturn(status=status)
    job.return_value = value
    hook.on_job_end(config, job)
    return job


def test_all_errors_are_told_in_order(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    hook = TellFailures(str(tmp_path))
    with monkeypatch.context() as elsewhere:
        elsewhere.setattr(os, "getpid", lambda: -1)
        failed = end(hook, 10, InputError(Path("a.jsonl"), "empty", "Make it."), JobStatus.FAILED)
        end(hook, 9, InputError(Path("b.jsonl"), "empty", "Make it."), JobStatus.FAILED)
        assert end(hook, 8, "fine", JobStatus.COMPLETED).return_value == "fine"
    assert (failed.status, failed.return_value) == (JobStatus.COMPLETED, None)  # else Hydra stops at the first
    with pytest.raises(SystemExit) as caught:
        hook.on_multirun_end(OmegaConf.create({}))
    assert caught.value.code == 2
    told = capsys.readouterr().err.split("error: ")
    assert told[1:] == [
        "b.jsonl: empty. Make it.\n  in seed=9 paths.out=o\n",
        "a.jsonl: empty. Make it.\n  in seed=10 paths.out=o\n",
    ]
    assert not list(tmp_path.iterdir())
    hook.on_multirun_end(OmegaConf.create({}))  # nothing failed: nothing is said


def test_a_mistake_in_the_code_is_told_with_its_traceback(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    hook = TellFailures(str(tmp_path))
    with monkeypatch.context() as elsewhere:
        elsewhere.setattr(os, "getpid", lambda: -1)
        end(hook, 1, KeyError("x"), JobStatus.FAILED)
    with pytest.raises(SystemExit) as caught:
        hook.on_multirun_end(OmegaConf.create({}))
    assert caught.value.code == 1
    assert "Traceback" in capsys.readouterr().err


def test_an_error_in_the_launching_process_is_left_to_the_recipe(tmp_path: Path) -> None:
    hook = TellFailures(str(tmp_path))
    assert end(hook, 1, KeyError("x"), JobStatus.FAILED).status is JobStatus.FAILED
    assert not list(tmp_path.iterdir())
