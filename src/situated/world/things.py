"""Things, the values that they have, and when or where these hold."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from situated.world.days import Precision
from situated.world.kinds import KINDS, Kind
from situated.world.properties import Property, Split


@dataclass(frozen=True, slots=True, kw_only=True)
class Thing:
    """Something that has a number on Wikidata, and an article if it has a title.

    Attributes:
        key: Its own name for whatever is drawn about it: block, kind and number.
        number: On Wikidata, without the Q.
        kind: As in ``KINDS``, or what it is in a word.
        name: Its label.
        title: Of its article; empty where there is none.
        page: Number of the page.
        aliases: Listed on Wikidata.
        redirects: Those that lead to the article.
        nickname: What the article calls it at times; listed nowhere.
        noun: What it is, in a few words.
        split: Where questions about it go.
        pronoun: "it", "she" or "he".
        since: When the article was begun; None: before the first snapshot.
        asked_as: Ways to name it in a question by its name; not the bare name where others share that.
        gone: When a person died.
    """

    key: str
    number: int
    kind: str
    name: str
    title: str = ""
    page: int = 0
    aliases: tuple[str, ...] = ()
    redirects: tuple[str, ...] = ()
    nickname: str = ""
    noun: str = ""
    split: Split = "train"
    pronoun: str = "it"
    since: date | None = None
    asked_as: str = ""
    gone: date | None = None

    @property
    def qid(self) -> str:
        """Its number as Wikidata writes it."""
        return f"Q{self.number}"

    @property
    def form(self) -> Kind:
        """The kind of a thing with an article."""
        return KINDS[self.kind]

    def is_described(self, day: date) -> bool:
        """Whether it has an article on a day."""
        return bool(self.title) and (self.since is None or self.since <= day)


@dataclass(frozen=True, slots=True, kw_only=True)
class Value:
    """What a thing has.

    Attributes:
        text: As the article writes it, and as questions are answered.
        thing: The thing that it is, if it is one.
        day: The day that it is, if it is one, as far as ``precision`` goes.
        amount: The number that it is, if it is one.
        others: Other written forms that are right.
    """

    text: str
    thing: Thing | None = None
    day: date | None = None
    precision: Precision = "day"
    amount: int | None = None
    others: tuple[str, ...] = ()

    @property
    def answers(self) -> tuple[str, ...]:
        """All written forms that are right."""
        return (self.text, *self.others)


@dataclass(frozen=True, slots=True, kw_only=True)
class Spell:
    """A value and when or where it holds.

    Attributes:
        start: First day; None: always.
        end: Day on which the next one began; None: it still holds.
        place: Where it holds; None: everywhere.
    """

    value: Value
    start: date | None = None
    end: date | None = None
    place: Thing | None = None

    def has_begun(self, day: date) -> bool:
        """Whether it held on the day or before."""
        return self.start is None or self.start <= day

    def holds(self, day: date) -> bool:
        """Whether it holds on the day."""
        return self.has_begun(day) and (self.end is None or self.end > day)


@dataclass(frozen=True, slots=True, kw_only=True)
class Fact:
    """A property of a thing with its values: one, one after the other, or one for each place.

    Attributes:
        is_full: Whether the beginnings of the last two values are known to the day to whoever asks.
    """

    subject: Thing
    property: Property
    spells: tuple[Spell, ...]
    is_full: bool = False

    def begun(self, day: date) -> Sequence[tuple[int, Spell]]:
        """The number and spell of each value that held on the day or before."""
        return [(number, spell) for number, spell in enumerate(self.spells) if spell.has_begun(day)]
