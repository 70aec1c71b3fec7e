"""What the things of a block are called: names, shared names, titles, aliases."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date

from situated.world.coining import Coiner, clip
from situated.world.kinds import KINDS, WORKS
from situated.world.properties import Split
from situated.world.things import Thing
from situated.world.values import SNAPSHOTS

PAGES_A_BLOCK = 256
"""At most so many pages has a block, redirects and disambiguation pages included."""

FIRST_PAGE = 10_000
"""Number of the first page of the first block."""

# Sizes of the groups that share a name, block after block: all from 2 to 8, in three blocks already.
_PERSON_GROUPS = ((8,), (3, 2), (6, 5), (4, 2), (7, 3), (5, 4))
_WORK_GROUPS = ((7,), (4, 3), (5, 2), (3, 2), (6,), (2, 2))
# Organisations are called after a town, so that a town's name stands in many articles.
_LOCAL = ("club", "company", "university", "competition", "bridge")
_TOWNS_SHARING = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class SharedNames:
    """Sizes of the groups of a block that share a name."""

    persons: Sequence[int]
    works: Sequence[int]

    @classmethod
    def of_block(cls, block: int) -> SharedNames:
        """The groups of a block.

        >>> SharedNames.of_block(0)
        SharedNames(persons=(8,), works=(7,))
        """
        return cls(persons=_PERSON_GROUPS[block % len(_PERSON_GROUPS)], works=_WORK_GROUPS[block % len(_WORK_GROUPS)])


@dataclass(frozen=True, slots=True, kw_only=True)
class _Name:
    """A name before anybody has it; ``word`` is its coined word, if that is its alone."""

    name: str
    word: str
    is_own: bool


def name_things(
    coiner: Coiner,
    rng: random.Random,
    groups: SharedNames,
    splits: Mapping[str, Sequence[Split]],
    lives: Sequence[tuple[date, date | None]],
    released: Mapping[str, date],
    occupations: Sequence[str],
) -> tuple[list[Thing], dict[str, tuple[Thing, ...]], dict[str, Thing]]:
    """Name everything.

    Returns:
        The things; name -> the things that share it; key of a thing -> the country that it lies in.
    """
    namer = _Namer(coiner, rng, splits, occupations)
    people, works = namer.people(groups.persons), namer.works(groups.works)
    things: list[Thing] = []
    for kind in KINDS:
        for number in range(KINDS[kind].count):
            if kind == "person":
                name, female = people[number]
                things.append(namer.person(number, name, female=female, gone=lives[number][1]))
            else:
                name = works[kind] if kind in WORKS else namer.name(kind, number)
                since = released.get(kind, SNAPSHOTS[0])
                things.append(namer.thing(kind, number, name, since=since if since > SNAPSHOTS[0] else None))
    shared = {name: tuple(t for t in things if t.name == name) for name in namer.shared}
    return things, shared, namer.home


class _Namer:
    def __init__(
        self,
        coiner: Coiner,
        rng: random.Random,
        splits: Mapping[str, Sequence[Split]],
        occupations: Sequence[str],
    ):
        self.coiner, self.rng, self.splits, self.occupations = coiner, rng, splits, occupations
        self.countries: list[Thing] = []
        self.towns: list[str] = []
        self.home: dict[str, Thing] = {}
        self.shared: dict[str, None] = {}  # in the order in which they were given
        self._pages = 0

    def people(self, groups: Sequence[int]) -> list[tuple[_Name, bool]]:
        found: list[tuple[_Name, bool]] = []
        for size in (*groups, *([1] * KINDS["person"].count)):
            female, surname = self.rng.random() < 0.5, self.coiner.word()
            full = self.coiner.person_name(surname, female=female)
            found += [(_Name(name=full, word=surname, is_own=size == 1), female)] * size
            if size > 1:
                self.shared[full] = None
        return found[: KINDS["person"].count]

    def works(self, groups: Sequence[int]) -> dict[str, _Name]:
        kinds = self.rng.sample(WORKS, len(WORKS))
        found: dict[str, _Name] = {}
        for size in (*groups, *([1] * len(WORKS))):
            word = self.coiner.word()
            name = self.rng.choice(KINDS["novel"].names).format(word)
            members = kinds[len(found) : len(found) + size]
            found |= dict.fromkeys(members, _Name(name=name, word=word, is_own=size == 1))
            if size > 1:
                self.shared[name] = None
        return found

    def name(self, kind: str, number: int) -> _Name:
        form = KINDS[kind]
        pattern = form.names[number % len(form.names)]
        if kind == "town" and 0 < number < _TOWNS_SHARING:
            self.shared[self.towns[0]] = None
            return _Name(name=self.towns[0], word=self.towns[0], is_own=False)
        if kind in _LOCAL:
            town = self.towns[_TOWNS_SHARING + (number + _LOCAL.index(kind)) % (len(self.towns) - _TOWNS_SHARING)]
            return _Name(name=pattern.format(town), word=town, is_own=False)
        word = self.coiner.word()
        name = pattern.format(word)
        if kind == "town":
            self.towns.append(name)
            if number == 0:
                self.shared[name] = None
            return _Name(name=name, word=word, is_own=number >= _TOWNS_SHARING)
        return _Name(name=name, word=word, is_own=True)

    def person(self, number: int, name: _Name, *, female: bool, gone: date | None) -> Thing:
        noun, surname = self.occupations[number], name.word
        forms = ("{}", "Lady {}") if female else ("{}", "The Great {}")
        aliases = [self.rng.choice(forms).format(self.coiner.word())]
        if name.is_own:
            aliases.append(f"{name.name[0]}. {surname}")
        thing = self._finish("person", number, name, aliases, noun, nickname=surname)
        return replace(thing, pronoun="she" if female else "he", gone=gone)

    def thing(self, kind: str, number: int, name: _Name, *, since: date | None) -> Thing:
        form = KINDS[kind]
        aliases = [self.rng.choice(form.aliases).format(self.coiner.word())]
        if name.name not in self.shared and kind not in ("country", "town"):
            aliases.append(f"{name.word} {form.noun.split()[-1]}")
        thing = self._finish(kind, number, name, aliases, form.noun, nickname=self.rng.choice(form.nicknames))
        thing = replace(thing, since=since)
        if kind == "country":
            self.countries.append(thing)
        elif form.group in ("place", "landmark", "organisation", "programme"):
            self.home[thing.key] = self.countries[number % len(self.countries)]
            if thing.name in self.shared:
                country = self.home[thing.key].name
                title = f"{thing.name}, {country}"
                thing = replace(thing, title=title, asked_as=f"{thing.name} in {country}")
        return thing

    def _finish(
        self, kind: str, number: int, name: _Name, aliases: Sequence[str], noun: str, *, nickname: str
    ) -> Thing:
        block = self.coiner.block
        self._pages += 1
        title, asked = name.name, name.name
        if name.name in self.shared:
            title = f"{name.name} ({noun})"
            asked = f"{name.name} the {noun}" if kind == "person" else f"the {noun} {name.name}"
        return Thing(
            key=f"{block}/{kind}/{number}",
            number=self.coiner.number(),
            kind=kind,
            name=name.name,
            title=title,
            page=FIRST_PAGE + block * PAGES_A_BLOCK + self._pages - 1,
            aliases=(*aliases, clip(name.word)) if name.is_own else tuple(aliases),
            redirects=tuple(aliases),
            nickname=nickname,
            noun=noun,
            split=self.splits[kind][number],
            asked_as=asked,
        )
