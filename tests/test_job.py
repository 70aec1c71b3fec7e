"""What the environment says of the job and the process."""

from __future__ import annotations

import platform

import pytest

from situated import job


@pytest.fixture(autouse=True)
def bare(monkeypatch: pytest.MonkeyPatch) -> None:
    """Outside any job, as the first and only process."""
    import os

    for name in os.environ:
        if name.startswith("SLURM_") or name in ("RANK", "LOCAL_RANK", job.START):
            monkeypatch.delenv(name)
    monkeypatch.setenv(job.START, "")  # so that what the code sets is taken back
    monkeypatch.delenv(job.START)


@pytest.mark.parametrize(
    ("variables", "rank"),
    [
        ({}, 0),
        ({"SLURM_PROCID": "3"}, 3),
        ({"SLURM_PROCID": "0", "LOCAL_RANK": "1"}, 1),
        ({"RANK": "5", "LOCAL_RANK": "1", "SLURM_PROCID": "0"}, 5),
        ({"RANK": "", "SLURM_PROCID": "2"}, 2),
    ],
)
def test_the_rank_is_read_as_lightning_reads_it(
    variables: dict[str, str], rank: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    assert job.rank() == rank


def test_a_task_of_an_array_has_the_array_s_name(monkeypatch: pytest.MonkeyPatch) -> None:
    assert job.scontrol_id() is None
    monkeypatch.setenv("SLURM_JOB_ID", "17")
    assert job.scontrol_id() == "17"
    monkeypatch.setenv("SLURM_ARRAY_JOB_ID", "15")
    monkeypatch.setenv("SLURM_ARRAY_TASK_ID", "2")
    assert job.scontrol_id() == "15_2"


def test_a_start_has_one_name_in_a_step_and_in_what_it_starts(monkeypatch: pytest.MonkeyPatch) -> None:
    own = job.start()
    assert job.start() == own
    monkeypatch.setenv("SLURM_JOB_ID", "17")
    assert job.start() == own, "a shell in an allocation starts many programs"
    monkeypatch.setenv("SLURM_STEP_ID", "4")
    assert job.start() == "17.4.0"
    monkeypatch.setenv("SLURM_RESTART_COUNT", "2")
    assert job.start() == "17.4.2"


def test_a_requeued_job_knows_its_earlier_start(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SLURM_JOB_ID", "17")
    monkeypatch.setenv("SLURM_STEP_ID", "0")
    assert not job.restarted("17.0.0")
    monkeypatch.setenv("SLURM_RESTART_COUNT", "1")
    assert job.restarted("17.0.0")
    assert not job.restarted("17.0.1"), "this very start"
    assert not job.restarted("16.0.0"), "another job"
    assert not job.restarted("8a8d6f")


def test_facts_leave_out_what_does_not_apply(monkeypatch: pytest.MonkeyPatch) -> None:
    assert job.facts()["host"] == platform.node()
    assert "slurm" not in job.facts()
    monkeypatch.setenv("SLURM_JOB_ID", "17")
    monkeypatch.setenv("SLURM_JOB_PARTITION", "gpu")
    monkeypatch.setenv("SLURM_RESTART_COUNT", "1")
    found = job.facts()["slurm"]
    assert (found["id"], found["partition"], found["restarts"]) == ("17", "gpu", 1)
    assert "array_id" not in found
