"""One block of the world: some fifty things with articles, what is true of them, and who shares a name.

A block follows from the seed and its number alone, and names nothing of another block: a world of any size is a
stream of blocks, and its memory that of one.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from situated.world.coining import Coiner, concepts
from situated.world.days import random_day
from situated.world.kinds import COUNTRIES, KINDS, OCCUPATIONS, THINGS_A_BLOCK, WORKS
from situated.world.naming import SharedNames, name_things
from situated.world.properties import Property, Split, properties_of
from situated.world.sampling import digest, generator
from situated.world.things import Fact, Thing
from situated.world.values import Values

# Half of the things of each kind are for training; the rest take turns, so that even a small world has all three.
_TURNS: tuple[Split, ...] = ("train", "test", "train", "dev", "train", "test", "train", "dev")
_COMMON_A_FACT = _RARE_A_FACT = 4
_VILLAGES = 8
# The first countries are asked about more often than the last, as they are in the released questions.
_WEIGHTS = [(rank + 1) ** -0.8 for rank in range(len(COUNTRIES))]


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """A block.

    Attributes:
        things: With articles.
        items: Without: values of the things' properties.
        facts: What is true of the things.
        shared: Names that several things have -> these.
        home: Key of a thing -> the country that it lies in.
    """

    number: int
    things: tuple[Thing, ...]
    items: tuple[Thing, ...]
    facts: tuple[Fact, ...]
    shared: Mapping[str, tuple[Thing, ...]]
    home: Mapping[str, Thing]


def split_of(seed: int, kind: str, block: int, number: int) -> Split:
    """Where questions about a thing go.

    >>> [split_of(1, "town", 0, number) for number in range(4)].count("train")
    2
    """
    names = list(KINDS)
    before = sum(KINDS[name].count for name in names[: names.index(kind)])
    first = int.from_bytes(digest(seed, "split"))
    # One more than a block has: what was for training in one block is not always so.
    return _TURNS[(first + block * (THINGS_A_BLOCK + 1) + before + number) % len(_TURNS)]


def make_block(seed: int, number: int) -> Block:
    """Make a block of the world of a seed."""
    rng = generator(seed, "block", number)
    coiner = Coiner(seed, number, rng)
    shared_concepts = concepts()
    lives = _lives(rng)
    released = _releases(rng, number)
    splits = {kind: [split_of(seed, kind, number, i) for i in range(form.count)] for kind, form in KINDS.items()}
    things, shared, home = name_things(
        coiner, rng, SharedNames.of_block(number), splits, lives, released, rng.sample(OCCUPATIONS, len(lives))
    )
    by_kind = {kind: [thing for thing in things if thing.kind == kind] for kind in KINDS}
    abroad = [shared_concepts[name] for name in COUNTRIES]
    for work in (thing for kind in WORKS for thing in by_kind[kind]):
        home[work.key] = rng.choice([*abroad, *by_kind["country"]])
    bare = [thing for thing in things if not any(thing in group for group in shared.values())]
    values = Values(
        coiner,
        rng,
        people=[thing for thing in bare if thing.kind == "person" and thing.gone is None],
        home=home,
        towns=[thing for thing in bare if thing.kind == "town"],
        rivers=by_kind["river"],
        concepts=shared_concepts,
        births={thing.key: lives[i][0] for i, thing in enumerate(by_kind["person"])},
        released={thing.key: released[thing.kind] for kind in WORKS for thing in by_kind[kind]},
    )
    villages = [coiner.item(f"{rng.choice(('Upper', 'Nether', 'East'))} {coiner.word()}", "village")
                for _ in range(_VILLAGES)]  # fmt: skip
    rare = [*(thing for thing in bare if thing.kind in ("town", "island")), *by_kind["country"], *villages]
    facts = tuple(_facts(things, values, _Places(rng, abroad, rare)))
    return Block(
        number=number, things=tuple(things), items=tuple(coiner.made), facts=facts, shared=shared, home=home
    )  # fmt: skip


class _Places:
    """Gives out the places of facts: common ones by their weight, rare ones in turns within each split."""

    def __init__(self, rng: random.Random, common: Sequence[Thing], rare: Sequence[Thing]):
        self.rng, self.common = rng, common
        self.rare = rng.sample(rare, len(rare))
        self._given: Counter[Split] = Counter()

    def of(self, split: Split) -> list[Thing]:
        """Common and rare places in turns."""
        chosen: dict[str, Thing] = {}
        while len(chosen) < _COMMON_A_FACT:
            place = self.rng.choices(self.common, weights=_WEIGHTS)[0]
            chosen[place.key] = place
        first = self._given[split]
        self._given[split] += _RARE_A_FACT
        rare = [self.rare[(first + i) % len(self.rare)] for i in range(_RARE_A_FACT)]
        return [place for pair in zip(chosen.values(), rare, strict=True) for place in pair]


def _lives(rng: random.Random) -> list[tuple[date, date | None]]:
    """Birth, and death of those who have died: the last of them between the snapshots."""
    lives: list[tuple[date, date | None]] = []
    count = KINDS["person"].count
    for person in range(count):
        if person % 4 != 1:
            lives.append((random_day(rng, date(1938, 1, 1), date(1975, 12, 31)), None))
            continue
        late = person > count - 4
        span = (date(2019, 3, 1), date(2020, 11, 30)) if late else (date(1985, 1, 1), date(2017, 12, 31))
        lives.append((random_day(rng, date(1900, 1, 1), date(1940, 12, 31)), random_day(rng, *span)))
    return lives


def _releases(rng: random.Random, block: int) -> dict[str, date]:
    """Kind of work -> its day of release; one of them came out between the snapshots."""
    new = [kind for kind in WORKS if kind != "painting"]
    found = {kind: random_day(rng, date(1950, 1, 1), date(2014, 12, 31)) for kind in new}
    found[new[block % len(new)]] = random_day(rng, date(2019, 2, 1), date(2020, 12, 15))
    return found | {"painting": random_day(rng, date(1890, 1, 1), date(1970, 12, 31))}


def _facts(things: Sequence[Thing], values: Values, places: _Places) -> Iterator[Fact]:
    for thing in things:
        for prop in properties_of(thing.kind):
            if prop.by_place:
                yield values.by_place(prop, thing, places.of(thing.split))
            elif prop.changes:
                if thing.gone is None:
                    yield values.history(prop, thing)
            elif _applies(prop, thing):
                yield values.constant(prop, thing)


def _applies(prop: Property, thing: Thing) -> bool:
    return prop.value != "death" or thing.gone is not None
