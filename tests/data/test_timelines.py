"""Timelines: reading them, and the examples drawn from them."""

from __future__ import annotations

import random
import re
from collections import Counter
from dataclasses import replace
from datetime import date
from itertools import groupby
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from situated.contexts.temp import Moment
from situated.data.timeline_audit import compare_with_released
from situated.data.timeline_examples import TimelineExamples, full_date_share
from situated.data.timelines import (
    Start,
    TemporalQuestion,
    Timeline,
    answers_at,
    intervals,
    read_timelines,
    starts,
)
from situated.errors import ConfigError, InputError
from situated.io import write_jsonl
from situated.schema import Example

GENERATE = TimelineExamples("2021-03-30", "2018-01-01", seed=1)
ROW: dict[str, Any] = {
    "question": "who is president of india", "id": -9203958203595622889, "nq_answers": ["Ram"], "cur_answers": ["Ram"],
    "prev_answers": ["Pranab"], "is_dependent": True, "context_answer_pairs": [],
    "timelines": [{
        "cur_answers": ["Ram"], "cur_answers_full": "Ram", "cur_start": {"year": 2017, "month": 7, "date": 25},
        "prev_answers": ["Pranab"], "prev_start": {"year": 2012, "month": 7, "date": 25},
    }],
}  # fmt: skip


def asked(*timelines: Timeline, row: int = 1, dependent: bool = True) -> TemporalQuestion:
    return TemporalQuestion(
        question=f"q{row}", id=row, nq_answers=("n", "n"), timelines=timelines or None, cur_answers=(), prev_answers=(),
        is_dependent=dependent, row=row,
    )  # fmt: skip


def line(current: Start | None, previous: Start | None = None, names: str = "cp") -> Timeline:
    return Timeline(cur_answers=(names[0],), cur_start=current, prev_answers=(names[1],), prev_start=previous)


def day(text: str) -> Start:
    moment = date.fromisoformat(text)
    return Start(year=moment.year, month=moment.month, date=moment.day)


def drawn(question: TemporalQuestion) -> list[Example]:
    return GENERATE.examples(question, "t")[0]


# Few years and days, so that intervals are short, touch and overlap; no deadline, since other work shares the machine.
thorough = settings(deadline=None, max_examples=200)
years = st.builds(Start, year=st.integers(2017, 2022))
days = st.dates(date(2021, 3, 20), date(2021, 4, 1)).map(lambda found: day(found.isoformat()))
annotated = st.none() | years | days
texts = st.none() | st.lists(st.sampled_from("abc"), max_size=2).map(tuple)
timelines = st.builds(Timeline, cur_answers=texts, cur_start=annotated, prev_answers=texts, prev_start=annotated)
questions = st.lists(timelines, max_size=3).map(lambda found: asked(*found))


@thorough
@given(questions)
def test_a_sampled_date_lies_strictly_inside_an_answers_interval(question: TemporalQuestion) -> None:
    """Said anew in the annotation's own words, without the intervals of the code."""
    for example in drawn(question):
        if not example.date_type.startswith("sampled"):
            continue
        moment = Moment.parse(example.context_value)
        assert moment.granularity == example.date_type.removeprefix("sampled_")
        inside = []
        for timeline in question.timelines or ():
            current, previous = timeline.current_from, timeline.previous_from
            if current and current.granularity == moment.granularity:
                until = Moment.parse("2021" if moment.granularity == "year" else "2021-03-30")
                inside.append(current < moment <= until and bool(timeline.cur_answers))
                if previous and previous.granularity == moment.granularity:
                    inside.append(previous < moment < current and bool(timeline.prev_answers))
        assert any(inside)
        assert example.answers


@thorough
@given(questions)
def test_at_most_two_dates_an_answer_and_all_there_are_where_few(question: TemporalQuestion) -> None:
    dates = {Moment.parse(e.context_value) for e in drawn(question) if e.date_type.startswith("sampled")}
    found = intervals(question, GENERATE.collection)
    assert len(dates) <= 2 * len(found)
    for interval in found:
        assert sum(moment in interval for moment in dates) >= min(2, len(interval))


@thorough
@given(questions)
def test_every_start_gives_one_example_with_all_its_answers(question: TemporalQuestion) -> None:
    expected: dict[str, list[str]] = {}
    for timeline in question.timelines or ():
        if timeline.current_from is None:
            continue
        for moment, answers in (
            (timeline.current_from, timeline.cur_answers),
            (timeline.previous_from, timeline.prev_answers),
        ):
            if moment and answers:
                expected.setdefault(str(moment), []).extend(answers)
    found = [(e.context_value, list(e.answers)) for e in drawn(question) if e.date_type == "start"]
    assert dict(found) == expected
    assert len(found) == len(expected)


@thorough
@given(st.lists(questions, min_size=2, max_size=4), st.randoms(use_true_random=False))
def test_neither_order_nor_company_of_questions_matters(found: list[TemporalQuestion], rng: random.Random) -> None:
    numbered = [asked(*(question.timelines or ()), row=row) for row, question in enumerate(found, start=1)]
    mixed = rng.sample(numbered, len(numbered))
    assert {question.row: drawn(question) for question in mixed} == {q.row: drawn(q) for q in numbered}


@thorough
@given(questions)
def test_what_is_drawn_agrees_with_the_audit_and_is_counted(question: TemporalQuestion) -> None:
    examples, counts = GENERATE.examples(question, "t")
    comparison = compare_with_released([question], examples, GENERATE)
    assert comparison.differences == ()
    assert comparison.agreeing == Counter(e.date_type for e in examples)
    assert comparison.dates_lacking == counts["skipped/no_further_date"]
    assert all(counts.values())
    assert ("skipped/question_without_example" in counts) == (not examples)


def test_a_current_and_a_previous_answer_of_one_start_share_an_example() -> None:
    question = asked(line(Start(year=2020), Start(year=2020)))
    assert [(e.date_type, e.context_value, e.answers) for e in drawn(question)] == [
        ("sampled_year", "2021", ("c",)),
        ("start", "2020", ("c", "p")),
    ]


def test_an_answers_interval_leaves_out_both_its_ends() -> None:
    neighbours = asked(line(Start(year=2020), Start(year=2019)), line(day("2021-03-29"), day("2021-03-27")))
    drawn_from = [str(interval) for interval in intervals(neighbours, GENERATE.collection)]
    assert drawn_from == ["March 30, 2021 to March 30, 2021", "March 28, 2021 to March 28, 2021", "2021 to 2021"]


def test_overlapping_intervals_share_no_date() -> None:
    for row in range(20):
        question = asked(line(Start(year=2019)), line(Start(year=2018)), row=row)
        examples, counts = GENERATE.examples(question, "t")
        assert sorted(e.context_value for e in examples if e.date_type == "sampled_year") == ["2019", "2020", "2021"]
        assert counts["skipped/no_further_date"] == 1


def test_nothing_is_drawn_without_a_current_start() -> None:
    examples, counts = GENERATE.examples(asked(line(None, Start(year=2000))), "t")
    assert examples == []
    assert counts == {"skipped/no_current_start": 1, "skipped/question_without_example": 1}


def test_no_interval_between_a_year_and_a_full_date() -> None:
    question = asked(line(day("2021-03-30"), Start(year=2000)))
    examples, counts = GENERATE.examples(question, "t")
    assert [(e.date_type, e.context_value) for e in examples] == [("start", "March 30, 2021"), ("start", "2000")]
    assert counts == {"start": 2, "skipped/previous_interval_of_mixed_granularity": 1}


@pytest.mark.parametrize(
    ("moment", "held"),
    [
        ("July 24, 2017", "p"), ("July 25, 2017", "c"), ("July 24, 2012", ""), ("2011", ""), ("2012", "pP"),
        ("2016", "pP"), ("2017", "cP"), ("2018", "cC"), ("2020", "cC"), ("2021", "C"),
    ],
)  # fmt: skip
def test_answers_at_a_moment(moment: str, held: str) -> None:
    """A full date asks the first timeline alone, a year both; the year of collection the second alone."""
    question = asked(
        line(day("2017-07-25"), day("2012-07-25")), line(Start(year=2018), Start(year=2012), "CP"), line(None)
    )
    assert "".join(answers_at(question, Moment.parse(moment), GENERATE.collection)) == held


def test_full_dates_come_before_years() -> None:
    question = asked(line(Start(year=2010), Start(year=2000)), line(day("2017-07-25"), day("2012-07-25")))
    kinds = [kind for kind, _ in groupby(e.date_type for e in drawn(question))]
    assert kinds == ["sampled_date", "sampled_year", "start"]
    assert list(map(str, starts(question))) == ["July 25, 2017", "July 25, 2012", "2010", "2000"]
    assert {e.any_answers for e in drawn(question)} == {("c", "p")}


def test_seeds_draw_different_dates() -> None:
    question = asked(line(day("2000-01-01"), day("1990-01-01")))
    others = [TimelineExamples("2021-03-30", "2018-01-01", seed=seed).examples(question, "t")[0] for seed in (1, 2)]
    assert others[0] == drawn(question) != others[1]
    one = TimelineExamples("2021-03-30", "2018-01-01", dates_per_answer=1).examples(question, "t")[1]
    assert one == {"sampled_date": 2, "start": 2}


def test_static_questions_get_one_date_between_the_ends_in_the_given_mix() -> None:
    examples = [drawn(asked(row=row, dependent=False)) for row in range(1500)]
    assert {len(found) for found in examples} == {1}
    dates = [Moment.parse(found[0].context_value) for found in examples]
    full = [moment for moment in dates if moment.granularity == "date"]
    assert 0.12 < len(full) / len(dates) < 0.20
    assert min(full) >= Moment.parse("2018-01-01")
    assert max(full) <= Moment.parse("2021-03-30")
    years = Counter(moment.number for moment in dates if moment.granularity == "year")
    assert set(years) == {2018, 2019, 2020, 2021}
    assert min(years.values()) > 240
    assert (examples[0][0].answers, examples[0][0].any_answers, examples[0][0].date_type) == (
        ("n", "n"),
        ("n",),
        "orig",
    )


def test_share_of_full_dates() -> None:
    assert full_date_share([asked(line(day("2000-01-01")), line(Start(year=2000))), asked(line(None))]) == 0.5
    assert full_date_share([]) == 0


def test_a_static_question_without_answer_is_counted() -> None:
    question = TemporalQuestion(
        question="q", id=1, nq_answers=(), timelines=None, cur_answers=(), prev_answers=None, is_dependent=False
    )
    assert GENERATE.examples(question, "t") == ([], {"skipped/static_without_answer": 1})


@pytest.mark.parametrize(
    ("collection", "original", "says"),
    [("2021", "2018-01-01", "is a year"), ("2017-01-01", "2018-01-01", "lies before"), ("x", "2018-01-01", "neither")],
)
def test_ends_that_are_none(collection: str, original: str, says: str) -> None:
    with pytest.raises(ConfigError, match=says):
        TimelineExamples(collection, original)


def test_reading(tmp_path: Path) -> None:
    static = ROW | {"id": 2, "timelines": None, "prev_answers": None, "is_dependent": False}
    write_jsonl(tmp_path / "a.jsonl", [ROW, static])
    first, second = read_timelines(tmp_path / "a.jsonl")
    assert (first.row, str(first.id), second.row, second.timelines) == (1, "-9203958203595622889", 2, None)
    assert first.timelines is not None
    assert (str(first.timelines[0].current_from), str(first.timelines[0].previous_from)) == (
        "July 25, 2017",
        "July 25, 2012",
    )


@pytest.mark.parametrize(
    ("changes", "field", "says"),
    [
        ({"question": ""}, "question", "Give the question"),
        ({"is_dependent": "yes"}, "is_dependent", "bool"),
        ({"id": ROW["id"]}, "id", "given to line 1"),
        ({"timelines": [{"prev_start": {"year": 2021, "month": 2, "date": 30}}]}, "timelines[0].prev_start", "day"),
    ],
)
def test_a_bad_row_is_named(tmp_path: Path, changes: dict[str, Any], field: str, says: str) -> None:
    write_jsonl(tmp_path / "a.jsonl", [ROW, ROW | {"id": 2} | changes])
    with pytest.raises(InputError, match=says) as caught:
        list(read_timelines(tmp_path / "a.jsonl"))
    assert (caught.value.line, caught.value.field) == (2, field)


QUESTION = asked(line(day("2017-07-25"), day("2012-07-25")))
STATIC = asked(row=2, dependent=False)


@pytest.mark.parametrize(
    ("kind", "changes", "says"),
    [
        ("start", {"context_value": "July 26, 2017"}, "no answers with this start"),
        ("start", {"answers": ("x",)}, "no answers with this start"),
        ("sampled_date", {"context_value": "July 25, 2012"}, "inside no answer's interval .July 26, 2017 to March 30"),
        ("sampled_date", {"context_value": "2015"}, "inside no answer's interval"),
        ("sampled_date", {"context_value": "lately"}, "neither a year"),
        ("sampled_date", {"answers": ("x",)}, "the answers that held then are [cp]$"),
        ("sampled_date", {"question": "other"}, "no such question"),
        ("orig", {"context_value": "2017"}, "outside of January 01, 2018 to March 30, 2021"),
        ("orig", {"answers": ("x",)}, "not NQ-Open's"),
        ("orig", {"id": "1", "question": "q1"}, "depends on time"),
    ],
)
def test_the_audit_finds_what_differs(kind: str, changes: dict[str, Any], says: str) -> None:
    released = [*drawn(QUESTION), *drawn(STATIC)]
    number = [e.date_type for e in released].index(kind)
    released[number] = replace(released[number], **changes)
    comparison = compare_with_released([QUESTION, STATIC], released, GENERATE)
    (found, *others) = comparison.differences
    assert re.search(says, found.explanation)
    assert (found.example_id, found.date_type) == (released[number].example_id, kind)
    assert [other.example_id for other in others] == ([""] if kind == "start" else [])
    assert sum(comparison.agreeing.values()) == len(released) - 1


def test_the_audit_finds_what_lacks_or_is_too_much() -> None:
    released = drawn(QUESTION)
    lacking = compare_with_released([QUESTION], released[:-1], GENERATE)
    assert [(d.date, d.explanation) for d in lacking.differences] == [
        ("July 25, 2012", "the release has no example for p")
    ]
    more = replace(released[0], context_value="March 01, 2021", answers=("c",), example_id="more")
    too_many = compare_with_released([QUESTION], [*released, more], GENERATE)
    assert [d.explanation for d in too_many.differences] == ["1 dates more than its answers' intervals allow"]
