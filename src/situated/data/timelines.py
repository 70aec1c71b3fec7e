"""Answer timelines, SituatedQA's annotation of time: which answer began when (``raw_data/temp.*.jsonl``)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import msgspec

from situated.contexts.temp import Granularity, Moment
from situated.data.answers import DateType
from situated.errors import InputError
from situated.io import read_records

Texts = tuple[str, ...]


class Start(msgspec.Struct, frozen=True, kw_only=True):
    """When an answer began, as annotated; ``date`` is the day of the month."""

    year: int | None = None
    month: int | None = None
    date: int | None = None

    def moment(self) -> Moment | None:
        """The full date; the year where that is all that is known; None where not even that.

        Raises:
            ValueError: The calendar has no such day.

        >>> str(Start(year=2014, month=3, date=6).moment()), str(Start(year=2014).moment())
        ('March 06, 2014', '2014')
        """
        return None if self.year is None else Moment.of(self.year, self.month, self.date)


class Timeline(msgspec.Struct, frozen=True, kw_only=True):
    """One annotator's timeline: the current answer, the one before it, and when each began."""

    cur_answers: Texts | None = None
    cur_start: Start | None = None
    prev_answers: Texts | None = None
    prev_start: Start | None = None

    @property
    def current_from(self) -> Moment | None:
        """When the current answer began."""
        return None if self.cur_start is None else self.cur_start.moment()

    @property
    def previous_from(self) -> Moment | None:
        """When the previous answer began."""
        return None if self.prev_start is None else self.prev_start.moment()


class DatedAnswers(msgspec.Struct, frozen=True, kw_only=True):
    """Answers at one date, as the release drew them from the timelines."""

    edited_question: str
    answers: Texts
    date: str
    date_type: DateType


class TemporalQuestion(msgspec.Struct, frozen=True, kw_only=True):
    """A question with its timelines; one whose answer does not depend on time has none.

    Attributes:
        row: Row in the file, from 1.
        nq_answers: NQ-Open's answers.
        cur_answers: Current answers over all timelines, without repetition.
        prev_answers: Answers before the current ones, likewise.
        context_answer_pairs: The released examples.
    """

    question: str
    id: int | str
    nq_answers: Texts
    timelines: tuple[Timeline, ...] | None
    cur_answers: Texts | None
    prev_answers: Texts | None
    is_dependent: bool
    context_answer_pairs: tuple[DatedAnswers, ...] | None = None
    row: int = 0


@dataclass(frozen=True, slots=True)
class Interval:
    """The moments at which one answer held, its start left out; empty where ``last`` lies before ``first``.

    Attributes:
        granularity: Of the moments.
        first: Number of the first moment.
        last: Number of the last moment.
    """

    granularity: Granularity
    first: int
    last: int

    def __len__(self) -> int:
        return max(0, self.last - self.first + 1)

    def __contains__(self, moment: Moment) -> bool:
        return moment.granularity == self.granularity and self.first <= moment.number <= self.last

    def __str__(self) -> str:
        return f"{Moment(self.granularity, self.first)} to {Moment(self.granularity, self.last)}"


def read_timelines(path: Path) -> Iterator[TemporalQuestion]:
    """Yield the questions of one ``raw_data/temp.*.jsonl`` file.

    Raises:
        InputError: A row lacks a key or has a value of another type, a blank question, a repeated id, or a start that
            the calendar does not have.
    """
    first_line: dict[str, int] = {}
    for line, question in read_records(path, TemporalQuestion):
        if not question.question.strip():
            raise InputError(path, "empty", "Give the question or remove the row.", line=line, field="question")
        if (before := first_line.setdefault(str(question.id), line)) != line:
            problem = f"{question.id} was given to line {before} already"
            raise InputError(path, problem, "Ids are unique within a file: rename one.", line=line, field="id")
        _check_starts(path, line, question)
        yield msgspec.structs.replace(question, row=line)


def _check_starts(path: Path, line: int, question: TemporalQuestion) -> None:
    for number, timeline in enumerate(question.timelines or ()):
        for field, start in (("cur_start", timeline.cur_start), ("prev_start", timeline.prev_start)):
            try:
                if start is not None:
                    start.moment()
            except ValueError as error:
                place = f"timelines[{number}].{field}"
                raise InputError(path, str(error), "Give year, month and date.", line=line, field=place) from error


def starts(question: TemporalQuestion) -> dict[Moment, Texts]:
    """When each answer began -> the answers that began then, full dates first.

    Answers of several timelines, and a current and a previous answer of one start, come together, with repetitions.
    A timeline without a current start gives nothing. Source: all released Start examples, which this gives exactly.
    """
    found: dict[Moment, Texts] = {}
    for timeline in question.timelines or ():
        if (current := timeline.current_from) is None:
            continue
        for moment, answers in ((current, timeline.cur_answers), (timeline.previous_from, timeline.prev_answers)):
            if moment is not None and answers:
                found[moment] = found.get(moment, ()) + answers
    return dict(sorted(found.items(), key=lambda item: item[0].granularity == "year"))


def intervals(question: TemporalQuestion, collection: Moment) -> list[Interval]:
    """The distinct, non-empty intervals in which one of the question's answers held, full dates first.

    A previous answer's interval ends before the current one's start. Where one is a year and the other a full date
    there is none: granularities never mix.

    Args:
        question: With its timelines.
        collection: The day of annotation: current answers held until then, its year included.
    """
    found: list[Interval] = []
    for timeline in question.timelines or ():
        if (current := timeline.current_from) is None:
            continue
        if timeline.cur_answers:
            last = collection.year if current.granularity == "year" else collection.number
            found.append(Interval(current.granularity, current.number + 1, last))
        previous = timeline.previous_from
        if timeline.prev_answers and previous is not None and previous.granularity == current.granularity:
            found.append(Interval(current.granularity, previous.number + 1, current.number - 1))
    distinct = [interval for interval in dict.fromkeys(found) if len(interval)]
    return sorted(distinct, key=lambda interval: interval.granularity == "year")


def answers_at(question: TemporalQuestion, moment: Moment, collection: Moment) -> Texts:
    """The answers that held at a moment, over all timelines, with repetitions.

    A full date asks the timelines annotated in full dates alone. A year asks all of them, each answer counting from
    the year in which it began to the year before the next; the year of collection, not yet over, asks those annotated
    in years alone. Source: all released Sampled examples, whose answers this gives exactly.
    """
    held: Texts = ()
    for timeline in question.timelines or ():
        current, previous = timeline.current_from, timeline.previous_from
        if current is None or not _is_asked(current.granularity, moment, collection):
            continue
        asked = moment.number
        if _number(current, moment) <= asked:
            held += timeline.cur_answers or ()
        elif previous and previous.granularity == current.granularity and _number(previous, moment) <= asked:
            held += timeline.prev_answers or ()
    return held


def _is_asked(annotated: Granularity, moment: Moment, collection: Moment) -> bool:
    if annotated == "year":
        return moment.granularity == "year"
    return moment.granularity == "date" or moment.year < collection.year


def _number(start: Moment, like: Moment) -> int:
    return start.year if like.granularity == "year" else start.number
