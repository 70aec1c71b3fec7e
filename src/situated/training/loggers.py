"""Where the curves go."""

from __future__ import annotations

import os
import secrets
from pathlib import Path
from typing import TYPE_CHECKING

from pytorch_lightning.loggers import CSVLogger

from situated.errors import ConfigError
from situated.io import write_text

if TYPE_CHECKING:
    from pytorch_lightning.loggers import WandbLogger


def csv_logger(folder: Path) -> CSVLogger:
    """Curves as ``logs/version_<start>/metrics.csv``: a resumed run adds a file and overwrites none."""
    return CSVLogger(save_dir=folder, name="logs")


def wandb_logger(folder: Path, project: str, entity: str | None = None, group: str | None = None) -> WandbLogger:
    """Curves to Weights & Biases; offline where no API key is set (``wandb sync`` sends them later).

    The run's id lies in the run folder, so a resumed training goes on in the same W&B run.

    Raises:
        ConfigError: wandb is not installed.
    """
    try:
        import wandb  # noqa: F401 (Lightning's logger needs it)
        from pytorch_lightning.loggers import WandbLogger
    except ImportError as error:
        raise ConfigError("logger=wandb needs the wandb package: pip install 'situated[wandb]'.") from error
    id_file = folder / "wandb_id.txt"
    if not id_file.exists():
        write_text(id_file, secrets.token_hex(4))
    has_key = bool(os.environ.get("WANDB_API_KEY")) or os.environ.get("WANDB_MODE") == "online"
    return WandbLogger(
        project=project,
        entity=entity,
        group=group,
        name="/".join(folder.parts[-3:]),
        id=id_file.read_text(encoding="utf-8").strip(),
        resume="allow",
        save_dir=folder,
        offline=not has_key,
    )
