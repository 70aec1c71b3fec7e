"""What articles say of things and questions ask of them, in many words.

The properties stand in ``statements/*.yaml``::

    mayor:
      of: [town]                 # kinds of things, see situated.world.kinds
      role: mayor                # what the value is called in its own article
      id: P6                     # of Wikidata
      changes: true              # one value after the other; by_place: one for each place; neither: one for good
      value: person              # how values are made, see situated.world.values
      infobox: leader_name       # parameter of the infobox
      section: Administration    # heading of the article that it stands under
      ask: |                     # questions, one template a line; [a|b] stands for one of its alternatives
        who is the [current|] mayor of {s}
      was: |                     # questions about a moment in the past, which is added to them
        who was the mayor of {s}
      say: |                     # sentences that give the value which holds
        {v} has been mayor of {s} since {from}.
      past: |                    # sentences that give one which held before
        {v} was mayor of {s} from {from} until {to}.
      aside: |                   # sentences that hold the value and answer nothing
        A bench by the market was paid for by {v}.

``{s}`` is the subject, ``{S}`` at the beginning of a sentence, ``{sp}`` and ``{Sp}`` its possessive, ``{pp}`` its
possessive pronoun, ``{name}`` its bare name, ``{v}`` the value (``{a_v}`` with its article, ``{on_v}`` with its
preposition), ``{place}`` the place, ``{from}`` and ``{to}`` when it held, ``{on}`` and ``{off}`` the same with
prepositions.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Literal

import msgspec

from situated.errors import InputError
from situated.world.kinds import KINDS
from situated.world.sampling import digest

Split = Literal["train", "dev", "test"]
SPLITS: tuple[Split, ...] = ("train", "dev", "test")
Tense = Literal["ask", "was"]
ValueKind = Literal[
    "person", "maker", "mother", "father", "made", "one_of", "entity", "country", "occupation", "number", "year",
    "date", "birth", "death", "released", "day",
]  # fmt: skip

WHOQA = {
    "P569": "date of birth", "P50": "author", "P17": "country", "P570": "date of death", "P22": "father",
    "P86": "composer", "P175": "performer", "P136": "genre", "P170": "creator", "P106": "occupation", "P26": "spouse",
    "P123": "publisher", "P25": "mother",
}  # fmt: skip
"""Wikidata's name -> what it is, of the properties that WhoQA asks for. Source: WhoQA, Table 4."""

_STATEMENTS = Path(__file__).parent / "statements"
_SLOT = re.compile(r"\{(\w+)\}")
_KNOWN = frozenset({"s", "S", "sp", "Sp", "pp", "v", "V", "a_v", "on_v", "place", "name", "from", "to", "on", "off"})
# A question must be asked in training, in development and in test, each in words of its own.
_FEWEST_PHRASINGS = 4


class Property(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One property, as ``statements/*.yaml`` has it."""

    name: str = ""
    of: tuple[str, ...]
    id: str
    value: ValueKind
    section: str
    ask: str
    say: str
    aside: str
    changes: bool = False
    by_place: bool = False
    was: str = ""
    past: str = ""
    role: str = ""
    infobox: str = ""
    kinds: tuple[str, ...] = ()
    invent: tuple[str, ...] = ()
    patterns: tuple[str, ...] = ()
    words: dict[str, tuple[str, ...]] = {}
    range: tuple[int, int] = (0, 0)

    def lines(self, block: Literal["ask", "was", "say", "past", "aside"]) -> tuple[str, ...]:
        """The templates of one of its blocks."""
        return tuple(getattr(self, block).splitlines())

    def phrasings(self, tense: Tense, split: Split, seed: int) -> Sequence[str]:
        """The question templates that a split may use; the seed decides, and no two splits share one."""
        return _phrasings(self.name, self.lines(tense), split, seed)


@cache
def _phrasings(name: str, templates: tuple[str, ...], split: Split, seed: int) -> Sequence[str]:
    ranked = sorted(templates, key=lambda template: digest(seed, "phrasing", name, template))
    held_out = len(ranked) // 2
    parts: dict[Split, Sequence[str]] = {
        "dev": ranked[: held_out // 2], "test": ranked[held_out // 2 : held_out], "train": ranked[held_out:],
    }  # fmt: skip
    return parts[split]


@cache
def properties() -> tuple[Property, ...]:
    """All properties of the sample world."""
    return read_properties(_STATEMENTS)


@cache
def properties_of(kind: str) -> tuple[Property, ...]:
    """The properties that things of a kind have."""
    return tuple(prop for prop in properties() if kind in prop.of)


def read_properties(folder: Path) -> tuple[Property, ...]:
    """Read properties from the ``.yaml`` files of a folder, in the order of file names.

    Raises:
        InputError: A folder without such files, a file that is no table of properties, a name used twice, too few
            phrasings, an unknown slot or kind of thing.
    """
    found: dict[str, Property] = {}
    asked: dict[str, str] = {}
    paths = sorted(folder.glob("*.yaml"))
    if not paths:
        raise InputError(folder, "no .yaml file in this folder", "Name the folder that holds the properties.")
    for path in paths:
        try:
            entries = msgspec.yaml.decode(path.read_bytes(), type=dict[str, Property])
        except msgspec.MsgspecError as error:
            raise InputError(path, str(error), "See situated.world.properties for the format.") from error
        for name, entry in entries.items():
            if name in found:
                raise InputError(path, "the name is used twice", "Rename one of the two.", field=name)
            _check(path, name, entry)
            for tense in ("ask", "was"):
                for template in getattr(entry, tense).splitlines():
                    if asked.setdefault(template, name) != name:
                        mend = "Word one of them otherwise: a phrasing is held out of training or is not."
                        raise InputError(path, f"{template!r} also asks for {asked[template]}", mend, field=name)
            found[name] = msgspec.structs.replace(entry, name=name)
    return tuple(found.values())


def _check(path: Path, name: str, entry: Property) -> None:
    if unknown := sorted(set(entry.of) - KINDS.keys()):
        mend = f"Use some of {', '.join(KINDS)}."
        raise InputError(path, f"no kind of things is called {unknown[0]!r}", mend, field=name)
    asked = ("ask", "was") if entry.changes else ("ask",)
    if any(len(set(getattr(entry, tense).splitlines())) < _FEWEST_PHRASINGS for tense in asked):
        mend = "Each of training, development and test asks in words of its own."
        raise InputError(path, f"fewer than {_FEWEST_PHRASINGS} phrasings under 'ask' or 'was'", mend, field=name)
    if entry.changes and not entry.past:
        raise InputError(path, "no sentence for a value that held before", "Add some under 'past'.", field=name)
    for text in (entry.ask, entry.was, entry.say, entry.past, entry.aside):
        if strange := sorted(set(_SLOT.findall(text)) - _KNOWN):
            raise InputError(
                path, f"unknown slot {{{strange[0]}}}", f"Use one of {', '.join(sorted(_KNOWN))}.", field=name
            )
