"""Fit a Lightning module: resume, keep the epoch that is best on dev, say how it goes."""

from __future__ import annotations

import logging
import math
import shutil
import signal
import sys
import time
import warnings
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal, Protocol

import msgspec
import torch
from lightning_fabric.plugins.environments.slurm import SLURMEnvironment
from lightning_fabric.utilities.exceptions import MisconfigurationException
from pytorch_lightning import Callback, LightningDataModule, LightningModule, Trainer
from pytorch_lightning.callbacks import ProgressBar
from pytorch_lightning.loggers import Logger
from pytorch_lightning.utilities.exceptions import SIGTERMException

from situated.errors import ConfigError, SituatedError
from situated.training import signals
from situated.training.resume import (
    ResumeCheckpoint,
    SeededSteps,
    Stopped,
    check_architecture,
    remove_checkpoint,
)  # fmt: skip

log = logging.getLogger(__name__)


class Savable(Protocol):
    """A module that can write itself as a folder of safetensors, tokenizer and configuration."""

    def save(self, folder: Path) -> None:
        """Write the folder."""


@dataclass(frozen=True, kw_only=True)
class Fit:
    """How a module is fitted, whatever the stage.

    Attributes:
        trainer: Makes the Lightning trainer (devices, precision, clipping, accumulation).
        loggers: Name -> maker of a logger from the run folder.
        callbacks: Name -> further callbacks.
        max_epochs: Epochs in all.
        monitor: The dev metric that picks the epoch.
        mode: Whether more of it is better.
        save_every_minutes: Time between two resume checkpoints within an epoch.
        save_every_steps: Batches between two of them, where a step is long.
    """

    trainer: Callable[..., Trainer]
    max_epochs: Annotated[int, msgspec.Meta(ge=1)]
    monitor: str
    loggers: Mapping[str, Callable[..., Logger]]
    callbacks: Mapping[str, Callback]
    mode: Literal["max", "min"] = "max"
    save_every_minutes: float = 2.0
    save_every_steps: int | None = None

    def __call__(self, module: LightningModule, data: LightningDataModule, folder: Path, seed: int) -> BestEpoch:
        """Train to the last epoch, from ``checkpoints/last.ckpt`` if it is there; the best epoch lies in ``model``.

        Raises:
            SituatedError: The checkpoint is of another architecture, or the monitored metric never was a number.
        """
        last = folder / "checkpoints" / "last.ckpt"
        last.parent.mkdir(parents=True, exist_ok=True)
        best = BestEpoch(self.monitor, self.mode, folder / "model")
        resume = ResumeCheckpoint(last, self.save_every_minutes, self.save_every_steps)
        with _quiet():
            trainer = self._trainer(folder, [SeededSteps(seed), best, EpochLog(), resume])
            if last.exists():
                check_architecture(last, module)
                log.info("Going on from %s", last)
            _run(trainer, module, data, last)
        if best.epoch is None:
            raise SituatedError(f"{self.monitor} never was a number: training diverged. Try a lower optim.lr.")
        _part_ways(trainer)
        remove_checkpoint(last)
        return best

    def _trainer(self, folder: Path, own: list[Callback]) -> Trainer:
        shown = self._shown()
        try:
            return self.trainer(
                max_epochs=self.max_epochs,
                logger=[make(folder) for make in self.loggers.values()],
                callbacks=[*own, *shown],
                enable_progress_bar=any(isinstance(callback, ProgressBar) for callback in shown),
                default_root_dir=folder,
                enable_checkpointing=False,
                enable_model_summary=False,
                use_distributed_sampler=False,  # the data modules give each process its part
                # Lightning's own requeue saves inside the signal handler, which tears checkpoints.
                plugins=[SLURMEnvironment(auto_requeue=False)] if SLURMEnvironment.detect() else None,
            )
        except MisconfigurationException as error:
            raise ConfigError(f"trainer: {' '.join(str(error).split())}") from error

    def _shown(self) -> list[Callback]:
        """The callbacks, without bars where no terminal shows them: there the epochs' lines say how it goes."""
        return [c for c in self.callbacks.values() if sys.stdout.isatty() or not isinstance(c, ProgressBar)]


class BestEpoch(Callback):
    """Write the module whenever the dev metric beats all before; ties keep the earlier epoch.

    Args:
        monitor: Name of the logged metric.
        mode: "max" or "min".
        folder: Where the best module lies.
    """

    def __init__(self, monitor: str, mode: str, folder: Path):
        self.monitor, self.mode, self.folder = monitor, mode, folder
        self.value = -math.inf if mode == "max" else math.inf
        self.epoch: int | None = None

    def on_validation_end(self, trainer: Trainer, pl_module: LightningModule) -> None:
        """Compare and write."""
        if self.monitor not in trainer.callback_metrics:
            known = ", ".join(sorted(map(str, trainer.callback_metrics)))
            raise SituatedError(f"fit.monitor: {self.monitor!r} is not logged. Choose one of: {known}.")
        value = float(trainer.callback_metrics[self.monitor])
        if (value > self.value) if self.mode == "max" else (value < self.value):
            self.value, self.epoch = value, trainer.current_epoch
            if trainer.is_global_zero:
                self._write(pl_module)

    def state_dict(self) -> dict[str, Any]:
        """What a resumed run must know."""
        return {"value": self.value, "epoch": self.epoch}

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Go on comparing where the checkpoint was taken."""
        self.value, self.epoch = state_dict["value"], state_dict["epoch"]

    def _write(self, module: Any) -> None:
        savable: Savable = module
        temporary = self.folder.with_name(f".{self.folder.name}.part")
        shutil.rmtree(temporary, ignore_errors=True)
        savable.save(temporary)
        shutil.rmtree(self.folder, ignore_errors=True)
        temporary.replace(self.folder)


class EpochLog(Callback):
    """One line an epoch, for logs that no terminal shows."""

    def __init__(self) -> None:
        self._began = time.monotonic()
        self._batches = 0

    def on_train_epoch_start(self, trainer: Trainer, pl_module: LightningModule) -> None:
        """Start the clock."""
        self._began, self._batches = time.monotonic(), 0

    def on_train_batch_end(
        self, trainer: Trainer, pl_module: LightningModule, outputs: Any, batch: Any, batch_idx: int
    ) -> None:
        """Count."""
        self._batches += 1

    def on_train_epoch_end(self, trainer: Trainer, pl_module: LightningModule) -> None:
        """Say how the epoch went, with its rate and the time left."""
        seconds = time.monotonic() - self._began
        epochs = trainer.max_epochs or 0
        left = seconds * (epochs - trainer.current_epoch - 1)
        metrics = " ".join(f"{name}={float(value):.4g}" for name, value in sorted(trainer.callback_metrics.items()))
        log.info(
            "epoch %d/%d: %s (%.1f batches/s, about %.0f s left)",
            trainer.current_epoch + 1, epochs, metrics, self._batches / max(seconds, 1e-9), left,
        )  # fmt: skip


def _run(trainer: Trainer, module: LightningModule, data: LightningDataModule, last: Path) -> None:
    """Fit; a signal ends the program with a code of its own, never with that of success."""
    try:
        trainer.fit(module, data, ckpt_path=last if last.exists() else None, weights_only=True)
    except Stopped:
        by = signals.requested()
        if trainer.is_global_zero:
            log.warning("Stopped by %s: the same command goes on from here", by.name if by else "another process")
        raise SystemExit(signals.stop()) from None
    except SystemExit as stop:  # Lightning's answer to a SIGTERM before the first batch (without a code) and to Ctrl-C
        number = signal.SIGTERM if isinstance(stop, SIGTERMException) else signal.SIGINT
        log.warning("Stopped by %s: the same command goes on from the last checkpoint", number.name)
        raise SystemExit(128 + number) from None


def _part_ways(trainer: Trainer) -> None:
    """Of several processes only the first goes on: deciding and writing are its work alone."""
    if trainer.world_size == 1:
        return
    trainer.strategy.barrier("trained")
    if torch.distributed.is_initialized():
        torch.distributed.destroy_process_group()
    if not trainer.is_global_zero:
        raise SystemExit(0)


@contextmanager
def _quiet() -> Iterator[None]:
    """Keep Lightning's advice about workers and its hardware banner out of the log."""
    chatter = logging.getLogger("pytorch_lightning")
    before = chatter.level
    chatter.setLevel(logging.WARNING)
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message=".*does not have many workers.*")
        warnings.filterwarnings("ignore", message=".*`srun` command is available.*")  # a login node
        # torchmetrics adds up what the processes counted
        warnings.filterwarnings("ignore", message=".*recommended to use .self.log.*sync_dist=True.*")
        warnings.filterwarnings("ignore", message=".*smaller than the logging interval.*")
        warnings.filterwarnings("ignore", message=".*LeafSpec.*", category=FutureWarning)  # Lightning on torch 2.13
        try:
            yield
        finally:
            chatter.setLevel(before)
