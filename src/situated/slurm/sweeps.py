"""Tell what failed in a sweep whose runs were jobs of a launcher: all of it, in one place.

A run that fails inside a launcher's job ends as a job that went well. Hydra's launching process raises the first
error and is silent about the others, so the jobs leave their errors in files, and this process reads them.
"""

from __future__ import annotations

import logging
import os
import shutil
import sys
import traceback
import uuid
from pathlib import Path
from typing import Any

import msgspec
from hydra.core.utils import JobReturn, JobStatus
from hydra.experimental.callback import Callback
from omegaconf import DictConfig

from situated.errors import SituatedError
from situated.io import read_json, write_json

log = logging.getLogger(__name__)


class Failure(msgspec.Struct, frozen=True):
    """One run of the sweep: its words, what it said, and the exit code that it stands for."""

    words: list[str]
    said: str
    code: int


class TellFailures(Callback):
    """Hydra's hook at a job's end and at the sweep's; it travels to the jobs with its state.

    Args:
        folder: Where jobs leave their errors, on a file system that they share with this process.
    """

    def __init__(self, folder: str):
        self._home = os.getpid(), os.uname().nodename
        self._folder = Path(folder).resolve() / f"failures.{uuid.uuid4().hex[:10]}"

    def on_job_end(self, config: DictConfig, job_return: JobReturn, **kwargs: Any) -> None:
        """Keep a job's error, and let the sweep go on to the others."""
        if (os.getpid(), os.uname().nodename) == self._home or job_return.status is not JobStatus.FAILED:
            return
        error = _raised(job_return)
        expected = isinstance(error, SituatedError)
        said = str(error) if expected else "".join(traceback.format_exception(error)).strip()
        words = [str(word) for word in config.hydra.overrides.task]
        write_json(self._folder / f"{config.hydra.job.num}.json", Failure(words, said, 2 if expected else 1))
        log.error("%s", said)
        job_return.status, job_return.return_value = JobStatus.COMPLETED, None

    def on_multirun_end(self, config: DictConfig, **kwargs: Any) -> None:
        """Tell all errors; end with the exit code that the recipe itself would have had."""
        files = sorted(self._folder.glob("*.json"), key=lambda path: int(path.stem))
        failures = [msgspec.convert(read_json(path), Failure) for path in files]
        shutil.rmtree(self._folder, ignore_errors=True)
        for failure in failures:
            print(f"error: {failure.said}\n  in {' '.join(failure.words)}", file=sys.stderr)
        logs = self._folder.parent
        print(f"{len(failures)} runs failed; " if failures else "All runs are done; ", f"logs: {logs}", sep="")
        if failures:
            sys.exit(max(failure.code for failure in failures))


def _raised(job_return: JobReturn) -> Exception:
    """The error of a job that failed: asking it for its value raises it."""
    try:
        value = job_return.return_value
    except Exception as error:
        return error
    return RuntimeError(f"a failed job returned {value!r}")
