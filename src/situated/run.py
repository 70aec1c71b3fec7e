"""The run folder: who owns it, whether it is whole, and what lies in it.

``<paths.out>/<stage>/<name>/seed=<n>`` holds ``config.yaml``, ``manifest.json``, ``metrics.json``,
``predictions.jsonl``, ``run.log`` and what the stage adds. The manifest says "running" while the work goes on and
"complete" once everything else is written, so a half-written folder is never taken for a whole one.
"""

from __future__ import annotations

import logging
import platform
import shutil
import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import msgspec
import yaml

from situated import job, manifest
from situated.errors import InputError, RunConflictError, SituatedError
from situated.io import read_json, write_json, write_jsonl, write_text
from situated.lock import alone_in
from situated.logfile import log_file
from situated.schema import Decision

log = logging.getLogger(__name__)

_ACCOUNT = frozenset({"manifest.json", "config.yaml", "run.log", "logs", "checkpoints", "wandb", "wandb_id.txt"})
_REPLACED = _ACCOUNT | {"model", "metrics.json", "predictions.jsonl"}
_ASIDE = ".replaced"


_OWNER_WITHIN_S = 600.0


class Start(msgspec.Struct, frozen=True):
    """One start of a run's work.

    Attributes:
        at: When, in UTC.
        start: ``job.start()``, the same for all processes of it.
        host: The machine of the process that owns the folder.
        job: SLURM's name for the job, None outside one.
    """

    at: str
    start: str
    host: str
    job: str | None = None


class Found(msgspec.Struct, frozen=True):
    """What a run needs to know of the manifest that it finds in its folder."""

    status: str
    fingerprint: str
    config: dict[str, Any]
    inputs: dict[str, dict[str, Any]]
    starts: list[Start]
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
        found = self.found
        if found is None or self._afresh(found) or found.status != "complete" or found.fingerprint != self.fingerprint:
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

        The first of several processes owns the folder; the others wait until it does, and write nothing.

        Raises:
            RunConflictError: The folder holds another configuration's or other inputs' run and force is off, or
                another process works in it.
            SituatedError: The folder cannot be written.
        """
        if job.rank() != 0:
            self._wait_for_owner()
            yield
            return
        with alone_in(self.folder):
            found = self._forced() if self.force else self.found
            same = found is not None and found.fingerprint == self.fingerprint
            if found is not None and not (self.force or same or found.status == "failed"):
                raise RunConflictError(self._conflict(found))
            afresh = found is not None and self._afresh(found)
            starts = found.starts if found is not None and same and not afresh else []
            yield from self._work(found if afresh else None, starts)

    def _afresh(self, found: Found) -> bool:
        """Whether force replaces what was found; not when it is this very job's, which SLURM has requeued since."""
        same = found.fingerprint == self.fingerprint and bool(found.starts)
        return self.force and not (same and job.restarted(found.starts[-1].start))

    def _wait_for_owner(self) -> None:
        """Return when the first process of this start has claimed the folder.

        Raises:
            SituatedError: It does not.
        """
        until = time.monotonic() + _OWNER_WITHIN_S
        while time.monotonic() < until:
            with suppress(InputError):  # the owner is about to replace it
                found = self.found
                if found is not None and found.starts and found.starts[-1].start == job.start():
                    return
            time.sleep(0.2)
        raise SituatedError(
            f"{self.folder}: the first process did not claim it within {_OWNER_WITHIN_S:.0f} s. See its messages; "
            "start several processes with srun, or let trainer.devices=<n> start them."
        )

    def _work(self, replaced: Found | None, starts: list[Start]) -> Iterator[None]:
        with self._earlier_aside(replaced):
            for part in [*self.folder.rglob(".*.part")]:  # of a process that was killed while it wrote
                _remove([part])
            record = self._record() | {"status": "running", "starts": [*starts, _this_start()]}
            write_text(self.folder / "config.yaml", yaml.safe_dump(self.config, sort_keys=False, allow_unicode=True))
            write_json(self.folder / "manifest.json", record)
            began = time.monotonic()
            try:
                with log_file(self.folder / "run.log"):
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
        """Write ``predictions.jsonl``, in the process that owns the folder."""
        if job.rank() != 0:
            return
        self.counts["predictions"] = write_jsonl(self.folder / "predictions.jsonl", predictions)

    def write_metrics(self, metrics: Mapping[str, Any]) -> None:
        """Write ``metrics.json``: name -> {value, n, ci95: [low, high]}, in the process that owns the folder."""
        if job.rank() != 0:
            return
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
    def _earlier_aside(self, replaced: Found | None) -> Iterator[None]:
        """Under force, keep what the folder holds out of the new run's way; drop it once that is complete.

        A failure puts it back. After an interruption it waits for the run to be taken up, or forced again.
        """
        aside = self.folder / _ASIDE
        if replaced is not None:
            if aside.exists() and replaced.status != "complete":
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


def _this_start() -> Start:
    return Start(_now(), job.start(), platform.node(), job.scontrol_id())


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
