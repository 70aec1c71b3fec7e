"""Values of the properties of one block's things, and the spells during which they hold."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from datetime import date

from situated.world.coining import Coiner, made_noun
from situated.world.days import MONTHS, Precision, Style, at, day_of_year, random_day, written
from situated.world.properties import Property
from situated.world.things import Fact, Spell, Thing, Value

SNAPSHOTS = (date(2018, 12, 20), date(2021, 2, 20))
"""The days of the two Wikipedia snapshots."""

# The current value began between the snapshots or before them; never so late that no snapshot knows it.
_UPDATED = (date(2019, 2, 1), date(2021, 2, 5))
_STABLE = (date(2007, 1, 1), date(2018, 12, 1))
_UPDATED_SHARE, _FULL_SHARE = 0.45, 0.2
_SHORTEST_YEARS, _LONGEST_YEARS = 3, 9
_EARLIEST = date(1988, 1, 1)
_OF_AGE = 22
_KNOWN_PERSON_FROM = 2000
_KNOWN_SHARE = 0.35
_TRIES = 50


class Values:
    """Makes the values of one block.

    Args:
        coiner: Coins new names.
        rng: Source of every choice.
        people: Persons with articles whom others may name.
        home: Key of a thing -> the country that it is in.
        towns: Towns with articles.
        rivers: Rivers with articles.
        concepts: What all blocks share, by name.
        births: Key of a person -> day of birth.
        released: Key of a work -> day of its release.
    """

    def __init__(
        self,
        coiner: Coiner,
        rng: random.Random,
        *,
        people: Sequence[Thing],
        home: Mapping[str, Thing],
        towns: Sequence[Thing],
        rivers: Sequence[Thing],
        concepts: Mapping[str, Thing],
        births: Mapping[str, date],
        released: Mapping[str, date],
    ):
        self.coiner, self.rng, self.home, self.concepts = coiner, rng, home, concepts
        self.places: Mapping[str, Sequence[Thing]] = {"town": towns, "river": rivers}
        self.births, self.released = births, released
        self._people = [*people]
        self._make: Mapping[str, Callable[[Property, Thing, int], Value]] = {
            "person": self._person, "maker": self._person, "mother": self._parent, "father": self._parent,
            "made": self._made, "one_of": self._one_of, "entity": self._entity, "country": self._country,
            "occupation": self._occupation, "number": self._number, "year": self._year, "date": self._date,
            "birth": self._birth, "death": self._death, "released": self._released, "day": self._day,
        }  # fmt: skip

    def constant(self, prop: Property, subject: Thing) -> Fact:
        """A property with one value; a death is told from its day on."""
        told_from = subject.gone if prop.value == "death" else None
        spell = Spell(value=self.value(prop, subject), start=told_from)
        return Fact(subject=subject, property=prop, spells=(spell,))

    def history(self, prop: Property, subject: Thing) -> Fact:
        """A property with one value after the other."""
        floor = self._floor(subject)
        ends = _UPDATED if self.rng.random() < _UPDATED_SHARE else _STABLE
        starts = [random_day(self.rng, *ends)]
        for _ in range(self.rng.randint(2, 5)):
            earlier = starts[-1].toordinal() - self.rng.randint(_SHORTEST_YEARS * 366, _LONGEST_YEARS * 365)
            if len(starts) > 1 and earlier < floor.toordinal():
                break
            starts.append(date.fromordinal(earlier))
        starts.reverse()
        values = self._distinct(prop, subject, [start.year for start in starts])
        ended = [*starts[1:], None]
        spells = tuple(
            Spell(value=value, start=start, end=end) for value, start, end in zip(values, starts, ended, strict=True)
        )
        return Fact(subject=subject, property=prop, spells=spells, is_full=self.rng.random() < _FULL_SHARE)

    def by_place(self, prop: Property, subject: Thing, places: Sequence[Thing]) -> Fact:
        """A property with another value in each place."""
        values = self._distinct(prop, subject, [_KNOWN_PERSON_FROM] * len(places))
        spells = tuple(Spell(value=value, place=place) for value, place in zip(values, places, strict=True))
        return Fact(subject=subject, property=prop, spells=spells)

    def value(self, prop: Property, subject: Thing, year: int = 0) -> Value:
        """One value that begins in a year."""
        return self._make[prop.value](prop, subject, year)

    def _distinct(self, prop: Property, subject: Thing, years: Sequence[int]) -> list[Value]:
        found: dict[str, Value] = {}
        for year in years:
            for _ in range(_TRIES):
                value = self.value(prop, subject, year)
                if value.text not in found:
                    break
            found[value.text] = value
        return [*found.values()]

    def _floor(self, subject: Thing) -> date:
        if born := self.births.get(subject.key):
            return date(born.year + _OF_AGE, 1, 1)
        made = self.released.get(subject.key, _EARLIEST)
        return max(_EARLIEST, made)

    def _person(self, prop: Property, subject: Thing, year: int) -> Value:
        """A person: at times one with an article, who then is named once."""
        year = year or self.released.get(subject.key, date(1, 1, 1)).year
        known = year > _KNOWN_PERSON_FROM and subject.kind != "person" and not prop.by_place
        if known and self._people and self.rng.random() < _KNOWN_SHARE:
            thing = self._people.pop(self.rng.randrange(len(self._people)))
        else:
            female = self.rng.random() < 0.5
            thing = self.coiner.item(self.coiner.person_name(female=female), "person")
        return Value(text=thing.name, thing=thing)

    def _parent(self, prop: Property, subject: Thing, year: int) -> Value:
        name = self.coiner.person_name(subject.name.split()[-1], female=prop.value == "mother")
        return Value(text=name, thing=self.coiner.item(name, "person"))

    def _made(self, prop: Property, subject: Thing, year: int) -> Value:
        name = self.rng.choice(prop.patterns).format(self.coiner.word())
        return Value(text=name, thing=self.coiner.item(name, made_noun(prop)))

    def _one_of(self, prop: Property, subject: Thing, year: int) -> Value:
        thing = self.concepts[self.rng.choice(prop.words[subject.kind])]
        return Value(text=thing.name, thing=thing)

    def _entity(self, prop: Property, subject: Thing, year: int) -> Value:
        """A thing with an article; for a share of the towns a river without one."""
        described = [thing for kind in prop.kinds for thing in self.places[kind]]
        if prop.invent and self.rng.random() < 0.7:
            name = self.rng.choice(prop.invent).format(self.coiner.word())
            return Value(text=name, thing=self.coiner.item(name, prop.kinds[0]))
        near = [thing for thing in described if self.home.get(thing.key) in (subject, self.home.get(subject.key))]
        thing = self.rng.choice(near or described)
        return Value(text=thing.name, thing=thing)

    def _country(self, prop: Property, subject: Thing, year: int) -> Value:
        return Value(text=self.home[subject.key].name, thing=self.home[subject.key])

    def _occupation(self, prop: Property, subject: Thing, year: int) -> Value:
        return Value(text=subject.noun, thing=self.concepts[subject.noun])

    def _number(self, prop: Property, subject: Thing, year: int) -> Value:
        amount = self.rng.randint(*prop.range)
        text = f"{amount:,}"
        return Value(text=text, amount=amount, others=(str(amount),) if str(amount) != text else ())

    def _year(self, prop: Property, subject: Thing, year: int) -> Value:
        return self._dated(date(self.rng.randint(*prop.range), 1, 1), "year")

    def _date(self, prop: Property, subject: Thing, year: int) -> Value:
        first, last = prop.range
        return self._dated(random_day(self.rng, date(first, 1, 1), date(last, 12, 31)), self._precision())

    def _birth(self, prop: Property, subject: Thing, year: int) -> Value:
        return self._dated(self.births[subject.key], self._precision())

    def _death(self, prop: Property, subject: Thing, year: int) -> Value:
        if subject.gone is None:
            raise ValueError(f"{subject.name} lives")
        return self._dated(subject.gone, "day")

    def _released(self, prop: Property, subject: Thing, year: int) -> Value:
        return self._dated(self.released[subject.key], self._precision())

    def _day(self, prop: Property, subject: Thing, year: int) -> Value:
        month, day = day_of_year(self.rng)
        return Value(text=f"{day} {MONTHS[month - 1]}", others=(f"{MONTHS[month - 1]} {day}",))

    def _precision(self) -> Precision:
        return self.rng.choices(("day", "month", "year"), weights=(80, 8, 12))[0]

    def _dated(self, day: date, precision: Precision) -> Value:
        style: Style = self.rng.choice(("dmy", "mdy"))
        text = written(day, precision, style)
        other = written(day, precision, "mdy" if style == "dmy" else "dmy")
        return Value(text=text, day=day, precision=precision, others=(other,) if other != text else ())


def with_preposition(value: Value) -> str:
    """A value that is a date with its preposition."""
    return at(value.text, value.precision)
