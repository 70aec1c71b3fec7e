"""What can be asked, in which words, and whether the answer depends on when or where it is asked.

The relations stand in ``catalogue/*.yaml``::

    mayor:
      changes: often             # never: settled for good; rarely: readers would disagree
      local: true                # without a place named, the answer is another one for each place
      words: {style: [mayor, lord mayor]}       # slots of this relation alone
      phrasings: |               # asked of the present, one template a line (see situated.world.phrasing)
        who is the {style} of {town}
        who is our {style}
      anchored: |                # pinned to a moment or to a place in a row: the answer can no longer change
        who was the {style} of {town} in {year}
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Literal

import msgspec

from situated.errors import InputError
from situated.world.entities import KINDS
from situated.world.phrasing import VALUES, slots

_CATALOGUE = Path(__file__).parent / "catalogue"


@dataclass(frozen=True)
class Phrasing:
    """One way to ask: a template, and whether it pins the answer to a moment."""

    template: str
    anchored: bool

    @property
    def names_place(self) -> bool:
        """Whether the question says where it is about."""
        return any(slot in KINDS and KINDS[slot].is_place for slot in slots(self.template))


@dataclass(frozen=True)
class Relation:
    """Something that can be asked."""

    name: str
    changes: Literal["often", "rarely", "never"]
    local: bool
    words: Mapping[str, tuple[str, ...]]
    phrasings: tuple[Phrasing, ...]

    def depends_on_time(self, phrasing: Phrasing) -> bool | None:
        """Whether the answer changes with the day of asking; None where readers would disagree.

        >>> seats = Relation("seats", "rarely", False, {}, ())
        >>> seats.depends_on_time(Phrasing("how many seats are there", anchored=False)) is None
        True
        >>> seats.depends_on_time(Phrasing("how many seats were there in {year}", anchored=True))
        False
        """
        if phrasing.anchored or self.changes == "never":
            return False
        return True if self.changes == "often" else None

    def depends_on_place(self, phrasing: Phrasing) -> bool:
        """Whether the answer changes with the place of asking.

        >>> wage = Relation("minimum wage", "often", True, {}, ())
        >>> wage.depends_on_place(Phrasing("what is the minimum wage", anchored=False))
        True
        >>> wage.depends_on_place(Phrasing("what is the minimum wage in {country}", anchored=False))
        False
        """
        return self.local and not phrasing.names_place


class _Entry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    changes: Literal["often", "rarely", "never"]
    phrasings: str
    local: bool = False
    anchored: str = ""
    words: dict[str, tuple[str, ...]] = {}


@cache
def catalogue() -> tuple[Relation, ...]:
    """All relations of the sample world."""
    return read_relations(_CATALOGUE)


def read_relations(folder: Path) -> tuple[Relation, ...]:
    """Read relations from the ``.yaml`` files of a folder, in the order of file names.

    Raises:
        InputError: A folder without such files, a file that is no YAML or no table of relations, a name used twice,
            a blank question, an unknown slot.
    """
    relations: dict[str, Relation] = {}
    paths = sorted(folder.glob("*.yaml"))
    if not paths:
        raise InputError(folder, "no .yaml file in this folder", "Name the folder that holds the relations.")
    for path in paths:
        for name, entry in _read_entries(path).items():
            if name in relations:
                raise InputError(path, "the name is used twice", "Rename one of the two.", field=name)
            relations[name] = _relation(path, name, entry)
    return tuple(relations.values())


def _read_entries(path: Path) -> dict[str, _Entry]:
    try:
        return msgspec.yaml.decode(path.read_bytes(), type=dict[str, _Entry])
    except msgspec.MsgspecError as error:
        raise InputError(path, str(error), "See situated.world.relations for the format.") from error


def _relation(path: Path, name: str, entry: _Entry) -> Relation:
    phrasings = tuple(
        Phrasing(template, anchored)
        for block, anchored in ((entry.phrasings, False), (entry.anchored, True))
        for template in block.splitlines()
    )
    known = entry.words.keys() | KINDS.keys() | VALUES.keys()
    if not phrasings or not all(phrasing.template.strip() for phrasing in phrasings):
        raise InputError(path, "a question is blank", "Give one template a line, and at least one.", field=name)
    for phrasing in phrasings:
        if unknown := sorted(set(slots(phrasing.template)) - known):
            raise InputError(
                path,
                f"unknown slot {{{unknown[0]}}} in {phrasing.template!r}",
                f"Use one of {', '.join(sorted(known))}, or list its words under 'words'.",
                field=name,
            )
    return Relation(name, entry.changes, entry.local, entry.words, phrasings)
