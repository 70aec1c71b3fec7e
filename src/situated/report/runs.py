"""Run folders as reports read them: which are whole, of which data, and which belong together."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Protocol, TypeVar

import msgspec

from situated.errors import InputError, SituatedError
from situated.io import read_json, read_records, sha256
from situated.manifest import identity

DATA_SPLITS = ("train", "dev", "test")


@dataclass(frozen=True)
class File:
    """A file as a manifest describes it: its content hash."""

    sha256: str


@dataclass(frozen=True)
class RunRecord:
    """A run folder, ``<out>/<stage>/<name>/seed=<seed>``, and what its manifest says.

    Attributes:
        status: "complete", or why the folder does not count.
        config: The run's resolved configuration; empty while the run is not complete, as are the files.
        inputs: Name -> file that the run read.
        outputs: Name -> file that it made.
    """

    folder: Path
    stage: str
    name: str
    seed: int
    status: str
    config: dict[str, Any] = field(default_factory=dict)
    inputs: dict[str, File] = field(default_factory=dict)
    outputs: dict[str, File] = field(default_factory=dict)

    @property
    def is_complete(self) -> bool:
        """Whether the folder holds a whole result."""
        return self.status == "complete"

    def setting(self, key: str) -> str:
        """A word of the run's configuration, by its dotted key.

        Raises:
            InputError: It is not there.
        """
        value: Any = self.config
        for part in key.split("."):
            value = value.get(part) if isinstance(value, Mapping) else None
        if not isinstance(value, str):
            problem = f"missing or not a word (found {value!r})"
            raise InputError(_manifest(self.folder), problem, "Make the run again.", field=f"config.{key}")
        return value

    def output(self, name: str) -> Path:
        """The path of an output, checked against the hash that the manifest gives, if it gives one.

        Raises:
            InputError: The file is missing or was changed after the run.
        """
        path = self.folder / name
        if name in self.outputs and sha256(path) != self.outputs[name].sha256:
            raise InputError(path, "changed after the run was complete", "Make the run again with force=true.")
        return path

    def reads_only(self, known: frozenset[str]) -> bool:
        """Whether the train, dev and test files that the run read are all among these content hashes."""
        return all(split in self.inputs and self.inputs[split].sha256 in known for split in DATA_SPLITS)


class OfExample(Protocol):
    """A line of a run's output that is about one example."""

    @property
    def example_id(self) -> str:
        """The example's key."""


Line = TypeVar("Line", bound=OfExample)


def read_by_example(run: RunRecord, name: str, record: type[Line], mend: str) -> dict[str, Line]:
    """Example id -> its line in an output of JSON lines.

    Raises:
        InputError: The file is missing, changed since the run or broken, or an example occurs twice.
    """
    path = run.output(name)
    rows: dict[str, Line] = {}
    for line, row in read_records(path, record):
        if row.example_id in rows:
            raise InputError(path, f"{row.example_id!r} was given already", mend, line=line, field="example_id")
        rows[row.example_id] = row
    return rows


def find_runs(out: Path, stage: str) -> list[RunRecord]:
    """Every run folder of a stage, by name and seed, incomplete ones too.

    Raises:
        InputError: A manifest cannot be read, lacks a field, or is of another run than its folder's name says.
    """
    records = [_record(folder, stage) for folder in (out / stage).glob("*/seed=*") if folder.is_dir()]
    return sorted(records, key=lambda record: (record.name, record.seed))


def check_same_experiment(runs: Sequence[RunRecord], *, but_for: str | None = None) -> None:
    """Check that runs differ in nothing but the seed, so that averaging them means something.

    Args:
        runs: At least one.
        but_for: A setting that names an input of which each seed has its own.

    Raises:
        SituatedError: Two of them differ; names both folders and the keys.
    """
    first, *others = runs
    for other in others:
        if keys := list(_differing_keys(_experiment(first, but_for), _experiment(other, but_for))):
            raise SituatedError(
                f"{first.folder} and {other.folder} are not seeds of one experiment: they differ in {', '.join(keys)}. "
                "Give one of them a name of its own (name=...), or make it again with force=true."
            )


class _Manifest(msgspec.Struct):
    """What a report needs of a complete run's manifest."""

    stage: str
    name: str
    seed: int
    config: dict[str, Any]
    inputs: dict[str, File]
    outputs: dict[str, File] = {}


def _record(folder: Path, stage: str) -> RunRecord:
    seed = folder.name.removeprefix("seed=")
    if not seed.isdecimal():
        raise InputError(folder, "not a run folder: no number follows 'seed='", "Rename it or move it elsewhere.")
    place = RunRecord(folder, stage, folder.parent.name, int(seed), status="no manifest.json")
    path = _manifest(folder)
    if not path.exists():
        return place
    content = read_json(path)
    status = content.get("status") if isinstance(content, dict) else None
    if status != "complete":
        return replace(place, status=f"status {status!r}")
    try:
        manifest = msgspec.convert(content, _Manifest)
    except msgspec.ValidationError as error:
        raise InputError(path, str(error), "Make the run again with force=true.") from error
    _check_place(manifest, place)
    return replace(place, status="complete", config=manifest.config, inputs=manifest.inputs, outputs=manifest.outputs)


def _check_place(manifest: _Manifest, place: RunRecord) -> None:
    """A folder that was copied or renamed would be averaged as one more seed."""
    for name in ("stage", "name", "seed"):
        said, expected = getattr(manifest, name), getattr(place, name)
        if said != expected:
            problem = f"{said!r}, but the folder is that of {expected!r}"
            raise InputError(_manifest(place.folder), problem, "Give the folder its own name back.", field=name)


def _experiment(run: RunRecord, but_for: str | None) -> dict[str, Any]:
    inputs = {name: {"sha256": file.sha256} for name, file in run.inputs.items() if name != but_for}
    config = {key: value for key, value in identity(run.config).items() if key != but_for}
    return {"config": _without_seeds(config), "inputs": inputs}


def _without_seeds(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {key: _without_seeds(child) for key, child in value.items() if key != "seed"}
    return value


def _differing_keys(one: Any, other: Any, key: str = "") -> Iterator[str]:
    if isinstance(one, Mapping) and isinstance(other, Mapping):
        for name in sorted({*one, *other}):
            yield from _differing_keys(one.get(name), other.get(name), f"{key}.{name}" if key else name)
    elif one != other:
        yield key


def _manifest(folder: Path) -> Path:
    return folder / "manifest.json"
