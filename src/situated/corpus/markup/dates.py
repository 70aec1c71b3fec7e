"""Templates that hold dates, spans and ages."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from situated.corpus.markup.arguments import Arguments

_MONTHS = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
    "December",
)  # fmt: skip
_ABBREVIATED = {name[:3].lower(): number for number, name in enumerate(_MONTHS, 1)}


def _whole(text: str) -> int | None:
    return int(text) if text.isascii() and text.isdigit() and len(text) < 7 else None


def _month(text: str) -> int | None:
    """A month's number, from number or name."""
    number = _whole(text)
    if number is None:
        return _ABBREVIATED.get(text[:3].lower()) if text.isalpha() else None
    return number if 1 <= number <= 12 else None


def written(parts: Sequence[str], *, day_first: bool) -> str:
    """Year, month and day, as far as they are given, in words; what is no date stays as it is.

    >>> written(["1809", "2", "12"], day_first=False), written(["1809", "Feb", "12"], day_first=True)
    ('February 12, 1809', '12 February 1809')
    >>> written(["1809", "2"], day_first=False), written(["December 21, 1968"], day_first=False)
    ('February 1809', 'December 21, 1968')
    """
    year, month, day = (*parts, "", "", "")[:3]
    number = _month(month)
    if number is None or not year:
        return year
    name, day_number = _MONTHS[number - 1], _whole(day)
    if day_number is None:
        return f"{name} {year}"
    return f"{day_number} {name} {year}" if day_first else f"{name} {day_number}, {year}"


def _years_between(start: Sequence[str], end: Sequence[str]) -> str:
    """Whole years from one date to another; two numbers where only years are given; '' where it cannot be told.

    >>> _years_between(["1809", "2", "12"], ["1865", "4", "15"]), _years_between(["1809"], ["1865"])
    ('56', '55–56')
    """
    first, last = _whole(start[0]) if start else None, _whole(end[0]) if end else None
    if first is None or last is None:
        return ""
    days = [[_month(date[1]), _whole(date[2])] if len(date) > 2 else [None, None] for date in (start, end)]
    if None in days[0] or None in days[1]:
        return f"{last - first - 1}–{last - first}"
    return str(last - first - (days[1] < days[0]))  # type: ignore[operator]  # None was ruled out above


def _date(arguments: Arguments) -> str:
    return written(arguments.values, day_first=arguments.yes("df"))


def _birth_year(arguments: Arguments) -> str:
    return written(arguments.values[:2], day_first=False)


def _death(arguments: Arguments) -> str:
    """The day of death and the age.

    >>> _death(Arguments("death date and age|1865|4|15|1809|2|12"))
    'April 15, 1865 (aged 56)'
    """
    died, born = arguments.values[:3], arguments.values[3:6]
    date, age = written(died, day_first=arguments.yes("df")), _years_between(born, died)
    return f"{date} (aged {age})" if age else date


def _death_year(arguments: Arguments) -> str:
    died, born = arguments.values[:1], arguments.values[1:2]
    age = _years_between(born, died)
    return f"{arguments.at(1)} (aged {age})" if age else arguments.at(1)


def _death_given(arguments: Arguments) -> str:
    date = written(arguments.values[:3], day_first=arguments.yes("df"))
    return f"{date} (aged {arguments.at(4)})" if arguments.at(4) else date


def _age(arguments: Arguments) -> str:
    """An age at a date that the page gives; one that grows with the reader's clock is left out.

    >>> _age(Arguments("age|1809|2|12|1865|4|15")), _age(Arguments("age|1980|1|1"))
    ('56', '')
    """
    return _years_between(arguments.values[:3], arguments.values[3:6])


def _as_of(arguments: Arguments) -> str:
    """The date at which a statement held.

    >>> _as_of(Arguments("as of|2013|June|8")), _as_of(Arguments("as of|2009|lc=y"))
    ('As of 8 June 2013', 'as of 2009')
    """
    if shown := arguments.named.get("alt"):
        return shown
    date = written(arguments.values, day_first=arguments.named.get("df", "").upper() != "US")
    phrase = "Since" if arguments.yes("since") else "As of"
    if arguments.yes("lc"):
        phrase = phrase.lower()
    return " ".join(filter(None, (arguments.named.get("pre"), phrase, date, arguments.named.get("post"))))


def _marked(mark: str, joint: str) -> Callable[[Arguments], str]:
    def expand(arguments: Arguments) -> str:
        values = arguments.filled()[:2]
        return f"{mark} {joint.join(values)}".strip() if values else mark

    return expand


def _circa(arguments: Arguments) -> str:
    """About one year, or from about one to about another.

    >>> _circa(Arguments("circa|1500|1550")), _circa(Arguments("circa|3000")), _circa(Arguments("c."))
    ('c. 1500 – c. 1550', 'c. 3000', 'c.')
    """
    return " – ".join(f"c. {value}" for value in arguments.filled()[:2]) or "c."


def _old_style(arguments: Arguments) -> str:
    """A date in both calendars.

    >>> _old_style(Arguments("OldStyleDate|February 2|1905|January 20"))
    'February 2 [O.S. January 20] 1905'
    """
    old = arguments.at(3)
    return " ".join(filter(None, (arguments.at(1), old and f"[O.S. {old}]", arguments.at(2))))


def _releases(arguments: Arguments) -> str:
    """Each date with its place.

    >>> _releases(Arguments("film date|1982|6|25|US|1982|9|9"))
    'June 25, 1982 (US), September 9, 1982'
    """
    values = arguments.values[:24]
    shown = []
    for at in range(0, len(values), 4):
        date, place = written(values[at : at + 3], day_first=arguments.yes("df")), values[at + 3 : at + 4]
        shown.append(f"{date} ({place[0]})" if place and place[0] else date)
    return ", ".join(filter(None, shown))


def _duration(arguments: Arguments) -> str:
    """Hours, minutes and seconds with colons.

    >>> _duration(Arguments("duration|m=3|s=5")), _duration(Arguments("duration|1|2|3"))
    ('3:05', '1:02:03')
    """
    hours, minutes, seconds = arguments.at(1, "h"), arguments.at(2, "m"), arguments.at(3, "s")
    parts = [hours, minutes or "0", seconds or "0"] if hours else [minutes or "0", seconds or "0"]
    return ":".join([parts[0], *(part.zfill(2) for part in parts[1:])]) if any((hours, minutes, seconds)) else ""


DATES: dict[str, Callable[[Arguments], str]] = {
    **dict.fromkeys(
        (
            "birth date", "birth date and age", "birth-date", "birth-date and age", "bda", "dob", "death date",
            "death-date", "start date", "start date and age", "start-date", "end date", "end date and age", "end-date",
            "date", "dts", "date table sorting", "sort date", "launch date", "opening date", "event date",
            "birth date and age2", "start and end dates",
        ),
        _date,
    ),
    **dict.fromkeys(("birth year and age", "birth-year and age", "bya"), _birth_year),
    **dict.fromkeys(("death date and age", "death-date and age", "dda"), _death),
    **dict.fromkeys(("death year and age", "dya"), _death_year),
    "death date and given age": _death_given,
    **dict.fromkeys(("age", "age in years", "age at date"), _age),
    **dict.fromkeys(("as of", "asof", "as of?"), _as_of),
    **dict.fromkeys(("circa", "c.", "c", "ca", "ca.", "approx"), _circa),
    **dict.fromkeys(("floruit", "fl", "fl."), _marked("fl.", "–")),
    **dict.fromkeys(("reign", "r."), _marked("r.", "–")),
    **dict.fromkeys(("born", "b."), _marked("b.", "–")),
    **dict.fromkeys(("died", "d."), _marked("d.", "–")),
    **dict.fromkeys(("oldstyledate", "oldstyledatedy", "old style date"), _old_style),
    **dict.fromkeys(("film date", "release date", "video game release"), _releases),
    **dict.fromkeys(("duration", "hms length"), _duration),
}  # fmt: skip
