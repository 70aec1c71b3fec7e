"""From answer timelines to questions in temporal contexts: Start, Sampled and Static examples."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Annotated

import msgspec

from situated.contexts.temp import Moment
from situated.data.answers import DateType
from situated.data.timelines import TemporalQuestion, Texts, Timeline, answers_at, intervals, starts
from situated.errors import ConfigError
from situated.schema import Example

Dated = tuple[Moment, DateType, Texts]


class TimelineExamples:
    """Draws the examples of each question, whatever the other questions are and in whichever order they come.

    Source: SituatedQA, section 3.2 and appendix B.

    Args:
        collection_date: Full date of the annotation: current answers hold until then, and no later date is drawn.
        original_date: Full date on which the questions' data set was made: no earlier one is drawn for Static examples.
        dates_per_answer: The most that are drawn for an answer (Sampled).
        full_date_share: Share of full dates, rather than years, among Static examples; see ``full_date_share``.
        seed: Another seed, other dates.

    Raises:
        ConfigError: One of the dates is no full date, or they are in the wrong order.
    """

    def __init__(
        self,
        collection_date: str,
        original_date: str,
        dates_per_answer: Annotated[int, msgspec.Meta(ge=1)] = 2,
        full_date_share: Annotated[float, msgspec.Meta(ge=0, le=1)] = 0.159,
        seed: int = 0,
    ):
        self.collection = _full_date("collection_date", collection_date)
        self.original = _full_date("original_date", original_date)
        if self.collection < self.original:
            raise ConfigError(f"collection_date: {self.collection} lies before original_date, {self.original}.")
        self.dates_per_answer, self.full_date_share, self.seed = dates_per_answer, full_date_share, seed

    def examples(self, question: TemporalQuestion, stem: str) -> tuple[list[Example], Counter[str]]:
        """The examples of one question, in the released order: sampled dates, sampled years, starts.

        Returns:
            The examples, ``<stem>:<row of the question>.<number>`` being their ids; how many there are of each kind
            and, as ``skipped/<why>``, what gave none.
        """
        drawn = self._dependent(question) if question.is_dependent else self._static(question)
        dated = list(drawn)
        any_answers = tuple(dict.fromkeys(answer for _, _, answers in dated for answer in answers))
        examples = [
            Example(
                example_id=f"{stem}:{question.row}.{number}",
                id=str(question.id),
                question=question.question,
                is_dependent=question.is_dependent,
                context_type="temp",
                context_value=str(moment),
                date_type=date_type,
                answers=answers,
                any_answers=any_answers,
            )
            for number, (moment, date_type, answers) in enumerate(dated, start=1)
        ]
        counts = Counter(example.date_type for example in examples)
        return examples, counts + self._skipped(question, counts)

    def _dependent(self, question: TemporalQuestion) -> Iterator[Dated]:
        """Yield Sampled examples, then Start examples.

        No date is drawn twice for a question: where intervals overlap, the later one takes others, if any are left.
        """
        drawn: dict[Moment, DateType] = {}
        for interval in intervals(question, self.collection):
            rng = self._rng(question, interval)
            taken = sum(moment in interval for moment in drawn)
            wanted = min(self.dates_per_answer + taken, len(interval))
            moments = [
                Moment(interval.granularity, number)
                for number in rng.sample(range(interval.first, interval.last + 1), wanted)
            ]
            date_type: DateType = "sampled_year" if interval.granularity == "year" else "sampled_date"
            fresh = [moment for moment in moments if moment not in drawn]
            drawn |= dict.fromkeys(fresh[: self.dates_per_answer], date_type)
        for moment, date_type in drawn.items():
            yield moment, date_type, answers_at(question, moment, self.collection)
        for moment, answers in starts(question).items():
            yield moment, "start", answers

    def _static(self, question: TemporalQuestion) -> Iterator[Dated]:
        """Yield one example: any moment does, since the answer is the same at all."""
        if question.nq_answers:
            rng = self._rng(question, "static")
            full = rng.random() < self.full_date_share
            first, last = (m.number if full else m.year for m in (self.original, self.collection))
            yield Moment("date" if full else "year", rng.randint(first, last)), "orig", question.nq_answers

    def _rng(self, question: TemporalQuestion, *what: object) -> random.Random:
        key = "\0".join(map(str, (self.seed, question.id, question.question, *what)))
        return random.Random(key)  # noqa: S311 (sampling, not cryptography)

    def _skipped(self, question: TemporalQuestion, counts: Counter[str]) -> Counter[str]:
        if not question.is_dependent:
            return Counter() if counts else Counter(["skipped/static_without_answer"])
        why = Counter(f"skipped/{reason}" for timeline in question.timelines or () for reason in faults(timeline))
        possible = sum(min(self.dates_per_answer, len(interval)) for interval in intervals(question, self.collection))
        why["skipped/no_further_date"] = possible - counts["sampled_year"] - counts["sampled_date"]
        why["skipped/question_without_timeline"] = int(not question.timelines)
        why["skipped/question_without_example"] = int(not counts)
        return +why


def faults(timeline: Timeline) -> Iterator[str]:
    """Yield why a timeline gives less than two answers' examples, one reason for each answer that it leaves out.

    >>> list(faults(Timeline(cur_answers=("a",))))
    ['no_current_start']
    """
    current, previous = timeline.current_from, timeline.previous_from
    if current is None:
        yield "no_current_start"
        return
    if not timeline.cur_answers:
        yield "no_current_answer"
    if not timeline.prev_answers:
        yield "no_previous_answer"
    elif previous is None:
        yield "no_previous_start"
    elif previous.granularity != current.granularity:
        yield "previous_interval_of_mixed_granularity"


def full_date_share(questions: Iterable[TemporalQuestion]) -> float:
    """Share of full dates among the annotated starts of current answers; 0 where there is none.

    The granularity of Static examples follows it; on the released training questions it is 161 of 1,011.
    """
    annotated = [t.current_from for question in questions for t in question.timelines or ()]
    known = [moment for moment in annotated if moment is not None]
    return sum(moment.granularity == "date" for moment in known) / len(known) if known else 0.0


def _full_date(name: str, text: str) -> Moment:
    moment = Moment.parse(text)
    if moment.granularity != "date":
        raise ConfigError(f"{name}: {text!r} is a year. Give a full date, as in '2021-03-30'.")
    return moment
