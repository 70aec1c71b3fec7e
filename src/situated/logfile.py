"""The log of one run, beside what the terminal shows."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from types import TracebackType

log = logging.getLogger(__name__)


@contextmanager
def log_file(path: Path) -> Iterator[None]:
    """Write every log line of the block to a file as well, and why it was left if that was by an exception."""
    handler = _LogFile(path, encoding="utf-8")
    handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(name)s: %(message)s"))
    root = logging.getLogger()
    root.addHandler(handler)
    try:
        yield
    except BaseException as error:  # into the file alone: whoever catches it tells the terminal
        handler.handle(log.makeRecord(log.name, logging.ERROR, __file__, 0, "Stopped", (), _exc_info(error)))
        raise
    finally:
        root.removeHandler(handler)
        handler.close()


class _LogFile(logging.FileHandler):
    """A log that may be cut short by a full disk: the terminal has every line too, and results are what must fail."""

    def handleError(self, record: logging.LogRecord) -> None:  # noqa: N802 (logging's name)
        """Go on."""

    def close(self) -> None:
        """Close."""
        with suppress(OSError):
            super().close()


def _exc_info(error: BaseException) -> tuple[type[BaseException], BaseException, TracebackType | None]:
    return type(error), error, error.__traceback__
