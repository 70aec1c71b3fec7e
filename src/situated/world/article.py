"""Articles as wikitext, each with the sentences in which it says what is true."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Literal

from situated.world.block import Block
from situated.world.days import Precision, Style, at, written
from situated.world.fillers import filler
from situated.world.infobox import infobox, table
from situated.world.phrases import Text, Voice, fill, with_article
from situated.world.sampling import generator
from situated.world.things import Fact, Spell, Thing
from situated.world.values import SNAPSHOTS

Said = tuple[str, int]
"""Name of a property, and number of the spell."""

_REFERENCES, _SECOND_SENTENCES, _ASIDES, _LISTS, _TABLES = 0.3, 0.2, 0.25, 0.3, 0.5
_ALIAS_IN_LEAD = 0.35
_LINKS = 3
# At most so many fillers stand below the introduction; those with higher numbers are for it.
_FILLERS = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class Article:
    """An article on a day.

    Attributes:
        said: What is true -> the sentences that say so, as a reader sees them.
    """

    thing: Thing
    day: date
    wikitext: str
    said: Mapping[Said, Sequence[str]]


def articles(block: Block, seed: int, day: date) -> Iterator[Article]:
    """The articles of a block as they are on a day."""
    facts: defaultdict[str, list[Fact]] = defaultdict(list)
    roles: defaultdict[str, list[tuple[Fact, Spell]]] = defaultdict(list)
    for fact in block.facts:
        facts[fact.subject.key].append(fact)
        if fact.property.role:
            for _, spell in fact.begun(day):
                if spell.value.thing is not None and spell.value.thing.title:
                    roles[spell.value.thing.key].append((fact, spell))
    for thing in block.things:
        if thing.is_described(day):
            writer = _Writer(block, seed, thing, day)
            yield writer.write(facts[thing.key], roles[thing.key])


@dataclass
class _Section:
    """What stands below a heading: running text, blocks of their own, and sentences that nobody asks about."""

    text: list[str] = field(default_factory=list)
    blocks: list[str] = field(default_factory=list)
    fillers: list[str] = field(default_factory=list)

    @property
    def wikitext(self) -> str:
        paragraphs = [" ".join(self.text), *self.blocks, " ".join(self.fillers)]
        return "\n\n".join(paragraph for paragraph in paragraphs if paragraph)


@dataclass
class _Writer:
    block: Block
    seed: int
    thing: Thing
    day: date
    said: defaultdict[Said, list[str]] = field(default_factory=lambda: defaultdict(list))

    def __post_init__(self) -> None:
        rng = self._rng("style")
        self.style: Style = rng.choice(("dmy", "mdy"))
        self.voice = Voice(self.thing, self.day, self.style, rng)
        self._cited = 0

    def write(self, facts: Sequence[Fact], roles: Sequence[tuple[Fact, Spell]]) -> Article:
        sections: defaultdict[str, _Section] = defaultdict(_Section)
        for fact in facts:
            self._tell(fact, sections[fact.property.section])
        if roles:
            sections["Offices"].text += [self._role(fact, spell).wiki for fact, spell in roles]
        if asides := [*self._asides(facts)]:
            sections["Miscellany"].text += asides
        self._fill(sections)
        others = [*self._others(facts)]
        parts = [*self._head(facts), self._lead(facts), *self._picture(others)]
        parts += [f"== {title} ==\n{section.wikitext}" for title, section in sections.items() if section.wikitext]
        wikitext = "\n\n".join([*parts, *self._foot(others)])
        return Article(thing=self.thing, day=self.day, wikitext=wikitext, said=dict(self.said))

    def _rng(self, *what: object) -> random.Random:
        return generator(self.seed, self.thing.key, *what)

    def _tell(self, fact: Fact, section: _Section) -> None:
        """Put a fact into a section: in running text, as a paragraph of its own or as a list, at times with a table."""
        rng = self._rng("fact", fact.property.name)
        is_list, has_table, is_said_twice = (rng.random() < share for share in (_LISTS, _TABLES, _SECOND_SENTENCES))
        sentences = [self._cite(text) for text in self._sentences(fact, twice=is_said_twice)]
        if not (fact.property.changes or fact.property.by_place):
            section.text += sentences
        elif is_list:
            section.blocks.append("\n".join(f"* {sentence}" for sentence in sentences))
        else:
            section.blocks.append(" ".join(sentences))
        if fact.property.changes and has_table:
            section.blocks.append(table(fact, self.day, self.voice))

    def _sentences(self, fact: Fact, *, twice: bool) -> Iterator[Text]:
        begun = fact.begun(self.day)
        for number, spell in begun:
            tense: Literal["say", "past"] = "say" if spell.holds(self.day) else "past"
            yield self._say(fact, number, tense)
        if twice and begun and not fact.property.by_place:
            yield self._say(fact, begun[-1][0], "say", again=True)

    def _say(self, fact: Fact, number: int, tense: Literal["say", "past"], *, again: bool = False) -> Text:
        rng = self._rng(fact.property.name, number, tense)
        templates = fact.property.lines(tense)
        first = rng.randrange(len(templates))
        self.voice.rng = rng
        text = fill(templates[(first + again) % len(templates)], self.voice.slots(fact, number))
        self.said[fact.property.name, number].append(text.plain)
        return text

    def _asides(self, facts: Iterable[Fact]) -> Iterator[str]:
        """Sentences that hold an answer and answer nothing; what has not begun is not told."""
        for fact in facts:
            rng = self._rng("aside", fact.property.name)
            number = rng.randrange(len(fact.spells))
            if rng.random() < _ASIDES and fact.spells[number].has_begun(self.day):
                self.voice.rng = rng
                yield fill(rng.choice(fact.property.lines("aside")), self.voice.slots(fact, number)).wiki

    def _role(self, fact: Fact, spell: Spell) -> Text:
        rng = self._rng("role", fact.subject.key, fact.property.name)
        self.voice.rng = rng
        began = self._when(spell.start, rng)
        ended = f", and held the post until {self._when(spell.end, rng, bare=True)}" if self._is_over(spell) else ""
        template = rng.choice(("{S} became {role} of {of} {on}{ended}.", "{S} was made {role} of {of} {on}{ended}."))
        slots = {"role": Text.of(fact.property.role), "of": self.voice.running_name(fact.subject),
                 "on": Text.of(began), "ended": Text.of(ended)}  # fmt: skip
        return fill(template, self.voice.filler(slots))

    def _is_over(self, spell: Spell) -> bool:
        return spell.end is not None and spell.end <= self.day

    def _when(self, day: date | None, rng: random.Random, *, bare: bool = False) -> str:
        if day is None:
            return ""
        precision: Precision = rng.choice(("month", "year"))
        text = written(day, precision, self.style)
        return text if bare else at(text, precision)

    def _fill(self, sections: Mapping[str, _Section]) -> None:
        """Put sentences that nobody asks about among the others; the later snapshot has one more."""
        rng = self._rng("fillers")
        titles = [*sections]
        count = rng.randint(4, _FILLERS)
        for number in range(count + 1):
            title = rng.choice(titles)
            self.voice.rng = self._rng("filler", number)
            text = self._cite(filler(self.thing.form.group, number, self.voice))
            if number < count or self.day >= SNAPSHOTS[1]:
                sections[title].fillers.append(text)

    def _cite(self, text: Text) -> str:
        """The sentence, at times with a reference after it; every fourth of them is an earlier one again."""
        rng = self.voice.rng
        if rng.random() >= _REFERENCES:
            return text.wiki
        if self._cited and self._cited % 4 == 0:
            self._cited += 1
            return f'{text.wiki}<ref name="r0" />'
        name = f' name="r{self._cited}"' if self._cited % 2 == 0 else ""
        self._cited += 1
        year, number = rng.randint(1998, 2018), rng.randrange(10**6)
        whence = rng.choice(("valley", "coast", "north"))
        printed = written(date(year, 1 + number % 12, 1), "month", "dmy")
        source = f"cite web |url=https://news.example.org/{year}/{number} |title=Notes from the {whence}"
        return f"{text.wiki}<ref{name}>{{{{{source} |date={printed} |access-date=2 May 2018}}}}</ref>"

    def _head(self, facts: Sequence[Fact]) -> Iterator[str]:
        shared = self.block.shared.get(self.thing.name, ())
        if shared:
            yield f"{{{{Other uses|{self.thing.name}}}}}"
        head = f"{{{{Use {self.style} dates|date=May 2018}}}}\n{infobox(self.thing, facts, self.day, self.voice)}"
        yield f"{{{{Short description|{self.thing.noun.capitalize()}}}}}\n{head}"

    def _lead(self, facts: Sequence[Fact]) -> str:
        rng = self._rng("lead")
        self.voice.rng = rng
        name = self.voice.name().plain
        name = name[0].upper() + name[1:]
        bold = f"'''{name}'''"
        also = self.thing.aliases[0]
        if rng.random() < _ALIAS_IN_LEAD:
            known = rng.choice((" (also known as {})", ", once called {},", ", known to some as {},"))
            name, bold = name + known.format(also), bold + known.format(f"'''{also}'''")
        verb = "was" if self.thing.gone is not None and self.thing.gone <= self.day else "is"
        noun = with_article(self.thing.noun)
        country = self.block.home.get(self.thing.key) if self.thing.form.group != "work" else None
        place = self.voice.link(country) if country is not None else None
        plain = f"{name} {verb} {noun}" + (f" in {place.plain}." if place else ".")
        wiki = f"{bold} {verb} {noun}" + (f" in {place.wiki}." if place else ".")
        for fact in facts:
            told = "country_of_place" if place else "occupation"
            if fact.property.name == told:
                self.said[told, 0].append(plain)
        others = [
            filler(self.thing.form.group, _FILLERS + 1 + extra, self.voice).wiki for extra in range(rng.randint(0, 2))
        ]
        return " ".join([wiki, *others])

    def _others(self, facts: Sequence[Fact]) -> Iterator[Thing]:
        """Things that the article may link to without saying why: none that will only later have to do with it."""
        later = {spell.value.thing for fact in facts for spell in fact.spells if not spell.has_begun(self.day)}
        for thing in self.block.things:
            if thing.is_described(self.day) and thing is not self.thing and thing not in later:
                yield thing

    def _picture(self, others: Sequence[Thing]) -> Iterator[str]:
        rng = self._rng("picture")
        if rng.random() < 0.6:
            other = self.voice.link(rng.choice(others))
            caption = rng.choice(("View in {} light", "An early picture, {}", "From the collection, {}")).format(
                rng.choice(("winter", "morning", "evening"))
            )
            yield (
                f"[[File:{self.thing.title} {rng.randint(1, 9)}.jpg|thumb|{rng.choice(('left', 'right'))}|220px|"
                f"{caption}; in the background {other.wiki}]]"
            )

    def _foot(self, others: Sequence[Thing]) -> Iterator[str]:
        rng = self._rng("foot")
        links = rng.sample(others, _LINKS)
        yield "== See also ==\n" + "\n".join(f"* [[{thing.title}]]" for thing in links)
        yield "== References ==\n{{Reflist|30em}}"
        flat = " ".join(f"* [[{thing.title}]]" for thing in rng.sample(others, _LINKS))
        yield f"{{{{Navbox |name=Related |title=Related |list1={{{{flatlist|{flat}}}}} }}}}\n{{{{Authority control}}}}"
        yield f"[[Category:{self.thing.form.noun.capitalize()}]]\n[[Category:Invented things]]"
