"""Dates and the ways in which articles write them."""

from __future__ import annotations

import random
from datetime import date
from typing import Literal

Style = Literal["dmy", "mdy"]
Precision = Literal["day", "month", "year"]

MONTHS = (
    "January", "February", "March", "April", "May", "June",
    "July", "August", "September", "October", "November", "December",
)  # fmt: skip
# Every day of these months can be named with every year.
_DAYS = 28


def random_day(rng: random.Random, first: date, last: date) -> date:
    """Any day between two, both included."""
    return date.fromordinal(rng.randint(first.toordinal(), last.toordinal()))


def day_of_year(rng: random.Random) -> tuple[int, int]:
    """A month and a day that every year has."""
    return rng.randint(1, 12), rng.randint(1, _DAYS)


def written(day: date, precision: Precision, style: Style) -> str:
    """A date as far as it is told.

    >>> written(date(2014, 3, 6), "day", "dmy"), written(date(2014, 3, 6), "day", "mdy")
    ('6 March 2014', 'March 6, 2014')
    >>> written(date(2014, 3, 6), "month", "dmy"), written(date(2014, 3, 6), "year", "dmy")
    ('March 2014', '2014')
    """
    if precision == "year":
        return str(day.year)
    month = MONTHS[day.month - 1]
    if precision == "month":
        return f"{month} {day.year}"
    return f"{day.day} {month} {day.year}" if style == "dmy" else f"{month} {day.day}, {day.year}"


def at(text: str, precision: Precision) -> str:
    """A written date with its preposition.

    >>> at("6 March 2014", "day"), at("2014", "year")
    ('on 6 March 2014', 'in 2014')
    """
    return f"{'on' if precision == 'day' else 'in'} {text}"
