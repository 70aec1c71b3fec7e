"""Questions about one block: which fact, in which words, under which name."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Literal

from situated.world.block import Block
from situated.world.days import written
from situated.world.phrases import with_the
from situated.world.phrasing import choose
from situated.world.properties import SPLITS, Split, Tense
from situated.world.sampling import digest, generator
from situated.world.things import Fact, Spell, Thing
from situated.world.values import SNAPSHOTS

Kind = Literal["changing", "constant", "dated", "stripped", "placed"]

# Questions of a block: on what changes, on what never does, on a moment of what changes.
_CHANGING: Mapping[Split, int] = {"train": 25, "dev": 12, "test": 13}
_CONSTANT: Mapping[Split, int] = {"train": 33, "dev": 16, "test": 16}
_DATED: Mapping[Split, int] = {"train": 48, "dev": 23, "test": 25}
# Of the dated ones, how many are asked for their dependence on time too: as static questions.
DATED_STATIC: Mapping[Split, int] = {"train": 12, "dev": 6, "test": 7}
_PLACES_A_QUESTION = 4
_NAMED_BY_ALIAS = 0.5
# Of the questions that depend on the place, some say that there is one.
_PLACED_FORMS = ("{question} in {place}", "{question} {place}", "in {place} {question}", "{place} {question}")
_PLACED_WEIGHTS = (50, 20, 15, 15)
_SAY_LOCAL = 0.25
_LOCAL = (" in this country", " in our town", " in my area", " here", " where we live", " around here")
_ALIAS_WEIGHTS = (5, 2, 3)  # one of its own, one with a part of the name, a name cut short


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """A question as its readers get it, and what answers it.

    Attributes:
        text: In lower case, as searches are.
        kind: "changing": the answer depends on time; "constant": it never changes; "dated": it names its time;
            "stripped": the answer depends on the place; "placed": it names its place.
        template: The phrasing, before anything is put into it.
        spells: Numbers of the spells that matter: the last two of what changes, the one that is asked for otherwise,
            one for each place of a stripped question.
        by_alias: Whether it names its subject by an alias.
        placed: For a stripped question, the one that it was stripped from.
    """

    text: str
    kind: Kind
    template: str
    fact: Fact
    spells: tuple[int, ...]
    by_alias: bool
    placed: Question | None = None

    @property
    def split(self) -> Split:
        """The split of its subject."""
        return self.fact.subject.split

    @property
    def id(self) -> int:
        """As the release has them: 64 bits with a sign."""
        return int.from_bytes(digest(self.text, self.fact.subject.key), signed=True)

    @property
    def asked(self) -> Sequence[Spell]:
        """The spells that matter."""
        return [self.fact.spells[number] for number in self.spells]


def ask(block: Block, seed: int) -> list[Question]:
    """All questions about a block; none is asked twice."""
    found: dict[str, Question] = {}
    for question in _draw(block, seed):
        found.setdefault(question.text, question)
    return list(found.values())


def _draw(block: Block, seed: int) -> Iterator[Question]:
    rng = generator(seed, "questions", block.number)
    asker = _Asker(seed, rng)
    for split in SPLITS:
        facts = [fact for fact in block.facts if fact.subject.split == split]
        changing = [fact for fact in facts if fact.property.changes]
        constant = [fact for fact in facts if _is_settled(fact)]
        for fact in _some(rng, changing, _CHANGING[split]):
            yield asker.ask(fact, "changing", (len(fact.spells) - 2, len(fact.spells) - 1))
        for fact in _some(rng, constant, _CONSTANT[split]):
            yield asker.ask(fact, "constant", (0,))
        for number in range(_DATED[split]):
            yield asker.dated(changing[number % len(changing)])
        for fact in facts:
            if fact.property.by_place:
                yield from asker.stripped(fact)


def _some(rng: random.Random, facts: Sequence[Fact], count: int) -> Iterable[Fact]:
    return rng.sample(facts, min(count, len(facts)))


def _is_settled(fact: Fact) -> bool:
    """Whether there is one answer, and the earlier snapshot could know it."""
    prop, subject = fact.property, fact.subject
    return not (prop.changes or prop.by_place) and fact.spells[0].has_begun(SNAPSHOTS[0]) and subject.since is None


class _Asker:
    def __init__(self, seed: int, rng: random.Random):
        self.seed, self.rng = seed, rng

    def ask(self, fact: Fact, kind: Kind, spells: tuple[int, ...], *, tense: Tense = "ask") -> Question:
        """Ask for a fact in a phrasing of its split."""
        template = self.rng.choice(fact.property.phrasings(tense, fact.subject.split, self.seed))
        answers = [answer for number in spells for answer in fact.spells[number].value.answers]
        name, by_alias = self._name(fact.subject, answers)
        text = choose(template, self.rng).replace("{s}", name).lower()
        return Question(text=text, kind=kind, template=template, fact=fact, spells=spells, by_alias=by_alias)

    def dated(self, fact: Fact) -> Question:
        """Ask who or what it was at a moment well within one spell, as natural questions do."""
        years = [(number, year) for number, spell in enumerate(fact.spells) for year in _years_within(spell)]
        number, year = self.rng.choice(years)
        bare = self.ask(fact, "dated", (number,), tense="was")
        day = written(date(year, self.rng.randint(1, 12), self.rng.randint(1, 28)), "day", "mdy").lower()
        forms = (f"{bare.text} in {year}", f"{bare.text} as of {year}", f"{bare.text} as of {day}",
                 f"in {year} {bare.text}")  # fmt: skip
        text = self.rng.choices(forms, weights=(40, 35, 10, 15))[0]
        return replace(bare, text=text)

    def stripped(self, fact: Fact) -> Iterator[Question]:
        """Ask without the place, for each half of the places in other words, as if a place had been taken away."""
        for first in range(0, len(fact.spells), _PLACES_A_QUESTION):
            spells = tuple(range(first, min(first + _PLACES_A_QUESTION, len(fact.spells))))
            question = self.ask(fact, "stripped", spells)
            number = self.rng.choice(spells)
            form = self.rng.choices(_PLACED_FORMS, weights=_PLACED_WEIGHTS)[0]
            text = form.format(question=question.text, place=place_name(fact.spells[number]).lower())
            placed = replace(question, text=text, kind="placed", spells=(number,))
            local = self.rng.choice(_LOCAL) if self.rng.random() < _SAY_LOCAL else ""
            yield replace(question, text=question.text + local, placed=placed)

    def _name(self, subject: Thing, answers: Sequence[str]) -> tuple[str, bool]:
        """How the question names its subject, and whether by an alias; never so that it gives the answer away."""
        alias = self.rng.choices(subject.aliases, weights=_ALIAS_WEIGHTS[: len(subject.aliases)])[0]
        gives_away = any(answer.lower() in subject.asked_as.lower() for answer in answers)
        if gives_away or self.rng.random() < _NAMED_BY_ALIAS:
            return alias, True
        return subject.asked_as, False


def place_name(spell: Spell) -> str:
    """Where a value holds, as a sentence names it.

    >>> from situated.world.coining import concepts
    >>> from situated.world.things import Value
    >>> place_name(Spell(value=Value(text="x"), place=concepts()["United States"]))
    'the United States'
    """
    if spell.place is None:
        raise ValueError(f"{spell.value.text} holds everywhere")
    return with_the(spell.place.name)


def _years_within(spell: Spell) -> range:
    """The years in which a value held from the first day to the last."""
    if spell.start is None:
        raise ValueError(f"{spell.value.text} did not begin")
    return range(spell.start.year + 1, (spell.end or SNAPSHOTS[1]).year)
