"""What was submitted of a chain: ``<paths.out>/slurm/<chain>/jobs.jsonl``, a line before each sbatch and one after.

A job's name is written down before sbatch is called and is nobody else's. So a call that was killed in between leaves
a name to look for, and no job is submitted twice.
"""

from __future__ import annotations

import fcntl
import logging
import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

import msgspec

from situated.errors import SituatedError

log = logging.getLogger(__name__)

_PATIENCE_S = 30


class TaskRow(msgspec.Struct, frozen=True):
    """A task of a submission: its index in the step's sweep, and its recipe and words."""

    index: int
    words: tuple[str, ...]


class Submitting(msgspec.Struct, frozen=True, tag="submitting", tag_field="event"):
    """Written before sbatch is called.

    Attributes:
        name: The job's name, which no other job has.
        step: The step's name.
        array: Whether it is an array, its tasks numbered by their index.
        tasks: The tasks.
        log: The log, with sbatch's patterns.
        after: Numbers of the jobs that it waits for.
        commit: The code that it was submitted with.
        time: When.
    """

    name: str
    step: str
    array: bool
    tasks: list[TaskRow]
    log: str
    after: tuple[str, ...]
    commit: str | None
    time: datetime


class Submitted(msgspec.Struct, frozen=True, tag="submitted", tag_field="event"):
    """Written once SLURM has taken the job."""

    name: str
    job: str
    time: datetime


class Dropped(msgspec.Struct, frozen=True, tag="dropped", tag_field="event"):
    """Written once it is known that SLURM has no such job."""

    name: str
    reason: str
    time: datetime


class Submission(msgspec.Struct, frozen=True):
    """A submission that SLURM took."""

    attempt: Submitting
    job: str

    def id(self, task: TaskRow) -> str:
        """The number of a task's job."""
        return f"{self.job}_{task.index}" if self.attempt.array else self.job

    def log(self, task: TaskRow) -> Path:
        """The log of a task."""
        name = self.attempt.log.replace("%A", self.job).replace("%a", str(task.index)).replace("%j", self.job)
        return Path(name.replace("%%", "%"))


_Event = Submitting | Submitted | Dropped


class Record:
    """The submissions of one chain.

    Args:
        folder: Where the record lies, and the scripts and logs beside it.
    """

    def __init__(self, folder: Path):
        self.folder = folder
        self._path = folder / "jobs.jsonl"

    @property
    def exists(self) -> bool:
        """Whether anything was ever submitted."""
        return self._path.exists()

    @contextmanager
    def alone(self) -> Iterator[int]:
        """Keep other callers out while the block runs; give the lock's file descriptor, to be handed to sbatch.

        Raises:
            SituatedError: Another call submits jobs of this chain just now, or the folder cannot be written.
        """
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            lock = (self.folder / ".lock").open("w", encoding="utf-8")
        except OSError as error:
            mend = "Choose another paths.out."
            raise SituatedError(f"{self.folder}: cannot be written ({error.strerror}). {mend}") from error
        with lock:
            self._take(lock.fileno())
            yield lock.fileno()

    def append(self, event: _Event) -> None:
        """Write one line, to the disk.

        Raises:
            SituatedError: The file system refuses.
        """
        try:
            with self._path.open("ab+") as file:
                torn = file.tell() > 0 and os.pread(file.fileno(), 1, file.tell() - 1) != b"\n"
                file.write((b"\n" if torn else b"") + msgspec.json.encode(event) + b"\n")
                file.flush()
                os.fsync(file.fileno())
        except OSError as error:
            raise SituatedError(f"{self._path}: cannot be written ({error.strerror}). Free some space.") from error

    def submissions(self) -> list[Submission]:
        """All submissions that SLURM took, oldest first."""
        jobs, attempts = self._read()
        return [Submission(attempt, job) for name, attempt in attempts.items() if (job := jobs.get(name))]

    def recover(self, find: Callable[[str, datetime], str | None]) -> None:
        """Complete the record of a call that was killed.

        Args:
            find: Name of a job and a time before it was submitted -> its number, if SLURM has it.
        """
        jobs, attempts = self._read()
        for attempt in (attempt for name, attempt in attempts.items() if name not in jobs):
            if job := find(attempt.name, attempt.time):
                log.warning("step %r was submitted as job %s by a call that was cut off", attempt.step, job)
                self.append(Submitted(attempt.name, job, now()))
            else:
                self.append(Dropped(attempt.name, "SLURM knows no job of this name", now()))

    def _take(self, lock: int) -> None:
        until = time.monotonic() + _PATIENCE_S
        while True:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError as error:
                if time.monotonic() > until:
                    raise SituatedError(
                        f"{self.folder}: another call is at work on this chain. Wait for it."
                    ) from error
                time.sleep(0.2)
            except OSError:
                log.warning("no lock in %s: do not call this twice at the same time", self.folder)
                return
            else:
                return

    def _read(self) -> tuple[dict[str, str | None], dict[str, Submitting]]:
        """Name -> the job's number, null if SLURM has none; name -> attempt."""
        jobs: dict[str, str | None] = {}
        attempts: dict[str, Submitting] = {}
        decode = msgspec.json.Decoder(_Event).decode
        for line in self._path.read_bytes().splitlines() if self._path.exists() else []:
            try:
                event = decode(line)
            except msgspec.MsgspecError:  # the end of a call that was killed while it wrote: nothing came of it
                log.warning("%s: a torn line is passed over", self._path)
                continue
            if isinstance(event, Submitting):
                attempts[event.name] = event
            else:
                jobs[event.name] = event.job if isinstance(event, Submitted) else None
        return jobs, attempts


def now() -> datetime:
    """This moment, to the second."""
    return datetime.now(UTC).replace(microsecond=0)
