"""The sets that the paper's tables are about, on a handful of questions."""

from __future__ import annotations

import pytest

from situated.data.derived import (
    by_date_type,
    by_frequency,
    by_location,
    common_locations,
    current_and_previous,
    in_any_context,
    stable_and_updated,
)
from situated.data.timelines import Start, TemporalQuestion, Timeline
from situated.errors import ConfigError
from situated.schema import Example


def at(place: str, number: int) -> Example:
    return Example(
        example_id=f"geo:{number}", id=str(number), question="q", context_type="geo", context_value=place,
        answers=("a",), any_answers=("a", "b"),
    )  # fmt: skip


def question(row: int, starts: list[int | None], current: list[str], previous: list[str] | None) -> TemporalQuestion:
    timelines = tuple(
        Timeline(cur_answers=("x",), cur_start=None if year is None else Start(year=year)) for year in starts
    )
    return TemporalQuestion(
        question=f"q{row}", id=row, nq_answers=("n",), timelines=timelines or None, cur_answers=tuple(current),
        prev_answers=None if previous is None else tuple(previous), is_dependent=bool(timelines), row=row,
    )  # fmt: skip


QUESTIONS = [
    question(1, [2018], ["a"], ["b", "a"]),
    question(2, [2019], ["c"], []),
    question(3, [2020, 2018], ["d"], None),
    question(4, [None], ["e"], ["f"]),
    question(5, [2020], [], ["g"]),
    question(6, [], ["h"], None),
]
PLACES = [
    at(place, number) for number, place in enumerate(["USA", "the  Peru", "Peru", "Chad", "peru.", "Chad", "Fiji"])
]


def test_the_earliest_start_decides_what_is_updated() -> None:
    parts = stable_and_updated(QUESTIONS, "temp.dev")
    assert {name: [e.question for e in examples] for name, examples in parts.items()} == {
        "stable": ["q1", "q3"],
        "updated": ["q2"],
    }
    later = stable_and_updated(QUESTIONS, "temp.dev", year=2020)
    assert [[e.question for e in examples] for examples in later.values()] == [["q1", "q2", "q3"], []]
    assert parts["stable"][0] == Example(
        example_id="temp.dev.stable_2019:1", id="1", question="q1", is_dependent=True, answers=("a",),
        any_answers=("a", "b"),
    )  # fmt: skip


def test_current_and_previous_answers() -> None:
    parts = current_and_previous(QUESTIONS, "temp.dev")
    assert [e.id for e in parts["current"]] == ["1", "2", "3", "4"]
    assert [e.id for e in parts["previous"]] == ["1", "4", "5"]
    assert {e.context_type for e in parts["current"]} == {"none"}
    assert {e.context_type for e in parts["previous"]} == {"previous"}
    assert parts["previous"][0].answers == ("b", "a")
    ids = [e.example_id for examples in parts.values() for e in examples]
    assert len(set(ids)) == len(ids)


def test_common_locations_are_counted_in_normal_form() -> None:
    assert common_locations(PLACES, at_least=3) == {"peru": 3}
    assert common_locations(PLACES, at_least=2) == {"peru": 3, "chad": 2}
    assert not common_locations(PLACES)
    parts = by_frequency(PLACES, at_least=2)
    assert [e.context_value for e in parts["rare"]] == ["USA", "Fiji"]
    assert len(parts["common"]) == 5


def test_locations_apart() -> None:
    parts = by_location(PLACES, apart=("peru", "fiji"), at_least=2)
    assert {name: len(examples) for name, examples in parts.items()} == {"peru": 3, "fiji": 1, "other": 2, "rare": 1}


def test_kinds_of_dates() -> None:
    kinds = ["start", "orig", "sampled_date", "sampled_year"]
    examples = [Example(example_id=kind, id="", question="q", date_type=kind) for kind in kinds]
    assert {name: [e.example_id for e in part] for name, part in by_date_type(examples).items()} == {
        "static": ["orig"],
        "sampled": ["sampled_date", "sampled_year"],
        "start": ["start"],
    }
    with pytest.raises(ConfigError, match="geo:1 has the kind of date ''"):
        by_date_type([at("Peru", 1)])


def test_any_context_counts() -> None:
    assert [e.answers for e in in_any_context([at("Peru", 1)])] == [("a", "b")]
