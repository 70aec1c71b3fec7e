"""Public sources: where each released file comes from, under which licence, and what its content is."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from importlib import resources
from pathlib import Path, PurePosixPath
from typing import Annotated, Any

import msgspec

from situated.errors import ConfigError, InputError

Text = Annotated[str, msgspec.Meta(min_length=1)]
Url = Annotated[str, msgspec.Meta(pattern=r"^https://[^\s]+$")]
Sha256 = Annotated[str, msgspec.Meta(pattern=r"^[0-9a-f]{64}$")]
Commit = Annotated[str, msgspec.Meta(pattern=r"^[0-9a-f]{7,40}$")]
Count = Annotated[int, msgspec.Meta(ge=1)]

# "... - at `$.files[2].sha256`" and "... missing required field `sha256`": where msgspec found the fault.
_PLACE = re.compile(r" - at `\$\.?([^`]*)`")
_MEND = "Every source needs name, description, homepage, licence, commit and files (target, url, sha256, bytes)."


class SourceFile(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One released file.

    Args:
        target: Path under the data folder, with forward slashes.
        url: Where upstream serves it.
        sha256: Content hash of the file at ``target``.
        bytes: Size of the file at ``target``.
        first_lines: If given, the file at ``target`` is no more than the first lines of what ``url`` serves.
    """

    target: Text
    url: Url
    sha256: Sha256
    bytes: Count
    first_lines: Count | None = None


class Source(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A public data set, pinned to one upstream commit; ``licence`` is the licence as stated there."""

    name: Text
    description: Text
    homepage: Url
    licence: Text
    commit: Commit
    files: Annotated[tuple[SourceFile, ...], msgspec.Meta(min_length=1)]


def load_sources(path: Path | None = None) -> dict[str, Source]:
    """Read the list of public sources, by name.

    Args:
        path: A YAML list of sources; the list that comes with the package if none is given.

    Raises:
        InputError: The file is missing or is no YAML list, an entry is incomplete or has a wrong or unknown field,
            a name or target occurs twice, a target leaves the data folder, or a url is not pinned to the commit.

    >>> load_sources()["nq_open"].licence
    'CC BY-SA 3.0'
    """
    path = path or Path(str(resources.files("situated.data") / "sources.yaml"))
    sources = [_source(entry, number, path) for number, entry in enumerate(_entries(path), start=1)]
    for source in sources:
        for file in source.files:
            _check_file(file, source, path)
    _check_unique([source.name for source in sources], "name", path)
    # Case is ignored as it is by the file systems of macOS and Windows, where one file would replace the other.
    _check_unique([file.target.lower() for source in sources for file in source.files], "target", path)
    return {source.name: source for source in sources}


def known_sha256() -> frozenset[str]:
    """Content hashes of all released files: a file with another hash is not released data.

    >>> "00" * 32 in known_sha256()
    False
    """
    return frozenset(file.sha256 for source in load_sources().values() for file in source.files)


def _entries(path: Path) -> list[Any]:
    try:
        entries = msgspec.yaml.decode(path.read_bytes())
    except OSError as error:
        raise InputError(path, f"cannot be read ({error.strerror})", "Check the path.") from error
    except msgspec.DecodeError as error:
        raise InputError(path, f"not a YAML document ({error})", "Mend the YAML.") from error
    if not isinstance(entries, list) or not entries:
        raise InputError(path, "not a list of sources", _MEND)
    return entries


def _source(entry: Any, number: int, path: Path) -> Source:
    try:
        return msgspec.convert(entry, Source)
    except msgspec.ValidationError as error:
        name = entry.get("name") if isinstance(entry, dict) else None
        place = _PLACE.search(str(error))
        field = f"{name or f'source {number}'}{'.' + place[1] if place else ''}"
        raise InputError(path, _PLACE.sub("", str(error)), _MEND, field=field) from error


def _check_file(file: SourceFile, source: Source, path: Path) -> None:
    field = f"{source.name}: {file.target}"
    target = PurePosixPath(file.target)
    if target.is_absolute() or ".." in target.parts or "\\" in file.target or ":" in file.target:
        raise InputError(path, "the target leaves the data folder", "Give a relative path, with /.", field=field)
    if f"/{source.commit}/" not in file.url:
        raise InputError(
            path, f"the url is not pinned to commit {source.commit}", "Put the commit into the url.", field=field
        )


def _check_unique(values: list[str], field: str, path: Path) -> None:
    twice = [value for value, count in Counter(values).items() if count > 1]
    if twice:
        raise InputError(path, f"{', '.join(twice)} occurs more than once", "Keep one of them.", field=field)


def choose_sources(names: str | Iterable[str]) -> list[Source]:
    """The sources of these names, or "all".

    Raises:
        ConfigError: No such source.

    >>> [source.name for source in choose_sources(["nq_open"])]
    ['nq_open']
    """
    sources = load_sources()
    wanted = list(sources) if names == "all" else [names] if isinstance(names, str) else list(names)
    if unknown := [name for name in wanted if name not in sources]:
        raise ConfigError(f"sources: {unknown[0]!r} is not one of {', '.join(sources)}, or all.")
    return [sources[name] for name in wanted]
