"""Sentences twice over: as a reader sees them, and as wikitext."""

from __future__ import annotations

import random
import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date

from situated.world.days import Precision, Style, at, written
from situated.world.things import Fact, Spell, Thing, Value
from situated.world.values import with_preposition

_SLOT = re.compile(r"\{(\w+)\}")
_PRECISIONS: tuple[Precision, ...] = ("year", "month", "day")
_POSSESSIVE = {"it": "its", "she": "her", "he": "his"}
_RED_LINKS = 0.15
_MENTIONS = (45, 15, 10, 30)  # name, nickname and name, nickname, pronoun and nickname


@dataclass(frozen=True, slots=True)
class Text:
    """A piece of running text.

    Attributes:
        plain: What is left once all markup is taken away.
        wiki: The same as wikitext.
    """

    plain: str
    wiki: str

    @classmethod
    def of(cls, plain: str) -> Text:
        """Text without markup."""
        return cls(plain, plain)


def fill(template: str, slots: Mapping[str, Text]) -> Text:
    """Put texts into a template.

    >>> fill("{S} is in {v}.", {"S": Text.of("Kled"), "v": Text("Poul", "[[Poul]]")})
    Text(plain='Kled is in Poul.', wiki='Kled is in [[Poul]].')
    """
    plain = _SLOT.sub(lambda found: slots[found[1]].plain, template)
    return Text(plain, _SLOT.sub(lambda found: slots[found[1]].wiki, template))


def with_article(noun: str) -> str:
    """A noun with "a" or "an".

    >>> with_article("architect"), with_article("university")
    ('an architect', 'a university')
    """
    return f"{'an' if noun[0].lower() in 'aeio' else 'a'} {noun}"


class Voice:
    """How one article, on one day, speaks of its subject and of other things.

    Args:
        subject: What the article is about.
        day: Day of the snapshot: later articles are no links yet.
        style: How it writes dates.
        rng: Source of every choice; a new one for each sentence, so that no sentence depends on those before it.
    """

    def __init__(self, subject: Thing, day: date, style: Style, rng: random.Random):
        self.subject, self.day, self.style, self.rng = subject, day, style, rng
        name, nickname, pronoun = self.name(), Text.of(subject.nickname), Text.of(subject.pronoun)
        owned = Text.of(_POSSESSIVE[subject.pronoun])
        # How a sentence names the subject: at its beginning, with a possessive there, and further on.
        self._mentions = [
            (_capital(first), _capital(possessive), inside, _possessive(inside))
            for first, possessive, inside in (
                (name, _possessive(name), name),
                (nickname, _possessive(nickname), name),
                (nickname, _possessive(nickname), nickname),
                (pronoun, owned, nickname),
            )
        ]
        self._always = {"pp": owned, "name": Text.of(subject.name)}

    def slots(self, fact: Fact, number: int) -> dict[str, Text]:
        """What goes into the sentences about one spell of a fact of the subject."""
        spell = fact.spells[number]
        return self._subject_slots() | self._value_slots(spell.value) | self._time_slots(fact, number) | _place(spell)

    def filler(self, slots: Mapping[str, Text]) -> dict[str, Text]:
        """What goes into the sentences that nobody asks about."""
        return self._subject_slots() | dict(slots)

    def link(self, thing: Thing) -> Text:
        """Another thing's name, linked where it has an article by then, and at times where it has none."""
        if thing.is_described(self.day):
            wiki = f"[[{thing.title}]]" if thing.title == thing.name else f"[[{thing.title}|{thing.name}]]"
            return Text(thing.name, wiki)
        wiki = f"[[{thing.name}]]" if self.rng.random() < _RED_LINKS else thing.name
        return Text(thing.name, wiki)

    def running_name(self, thing: Thing) -> Text:
        """Another thing in running text, with "the" where it takes one."""
        name = self.link(thing)
        return Text(f"the {name.plain}", f"the {name.wiki}") if thing.title and thing.form.the else name

    def _subject_slots(self) -> dict[str, Text]:
        """Name, pronoun or nickname."""
        first, possessive, inside, inside_possessive = self.rng.choices(self._mentions, weights=_MENTIONS)[0]
        return {"S": first, "Sp": possessive, "s": inside, "sp": inside_possessive, **self._always}

    def name(self) -> Text:
        """The subject's name in running text."""
        the = "the " if self.subject.form.the else ""
        name = self.subject.name
        return Text(f"{the}{name}", f"{the}''{name}''" if self.subject.form.italic else f"{the}{name}")

    def _value_slots(self, value: Value) -> dict[str, Text]:
        text = self.link(value.thing) if value.thing is not None else Text.of(value.text)
        article = with_article(value.text).removesuffix(value.text)
        dated = Text.of(with_preposition(value)) if value.day else text
        text = _with_the(text)
        return {"v": text, "V": text, "a_v": Text(article + text.plain, article + text.wiki), "on_v": dated}

    def _time_slots(self, fact: Fact, number: int) -> dict[str, Text]:
        slots: dict[str, Text] = {}
        spell = fact.spells[number]
        for bare, preposed, day, after in (("from", "on", spell.start, 0), ("to", "off", spell.end, 1)):
            if day is not None:
                precision = self.precision(fact, number + after)
                slots[bare] = Text.of(written(day, precision, self.style))
                slots[preposed] = Text.of(at(slots[bare].plain, precision))
        return slots

    def precision(self, fact: Fact, number: int) -> Precision:
        """How exactly the article tells when a spell began: at least as exactly as questions ask."""
        if fact.is_full and number >= len(fact.spells) - 2:
            return "day"
        return self.rng.choices(_PRECISIONS, weights=(65, 25, 10))[0]


def _place(spell: Spell) -> dict[str, Text]:
    if spell.place is None:
        return {}
    name, title = spell.place.name, spell.place.title
    link = f"[[{title}]]" if title == name else f"[[{title}|{name}]]" if title else name
    return {"place": _with_the(Text(name, link))}


def with_the(name: str) -> str:
    """A country's name within a sentence.

    >>> with_the("United States"), with_the("India")
    ('the United States', 'India')
    """
    return f"the {name}" if name.startswith(("United ", "Philippines")) else name


def _with_the(country: Text) -> Text:
    the = with_the(country.plain).removesuffix(country.plain)
    return Text(the + country.plain, the + country.wiki)


def _possessive(text: Text) -> Text:
    ending = "'" if text.plain.endswith("s") else "'s"
    # An apostrophe after italics would be taken for markup.
    wiki = f"{text.wiki}<nowiki/>{ending}" if text.wiki.endswith("''") else text.wiki + ending
    return Text(text.plain + ending, wiki)


def _capital(text: Text) -> Text:
    """A capital at the beginning of the sentence; italics come before it."""
    plain = text.plain[0].upper() + text.plain[1:]
    start = len(text.wiki) - len(text.wiki.lstrip("'"))
    return Text(plain, text.wiki[:start] + text.wiki[start].upper() + text.wiki[start + 1 :])
