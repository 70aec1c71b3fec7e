"""The run folder: who owns it, whether it is whole, and what lies in it.

``<paths.out>/<stage>/<name>/seed=<n>`` holds ``config.yaml``, ``manifest.json``, ``metrics.json``,
``predictions.jsonl``, ``run.log`` and what the stage adds. The manifest says "running" while the work goes on and
"complete" once everything else is written, so a half-written folder is never taken for a whole one.
"""

from __future__ import annotations

import logging
import shutil
import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import Any

import yaml

from situated import manifest
from situated.errors import RunConflictError
from situated.io import read_json, write_json, write_jsonl, write_text
from situated.schema import Prediction

log = logging.getLogger(__name__)

_ACCOUNT = frozenset({"manifest.json", "config.yaml", "run.log", "logs", "checkpoints", "wandb", "wandb_id.txt"})


class Run:
    """One run of one stage in one folder.

    Args:
        folder: The run folder; made by ``claim``.
        config: The resolved configuration.
        inputs: Name -> file or folder that the run reads.
        replace: A result of other inputs or configuration is replaced without asking (cheap summaries).

    Raises:
        InputError: An input is missing.
    """

    def __init__(self, folder: Path, config: Mapping[str, Any], inputs: Mapping[str, Path], *, replace: bool = False):
        self.folder = folder
        self.config = dict(config)
        self.inputs = manifest.describe_files(inputs)
        self.fingerprint = manifest.fingerprint(config, self.inputs)
        self.counts: dict[str, int] = {}
        self.force = replace or bool(config.get("force", False))

    @property
    def found(self) -> dict[str, Any] | None:
        """The manifest that lies in the folder, if any."""
        path = self.folder / "manifest.json"
        return read_json(path) if path.exists() else None

    @property
    def is_complete(self) -> bool:
        """Whether the folder holds the whole result of this configuration and these inputs, and force is off."""
        found = self.found
        return (
            found is not None
            and not self.force
            and found["status"] == "complete"
            and found["fingerprint"] == self.fingerprint
        )

    @contextmanager
    def claim(self) -> Iterator[None]:
        """Own the folder while the block runs, and call the run complete at its end.

        Call it when the inputs are known to be good: before it nothing in the folder is touched. An interrupted run
        of the same configuration and inputs is taken up where it stopped; ``force=true`` starts it afresh.

        Raises:
            RunConflictError: The folder holds another configuration's or other inputs' run and force is off.
        """
        found = self.found
        if found is not None and not self.force and found["fingerprint"] != self.fingerprint:
            raise RunConflictError(self._conflict(found))
        if found is not None and self.force:
            self._clear()
        starts = found["starts"] if found is not None and not self.force else []
        record = self._record() | {"status": "running", "starts": [*starts, _now()]}
        write_text(self.folder / "config.yaml", yaml.safe_dump(self.config, sort_keys=False, allow_unicode=True))
        write_json(self.folder / "manifest.json", record)
        began = time.monotonic()
        with _log_file(self.folder / "run.log"):
            yield
            log.info("Complete: %s", self.folder)
        record |= {
            "status": "complete",
            "counts": self.counts,
            "outputs": self._outputs(),
            "wall_time_s": round(time.monotonic() - began, 3),
            "finished": _now(),
        }
        write_json(self.folder / "manifest.json", record)

    def write_predictions(self, predictions: Iterable[Prediction]) -> None:
        """Write ``predictions.jsonl``."""
        self.counts["predictions"] = write_jsonl(self.folder / "predictions.jsonl", predictions)

    def write_metrics(self, metrics: Mapping[str, Any]) -> None:
        """Write ``metrics.json``: name -> {value, n, ci95: [low, high]}."""
        write_json(self.folder / "metrics.json", metrics)

    def _record(self) -> dict[str, Any]:
        return {
            "stage": self.config.get("stage"),
            "name": self.config.get("name"),
            "seed": self.config.get("seed"),
            "fingerprint": self.fingerprint,
            "config": self.config,
            "inputs": self.inputs,
        } | manifest.environment()

    def _outputs(self) -> dict[str, dict[str, Any]]:
        """Everything in the folder but the account of how it came about."""
        made = {path.name: path for path in sorted(self.folder.iterdir()) if path.name not in _ACCOUNT}
        return manifest.describe_files(made)

    def _clear(self) -> None:
        """Take away what an earlier run left that this one would read; the rest is replaced file by file."""
        for name in ("checkpoints", "model", "logs", "wandb"):
            shutil.rmtree(self.folder / name, ignore_errors=True)
        for name in ("manifest.json", "metrics.json", "predictions.jsonl", "wandb_id.txt"):
            (self.folder / name).unlink(missing_ok=True)

    def _conflict(self, found: Mapping[str, Any]) -> str:
        differences = list(_differences(manifest.identity(found["config"]), manifest.identity(self.config)))
        differences += [
            f"input {name!r} has another content than then"
            for name, entry in self.inputs.items()
            if found["inputs"].get(name, {}).get("sha256") != entry["sha256"]
        ]
        listed = "\n  ".join(differences[:12] or ["(the earlier run was made by another version of this recipe)"])
        return (
            f"{self.folder} holds a run of another configuration or of other inputs:\n  {listed}\n"
            "Give this run a name of its own (name=...), or replace the old one with force=true."
        )


def _differences(old: Any, new: Any, key: str = "") -> Iterator[str]:
    """Yield a line for every key in which two configurations differ."""
    if isinstance(old, Mapping) and isinstance(new, Mapping):
        for name in [*old, *(name for name in new if name not in old)]:
            yield from _differences(old.get(name), new.get(name), f"{key}.{name}" if key else str(name))
    elif old != new:
        yield f"{key}: {old!r} there, {new!r} now"


@contextmanager
def _log_file(path: Path) -> Iterator[None]:
    handler = logging.FileHandler(path, encoding="utf-8")
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


def _exc_info(error: BaseException) -> tuple[type[BaseException], BaseException, TracebackType | None]:
    return type(error), error, error.__traceback__


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
