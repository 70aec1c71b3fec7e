"""Times: years and full dates, which are never compared with each other."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date
from functools import total_ordering
from typing import ClassVar, Literal

from situated.errors import ConfigError

Granularity = Literal["year", "date"]

# Spelled out here: strftime and calendar give the names of the machine's own language.
_MONTHS = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
    "December",
)  # fmt: skip
_YEAR = re.compile(r"[0-9]{1,4}")
_WRITTEN = re.compile(r"([A-Za-z]+) ([0-9]{1,2}), ([0-9]{1,4})")
_ISO = re.compile(r"([0-9]{4})-([0-9]{2})-([0-9]{2})")
_FORMS = "Write a year, as in '2014', or a full date, as in 'March 06, 2014' or '2014-03-06'."


@total_ordering
@dataclass(frozen=True, slots=True)
class Moment:
    """A year, or a full date.

    Attributes:
        granularity: Which of the two.
        number: The year, or the day counted from January 1 of year 1: moments of one granularity are consecutive.

    >>> Moment.parse("March 06, 2014") < Moment.parse("2014-03-07")
    True
    >>> Moment.parse("2014") < Moment.parse("March 06, 2014")
    Traceback (most recent call last):
    ...
    ValueError: a year and a full date do not compare: 2014, March 06, 2014
    """

    granularity: Granularity
    number: int

    @classmethod
    def of(cls, year: int, month: int | None = None, day: int | None = None) -> Moment:
        """The full date, or the year where month or day is unknown.

        Raises:
            ValueError: The calendar has no such day or year.

        >>> str(Moment.of(2014, 3, 6)), str(Moment.of(2014, 3))
        ('March 06, 2014', '2014')
        """
        first = date(year, 1, 1)
        if month is None or day is None:
            return cls("year", first.year)
        return cls("date", date(year, month, day).toordinal())

    @classmethod
    def parse(cls, text: str) -> Moment:
        """Read a year, a date as the released files write it, or an ISO date.

        Raises:
            ConfigError: It is none of them, or the calendar has no such day.
        """
        text = text.strip()
        try:
            if _YEAR.fullmatch(text):
                return cls.of(int(text))
            if found := _ISO.fullmatch(text):
                return cls.of(int(found[1]), int(found[2]), int(found[3]))
            if (found := _WRITTEN.fullmatch(text)) and found[1].capitalize() in _MONTHS:
                return cls.of(int(found[3]), _MONTHS.index(found[1].capitalize()) + 1, int(found[2]))
        except ValueError as error:
            raise ConfigError(f"{text!r}: the calendar has no such day ({error}). {_FORMS}") from error
        raise ConfigError(f"{text!r}: neither a year nor a full date. {_FORMS}")

    @property
    def year(self) -> int:
        """The year in which it lies."""
        return self.number if self.granularity == "year" else date.fromordinal(self.number).year

    def __lt__(self, other: Moment) -> bool:
        if self.granularity != other.granularity:
            raise ValueError(f"a year and a full date do not compare: {self}, {other}")
        return self.number < other.number

    def __str__(self) -> str:
        if self.granularity == "year":
            return str(self.number)
        day = date.fromordinal(self.number)
        return f"{_MONTHS[day.month - 1]} {day.day:02d}, {day.year}"


class Temp:
    """Asks for the answer at a time.

    Source: SituatedQA, section 4.2 (Table 3).

    >>> Temp().render("who went number 1 in the wnba draft", "2017")
    'who went number 1 in the wnba draft as of 2017'
    """

    type: ClassVar[str] = "temp"

    def parse(self, value: str) -> str:
        """The year or the date as the released files write it.

        Raises:
            ConfigError: It is neither.

        >>> Temp().parse("2014-03-06")
        'March 06, 2014'
        """
        return str(Moment.parse(value))

    def render(self, question: str, value: str) -> str:
        """The question, "as of", the time."""
        return f"{question} as of {value}"
