from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from situated.schema import Example
from situated.world.asking import Question
from situated.world.checks import Checks
from situated.world.released import Timelines, geographical


@pytest.fixture
def changing(asked: list[Question]) -> Question:
    return next(question for question in asked if question.kind == "changing" and not question.fact.is_full)


def rows_of(question: Question) -> list[Example]:
    timelines = Timelines(1)
    return [one.example for one in timelines.examples(question, timelines.question(question))]


def test_a_system_without_context_gives_one_answer(changing: Question, items: dict[str, Any]) -> None:
    checks = Checks()
    rows = rows_of(changing)
    checks.add("test", changing.fact, rows, items)
    found = {name: counts for (_, name), counts in checks}
    previous = changing.fact.spells[-2].value.text
    most = sum(previous in row.answers for row in rows)

    assert found["temp/start"].rows == 2
    assert found["temp/start"].blind == 1
    assert found["temp/total"].rows == len(rows)
    assert found["temp/total"].blind == max(most, len(rows) - most)
    assert found["temp/total"].current == len(rows) - most
    assert checks.fewest_contexts == len(rows)


def test_the_oracle_is_right_and_fails_where_a_row_is_wrong(changing: Question, items: dict[str, Any]) -> None:
    rows = rows_of(changing)
    spoilt = [replace(rows[0], answers=("somebody else",)), *rows[1:]]
    for examples, right in ((rows, len(rows)), (spoilt, len(rows) - 1)):
        checks = Checks()
        checks.add("test", changing.fact, examples, items)
        assert checks.partitions["test", "temp/total"].oracle == right


def test_another_questions_answers_are_wrong_and_counted_where_they_are_not(
    asked: list[Question], items: dict[str, Any]
) -> None:
    first, second = [question for question in asked if question.kind == "stripped"][:2]
    checks = Checks()
    for question in (first, second):
        checks.add("dev", question.fact, [one.example for one in geographical(question)], items)
    assert checks.partitions["dev", "geo/total"].shuffled == 0
    checks.add("dev", second.fact, [one.example for one in geographical(second)], items)
    assert checks.partitions["dev", "geo/total"].shuffled == 1
    assert checks.partitions["dev", "geo/common"].rows == checks.partitions["dev", "geo/rare"].rows == 6


def test_nothing_asked_counts_nothing(changing: Question, items: dict[str, Any]) -> None:
    checks = Checks()
    checks.add("test", changing.fact, [], items)

    assert not list(checks)
    assert checks.fewest_contexts is None


def test_the_summary_of_a_world_holds_what_it_promises(small: Any) -> None:
    for name, counts in small.summary["partitions"].items():
        assert counts["oracle"] == counts["rows"] > 0, name
        assert counts["shuffled"] <= 0.03 * counts["rows"], name
        if name.endswith(("geo/total", "temp/start")):
            assert counts["blind"] <= counts["rows"] / 2
