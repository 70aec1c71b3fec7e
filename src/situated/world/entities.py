"""The places, people, clubs, companies and works of the sample world."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import cycle, islice

from situated.world.names import coin_words
from situated.world.sampling import generator


@dataclass(frozen=True)
class Kind:
    """A kind of entity: how many the world has, and how coined words become a name.

    Args:
        count: Number of entities.
        patterns: Forms of a name, each ``{}`` being a coined word; they take turns.
        is_place: Whether naming such an entity says where the question is about.
    """

    count: int
    patterns: tuple[str, ...] = ("{}",)
    is_place: bool = False


# "Last", "new", "now" and "current" stand in titles too: such a word alone must not give a label away.
# A new kind goes to the end: the names of those before it then stay as they are.
KINDS: Mapping[str, Kind] = {
    "country": Kind(48, is_place=True),
    "town": Kind(96, is_place=True),
    "river": Kind(40, is_place=True),
    "mountain": Kind(40, is_place=True),
    "island": Kind(40, is_place=True),
    "bridge": Kind(40, is_place=True),
    "person": Kind(160, ("{} {}",)),
    "club": Kind(64, ("{} United", "{} Rovers", "{}", "{} Wolves", "{} Athletic", "{} Herons")),
    "competition": Kind(40, ("{} Cup", "{} Trophy", "{} Shield", "{} League", "{} Championship")),
    "company": Kind(64, ("{}", "{} Motors", "{} Foods", "{} and Sons", "{} Bank", "New {}")),
    "product": Kind(40, ("{}", "{} Phone", "{} Browser", "{} Player", "{} Camera")),
    "film": Kind(
        80, ("{} Rising", "The Last {}", "Return to {}", "The {} Affair", "Now or {}", "Waiting for {}", "{}")
    ),
    "book": Kind(80, ("The Clocks of {}", "{}", "A Mayor for {}", "The New {}", "{} and the Lantern", "Letters to {}")),
    "song": Kind(64, ("Dance with {}", "{} Blues", "Goodnight {}", "My Current {}", "{}", "This Year in {}")),
    "band": Kind(48, ("The {}s", "{}", "{} Brothers", "The {} Orchestra", "Latest {}")),
    "show": Kind(64, ("{} Street", "The {} Files", "Dancing with {}", "The Next Top {}", "{} Tonight", "House of {}")),
    "game": Kind(40, ("{} Quest", "{}", "Super {}", "World of {}", "{} Racing")),
    "airline": Kind(24, ("{} Airways", "Air {}", "{} Express")),
}


@dataclass(frozen=True)
class Entity:
    """One thing of the world and its name as a title writes it."""

    kind: str
    name: str


@dataclass(frozen=True)
class World:
    """All entities by kind."""

    entities: Mapping[str, tuple[Entity, ...]]

    def of_kind(self, kind: str) -> tuple[Entity, ...]:
        """The entities of one kind, in a fixed order."""
        return self.entities[kind]

    def part(self, trains: bool) -> World:
        """The entities that training questions name, three fifths of each kind, or the others."""
        cuts = {kind: len(entities) * 3 // 5 for kind, entities in self.entities.items()}
        return World({k: e[: cuts[k]] if trains else e[cuts[k] :] for k, e in self.entities.items()})


def build_world(seed: int) -> World:
    """Make the world of a seed; no two entities share a coined word.

    >>> [entity.name for entity in build_world(1).of_kind("show")[:3]]
    ['Flermahoth Street', 'The Dovogand Files', 'Dancing with Ginovax']
    """
    taken: set[str] = set()
    entities: dict[str, tuple[Entity, ...]] = {}
    for name, kind in KINDS.items():
        rng = generator(seed, "world", name)
        patterns = list(islice(cycle(kind.patterns), kind.count))
        words = coin_words(rng, sum(pattern.count("{}") for pattern in patterns), taken)
        taken.update(words)
        unused = iter(words)
        entities[name] = tuple(
            Entity(name, pattern.format(*islice(unused, pattern.count("{}")))) for pattern in patterns
        )
    return World(entities)
