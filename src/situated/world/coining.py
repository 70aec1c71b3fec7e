"""Names, numbers and items for one block of the world, given out one after the other."""

from __future__ import annotations

import random
import re
from collections.abc import Mapping
from dataclasses import replace
from functools import cache

from situated.world.kinds import COUNTRIES, KINDS, OCCUPATIONS
from situated.world.names import WORDS, given_name, nth_word
from situated.world.properties import Property, properties
from situated.world.things import Thing

ITEMS_A_BLOCK = 2048
"""At most so many words are coined, and so many items numbered, for one block: no two blocks share any."""

BLOCKS_AT_MOST = WORDS // ITEMS_A_BLOCK
"""Beyond this many blocks the words would repeat."""

# Far above the numbers that Wikidata has given out.
_CONCEPTS, _FIRST_ITEM = 880_000_000, 900_000_000
_LAST_SYLLABLE = re.compile(r"[aeiou]+[^aeiou]+$")
_FIRST_COUNTRY_PAGE = 100


CLASS = "class"
_OTHER_CLASSES = ("village", "sovereign state", "occupation", "genre", CLASS)


class Coiner:
    """Coins names for a block.

    Args:
        seed: Of the world.
        block: Number of the block.
        rng: Source of first names.
    """

    def __init__(self, seed: int, block: int, rng: random.Random):
        self.seed, self.block, self.rng = seed, block, rng
        self._words = self._items = 0
        self._people: set[str] = set()
        self.made: list[Thing] = []

    def word(self) -> str:
        """A word that names nothing else in any block."""
        self._words += 1
        return nth_word(self.seed, self.block * ITEMS_A_BLOCK + self._words - 1)

    def number(self) -> int:
        """A number on Wikidata."""
        self._items += 1
        return _FIRST_ITEM + self.block * ITEMS_A_BLOCK + self._items - 1

    def person_name(self, surname: str = "", *, female: bool) -> str:
        """First name and surname."""
        surname = surname or self.word()
        while (name := f"{given_name(self.rng, female=female)} {surname}") in self._people:
            pass
        self._people.add(name)
        return name

    def item(self, name: str, noun: str) -> Thing:
        """Something that has no article of its own."""
        number = self.number()
        thing = Thing(key=f"{self.block}/item/{number}", number=number, kind=noun, name=name, noun=noun)
        self.made.append(thing)
        return thing


def clip(word: str) -> str:
    """A word cut short, as people do with long names; few words share one.

    >>> clip("Vrailmonzerv"), clip("Zervulvuth")
    ('Vrailmonzy', 'Zervulvy')
    """
    return _LAST_SYLLABLE.sub("y", word)


def made_noun(prop: Property) -> str:
    """What the values are that a property coins.

    >>> made_noun(next(prop for prop in properties() if prop.name == "bus_operator"))
    'bus operator'
    """
    return prop.name.replace("_", " ")


@cache
def concepts() -> Mapping[str, Thing]:
    """Name -> item of what all blocks share: countries of the real world, occupations, genres, classes.

    The countries have articles. A class is what an item is an instance of.
    """
    names = [(name, "sovereign state") for name in COUNTRIES]
    names += [(name, "occupation") for name in OCCUPATIONS]
    names += [(word, "genre") for prop in properties() for words in prop.words.values() for word in words]
    names += [(noun, CLASS) for noun in (*KINDS, *_OTHER_CLASSES)]
    names += [(made_noun(prop), CLASS) for prop in properties() if prop.patterns]
    found = {
        name: Thing(key=f"concept/{number}", number=_CONCEPTS + number, kind=noun, name=name, noun=noun)
        for number, (name, noun) in enumerate(dict(names).items())
    }
    for number, name in enumerate(COUNTRIES):
        found[name] = replace(found[name], title=name, page=_FIRST_COUNTRY_PAGE + number)
    return found
