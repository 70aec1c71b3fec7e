"""Where the curves go: one file and one W&B run, however often a training is stopped and taken up."""

from __future__ import annotations

import math
import os
import secrets
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
from lightning_fabric.utilities.rank_zero import rank_zero_only
from pytorch_lightning.loggers.logger import Logger

from situated import job
from situated.errors import ConfigError
from situated.io import atomic_write, write_text

if TYPE_CHECKING:
    from pytorch_lightning.loggers import WandbLogger

Row = dict[str, int | float | None]
"""Metric -> value (None: not a number), and the optimizer step under "step"."""


class Curves(Logger):
    """Curves as ``logs/curves.jsonl``: a line {"step": ..., metric: value, ...} for whatever is logged together.

    The file is one and goes on: a training that is taken up at step n first drops what was logged from n on, where
    Lightning's CSV logger would begin another file.

    Args:
        folder: The run folder.
    """

    def __init__(self, folder: Path):
        super().__init__()
        self.path = curves_path(folder)
        self._taken_up = False

    @property
    def name(self) -> str:
        """Of the logger."""
        return "curves"

    @property
    def version(self) -> int:
        """There is one."""
        return 0

    def log_hyperparams(self, *args: Any, **kwargs: Any) -> None:
        """The run folder has the whole configuration."""

    @rank_zero_only
    def log_metrics(self, metrics: Mapping[str, float], step: int | None = None) -> None:
        """Add a line; it is in the file when this returns, so that no kill takes it away."""
        step = step or 0
        if not self._taken_up:
            kept = before(read_curves(self.path), step)
            with atomic_write(self.path) as file:
                file.writelines(map(_line, kept))
            self._taken_up = True
        with self.path.open("ab") as file:
            file.write(_line({"step": step} | {name: float(value) for name, value in metrics.items()}))


def curves_path(folder: Path) -> Path:
    """Where a run's curves lie."""
    return folder / "logs" / "curves.jsonl"


def read_curves(path: Path) -> list[Row]:
    """The lines of a curves file; none where there is no file, and without a last one that a kill has torn."""
    if not path.is_file():
        return []
    *lines, _torn = path.read_bytes().split(b"\n")
    decode = msgspec.json.Decoder(Row).decode
    return [decode(line) for line in lines]


def before(rows: list[Row], step: int) -> list[Row]:
    """The rows of a training that is taken up at a step: what comes from there on is logged again."""
    return [row for row in rows if (row["step"] or 0) < step]


def wandb_logger(folder: Path, project: str, entity: str | None = None, group: str | None = None) -> WandbLogger:
    """Curves to Weights & Biases; offline where no API key is set (``wandb sync`` sends them later).

    The run's id lies in the run folder, so a resumed training goes on in the same W&B run. W&B cannot take up an
    offline run: there each start writes it anew, beginning with the curves so far, and takes the earlier one away.
    (System metrics and console lines are those since the last start.)

    Raises:
        ConfigError: wandb is not installed.
    """
    try:
        import wandb  # noqa: F401 (Lightning's logger needs it)
        from pytorch_lightning.loggers import WandbLogger
    except ImportError as error:
        raise ConfigError("logger=wandb needs the wandb package: pip install 'situated[wandb]'.") from error

    class Replaying(WandbLogger):
        """An offline run that begins with what earlier starts logged."""

        earlier: list[Row]

        @rank_zero_only
        def log_metrics(self, metrics: Mapping[str, float], step: int | None = None) -> None:
            """Log, after the curves so far."""
            self._replay(before(self.earlier, step or 0))
            super().log_metrics(metrics, step)

        @rank_zero_only
        def finalize(self, status: str) -> None:
            """End, with the curves so far where nothing was left to be trained."""
            self._replay(self.earlier)
            super().finalize(status)

        def _replay(self, rows: list[Row]) -> None:
            self.earlier = []
            for row in rows:
                metrics = {key: math.nan if value is None else value for key, value in row.items() if key != "step"}
                super().log_metrics(metrics, int(row["step"] or 0))

    has_key = bool(os.environ.get("WANDB_API_KEY")) or os.environ.get("WANDB_MODE") == "online"
    logger = Replaying(
        project=project,
        entity=entity,
        group=group,
        name="/".join(folder.parts[-3:]),
        id=_run_id(folder),
        resume="allow",
        save_dir=folder,
        offline=not has_key,
    )
    logger.earlier = [] if has_key else read_curves(curves_path(folder))
    if not has_key and job.rank() == 0:
        for earlier in (folder / "wandb").glob(f"offline-run-*-{logger.version}"):
            shutil.rmtree(earlier)
    return logger


def _run_id(folder: Path) -> str:
    id_file = folder / "wandb_id.txt"
    if job.rank() == 0 and not id_file.exists():
        write_text(id_file, secrets.token_hex(4))
    return id_file.read_text(encoding="utf-8").strip() if id_file.exists() else secrets.token_hex(4)


def _line(row: Mapping[str, int | float | None]) -> bytes:
    return msgspec.json.encode(row) + b"\n"
