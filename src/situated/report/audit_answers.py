"""Counts of the questions in contexts: parts, locations, repetitions, answers that no prediction can match."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import msgspec

from situated.contexts.geo import Geo
from situated.contexts.temp import Moment, Temp
from situated.data.answers import read_answers
from situated.data.derived import by_date_type, by_frequency, by_location, common_locations
from situated.report.audit_identification import percent
from situated.schema import Example
from situated.text import normalize_situatedqa, normalize_squad

TIME_EXPRESSION = (
    "a year from 1000 to 2099 or a decade ('1990s'), the name of a month or of a day of the week, a century, or a "
    "time of day ('8 pm', '20:15'); 'may' and 'march' count beside a number only"
)
"""What counts as a time expression in an answer."""

_MONTH = (
    r"jan(?:uary)?|feb(?:ruary)?|apr(?:il)?|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?"
    r"|dec(?:ember)?"
)
_TIME = re.compile(
    rf"\b(?:1\d|20)\d\d(?:s|'s)?\b|\b(?:{_MONTH})\b|\b(?:may|march)\.? \d|\d(?:st|nd|rd|th)?(?: of)? (?:may|march)\b"
    r"|\b(?:mon|tues|wednes|thurs|fri|satur|sun)day\b|\bcentury\b|\b\d{1,2} ?[ap]\.?m\b|\b\d{1,2}:\d\d\b",
    re.IGNORECASE,
)


class Repeated(msgspec.Struct, frozen=True, kw_only=True):
    """Rows that ask one question in one context.

    Attributes:
        id: The question's id.
        context: The date or location, in normal form: the release writes one place in several ways.
        example_ids: The rows.
        is_conflicting: Whether their answers' normal forms differ.
    """

    id: str
    context: str
    example_ids: tuple[str, ...]
    is_conflicting: bool


class Unmatchable(msgspec.Struct, frozen=True, kw_only=True):
    """A gold answer whose normal form is empty, so that no prediction matches it."""

    example_id: str
    answer: str


class Locations(msgspec.Struct, frozen=True, kw_only=True):
    """Where geographical questions are asked: common places occur at least five times in the file.

    Attributes:
        common: Examples at common places.
        rare: Examples at the others.
        united_states: Examples at the one string "united states".
        india: Examples at the one string "india".
        other: Examples at the other common places.
        listed: Common place -> examples, most frequent first.
    """

    common: int
    rare: int
    united_states: int
    india: int
    other: int
    listed: dict[str, int]


class AnswerCounts(msgspec.Struct, frozen=True, kw_only=True):
    """One file of ``qa_data``.

    Attributes:
        examples: Rows.
        questions: Different ids.
        distinct: Different (question, context, answers).
        date_types: How the date was chosen -> rows.
        partitions: "static", "sampled", "start" -> rows.
        granularities: "year", "date" -> rows.
        locations: None for temporal files.
        repeated: Questions asked more than once in a context.
        unmatchable: Gold answers with an empty normal form.
        time_expressions: Rows with a gold answer that holds one; see ``TIME_EXPRESSION``.
        time_expressions_percent: Their share.
        digits_percent: Share of rows with a gold answer that holds a digit: dates, ages, amounts, numbers of any kind.
    """

    examples: int
    questions: int
    distinct: int
    date_types: dict[str, int]
    partitions: dict[str, int]
    granularities: dict[str, int]
    locations: Locations | None
    repeated: tuple[Repeated, ...]
    unmatchable: tuple[Unmatchable, ...]
    time_expressions: int
    time_expressions_percent: float
    digits_percent: float


def audit_answers(path: Path, context: str) -> AnswerCounts:
    """Count the examples of one file.

    Raises:
        InputError: See ``read_answers``.
    """
    examples = list(read_answers(path, Temp() if context == "temp" else Geo()))
    timed = sum(any(has_time_expression(answer) for answer in example.answers) for example in examples)
    is_temporal = context == "temp"
    return AnswerCounts(
        examples=len(examples),
        questions=len({example.id for example in examples}),
        distinct=len({(example.id, example.context_value, example.answers) for example in examples}),
        date_types=_date_types(examples) if is_temporal else {},
        partitions={name: len(part) for name, part in by_date_type(examples).items()} if is_temporal else {},
        granularities=_granularities(examples) if is_temporal else {},
        locations=None if is_temporal else _locations(examples),
        repeated=_repeated(examples),
        unmatchable=tuple(
            Unmatchable(example_id=example.example_id, answer=answer)
            for example in examples
            for answer in example.answers
            if not normalize_situatedqa(answer)
        ),
        time_expressions=timed,
        time_expressions_percent=percent(timed, len(examples)),
        digits_percent=percent(
            sum(any(map(str.isdigit, "".join(example.answers))) for example in examples), len(examples)
        ),
    )


def has_time_expression(answer: str) -> bool:
    """Whether an answer holds a time expression, as ``TIME_EXPRESSION`` defines it.

    >>> [has_time_expression(answer) for answer in ("July 5, 1945", "the 1990s", "7 May", "Brian May", "10 goals")]
    [True, True, True, False, False]
    """
    return _TIME.search(answer) is not None


def _date_types(examples: Sequence[Example]) -> dict[str, int]:
    return dict(sorted(Counter(example.date_type for example in examples).items()))


def _granularities(examples: Sequence[Example]) -> dict[str, int]:
    return dict(sorted(Counter(Moment.parse(example.context_value).granularity for example in examples).items()))


def _locations(examples: Sequence[Example]) -> Locations:
    frequency, places = by_frequency(examples), by_location(examples)
    return Locations(
        common=len(frequency["common"]),
        rare=len(frequency["rare"]),
        united_states=len(places["united states"]),
        india=len(places["india"]),
        other=len(places["other"]),
        listed=dict(sorted(common_locations(examples).items(), key=lambda item: (-item[1], item[0]))),
    )


def _repeated(examples: Sequence[Example]) -> tuple[Repeated, ...]:
    rows: dict[tuple[str, str], list[Example]] = {}
    for example in examples:
        rows.setdefault((example.id, normalize_squad(example.context_value)), []).append(example)
    return tuple(
        Repeated(
            id=key[0],
            context=key[1],
            example_ids=tuple(example.example_id for example in same),
            is_conflicting=len({frozenset(map(normalize_situatedqa, example.answers)) for example in same}) > 1,
        )
        for key, same in rows.items()
        if len(same) > 1
    )
