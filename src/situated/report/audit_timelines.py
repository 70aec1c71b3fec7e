"""What the annotated timelines give: derived test sets, released examples drawn anew, agreement with NQ-Open."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from situated.contexts.temp import Temp
from situated.data.answers import read_answers
from situated.data.derived import current_and_previous, stable_and_updated
from situated.data.timeline_audit import Difference, compare_with_released
from situated.data.timeline_examples import TimelineExamples
from situated.data.timelines import TemporalQuestion, Timeline, read_timelines
from situated.io import read_records
from situated.metrics import exact_match
from situated.report.audit_identification import percent
from situated.schema import Example
from situated.text import normalize_situatedqa

NQ_YEAR = 2018
AGREEMENT = (
    "answers whose annotated years include 2018 (a current one's from its start, a previous one's from its start to "
    "the current one's) and which are, in normal form, one of the question's NQ answers"
)
"""What is counted as agreement with Natural Questions."""


class DerivedCounts(msgspec.Struct, frozen=True, kw_only=True):
    """Questions of one split.

    Attributes:
        questions: Rows.
        dependent: Rows whose answer depends on time.
        timelines: Annotated timelines.
        current: With a current answer.
        previous: With an answer before it.
        stable: Whose current answer began before 2019.
        updated: Whose current answer began since.
    """

    questions: int
    dependent: int
    timelines: int
    current: int
    previous: int
    stable: int
    updated: int


class Agreement(msgspec.Struct, frozen=True, kw_only=True):
    """Collected answers that held in 2018 beside those of Natural Questions; see ``AGREEMENT``.

    Attributes:
        answers: Answers compared, each timeline's current and previous one.
        agreeing: Those that are an NQ answer.
        questions: Questions with at least one answer compared.
        questions_agreeing: Those with at least one that agrees.
    """

    answers: int
    agreeing: int
    percent: float
    questions: int
    questions_agreeing: int
    questions_percent: float


class Redrawn(msgspec.Struct, frozen=True, kw_only=True):
    """Released examples of one split beside those that the timelines give.

    Attributes:
        agreeing: Kind of date -> examples as expected.
        dates_lacking: Sampled examples fewer than the intervals allow each by itself.
        differing: Kind of date -> examples that are not as expected.
        differences: Those, with the explanation of each.
    """

    agreeing: dict[str, int]
    dates_lacking: int
    differing: dict[str, int]
    differences: tuple[Difference, ...]


class TimelineAudit(msgspec.Struct, frozen=True, kw_only=True):
    """The annotated timelines.

    Attributes:
        splits: Split -> counts.
        temp_splits: Released file -> whether the timelines give the same rows in the same order.
        redrawn: Split -> released examples beside ours.
        agreement: Split, and "all" -> agreement with Natural Questions.
    """

    splits: dict[str, DerivedCounts]
    temp_splits: dict[str, bool]
    redrawn: dict[str, Redrawn]
    agreement: dict[str, Agreement]


class SplitRow(msgspec.Struct, frozen=True):
    """A row of ``temp_splits``."""

    question: str
    id: int | str
    answer: tuple[str, ...]


def audit_timelines(timelines: Mapping[str, Path], files: Mapping[str, Path], drawn: TimelineExamples) -> TimelineAudit:
    """Count, derive and compare.

    Args:
        timelines: Split -> file of timelines.
        files: All files of the data folder, by name.
        drawn: How examples are drawn.

    Raises:
        InputError: A row is not as released files have it.
    """
    questions = {split: list(read_timelines(path)) for split, path in timelines.items()}
    return TimelineAudit(
        splits={split: _counts(rows) for split, rows in questions.items()},
        temp_splits=dict(_reproduced(questions, files)),
        redrawn={
            split: _redrawn(rows, files[f"qa_data/temp.{split}"], drawn)
            for split, rows in questions.items()
            if f"qa_data/temp.{split}" in files
        },
        agreement={split: agreement(rows) for split, rows in questions.items()}
        | {"all": agreement([question for rows in questions.values() for question in rows])},
    )


def agreement(questions: Sequence[TemporalQuestion]) -> Agreement:
    """How often collected answers that held in 2018 are those of Natural Questions."""
    verdicts = [list(_verdicts(question)) for question in questions]
    compared = [found for found in verdicts if found]
    n_answers, agreeing = sum(map(len, compared)), sum(map(sum, compared))
    with_one = sum(map(any, compared))
    return Agreement(
        answers=n_answers,
        agreeing=agreeing,
        percent=percent(agreeing, n_answers),
        questions=len(compared),
        questions_agreeing=with_one,
        questions_percent=percent(with_one, len(compared)),
    )


def _verdicts(question: TemporalQuestion) -> Iterator[bool]:
    """Yield whether each answer that held in 2018 is an NQ answer."""
    for timeline in question.timelines or ():
        for answers in _held_in_2018(timeline):
            yield any(exact_match(answer, question.nq_answers, normalize_situatedqa) for answer in answers)


def _held_in_2018(timeline: Timeline) -> Iterator[tuple[str, ...]]:
    current, previous = timeline.current_from, timeline.previous_from
    if current is None:
        return
    if timeline.cur_answers and current.year <= NQ_YEAR:
        yield timeline.cur_answers
    if timeline.prev_answers and previous is not None and previous.year <= NQ_YEAR <= current.year:
        yield timeline.prev_answers


def _counts(questions: Sequence[TemporalQuestion]) -> DerivedCounts:
    asked, begun = current_and_previous(questions, ""), stable_and_updated(questions, "")
    return DerivedCounts(
        questions=len(questions),
        dependent=sum(question.is_dependent for question in questions),
        timelines=sum(len(question.timelines or ()) for question in questions),
        current=len(asked["current"]),
        previous=len(asked["previous"]),
        stable=len(begun["stable"]),
        updated=len(begun["updated"]),
    )


def _reproduced(
    questions: Mapping[str, Sequence[TemporalQuestion]], files: Mapping[str, Path]
) -> Iterator[tuple[str, bool]]:
    for split, rows in questions.items():
        parts = stable_and_updated(rows, split)
        for era, part in (("pre", "stable"), ("post", "updated")):
            name = f"temp_splits/{era}_2019.{split}"
            if name in files:
                released = [(str(row.id), row.question, row.answer) for _, row in read_records(files[name], SplitRow)]
                yield name, released == [_row(example) for example in parts[part]]


def _row(example: Example) -> tuple[Any, ...]:
    return example.id, example.question, example.answers


def _redrawn(questions: Sequence[TemporalQuestion], path: Path, drawn: TimelineExamples) -> Redrawn:
    comparison = compare_with_released(questions, read_answers(path, Temp()), drawn)
    return Redrawn(
        agreeing=dict(comparison.agreeing),
        dates_lacking=comparison.dates_lacking,
        differing=dict(Counter(difference.date_type for difference in comparison.differences)),
        differences=comparison.differences,
    )
