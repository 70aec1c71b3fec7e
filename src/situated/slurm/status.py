"""How a chain stands: by the runs' manifests first, then by the queue, then by the accounts."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from rich.table import Table

from situated.slurm import queue
from situated.slurm.chain import Chain, Step
from situated.slurm.plan import Examined, examine, key
from situated.slurm.queue import Job
from situated.slurm.record import Record, Submission, TaskRow

_BAD = ("failed", "cancelled", "gone")
_NOISE = ("srun: ", "slurmstepd: ")


@dataclass(frozen=True)
class Standing:
    """How one task stands.

    Attributes:
        label: The task.
        state: complete, running, pending, failed, cancelled, gone from the queue, or not submitted; with the reason.
        job: Its last job's number.
        log: That job's log.
        last: What the log says of the error.
    """

    label: str
    state: str
    job: str = ""
    log: str = ""
    last: str = ""

    @property
    def bad(self) -> bool:
        """Whether it failed, or will not run."""
        return self.state.startswith(_BAD)


def status(chain: Chain, root: Path, folder: Path) -> list[Standing]:
    """Every task of the chain, and jobs that a former form of it still has in the queue.

    Raises:
        SituatedError: A configuration cannot be composed, or SLURM does not answer.
    """
    submissions, jobs = _known(Record(folder))
    last = {row.words: (submission, row) for submission in submissions for row in submission.attempt.tasks}
    standings: list[Standing] = []
    bad: set[str] = set()
    pending: set[str] = set()
    for step in chain.steps:
        blocked = any(other.name in bad for other in _all_before(chain, step))
        renewed = any(other.name in pending for other in _all_before(chain, step))
        for one in examine(chain, step, root):
            found = _stand(one, last.pop(key(one.task), None), jobs, blocked=blocked, renewed=renewed)
            standings.append(found)
            bad |= {step.name} if found.bad else set()
            pending |= {step.name} if found.state != "complete" else set()
    for submission, row in last.values():
        job = jobs.get(submission.id(row))
        if job and job.active:
            label = f"{submission.attempt.step} (no longer in the chain)"
            standings.append(Standing(label, _active(job), job.id, str(submission.log(row))))
    return standings


def cancel(folder: Path) -> list[str]:
    """Take this chain's jobs out of the queue and end those that run; return their numbers and names.

    Raises:
        SituatedError: SLURM refuses or does not answer.
    """
    submissions, jobs = _known(Record(folder))
    mine = [submission.id(row) for submission in submissions for row in submission.attempt.tasks]
    active = [jobs[number] for number in mine if number in jobs and jobs[number].active]
    if active:
        queue.cancel([job.id for job in active])
    return [f"{job.id} ({job.name.partition('.')[0]}, {job.state.lower()})" for job in active]


def table(standings: list[Standing]) -> Table:
    """Task, state, job and what went wrong, for the terminal."""
    shown = Table("task", "state", "job", title="Jobs")
    for one in standings:
        style = "red" if one.bad else "green" if one.state == "complete" else None
        shown.add_row(one.label, one.state, one.job, style=style)
    return shown


def reasons(standings: list[Standing]) -> list[str]:
    """A line or some for each task that failed: what its log says of it, and where that lies."""
    bad = [one for one in standings if one.bad and not one.state.startswith("cancelled (waits")]
    waiting = sum(one.bad for one in standings) - len(bad)
    lines = ["\n  ".join([f"{one.label}: {one.state}", *filter(None, [one.last, _there(one.log)])]) for one in bad]
    return [*lines, f"{waiting} more were cancelled, since they wait for these"] if waiting else lines


def _there(log: str) -> str:
    return log if log and Path(log).exists() else ""


def next_steps(folder: Path, argv: Sequence[str]) -> str:
    """What to type after a submission.

    Args:
        folder: Where the logs lie.
        argv: The command line of the submission.
    """
    command = shlex.join(["python", *argv])
    return (
        f"Logs and scripts:       {folder}\nHow it stands:          {command} action=status\n"
        f"Take back its jobs:     {command} action=cancel\nWhat failed or is new:  {command}\n"
        "Jobs in the queue keep the words and resources that they were submitted with: to change these, cancel first."
    )


def _known(record: Record) -> tuple[list[Submission], dict[str, Job]]:
    """All submissions, and their jobs as far as SLURM still knows them."""
    if not record.exists:
        return [], {}
    queued = queue.queue()
    with record.alone():
        record.recover(partial(queue.find, queued=queued))
    submissions = record.submissions()
    # The accounts know exit codes and old jobs, but some seconds late.
    accounts = queue.accounts(submission.job for submission in submissions)
    later = {number: job for number, job in queued.items() if job.active or accounts.get(number, job).active}
    return submissions, queued | accounts | later


def _stand(
    one: Examined,
    last: tuple[Submission, TaskRow] | None,
    jobs: Mapping[str, Job],
    *,
    blocked: bool,
    renewed: bool,
) -> Standing:
    label = one.task.label
    if last is None:
        return Standing(label, "complete" if one.complete and not (one.summary and renewed) else "not submitted")
    submission, row = last
    number, log = submission.id(row), submission.log(row)
    job = jobs.get(number) or jobs.get(submission.job)  # an array that never began is one entry of the accounts
    if one.complete and not (one.summary and (renewed or (job and job.active))):
        return Standing(label, "complete", number, str(log))
    if job and job.active:
        return Standing(label, _active(job), number, str(log))
    state = _ended(job, blocked=blocked)
    return Standing(label, state, number, str(log), _last_error(log) if not state.startswith("cancelled") else "")


def _active(job: Job) -> str:
    if job.state == "RUNNING":
        return "running"
    return f"pending ({job.reason})" if job.state == "PENDING" else f"pending ({job.state.lower()})"


def _ended(job: Job | None, *, blocked: bool) -> str:
    if job is None:
        return "cancelled (waits for a failed one)" if blocked else "gone from the queue"
    if job.state == "CANCELLED":
        return "cancelled (waits for a failed one)" if blocked else "cancelled"
    if job.state == "COMPLETED":
        return "failed (the job ended well, its result is not whole)"
    code = job.reason.partition(":")[0]
    return (
        f"failed (exit code {code})" if job.state == "FAILED" and code.isdecimal() else f"failed ({job.state.lower()})"
    )


def _last_error(log: Path) -> str:
    """The line of a log that says what went wrong: the program's last error, or the last line at all."""
    try:
        lines = [line.strip() for line in log.read_text(encoding="utf-8", errors="replace").splitlines()]
    except OSError:
        return "it wrote no log: SLURM did not let it begin (scontrol show job, sacct -j)"
    lines = [line for line in lines if line]
    own = [line for line in lines if not line.startswith(_NOISE)]
    told = [line for line in own if line.startswith("error: ")]
    return (told or own or lines or ["its log is empty"])[-1]


def _all_before(chain: Chain, step: Step) -> list[Step]:
    """Every step that must end before this one begins."""
    direct = chain.waits_for(step)
    return [*direct, *(other for earlier in direct for other in _all_before(chain, earlier))]
