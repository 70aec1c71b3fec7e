"""SituatedQA's answers, timelines and the sets derived from them, on the released files."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec
import pytest

from situated.contexts.geo import Geo
from situated.contexts.protocol import Context
from situated.contexts.temp import Moment, Temp
from situated.data import derived
from situated.data.answers import Answers, read_answers, write_answers
from situated.data.nq_open import read_dpr_questions, read_nq_open, write_nq_open
from situated.data.timeline_audit import compare_with_released
from situated.data.timeline_examples import TimelineExamples, full_date_share
from situated.data.timelines import TemporalQuestion, answers_at, read_timelines, starts
from situated.schema import Example

pytestmark = pytest.mark.realdata
SPLITS = ["train", "dev", "test"]
GENERATE = TimelineExamples("2021-03-30", "2018-01-01")


@pytest.fixture(scope="module")
def temp(released: Path) -> dict[str, list[Example]]:
    return Answers(released / "situatedqa/qa_data", "temp").read()


@pytest.fixture(scope="module")
def geo(released: Path) -> dict[str, list[Example]]:
    return Answers(released / "situatedqa/qa_data", "geo").read()


@pytest.fixture(scope="module")
def timelines(released: Path) -> dict[str, list[TemporalQuestion]]:
    return {split: list(read_timelines(released / f"situatedqa/raw_data/temp.{split}.jsonl")) for split in SPLITS}


def sizes(parts: Mapping[str, list[Example]]) -> dict[str, int]:
    return {name: len(examples) for name, examples in parts.items()}


def rows(path: Path) -> list[list[tuple[str, Any]]]:
    """With the order of keys."""
    return [list(msgspec.json.decode(line).items()) for line in path.read_bytes().splitlines()]


def test_counts(temp: dict[str, list[Example]], geo: dict[str, list[Example]]) -> None:
    assert sizes(temp) == {"train": 6009, "dev": 3423, "test": 2795}
    assert sizes(geo) == {"train": 3548, "dev": 1398, "test": 506}


@pytest.mark.parametrize(("name", "context"), [("temp", Temp()), ("geo", Geo())])
@pytest.mark.parametrize("split", SPLITS)
def test_what_is_read_is_written_back(released: Path, tmp_path: Path, name: str, context: Context, split: str) -> None:
    theirs, ours = released / f"situatedqa/qa_data/{name}.{split}.jsonl", tmp_path / "ours.jsonl"
    write_answers(ours, read_answers(theirs, context), context)
    assert rows(ours) == rows(theirs)


def test_partitions_of_test(temp: dict[str, list[Example]], geo: dict[str, list[Example]]) -> None:
    assert sizes(derived.by_date_type(temp["test"])) == {"static": 400, "sampled": 1482, "start": 913}
    assert sizes(derived.by_frequency(geo["test"])) == {"common": 266, "rare": 240}
    assert len(derived.common_locations(geo["test"])) == 28
    assert sizes(derived.by_location(geo["test"])) == {"united states": 43, "india": 20, "other": 203, "rare": 240}


def test_any_context(temp: dict[str, list[Example]], geo: dict[str, list[Example]]) -> None:
    for examples in (*temp.values(), *geo.values()):
        assert all(set(e.answers) <= set(e.any_answers) for e in examples)
        assert [e.answers for e in derived.in_any_context(examples)] == [e.any_answers for e in examples]


def test_derived_sets_of_test(timelines: dict[str, list[TemporalQuestion]]) -> None:
    assert sizes(derived.current_and_previous(timelines["test"], "temp.test")) == {"current": 529, "previous": 373}
    assert sizes(derived.stable_and_updated(timelines["test"], "temp.test")) == {"stable": 267, "updated": 209}


@pytest.mark.parametrize("split", ["train", "dev"])
def test_temp_splits_are_derived(
    released: Path, tmp_path: Path, timelines: dict[str, list[TemporalQuestion]], split: str
) -> None:
    parts = derived.stable_and_updated(timelines[split], f"temp.{split}", year=2019)
    for name, part in (("pre", "stable"), ("post", "updated")):
        theirs, ours = released / f"situatedqa/temp_splits/{name}_2019.{split}.jsonl", tmp_path / "ours.jsonl"
        write_nq_open(ours, parts[part])
        assert rows(ours) == rows(theirs)


@pytest.mark.parametrize(("split", "lacking"), [("train", 0), ("dev", 2), ("test", 3)])
def test_released_examples_are_what_their_timelines_give(
    temp: dict[str, list[Example]], timelines: dict[str, list[TemporalQuestion]], split: str, lacking: int
) -> None:
    comparison = compare_with_released(timelines[split], temp[split], GENERATE)
    assert comparison.differences == ()
    assert sum(comparison.agreeing.values()) == len(temp[split])
    assert comparison.dates_lacking == lacking


@pytest.mark.parametrize("split", SPLITS)
def test_answers_and_starts_come_in_the_released_order(
    timelines: dict[str, list[TemporalQuestion]], split: str
) -> None:
    for question in timelines[split]:
        pairs = question.context_answer_pairs or ()
        released = [(pair.date, pair.answers) for pair in pairs if pair.date_type == "start"]
        assert [(str(moment), answers) for moment, answers in starts(question).items()] == released
        for pair in pairs:
            if pair.date_type.startswith("sampled"):
                assert answers_at(question, Moment.parse(pair.date), GENERATE.collection) == pair.answers


def test_as_many_are_drawn_as_released(
    temp: dict[str, list[Example]], timelines: dict[str, list[TemporalQuestion]]
) -> None:
    for split in SPLITS:
        drawn = [e for question in timelines[split] for e in GENERATE.examples(question, f"temp.{split}")[0]]
        ours, released = sizes(derived.by_date_type(drawn)), sizes(derived.by_date_type(temp[split]))
        assert (ours["static"], ours["start"]) == (released["static"], released["start"])
        assert abs(ours["sampled"] - released["sampled"]) <= 3  # how many are left may depend on what is drawn


def test_mix_of_granularities(timelines: dict[str, list[TemporalQuestion]]) -> None:
    assert full_date_share(timelines["train"]) == pytest.approx(161 / 1011)
    assert GENERATE.full_date_share == pytest.approx(161 / 1011, abs=5e-4)


def test_nq_open(released: Path, tmp_path: Path) -> None:
    theirs = released / "nq_open/NQ-open.dev.jsonl"
    examples = list(read_nq_open(theirs))
    assert len(examples) == 3610
    write_nq_open(tmp_path / "ours.jsonl", examples)
    assert rows(tmp_path / "ours.jsonl") == rows(theirs)
    assert len(list(read_nq_open(released / "nq_open/NQ-open.efficientqa.dev.1.1.jsonl"))) == 1800


def test_dpr_dev(released: Path) -> None:
    examples = list(read_dpr_questions(released / "nq_open/topics.dpr.nq.dev.txt"))
    assert len(examples) == 8757
    louvre = next(e for e in examples if e.question == "where was the mona lisa kept during ww2")
    assert louvre.answers[1] == "Château d'Amboise"
    assert min(len(answer) for e in examples for answer in e.answers) > 0
