"""How far the reading of dumps is: pages a second and time left, on a terminal as a bar, else in the log."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path

from rich.console import Console
from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TimeRemainingColumn

log = logging.getLogger(__name__)

_EVERY_S = 60.0


class Meter:
    """Counts what several threads report.

    Args:
        sizes: Of the dumps, in bytes as they are packed.
        show: Called after each report with (bytes read, pages cleaned, pages a second).
    """

    def __init__(self, sizes: Sequence[int], show: Callable[[int, int, float], object]):
        self._read, self._pages, self._show = [0] * len(sizes), 0, show
        self._began = time.monotonic()
        self._lock = threading.Lock()

    def at(self, dump: int, position: int) -> None:
        """Note how far a dump is read, in bytes as it is packed."""
        with self._lock:
            self._read[dump] = position
            self._report()

    def pages(self, count: int) -> None:
        """Note that so many more pages are done."""
        with self._lock:
            self._pages += count
            self._report()

    def _report(self) -> None:
        seconds = max(time.monotonic() - self._began, 1e-9)
        self._show(sum(self._read), self._pages, self._pages / seconds)


@contextmanager
def metered(dumps: Sequence[Path], every_s: float = _EVERY_S, console: Console | None = None) -> Iterator[Meter]:
    """Give a meter of these files; a line in the log every so often where there is no terminal."""
    console = console or Console()
    sizes = [path.stat().st_size for path in dumps]
    columns = (TextColumn("{task.fields[rate]}"), BarColumn(), DownloadColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as progress:
        task = progress.add_task("read", total=sum(sizes), rate="")
        line = _Lines(sum(sizes), every_s)

        def show(read: int, pages: int, rate: float) -> None:
            progress.update(task, completed=read, rate=f"{rate:,.0f} pages/s")
            if not console.is_terminal:
                line(read, pages, rate)

        yield Meter(sizes, show)


class _Lines:
    """A line in the log, not too often."""

    def __init__(self, total: int, every_s: float):
        self._total, self._every_s = total, every_s
        self._began = self._last = time.monotonic()

    def __call__(self, read: int, pages: int, rate: float) -> None:
        now = time.monotonic()
        if now - self._last < self._every_s or not read:
            return
        self._last = now
        left = timedelta(seconds=round((now - self._began) * (self._total - read) / read))
        log.info(
            "%d %% read, %s pages, %s pages/s, %s left", 100 * read // self._total, f"{pages:,}", f"{rate:,.0f}", left
        )
