"""A signal is a wish: it sets a flag, and the training stops where a checkpoint is whole.

SLURM sends SIGUSR1 (``--signal``) before a job's time is over or its place is wanted by another; submitit uses SIGUSR2.
Saving inside a handler tears checkpoints and hangs several processes, so the handler notes the wish and the training
answers at a batch's end. Imports no torch: it is installed before torch is, whose import takes many seconds.
"""

from __future__ import annotations

import logging
import shutil
import signal
import subprocess
from collections.abc import Callable
from dataclasses import dataclass, field
from types import FrameType
from typing import Any

from situated import job

log = logging.getLogger(__name__)

REQUEUE_ME = 75
"""Exit code of a stopped run that could not requeue its own job, as in a container: its batch script does."""

_PREEMPTION = (signal.SIGUSR1, signal.SIGUSR2)
_Handler = Callable[[int, FrameType | None], Any]


@dataclass
class _Wish:
    """The first signal that came, and the handlers that ours stand in for."""

    number: signal.Signals | None = None
    earlier: dict[signal.Signals, _Handler] = field(default_factory=dict)


_wish = _Wish()


def install() -> None:
    """Let SIGUSR1 and SIGUSR2 set the flag; a handler of a launcher's is kept, to requeue through it."""
    for number in _PREEMPTION:
        earlier = signal.getsignal(number)
        if earlier is _note:
            continue
        if callable(earlier) and not isinstance(earlier, signal.Handlers):
            _wish.earlier[number] = earlier
        signal.signal(number, _note)


def requested() -> signal.Signals | None:
    """The signal that asked the program to stop, if one did."""
    return _wish.number


def take_sigterm() -> None:
    """Let SIGTERM set the flag too. For trainings alone: it must end programs that look at no flag.

    Lightning's own handler would talk to the other processes in the middle of whatever they do; Lightning puts the
    earlier handler back after the training.
    """
    signal.signal(signal.SIGTERM, _note)


def stop() -> int:
    """Put the job back into the queue where that is ours to do; return the exit code of this process.

    Of several processes the first speaks for all: srun would take another's code for a failure and kill the first.

    SIGUSR1 and SIGUSR2 come from SLURM, before a limit or a preemption. SIGTERM may be the user's ``scancel``, after
    which a job must stay away; after a preemption SLURM requeues it by itself.
    """
    number = _wish.number or signal.SIGTERM
    if job.rank() != 0:
        return 0
    if number is signal.SIGTERM or job.scontrol_id() is None:
        return 128 + number
    if number in _wish.earlier:
        _wish.earlier[number](number, None)  # submitit's: it counts time-outs, requeues and ends the process
    return 128 + number if _requeue() else REQUEUE_ME


def _note(number: int, frame: FrameType | None) -> None:
    if _wish.number is None:
        _wish.number = signal.Signals(number)


def _requeue() -> bool:
    """Whether SLURM took the job back."""
    name = job.scontrol_id()
    if shutil.which("scontrol") is None:
        log.warning("There is no scontrol here: job %s is left to its batch script to requeue", name)
        return False
    log.info("Requeueing job %s", name)
    done = subprocess.run(["scontrol", "requeue", str(name)], capture_output=True, text=True, check=False)  # noqa: S603, S607
    if done.returncode:
        log.warning("scontrol did not requeue job %s: %s", name, done.stderr.strip())
    return done.returncode == 0
