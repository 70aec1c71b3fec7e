"""Checkpoints that make a killed run end as if it had not been killed."""

from __future__ import annotations

import time
from pathlib import Path
from pickle import UnpicklingError
from typing import Any

import torch
from pytorch_lightning import Callback, LightningModule, Trainer

from situated.errors import SituatedError
from situated.training import signals


class Stopped(SystemExit):
    """The training stops because a signal asked it to; its checkpoint is whole."""


class ResumeCheckpoint(Callback):
    """Keep the newest state of the training (weights, optimizer, schedule, position in the data) at one fixed path.

    All processes save together, so they agree first: on the clock as on a signal that only one of them may have seen.
    After a signal the training stops there (``signals``), a batch's last curves written.

    Args:
        path: Where; replaced whole.
        every_minutes: Save when this much time has passed at an optimizer step's end, and at every epoch's end.
        every_steps: Save also after this many batches.
    """

    def __init__(self, path: Path, every_minutes: float, every_steps: int | None = None):
        self.path, self.every_minutes, self.every_steps = path, every_minutes, every_steps
        self._last = time.monotonic()
        self._stopping = False

    def on_train_start(self, trainer: Trainer, pl_module: LightningModule) -> None:
        """Stop before the first batch, where a signal came while libraries and weights were loaded."""
        signals.take_sigterm()
        if _agreed(trainer, signals.requested() is not None):
            raise Stopped

    def on_train_epoch_start(self, trainer: Trainer, pl_module: LightningModule) -> None:
        """Stop between epochs."""
        self._leave()

    def on_train_batch_start(self, trainer: Trainer, pl_module: LightningModule, batch: Any, batch_idx: int) -> None:
        """Stop in mid-epoch: by now the batch at whose end the state was saved has its place in the curves."""
        self._leave()

    def on_train_batch_end(
        self, trainer: Trainer, pl_module: LightningModule, outputs: Any, batch: Any, batch_idx: int
    ) -> None:
        """Save in mid-epoch, where no gradient waits to be added to; the epoch's last batch is left to its end."""
        last = batch_idx + 1 == trainer.num_training_batches
        if last or (batch_idx + 1) % trainer.accumulate_grad_batches:
            return
        every = self.every_steps is not None and (batch_idx + 1) % self.every_steps == 0
        due = time.monotonic() - self._last >= 60 * self.every_minutes or signals.requested() is not None
        if every or _agreed(trainer, due):
            self._save(trainer)

    def on_train_epoch_end(self, trainer: Trainer, pl_module: LightningModule) -> None:
        """Save between epochs."""
        self._save(trainer)

    def _save(self, trainer: Trainer) -> None:
        # Lightning writes through fsspec's transaction, which leaves no torn file; the second name makes sure of it.
        temporary = self.path.with_suffix(".part")
        trainer.save_checkpoint(temporary)
        if trainer.is_global_zero:
            temporary.replace(self.path)
        self._last = time.monotonic()
        self._stopping = _agreed(trainer, signals.requested() is not None)

    def _leave(self) -> None:
        if self._stopping:
            raise Stopped


def _agreed(trainer: Trainer, wish: bool) -> bool:
    """Whether any of the processes wishes it."""
    return trainer.strategy.reduce_boolean_decision(wish, all=False)


class SeededSteps(Callback):
    """Seed dropout by (seed, step), so that a step draws the same numbers however the run came there."""

    def __init__(self, seed: int):
        self.seed = seed

    def on_train_batch_start(self, trainer: Trainer, pl_module: LightningModule, batch: Any, batch_idx: int) -> None:
        """Seed the step."""
        step = trainer.current_epoch * trainer.num_training_batches + batch_idx
        torch.manual_seed(((self.seed * 1_000_003 + step) * 1_000_003 + trainer.global_rank) % 2**63)


def check_architecture(path: Path, module: LightningModule) -> None:
    """Refuse a checkpoint of another model before Lightning touches anything.

    Raises:
        SituatedError: It cannot be read as tensors and plain data, or its weights are not this module's.
    """
    try:
        found = torch.load(path, map_location="cpu", weights_only=True, mmap=True)["state_dict"]
    except (OSError, RuntimeError, KeyError, ValueError, EOFError, UnpicklingError) as error:
        raise SituatedError(f"{path}: not a training checkpoint ({error}). Remove it, or use force=true.") from error
    expected = module.state_dict()
    odd = [key for key in expected if key not in found or found[key].shape != expected[key].shape]
    odd += [key for key in found if key not in expected]
    if odd:
        raise SituatedError(
            f"{path}: a checkpoint of another architecture (tensor {odd[0]!r} and {len(odd) - 1} more differ). "
            "Give this run a name of its own (name=...), or start it afresh with force=true."
        )


def remove_checkpoint(path: Path) -> None:
    """Drop the resume file of a finished training: its best weights are kept elsewhere."""
    path.unlink(missing_ok=True)
