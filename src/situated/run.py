"""The run folder: who owns it, whether it is whole, and what lies in it.

``<paths.out>/<stage>/<name>/seed=<n>`` holds ``config.yaml``, ``manifest.json``, ``metrics.json``,
``predictions.jsonl``, ``run.log`` and what the stage adds. The manifest says "running" while the work goes on and
"complete" once everything else is written, so a half-written folder is never taken for a whole one.
"""

from __future__ import annotations

import fcntl
import logging
import shutil
import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import Any

import msgspec
import yaml

from situated import manifest
from situated.errors import InputError, RunConflictError, SituatedError
from situated.io import read_json, write_json, write_jsonl, write_text
from situated.schema import Decision

log = logging.getLogger(__name__)

_ACCOUNT = frozenset({"manifest.json", "config.yaml", "run.log", "logs", "checkpoints", "wandb", "wandb_id.txt"})
_REPLACED = _ACCOUNT | {"model", "metrics.json", "predictions.jsonl"}
_ASIDE = ".replaced"


class Found(msgspec.Struct, frozen=True):
    """What a run needs to know of the manifest that it finds in its folder."""

    status: str
    fingerprint: str
    config: dict[str, Any]
    inputs: dict[str, dict[str, Any]]
    starts: list[str]
    outputs: dict[str, dict[str, Any]] = {}


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
    def found(self) -> Found | None:
        """The manifest that lies in the folder, if any.

        Raises:
            InputError: It is no manifest of a run.
        """
        path = self.folder / "manifest.json"
        if not path.exists():
            return None
        try:
            return msgspec.convert(read_json(path), Found)
        except msgspec.ValidationError as error:
            raise InputError(path, f"not the manifest of a run ({error})", "Move it away.") from error

    @property
    def is_complete(self) -> bool:
        """Whether the folder holds the whole result of this configuration and these inputs, and force is off."""
        if self.force:
            return False
        found = self.found
        if found is None or found.status != "complete" or found.fingerprint != self.fingerprint:
            return False
        gone = [name for name, made in found.outputs.items() if manifest.size(self.folder / name) < made["bytes"]]
        if gone:
            log.warning("%s was complete, but lacks (parts of) %s now: done anew", self.folder, ", ".join(gone))
        return not gone

    @contextmanager
    def claim(self) -> Iterator[None]:
        """Own the folder while the block runs, and call the run complete at its end.

        Call it when the inputs are known to be good: before it nothing in the folder is touched. An interrupted run
        of the same configuration and inputs is taken up where it stopped; ``force=true`` starts it afresh, and puts
        back what was there when the new run fails.

        A run that fails before it has a checkpoint leaves the folder free for another configuration.

        Raises:
            RunConflictError: The folder holds another configuration's or other inputs' run and force is off, or
                another process works in it.
            SituatedError: The folder cannot be written.
        """
        with _alone_in(self.folder):
            found = self._forced() if self.force else self.found
            same = found is not None and found.fingerprint == self.fingerprint
            if found is not None and not (self.force or same or found.status == "failed"):
                raise RunConflictError(self._conflict(found))
            yield from self._work(found, found.starts if found is not None and same and not self.force else [])

    def _work(self, found: Found | None, starts: list[str]) -> Iterator[None]:
        with self._earlier_aside(found):
            for part in [*self.folder.rglob(".*.part")]:  # of a process that was killed while it wrote
                _remove([part])
            record = self._record() | {"status": "running", "starts": [*starts, _now()]}
            write_text(self.folder / "config.yaml", yaml.safe_dump(self.config, sort_keys=False, allow_unicode=True))
            write_json(self.folder / "manifest.json", record)
            began = time.monotonic()
            try:
                with _log_file(self.folder / "run.log"):
                    yield
                    log.info("Complete: %s", self.folder)
            except Exception:
                if not any((self.folder / "checkpoints").glob("*")):
                    with suppress(SituatedError):  # what went wrong before is what matters
                        write_json(self.folder / "manifest.json", record | {"status": "failed"})
                raise
            record |= {
                "status": "complete",
                "counts": self.counts,
                "outputs": self._outputs(),
                "wall_time_s": round(time.monotonic() - began, 3),
                "finished": _now(),
            }
            write_json(self.folder / "manifest.json", record)

    def write_predictions(self, predictions: Iterable[Decision]) -> None:
        """Write ``predictions.jsonl``."""
        self.counts["predictions"] = write_jsonl(self.folder / "predictions.jsonl", predictions)

    def write_metrics(self, metrics: Mapping[str, Any]) -> None:
        """Write ``metrics.json``: name -> {value, n, ci95: [low, high]}."""
        write_json(self.folder / "metrics.json", metrics)

    def _forced(self) -> Found | None:
        """The manifest that is to be replaced; a broken one is taken away."""
        try:
            return self.found
        except InputError as error:
            log.warning("Replaced: %s", error)
            (self.folder / "manifest.json").unlink()
            return None

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
        """Everything in the folder but hidden files and the account of how it came about."""
        made = {path.name: path for path in self._entries() if path.name not in _ACCOUNT}
        return manifest.describe_files(made)

    def _entries(self) -> list[Path]:
        return sorted(path for path in self.folder.glob("*") if not path.name.startswith("."))

    @contextmanager
    def _earlier_aside(self, found: Found | None) -> Iterator[None]:
        """Under force, keep what the folder holds out of the new run's way; drop it once that is complete.

        A failure puts it back. After an interruption it waits for the run to be taken up, or forced again.
        """
        aside = self.folder / _ASIDE
        if self.force and found is not None:
            if aside.exists() and found.status != "complete":
                _remove(self._entries())  # a cut-off attempt at the same: what it was to replace is worth more
            else:
                shutil.rmtree(aside, ignore_errors=True)
                _move(self._entries(), aside)
        try:
            yield
        except Exception:
            if self.force and aside.exists():
                _remove(self._entries())
                _move(aside.glob("*"), self.folder)
                aside.rmdir()
            raise
        if aside.exists():
            others = [path for path in aside.glob("*") if path.name not in _REPLACED]
            _move((path for path in others if not (self.folder / path.name).exists()), self.folder)
            shutil.rmtree(aside)

    def _conflict(self, found: Found) -> str:
        differences = list(_differences(manifest.identity(found.config), manifest.identity(self.config)))
        contents = [{name: entry["sha256"] for name, entry in inputs.items()} for inputs in (found.inputs, self.inputs)]
        differences += [
            f"input {name!r} has another content than then"
            for name in sorted(contents[0] | contents[1])
            if contents[0].get(name) != contents[1].get(name)
        ]
        more = [f"and {len(differences) - 12} more"] if len(differences) > 12 else []
        listed = "\n  ".join([*differences[:12], *more])
        return (
            f"{self.folder} holds a run of another configuration or of other inputs:\n  {listed}\n"
            "Give this run a name of its own (name=...), or replace the old one with force=true."
        )


@contextmanager
def _alone_in(folder: Path) -> Iterator[None]:
    """Keep other processes out of the folder; the system lets go of the lock however this process ends."""
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


def _move(entries: Iterable[Path], folder: Path) -> None:
    folder.mkdir(exist_ok=True)
    for path in [*entries]:
        path.rename(folder / path.name)


def _remove(entries: Iterable[Path]) -> None:
    for path in entries:
        shutil.rmtree(path) if path.is_dir() else path.unlink(missing_ok=True)


def _differences(old: Any, new: Any, key: str = "") -> Iterator[str]:
    """Yield a line for every key in which two configurations differ."""
    if isinstance(old, Mapping) and isinstance(new, Mapping):
        for name in [*old, *(name for name in new if name not in old)]:
            yield from _differences(old.get(name), new.get(name), f"{key}.{name}" if key else str(name))
    elif old != new:
        yield f"{key}: {old!r} there, {new!r} now"


class _LogFile(logging.FileHandler):
    """A log that may be cut short by a full disk: the terminal has every line too, and results are what must fail."""

    def handleError(self, record: logging.LogRecord) -> None:  # noqa: N802 (logging's name)
        """Go on."""

    def close(self) -> None:
        """Close."""
        with suppress(OSError):
            super().close()


@contextmanager
def _log_file(path: Path) -> Iterator[None]:
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


def _exc_info(error: BaseException) -> tuple[type[BaseException], BaseException, TracebackType | None]:
    return type(error), error, error.__traceback__


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
