"""SLURM's own commands: submit, look into the queue and the accounts, cancel."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path

from situated import job
from situated.errors import SituatedError

_ENDED = frozenset(
    {"BOOT_FAIL", "CANCELLED", "COMPLETED", "DEADLINE", "FAILED", "NODE_FAIL", "OUT_OF_MEMORY", "PREEMPTED", "REVOKED",
     "TIMEOUT"}
)  # fmt: skip
_PATIENCE_S = 120


@dataclass(frozen=True)
class Job:
    """A job, or a task of an array, as SLURM tells of it.

    Attributes:
        id: ``123`` or ``123_4``.
        name: Its name.
        state: SLURM's word for its state.
        reason: Why it waits, or how it ended (exit code and signal).
    """

    id: str
    name: str
    state: str
    reason: str = ""

    @property
    def active(self) -> bool:
        """Whether it waits, runs or ends just now."""
        return self.state not in _ENDED


def is_there() -> bool:
    """Whether this machine can submit jobs."""
    return shutil.which("sbatch") is not None


def sbatch(script: Path, held: int) -> str:
    """Submit a script; return the job's number.

    Args:
        script: The script, with all options in it.
        held: A file descriptor that the command holds too, so that a lock outlasts a killed caller.

    Raises:
        SituatedError: SLURM refuses, in its words.
    """
    done = _call(["sbatch", "--parsable", str(script)], held)
    if done.returncode:
        raise SituatedError(_said(done))
    return done.stdout.strip().partition(";")[0]  # a federation adds the cluster's name


def queue() -> dict[str, Job]:
    """The user's jobs that wait, run or ended within the last minutes, by number.

    Raises:
        SituatedError: SLURM does not answer.
    """
    words = ["squeue", "--noheader", "--array", "--states=all", f"--user={os.getuid()}", "--format=%i|%j|%T|%r"]
    done = _call(words)
    if done.returncode:
        raise SituatedError(f"squeue does not answer: {_said(done)}. Try again later.")
    rows = (line.strip().split("|", 3) for line in done.stdout.splitlines() if line.count("|") >= 3)
    return {row[0]: Job(*row) for row in rows}


def accounts(jobs: Iterable[str]) -> dict[str, Job]:
    """What the accounts know of jobs, by number; empty on a cluster that keeps none."""
    parents = sorted({one.partition("_")[0] for one in jobs})
    return _sacct([f"--jobs={','.join(parents)}"]) if parents else {}


def find(name: str, since: datetime, queued: Mapping[str, Job]) -> str | None:
    """The number of the job of this name, if SLURM has or had one; an array's without its tasks.

    Args:
        name: A name that no other job has.
        since: A time before it was submitted.
        queued: What is in the queue.
    """
    start = since.astimezone() - timedelta(hours=1)  # clocks differ
    accounted = _sacct([f"--name={name}", f"--starttime={start:%Y-%m-%dT%H:%M:%S}"])
    known = [*queued.values(), *accounted.values()]
    return next((one.id.partition("_")[0] for one in known if one.name == name), None)


def cancel(jobs: Sequence[str]) -> None:
    """Take jobs out of the queue, and end those that run.

    Raises:
        SituatedError: SLURM refuses.
    """
    done = _call(["scancel", *jobs])
    if done.returncode:
        raise SituatedError(f"scancel: {_said(done)}")


def _sacct(which: list[str]) -> dict[str, Job]:
    if shutil.which("sacct") is None:
        return {}
    words = ["sacct", "--noheader", "--parsable2", "--allocations", *which]
    done = _call([*words, "--format=JobID,JobName,State,ExitCode"])
    if done.returncode:
        return {}
    rows = (line.strip().split("|") for line in done.stdout.splitlines() if line.count("|") == 3)
    return {
        one: Job(one, name, state.partition(" ")[0], ended)  # "CANCELLED by 1000"
        for numbers, name, state, ended in rows
        for one in _each(numbers)
    }


def _each(numbers: str) -> list[str]:
    """The numbers of an array's tasks that the accounts have in one line, as long as they wait.

    >>> _each("7_[0-2,5%2]"), _each("7_3")
    (['7_0', '7_1', '7_2', '7_5'], ['7_3'])
    """
    array, bracket, listed = numbers.partition("_[")
    if not bracket:
        return [numbers]
    ranges = [part.partition("-") for part in re.split(r"[%\]]", listed)[0].split(",")]
    return [f"{array}_{one}" for first, _, last in ranges for one in range(int(first), int(last or first) + 1)]


def _call(words: list[str], *held: int) -> subprocess.CompletedProcess[str]:
    """Run a command of SLURM's, with nothing in its environment of a job that this process may be part of."""
    kept, own = ("SLURM_CONF", "SLURM_CLUSTERS"), (job.START, "SITUATED_COMMIT")  # sbatch hands on all that there is
    clean = {k: v for k, v in os.environ.items() if k in kept or not (k.startswith("SLURM_") or k in own)}
    try:
        return subprocess.run(  # noqa: S603 (no shell)
            words, env=clean, capture_output=True, text=True, check=False, timeout=_PATIENCE_S, pass_fds=held
        )
    except OSError as error:
        raise SituatedError(f"{words[0]}: {error.strerror}. Run this where SLURM's commands are.") from error
    except subprocess.TimeoutExpired as error:
        raise SituatedError(f"{words[0]} does not answer within {_PATIENCE_S} s. Try again later.") from error


def _said(done: subprocess.CompletedProcess[str]) -> str:
    return " ".join(done.stderr.split()) or f"{done.args[0]} ended with exit code {done.returncode}"
