"""One process at a time in one folder."""

from __future__ import annotations

import fcntl
import logging
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from situated.errors import RunConflictError, SituatedError

log = logging.getLogger(__name__)


@contextmanager
def alone_in(folder: Path) -> Iterator[None]:
    """Keep other processes out of the folder; the system lets go of the lock however this process ends.

    Raises:
        RunConflictError: Another process is in it.
        SituatedError: It cannot be written.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        lock = (folder / ".lock").open("w", encoding="utf-8")
    except OSError as error:
        raise SituatedError(f"{folder}: cannot be written ({error.strerror}). Choose another paths.out.") from error
    with lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            mend = "Wait for it, or give this run a name of its own (name=...)."
            raise RunConflictError(f"{folder}: another process works in it. {mend}") from error
        except OSError:  # a file system without locks
            log.debug("no lock in %s", folder)
        try:
            yield
        finally:
            with suppress(OSError):
                (folder / ".lock").unlink()
