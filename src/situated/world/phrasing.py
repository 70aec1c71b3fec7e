"""Templates of questions, and putting names and dates into them.

``[current|new|]`` stands for one of its alternatives (here the last is nothing), ``{town}`` for the name of a town.
``{person_2}`` is another person than ``{person}``.
"""

from __future__ import annotations

import random
import re
from collections.abc import Mapping, Sequence

from situated.world.entities import World

_CHOICE = re.compile(r"\[([^][]*)\]")
_SLOT = re.compile(r"\{(\w+?)(?:_\d)?\}")
_MONTHS = (
    "January", "February", "March", "April", "May", "June",
    "July", "August", "September", "October", "November", "December",
)  # fmt: skip

# Slots that are neither an entity nor a relation's own words.
VALUES: Mapping[str, Sequence[str]] = {
    "year": [str(year) for year in range(1900, 2020)],
    "recent_year": [str(year) for year in range(1995, 2020)],
    "decade": [f"{year}s" for year in range(1900, 2020, 10)],
    "month": _MONTHS,
    "day": [str(day) for day in range(1, 29)],
    "number": [str(number) for number in range(2, 13)],
    "ordinal": ["second", "third", "fourth", "fifth", "sixth", "seventh"],
}


def slots(template: str) -> tuple[str, ...]:
    """Names of the slots of a template, without the number that tells two of one kind apart.

    >>> slots("when did {person} marry {person_2} in {year}")
    ('person', 'person', 'year')
    """
    return tuple(_SLOT.findall(template))


def fill(template: str, words: Mapping[str, Sequence[str]], world: World, rng: random.Random) -> str:
    """Put a template into words; names keep their capitals, and no value is used twice.

    Args:
        template: The template.
        words: Values of slots that only this template's relation has.
        world: Where the names come from.
        rng: Source of every choice.

    >>> from situated.world.entities import build_world
    >>> from situated.world.sampling import generator
    >>> fill("who [runs|governs] {town} in {year}", {}, build_world(1), generator(1))
    'who runs Kledemeirv in 1992'
    """
    used: set[str] = set()

    def value(match: re.Match[str]) -> str:
        chosen = rng.choice([option for option in _options(match[1], words, world) if option not in used])
        used.add(chosen)
        return chosen

    return " ".join(_SLOT.sub(value, choose(template, rng)).split())


def choose(template: str, rng: random.Random) -> str:
    """Take one of the alternatives wherever a template has some.

    >>> from situated.world.sampling import generator
    >>> choose("who is the [current|] mayor of {s}", generator(1))
    'who is the current mayor of {s}'
    """
    asked = _CHOICE.sub(lambda match: rng.choice(match[1].split("|")), template)
    return " ".join(asked.split())


def _options(slot: str, words: Mapping[str, Sequence[str]], world: World) -> Sequence[str]:
    if slot in words:
        return words[slot]
    return VALUES[slot] if slot in VALUES else [entity.name for entity in world.of_kind(slot)]
