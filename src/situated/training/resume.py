"""Checkpoints that make a killed run end as if it had not been killed."""

from __future__ import annotations

import time
from pathlib import Path
from pickle import UnpicklingError
from typing import Any

import torch
from pytorch_lightning import Callback, LightningModule, Trainer

from situated.errors import SituatedError


class ResumeCheckpoint(Callback):
    """Keep the newest state of the training (weights, optimizer, schedule, position in the data) at one fixed path.

    Args:
        path: Where; replaced whole.
        every_minutes: Save when this much time has passed at a batch's end, and at every epoch's end.
        every_steps: Save also after this many batches.
    """

    def __init__(self, path: Path, every_minutes: float, every_steps: int | None = None):
        self.path, self.every_minutes, self.every_steps = path, every_minutes, every_steps
        self._last = time.monotonic()

    def on_train_batch_end(
        self, trainer: Trainer, pl_module: LightningModule, outputs: Any, batch: Any, batch_idx: int
    ) -> None:
        """Save in mid-epoch; the epoch's last batch is left to its end."""
        if batch_idx + 1 == trainer.num_training_batches:
            return
        due = time.monotonic() - self._last >= 60 * self.every_minutes
        if due or (self.every_steps is not None and (batch_idx + 1) % self.every_steps == 0):
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
