"""Answers as exact match compares them: the normal forms of the reference evaluations, by name; dates and numbers."""

from __future__ import annotations

import datetime
import re
import string
import unicodedata
from collections.abc import Callable, Iterable, Mapping
from decimal import Decimal
from types import MappingProxyType

Normalize = Callable[[str], str]


def _any_of(words: Iterable[str]) -> str:
    """A pattern of one of the words, the longest that fits."""
    return "(?:" + "|".join(sorted(map(re.escape, words), key=lambda word: (-len(word), word))) + ")"


_WITHOUT_PUNCTUATION = str.maketrans("", "", string.punctuation)
_ARTICLE = re.compile(r"\b(?:a|an|the)\b")

_MONTH = (
    "(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?"
    "|nov(?:ember)?|dec(?:ember)?)"
)
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_DAY = "(?:st|nd|rd|th)?(?![0-9])"
_COMMA_YEAR = r"(?:\s*,\s*|\s+)"
_DATE = re.compile(
    rf"""\b(?:
        (?P<m0>{_MONTH})\.?\s+(?P<d0>[0-9]{{1,2}}){_DAY}(?:{_COMMA_YEAR}(?P<y0>[0-9]{{4}}))?
      | (?P<d1>[0-9]{{1,2}}){_DAY}\s+(?:of\s+)?(?P<m1>{_MONTH})\b\.?(?:{_COMMA_YEAR}(?P<y1>[0-9]{{4}}))?
      | (?P<m2>{_MONTH})\.?{_COMMA_YEAR}(?P<y2>[0-9]{{4}})
      | (?P<y3>[0-9]{{4}})-(?P<m3>[0-9]{{2}})-(?P<d3>[0-9]{{2}})
      | (?P<m4>[0-9]{{1,2}})/(?P<d4>[0-9]{{1,2}})/(?P<y4>[0-9]{{4}})
    )(?!\w)""",
    re.IGNORECASE | re.VERBOSE,
)
_LEAP_YEAR = 2000  # has every day of the calendar

_UNITS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
_TEENS = (
    "ten", "eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen",
)  # fmt: skip
_TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_SMALL = (
    {word: value for value, word in enumerate((*_UNITS, *_TEENS))}
    | {word: 20 + 10 * step for step, word in enumerate(_TENS)}
)  # fmt: skip
_SCALES = {"thousand": 10**3, "million": 10**6, "billion": 10**9, "trillion": 10**12}
_IRREGULAR = {"one": "first", "two": "second", "three": "third", "five": "fifth", "eight": "eighth", "nine": "ninth",
              "twelve": "twelfth"}  # fmt: skip
_ORDINALS = {_IRREGULAR.get(word) or re.sub("y$", "ie", word) + "th": value for word, value in _SMALL.items() if value}
_BELOW_HUNDRED = rf"(?:{_any_of(_TENS)}(?:[\s-]+{_any_of(_UNITS[1:])})?|{_any_of((*_UNITS, *_TEENS))})"
_BELOW_THOUSAND = (
    rf"(?:{_any_of((*_UNITS[1:], *_TEENS))}\s+hundred(?:\s+(?:and\s+)?{_BELOW_HUNDRED})?|{_BELOW_HUNDRED})"
)
_NUMBER = re.compile(
    rf"\b{_BELOW_THOUSAND}(?:\s+{_any_of(_SCALES)}(?:\s+(?:and\s+)?{_BELOW_THOUSAND})?)*\b", re.IGNORECASE
)
_ORDINAL = re.compile(rf"\b(?:({_any_of(_TENS)})[\s-]+)?({_any_of(_ORDINALS)})\b", re.IGNORECASE)
_SCALED = re.compile(rf"\b([0-9][0-9,]*(?:\.[0-9]+)?)\s+({_any_of(('hundred', *_SCALES))})\b", re.IGNORECASE)

# In normal forms, so that "U.S." is "us" here; of states and one city whose names have several common forms.
_ALIASES = {
    alias: name
    for name, aliases in {
        "united states": ("united states of america", "usa", "us", "u s", "u s a"),
        "united kingdom": ("united kingdom of great britain and northern ireland", "uk", "u k"),
        "united arab emirates": ("uae",),
        "soviet union": ("union of soviet socialist republics", "ussr"),
        "democratic republic of congo": ("dr congo", "drc"),
        "new york city": ("nyc",),
        "washington dc": ("washington d c", "washington district of columbia"),
    }.items()
    for alias in aliases
}
_ALIAS = re.compile(rf"\b{_any_of(_ALIASES)}\b")

_DIGIT = re.compile("[0-9]")
_WORD = re.compile("[a-z]+")
_NUMERALS = frozenset({*_SMALL, *_ORDINALS})
_ALIAS_WORDS = frozenset(alias.split()[0] for alias in _ALIASES)


def normalize_squad(text: str) -> str:
    r"""Lower-case, without ASCII punctuation, without the words a/an/the, single spaces.

    Punctuation goes before articles do, so "the-best" is one word and keeps its "the". Unicode punctuation stays.

    Source: SQuAD v1.1 evaluation (Rajpurkar et al. 2016); DPR's reader and BART's closed-book evaluation use the same.

    >>> normalize_squad("The  U.S. Open (a tournament)")
    'us open tournament'
    >>> normalize_squad("the-best"), normalize_squad("Beyonc\u00e9"), normalize_squad("A.")
    ('thebest', 'beyoncé', '')
    """
    return " ".join(_ARTICLE.sub(" ", text.lower().translate(_WITHOUT_PUNCTUATION)).split())


def normalize_situatedqa(text: str) -> str:
    r"""The SQuAD form of the canonically decomposed text (NFD), so that both ways to write an accented letter agree.

    A combining mark ends a word there, as in the reference: "año" loses its "an". Both sides of a comparison lose it.

    Source: SituatedQA's released evaluation (Zhang & Choi 2021), which takes it from DrQA.

    >>> normalize_situatedqa("Beyonc\u00e9") == normalize_situatedqa("Beyonce\u0301")
    True
    >>> normalize_squad("Beyonc\u00e9") == normalize_squad("Beyonce\u0301")
    False
    """
    return normalize_squad(unicodedata.normalize("NFD", text))


NORMAL_FORMS: Mapping[str, Normalize] = MappingProxyType({"squad": normalize_squad, "situatedqa": normalize_situatedqa})
"""Name, as a configuration gives it -> normal form."""


def normalize_lenient(text: str, normalize: Normalize) -> str:
    """A normal form under which the written forms of a date, a number or a country agree; to diagnose, not to report.

    Dates go to ISO 8601, numbers in words to digits, names such as "USA" and "United States of America" to one.

    >>> normalize_lenient("the 6th of March, 2014", normalize_squad) == normalize_lenient("2014-03-06", normalize_squad)
    True
    >>> normalize_lenient("Twenty-one seasons", normalize_squad), normalize_lenient("$2.3 million", normalize_squad)
    ('21 seasons', '2300000')
    >>> normalize_lenient("USA", normalize_squad), normalize_lenient("president of the U.S.", normalize_squad)
    ('united states', 'president of united states')
    """
    # Most answers hold none of these: looking for their words first makes a million answers cheap.
    if _DIGIT.search(text):
        text = _SCALED.sub(_scaled_digits, _DATE.sub(_iso, text))
    if not _NUMERALS.isdisjoint(_WORD.findall(text.lower())):
        text = _NUMBER.sub(_digits, _ORDINAL.sub(_ordinal_digits, text))
    form = normalize(text)
    return form if _ALIAS_WORDS.isdisjoint(form.split()) else _ALIAS.sub(lambda found: _ALIASES[found.group()], form)


def _iso(found: re.Match[str]) -> str:
    """The form of ISO 8601, as far as the date goes; the text as it is for a day that no calendar has."""
    parts = {name[0]: value for name, value in found.groupdict().items() if value}
    month = int(parts["m"]) if parts["m"].isdecimal() else 1 + _MONTHS.index(parts["m"][:3].lower())
    try:
        datetime.date(int(parts.get("y", _LEAP_YEAR)), month, int(parts.get("d", 1)))
    except ValueError:
        return found.group()
    numbers = [parts.get("y", "-"), f"{month:02d}", *([f"{int(parts['d']):02d}"] if "d" in parts else [])]
    return "-".join(numbers)


def _digits(found: re.Match[str]) -> str:
    """Digits for a number in words, such as "two hundred and six thousand"."""
    total = below_thousand = 0
    for word in re.findall("[a-z]+", found.group().lower()):
        if word in _SCALES:
            total, below_thousand = total + below_thousand * _SCALES[word], 0
        elif word == "hundred":
            below_thousand *= 100
        else:
            below_thousand += _SMALL.get(word, 0)  # "and" adds nothing
    return str(total + below_thousand)


def _scaled_digits(found: re.Match[str]) -> str:
    """Digits for a number such as "2.3 million"."""
    scale = (_SCALES | {"hundred": 100})[found.group(2).lower()]
    value = Decimal(found.group(1).replace(",", "")) * scale
    return f"{value.to_integral_value() if value == value.to_integral_value() else value:f}"


def _ordinal_digits(found: re.Match[str]) -> str:
    """Digits for an ordinal in words, such as "twenty-first"."""
    value = _SMALL.get((found.group(1) or "").lower(), 0) + _ORDINALS[found.group(2).lower()]
    suffix = "th" if value % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(value % 10, "th")
    return f"{value}{suffix}"
