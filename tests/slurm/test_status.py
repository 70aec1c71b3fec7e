"""How a chain stands: judged by manifests, then the queue, then the accounts; SLURM's answers are given."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from msgspec import structs

from situated.errors import SituatedError
from situated.io import write_text
from situated.slurm import queue, status
from situated.slurm.chain import Chain, tasks
from situated.slurm.local import run_local
from situated.slurm.plan import key
from situated.slurm.queue import Job
from situated.slurm.record import Record, Submitted, Submitting, TaskRow, now

NO_LOG = "it wrote no log: SLURM did not let it begin (scontrol show job, sacct -j)"

pytestmark = pytest.mark.usefixtures("own_logging")
GEO = {"overrides": ["experiment/classifier=majority_geo"]}
TABLES = {"name": "tables", "recipe": "report/make_tables.py", "overrides": ["draws=100"]}


@pytest.fixture
def slurm(monkeypatch: pytest.MonkeyPatch) -> Callable[..., list[str]]:
    """Let SLURM answer with these jobs; gives the list of those that are cancelled."""
    cancelled: list[str] = []

    def answer(queued: list[Job], accounts: list[Job]) -> list[str]:
        monkeypatch.setattr(queue, "queue", lambda: {job.id: job for job in queued})
        monkeypatch.setattr(queue, "accounts", lambda jobs: {job.id: job for job in accounts})
        monkeypatch.setattr(queue, "cancel", cancelled.extend)
        return cancelled

    return answer


def submitted(folder: Path, chain: Chain, place: int, job: str) -> None:
    """Record that a step was submitted."""
    step = chain.steps[place]
    rows = [TaskRow(task.index, key(task)) for task in tasks(chain, step)]
    log = str(folder / ("x_%A_%a.log" if step.sweep else "x_%j.log"))
    Record(folder).append(Submitting(f"n.{job}", step.name, bool(step.sweep), rows, log, (), None, now()))
    Record(folder).append(Submitted(f"n.{job}", job, now()))


def test_every_state_has_its_word(
    chain_of: Callable[..., Chain], root: Path, tmp_path: Path, slurm: Callable[..., Any]
) -> None:
    chain = chain_of({"sweep": ["seed=range(0,9)"]}, GEO, TABLES)
    first = structs.replace(chain.steps[0], sweep=["seed=0,1"])
    run_local(structs.replace(chain, steps=[first]), root)
    submitted(tmp_path, chain, 0, "7")
    submitted(tmp_path, chain, 1, "8")
    queued = [Job("7_2", "n", "RUNNING", "None"), Job("7_3", "n", "PENDING", "Priority"), Job("7_4", "n", "COMPLETING")]
    ended = [*{"7_0": "FAILED", "7_5": "FAILED", "7_6": "TIMEOUT", "7_7": "COMPLETED", "8": "CANCELLED"}.items()]
    slurm(queued, [Job(number, "n", state, "2:0") for number, state in ended])
    write_text(tmp_path / "x_7_5.log", "error: old\nerror: the cause\n  in x\nsrun: error: vm: task 0: Exited\n")
    write_text(tmp_path / "x_7_6.log", "Killed\nslurmstepd: error: *** JOB 7 ON vm CANCELLED DUE TO TIME LIMIT ***\n")
    found = status.status(chain, root, tmp_path)
    assert [(one.state, one.job, one.bad) for one in found] == [
        ("complete", "7_0", False),  # the manifest counts, not what SLURM says of the job
        ("complete", "7_1", False),
        ("running", "7_2", False),
        ("pending (Priority)", "7_3", False),
        ("pending (completing)", "7_4", False),
        ("failed (exit code 2)", "7_5", True),
        ("failed (timeout)", "7_6", True),
        ("failed (the job ended well, its result is not whole)", "7_7", True),
        ("gone from the queue", "7_8", True),
        ("cancelled (waits for a failed one)", "8", True),
        ("not submitted", "", False),
    ]
    assert [one.last for one in found[5:9]] == ["error: the cause", "Killed", NO_LOG, NO_LOG]
    assert (
        status.reasons(found)[0] == f"step 0 (seed=5): failed (exit code 2)\n  error: the cause\n  {tmp_path}/x_7_5.log"
    )


def test_without_a_submission_slurm_is_not_asked(
    chain_of: Callable[..., Chain], root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse() -> None:
        raise SituatedError("asked")

    monkeypatch.setattr(queue, "queue", refuse)
    chain = chain_of({})
    assert [one.state for one in status.status(chain, root, tmp_path)] == ["not submitted"]
    run_local(chain, root)
    assert [one.state for one in status.status(chain, root, tmp_path)] == ["complete"]


def test_jobs_of_an_earlier_form_of_the_chain_are_shown_and_cancelled(
    chain_of: Callable[..., Chain], root: Path, tmp_path: Path, slurm: Callable[..., Any]
) -> None:
    old, new = chain_of({"sweep": ["seed=1,2"]}), chain_of(GEO)
    submitted(tmp_path, old, 0, "7")
    jobs = [Job("7_0", "n.7", "RUNNING"), Job("7_1", "n.7", "CANCELLED"), Job("9", "another's", "RUNNING")]
    cancelled = slurm(jobs, [])
    found = [(one.label, one.state) for one in status.status(new, root, tmp_path)]
    assert found == [("step 0", "not submitted"), ("step 0 (no longer in the chain)", "running")]
    assert status.cancel(tmp_path) == ["7_0 (n, running)"]
    assert cancelled == ["7_0"]


def test_tables_that_wait_to_be_made_anew_are_pending_though_there_are_some(
    chain_of: Callable[..., Chain], root: Path, tmp_path: Path, slurm: Callable[..., Any]
) -> None:
    chain = chain_of({}, TABLES)
    run_local(chain, root)
    submitted(tmp_path, chain, 1, "8")
    slurm([Job("8", "n", "PENDING", "Dependency")], [])
    assert [one.state for one in status.status(chain, root, tmp_path)] == ["complete", "pending (Dependency)"]
    slurm([], [])
    assert [one.state for one in status.status(chain, root, tmp_path)] == ["complete", "complete"]
