"""Processes that clean batches, which end with the program that started them however it ends."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from multiprocessing.connection import wait
from pathlib import Path
from typing import Protocol

from situated.corpus.parts import Cleaner
from situated.errors import SituatedError

_cleaner: list[Cleaner] = []  # of this worker process


class Clean(Protocol):
    """Has a batch made into a part file, now or at some time."""

    def __call__(self, batch: bytes, path: Path) -> Future[Counter[str]]:
        """The counts, once it is done."""
        ...


@contextmanager
def cleaning(cleaner: Cleaner, processes: int) -> Iterator[Clean]:
    """Give what cleans batches: this process where one is wanted, else as many others.

    Raises:
        SituatedError: A process was ended from outside, as the system does when memory runs out.
    """
    if processes == 1:
        yield lambda batch, path: _at_once(cleaner, batch, path)
        return
    context = multiprocessing.get_context("spawn")  # a fork would share locks and threads
    pool = ProcessPoolExecutor(processes, mp_context=context, initializer=_begin, initargs=(cleaner,))
    try:
        with pool:
            try:
                yield lambda batch, path: pool.submit(_clean, batch, path)
            except BaseException:
                pool.shutdown(wait=False, cancel_futures=True)
                raise
    except BrokenProcessPool as error:
        mend = "Was there too little memory? Take fewer (processes=...), and run again: it goes on where it stopped."
        raise SituatedError(f"a cleaning process was ended from outside. {mend}") from error


def _at_once(cleaner: Cleaner, batch: bytes, path: Path) -> Future[Counter[str]]:
    done = Future[Counter[str]]()
    done.set_result(cleaner.write(batch, path))
    return done


def _begin(cleaner: Cleaner) -> None:
    for number in (signal.SIGINT, signal.SIGUSR1, signal.SIGUSR2):  # sent to all of a job: the first process answers
        signal.signal(number, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    _cleaner[:] = [cleaner]


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        wait([parent.sentinel])
        os._exit(1)


def _clean(batch: bytes, path: Path) -> Counter[str]:
    return _cleaner[0].write(batch, path)
