"""Whether released temporal examples are what their timelines give."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from situated.contexts.temp import Moment
from situated.data.timeline_examples import TimelineExamples
from situated.data.timelines import TemporalQuestion as Question
from situated.data.timelines import Texts, answers_at, intervals, starts
from situated.errors import ConfigError
from situated.schema import Example

_Asked = tuple[str, str]  # id and question


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """One example that is not as the timelines have it.

    Attributes:
        id: The question's id as released.
        example_id: The released example; empty where it is ours that the release lacks.
    """

    id: str
    example_id: str
    question: str
    date: str
    date_type: str
    explanation: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """Released examples beside the timelines.

    Attributes:
        agreeing: Kind of date ("start", "sampled_year", "sampled_date", "orig") -> released examples as expected.
        differences: All others, and the Start examples that the release lacks.
        dates_lacking: Sampled examples fewer than the answers' intervals allow each by itself: where they overlap,
            too few dates are left.
    """

    agreeing: Mapping[str, int]
    differences: tuple[Difference, ...]
    dates_lacking: int


def compare_with_released(
    questions: Iterable[Question], released: Iterable[Example], settings: TimelineExamples
) -> Comparison:
    """Compare released examples with the timelines that they were drawn from.

    Start examples must be the same multiset, answers included. A Sampled date must lie in an interval that ours are
    drawn from and have the answers that held then; there must be no more of them than intervals allow. A Static date
    must lie between the settings' ends.
    """
    by_question = {(str(question.id), question.question): question for question in questions}
    examples: dict[_Asked, list[Example]] = {key: [] for key in by_question}
    differences: list[Difference] = []
    for example in released:
        key = (example.id, example.question)
        if key in by_question:
            examples[key].append(example)
        else:
            differences.append(_difference(example, "no such question among the timelines"))
    agreeing: Counter[str] = Counter()
    lacking = 0
    for key, question in by_question.items():
        found = list(_compare(question, examples[key], settings))
        spare = _possible(question, settings) - sum(e.date_type.startswith("sampled") for e in examples[key])
        if spare < 0:
            found.append(_missing(question, "", "sampled", f"{-spare} dates more than its answers' intervals allow"))
        differences += found
        wrong = {difference.example_id for difference in found}
        agreeing.update(e.date_type for e in examples[key] if e.example_id not in wrong)
        lacking += max(0, spare)
    return Comparison(agreeing=dict(agreeing), differences=tuple(differences), dates_lacking=lacking)


def _possible(question: Question, settings: TimelineExamples) -> int:
    found = intervals(question, settings.collection) if question.is_dependent else []
    return sum(min(settings.dates_per_answer, len(interval)) for interval in found)


def _compare(question: Question, examples: list[Example], settings: TimelineExamples) -> Iterator[Difference]:
    expected = Counter((str(m), tuple(sorted(a))) for m, a in starts(question).items()) if question.is_dependent else {}
    left = Counter(expected)
    for example in examples:
        if example.date_type == "start":
            start = (example.context_value, tuple(sorted(example.answers)))
            left[start] -= 1
            explanation = "" if left[start] >= 0 else "no answers with this start in the timelines"
        else:
            explanation = _explain(question, example, settings)
        if explanation:
            yield _difference(example, explanation)
    for (date, answers), count in left.items():
        for _ in range(count):
            yield _missing(question, date, "start", f"the release has no example for {', '.join(answers)}")


def _explain(question: Question, example: Example, settings: TimelineExamples) -> str:
    """What is wrong with a Sampled or Static example; empty where nothing is."""
    try:
        moment = Moment.parse(example.context_value)
    except ConfigError as error:
        return str(error)
    if example.date_type == "orig":
        return _explain_static(question, example.answers, moment, settings)
    found = intervals(question, settings.collection)
    if not any(moment in interval for interval in found):
        return f"lies strictly inside no answer's interval ({'; '.join(map(str, found)) or 'there is none'})"
    if sorted(held := answers_at(question, moment, settings.collection)) != sorted(example.answers):
        return f"the answers that held then are {', '.join(held) or 'none'}"
    return ""


def _explain_static(question: Question, answers: Texts, moment: Moment, settings: TimelineExamples) -> str:
    ends = settings.original, settings.collection
    first, last = (end.year if moment.granularity == "year" else end.number for end in ends)
    if question.is_dependent:
        return "the question's answer depends on time"
    if not first <= moment.number <= last:
        return f"lies outside of {ends[0]} to {ends[1]}"
    return "" if sorted(question.nq_answers) == sorted(answers) else "the answers are not NQ-Open's"


def _difference(example: Example, explanation: str) -> Difference:
    return Difference(
        id=example.id,
        example_id=example.example_id,
        question=example.question,
        date=example.context_value,
        date_type=example.date_type,
        explanation=explanation,
    )


def _missing(question: Question, date: str, date_type: str, explanation: str) -> Difference:
    return Difference(
        id=str(question.id),
        example_id="",
        question=question.question,
        date=date,
        date_type=date_type,
        explanation=explanation,
    )
