"""Submit what of a chain is left to do: a job for each step, an array where it is swept."""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from rich.table import Table

from situated import manifest
from situated.cluster import Cluster, read_cluster
from situated.errors import SituatedError
from situated.io import write_text
from situated.slurm import queue, script
from situated.slurm.chain import Chain, Step
from situated.slurm.plan import Active, Plan, check_values, examine, key, make_plans
from situated.slurm.record import Dropped, Record, Submitted, Submitting, TaskRow, now


@dataclass(frozen=True)
class Place:
    """Where a chain is submitted from and writes to.

    Attributes:
        root: The project's folder.
        folder: The record, the scripts and the logs of the chain.
        cluster: The cluster's facts.
        commit: The code that the jobs must find; None: any.
    """

    root: Path
    folder: Path
    cluster: Cluster
    commit: str | None


def jobs_folder(chain: Chain, out: Path) -> Path:
    """Where a chain's record, scripts and logs lie, below ``paths.out``."""
    return (out / "slurm" / chain.name).resolve()


def place(chain: Chain, root: Path, out: Path, *, any_commit: bool) -> Place:
    """Where a chain is submitted from.

    Raises:
        InputError: The cluster's file cannot be used as it is.
    """
    return Place(root, jobs_folder(chain, out), read_cluster(), None if any_commit else manifest.commit(root))


def scripts(chain: Chain, where: Place) -> list[str]:
    """The scripts of all steps that have something to run, as they would be without any earlier submission.

    Values are not held against the code, which would import all of it: that is for a submission.
    """
    plans = make_plans(chain, {step.name: examine(chain, step, where.root) for step in chain.steps}, {})
    numbers = {plan.step.name: f"<{plan.step.slug}>" for plan in plans}
    return [_script(plan, where, f"{plan.step.slug}.<name>", numbers) for plan in plans if plan.missing]


def submit(chain: Chain, where: Place) -> Table:
    """Submit what is neither complete nor in the queue; return at once, with what became of each step.

    Nothing is submitted before all of the chain is known to compose and to fit the code.

    Raises:
        SituatedError: There is no SLURM here, or it refuses a job; the message names what was submitted before it.
    """
    if not queue.is_there():
        raise SituatedError(
            "sbatch: there is no such program here. Run this on a login node of a SLURM cluster, leave out "
            "launcher=slurm, or add dry_run=true to see the scripts."
        )
    record = Record(where.folder)
    with record.alone() as held:
        active = in_queue(record)  # before the manifests: what ends in between is left alone
        plans = make_plans(chain, {step.name: examine(chain, step, where.root) for step in chain.steps}, active)
        check_values(plans)
        numbers: dict[str, str] = {}
        for plan in plans:
            if plan.missing:
                try:
                    numbers[plan.step.name] = _submit(plan, where, record, numbers, held)
                except SituatedError as error:
                    raise SituatedError(_refused(plan.step, error, numbers)) from error
    return _table(plans, numbers)


def in_queue(record: Record) -> dict[tuple[str, ...], Active]:
    """Recipe and words of a task -> its job that waits or runs, by the record of earlier submissions."""
    if not record.exists:
        return {}
    queued = queue.queue()
    record.recover(partial(queue.find, queued=queued))
    found = {}
    for submission in record.submissions():
        for row in submission.attempt.tasks:
            job = queued.get(submission.id(row))
            if job is not None and job.active:
                found[row.words] = Active(job.id, submission.attempt.after)
    return found


def _submit(plan: Plan, where: Place, record: Record, numbers: Mapping[str, str], held: int) -> str:
    """Submit one step; return its job's number."""
    name = f"{plan.step.slug}.{uuid.uuid4().hex[:10]}"
    path = where.folder / f"{name}.sh"
    write_text(path, _script(plan, where, name, numbers))
    rows = [TaskRow(one.task.index, key(one.task)) for one in plan.missing]
    after = tuple(number for _, number in _after(plan, numbers))
    record.append(
        Submitting(name, plan.step.name, bool(plan.step.sweep), rows, _log(plan, where), after, where.commit, now())
    )
    try:
        job = queue.sbatch(path, held)
    except SituatedError as error:
        job = _taken_after_all(name, record, error)
    record.append(Submitted(name, job, now()))
    return job


def _taken_after_all(name: str, record: Record, error: SituatedError) -> str:
    """The number of a job that SLURM took though sbatch failed, as it does when the answer comes too late."""
    try:
        job = queue.find(name, now(), queue.queue())
    except SituatedError:  # nobody knows now; the next call will ask again
        raise error from None
    if job is None:
        record.append(Dropped(name, str(error), now()))
        raise error
    return job


def _script(plan: Plan, where: Place, name: str, numbers: Mapping[str, str]) -> str:
    kinds: dict[str, list[str]] = {}
    for kind, number in _after(plan, numbers):
        kinds.setdefault(kind, []).append(number)
    dependency = ",".join(":".join([kind, *jobs]) for kind, jobs in kinds.items())
    job = script.Submission(
        where.root, where.cluster, name, _log(plan, where), dependency, where.commit, Path.cwd().resolve()
    )
    return script.write_script(plan, job)


def _after(plan: Plan, numbers: Mapping[str, str]) -> list[tuple[str, str]]:
    """The jobs that a step waits for, and how: those before it must end well, its own outdated ones just end."""
    jobs = []
    for before in plan.before:
        jobs += [("afterok", active.job) for active in before.active]
        jobs += [("afterok", numbers[before.step.name])] if before.missing else []
    return jobs + [("afterany", outdated.job) for outdated in plan.outdated]


def _log(plan: Plan, where: Place) -> str:
    folder = str(where.folder).replace("%", "%%")
    return f"{folder}/{plan.step.slug}_{'%A_%a' if plan.step.sweep else '%j'}.log"


def _refused(step: Step, error: SituatedError, numbers: Mapping[str, str]) -> str:
    done = ", ".join(f"{name!r} as job {number}" for name, number in numbers.items())
    return (
        f"step {step.name!r} could not be submitted: {error}\n"
        f"Submitted before it: {done or 'nothing'}. When its cause is mended, the same command submits the rest; "
        f"action=cancel takes back what is in the queue."
    )


def _table(plans: list[Plan], numbers: Mapping[str, str]) -> Table:
    table = Table("step", "tasks", "job", "waits for", "state", title="Jobs")
    for plan in plans:
        states = {"complete": len(plan.complete), "in the queue": len(plan.active), "submitted": len(plan.missing)}
        counted = {state: count for state, count in states.items() if count}
        total = sum(counted.values())
        state = ", ".join(f"{count} {state}" if total > 1 else state for state, count in counted.items())
        jobs = [active.job for active in plan.active] + ([numbers[plan.step.name]] if plan.missing else [])
        waits = [number for _, number in _after(plan, numbers)] if plan.missing else []
        table.add_row(plan.step.name, str(total), " ".join(jobs), " ".join(waits), state)
    return table
