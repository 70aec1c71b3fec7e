"""Dumps read in batches and cleaned, each batch once: what a killed run has finished is there when it is run again."""

from __future__ import annotations

import logging
import threading
from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from situated.corpus.dump import batches
from situated.corpus.meter import Meter
from situated.corpus.parts import Cleaner
from situated.corpus.unpacking import unpacked
from situated.corpus.workers import Clean, cleaning
from situated.io import read_json, write_json

log = logging.getLogger(__name__)

_WAITING = 2  # batches for each process
_PROCESSES_A_READER = 4  # cleaning takes some four times as long as unpacking bz2


class StoppedError(Exception):
    """The program was asked to stop; what is finished is kept."""


@dataclass(frozen=True)
class Reading:
    """How dumps are read.

    Attributes:
        folder: For the part files, ``<dump>-<batch>.part``, and a mark for each dump that is wholly read.
        language: Of the dumps.
        processes: That clean; with 1 all is done in this one.
        stopped: Whether the program was asked to stop.
    """

    folder: Path
    language: str
    processes: int
    stopped: Callable[[], object]

    def read(self, dumps: Sequence[Path], cleaner: Cleaner, meter: Meter) -> list[Path]:
        """Make the part files of all dumps; return them in the dumps' order.

        Raises:
            InputError: A dump cannot be read to its end.
            StoppedError: The program was asked to stop.
        """
        readers = min(len(dumps), max(1, self.processes // _PROCESSES_A_READER))
        slots = threading.BoundedSemaphore(_WAITING * self.processes + readers)
        failed = threading.Event()
        with cleaning(cleaner, self.processes) as clean, ThreadPoolExecutor(readers) as threads:
            tasks = [_Task(self, number, dump, clean, slots, failed, meter) for number, dump in enumerate(dumps)]
            reading = [threads.submit(task.run) for task in tasks]
            try:
                for one in reading:
                    one.result()
            except BaseException:
                failed.set()
                raise
        return [path for number in range(len(dumps)) for path in self._parts(number)]

    def mark(self, number: int) -> Path:
        """The file that says how many batches a dump has."""
        return self.folder / f"{number:04d}.json"

    def part(self, number: int, batch: int) -> Path:
        """The file of a batch of a dump."""
        return self.folder / f"{number:04d}-{batch:06d}.part"

    def _parts(self, number: int) -> list[Path]:
        return [self.part(number, batch) for batch in range(read_json(self.mark(number))["batches"])]


class _Task:
    """The reading of one dump."""

    def __init__(
        self,
        reading: Reading,
        number: int,
        dump: Path,
        clean: Clean,
        slots: threading.BoundedSemaphore,
        failed: threading.Event,
        meter: Meter,
    ):
        self._reading, self._number, self._dump = reading, number, dump
        self._clean, self._slots, self._failed, self._meter = clean, slots, failed, meter
        self._errors: list[BaseException] = []

    def run(self) -> None:
        """Hand every batch that has no part file yet to the cleaners, and wait for them."""
        if self._reading.mark(self._number).is_file():
            self._meter.at(self._number, self._dump.stat().st_size)
            return
        threads = 0 if self._reading.processes == 1 else min(8, self._reading.processes)
        blocks = unpacked(self._dump, threads, lambda at: self._meter.at(self._number, at))
        count, waiting = 0, list[Future[Counter[str]]]()
        for count, batch in enumerate(batches(self._dump, blocks, self._reading.language), start=1):
            self._check()
            path = self._reading.part(self._number, count - 1)
            if not path.is_file():
                waiting = [one for one in waiting if not one.done()]
                waiting.append(self._submit(batch, path))
        for one in waiting:
            one.result()
        self._check()
        write_json(self._reading.mark(self._number), {"batches": count})

    def _submit(self, batch: bytes, path: Path) -> Future[Counter[str]]:
        self._slots.acquire()
        try:
            made = self._clean(batch, path)
        except BaseException:
            self._slots.release()
            raise
        made.add_done_callback(self._finish)
        return made

    def _finish(self, made: Future[Counter[str]]) -> None:
        self._slots.release()
        if made.cancelled():
            return
        if error := made.exception():
            self._errors.append(error)
        else:
            self._meter.pages(made.result()["pages"])

    def _check(self) -> None:
        if self._errors:
            raise self._errors[0]
        if self._failed.is_set() or self._reading.stopped():
            raise StoppedError
