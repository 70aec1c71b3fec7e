"""From the dumps of one date to a passage collection, its pages and its redirects."""

from __future__ import annotations

import logging
import os
import re
import shutil
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from glob import has_magic
from pathlib import Path
from typing import Any

import msgspec

from situated.corpus.merging import merge
from situated.corpus.meter import metered
from situated.corpus.parts import Cleaner
from situated.corpus.reading import Reading
from situated.corpus.store import Collection, PassageStore, write_account
from situated.corpus.tables import open_table
from situated.errors import ConfigError, InputError
from situated.io import read_json, write_json
from situated.run import Run

log = logging.getLogger(__name__)

_DONE = "counts.json"
_ALWAYS = ("pages", "articles", "redirects", "disambiguations", "kept", "passages")


class _Done(msgspec.Struct):
    """What says that a snapshot is whole."""

    run: str
    counts: dict[str, int]


@dataclass(frozen=True)
class Snapshot:
    """The dumps of one date, and how they become passages.

    Attributes:
        name: Of the collection.
        dumps: Files, or patterns of files, in the order of their pages.
        language: Of the dumps, as their root element says it.
        splitter: Cuts the articles.
    """

    name: str | int
    dumps: list[str]
    splitter: Any
    language: str = "en"

    def files(self) -> list[Path]:
        """The dumps; those of a pattern in the order of the numbers in their names.

        Raises:
            ConfigError: None is named, or one twice.
            InputError: A pattern fits no file.
        """
        if isinstance(self.dumps, str):
            raise ConfigError(f"corpus.dumps: a list is expected: 'corpus.dumps=[{self.dumps}]'.")
        if not self.dumps:
            raise ConfigError("corpus.dumps: no dump is named. Add 'corpus.dumps=[<file>]', or take corpus=<name>.")
        found = [path for dump in self.dumps for path in _matching(Path(dump))]
        if twice := {str(path) for path in found if found.count(path) > 1}:
            raise ConfigError(f"corpus.dumps: {', '.join(sorted(twice))} would be read twice. Name it once.")
        return found

    def inputs(self) -> dict[str, Path]:
        """All files that it reads, by name."""
        files = {f"dump_{number}": path for number, path in enumerate(self.files(), start=1)}
        files.update(self.splitter.files())
        return files

    def build(
        self, run: Run, processes: int | None = None, stopped: Callable[[], object] = lambda: None
    ) -> dict[str, int]:
        """Write ``passages``, ``pages`` and ``redirects`` into a run's folder, going on where a killed run stopped.

        Args:
            run: Claimed.
            processes: That clean; None for one for each core that this process may use.
            stopped: Whether the program was asked to stop.

        Returns:
            The counts.

        Raises:
            InputError: A dump cannot be read to its end; nothing is kept.
            StoppedError: The program was asked to stop.
        """
        checkpoints = run.folder / "checkpoints"
        counts = _finished(run)
        if counts is None:
            parts = self._parts(checkpoints, processes or len(os.sched_getaffinity(0)), stopped)
            made, content = merge(parts, run.folder)
            counts = {name: made[name] for name in sorted({*made, *_ALWAYS})}
            settings = run.config["corpus"]["splitter"]
            account = Collection(content, counts["passages"], sources(run), settings)
            write_account(run.folder / "passages", account)
            write_json(run.folder / _DONE, _Done(run.fingerprint, counts))
        shutil.rmtree(checkpoints, ignore_errors=True)
        return counts

    def _parts(self, checkpoints: Path, processes: int, stopped: Callable[[], object]) -> list[Path]:
        if checkpoints.exists():
            log.info("Going on from the batches in %s", checkpoints)
        dumps = self.files()
        reading = Reading(checkpoints, self.language, processes, stopped)
        try:
            with metered(dumps) as meter:
                return reading.read(dumps, Cleaner(self.splitter), meter)
        except InputError:  # what came from a dump that is not whole would be in the way of the whole one
            shutil.rmtree(checkpoints, ignore_errors=True)
            raise


def sources(run: Run) -> dict[str, dict[str, Any]]:
    """What a collection was made from: name, size and content hash of every file, wherever it lies now."""
    return {
        name: {"file": Path(entry["path"]).name, "sha256": entry["sha256"], "bytes": entry["bytes"]}
        for name, entry in run.inputs.items()
    }


def _finished(run: Run) -> dict[str, int] | None:
    """The counts of a snapshot that is whole but for the run's manifest."""
    if not (run.folder / _DONE).is_file():
        return None
    try:
        done = msgspec.convert(read_json(run.folder / _DONE), _Done)
        PassageStore(run.folder)
        for table in ("pages", "redirects"):
            open_table(run.folder / table)
    except (InputError, msgspec.ValidationError):
        return None
    return done.counts if done.run == run.fingerprint else None


def _matching(dump: Path) -> Sequence[Path]:
    """The file, or those that a pattern fits, numbers in names ordered as numbers."""
    if dump.exists() or not has_magic(dump.name):
        return [dump]
    found = [path for path in dump.parent.glob(dump.name) if path.is_file()]
    if not found:
        raise InputError(dump, "no file fits this pattern", "Check it: corpus.dumps takes * and ? in the last part.")
    return sorted(found, key=lambda path: [(len(word), word) for word in re.split("([0-9]+)", path.name)])
