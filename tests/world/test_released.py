from __future__ import annotations

from collections import defaultdict
from typing import Any, get_args

import pytest

from situated.contexts.geo import Geo
from situated.contexts.temp import Moment, Temp
from situated.data.answers import read_answers
from situated.data.derived import by_date_type, by_frequency, current_and_previous, stable_and_updated
from situated.data.nq_open import read_nq_open
from situated.data.situatedqa import Context, Identification, read_identification
from situated.data.timeline_audit import compare_with_released
from situated.data.timeline_examples import TimelineExamples
from situated.data.timelines import read_timelines
from situated.io import read_records
from situated.text import normalize_squad
from situated.world.article import Article
from situated.world.asking import Question
from situated.world.checks import look_up
from situated.world.files import FILES
from situated.world.released import COLLECTED, ORIGINAL, Timelines, geographical
from situated.world.values import SNAPSHOTS

SPLITS = ("train", "dev", "test")
CONTEXTS: tuple[Context, ...] = get_args(Context)


@pytest.fixture(scope="module")
def qa(small: Any) -> Any:
    return small.folder / "situatedqa" / "qa_data"


@pytest.mark.parametrize("split", SPLITS)
def test_every_file_reads_as_released_ones_do(small: Any, split: str) -> None:
    folder = small.folder / "situatedqa"
    for context in CONTEXTS:
        assert len(list(read_identification(folder / f"id_data/{context}.{split}.jsonl"))) > 100
        reader = Temp() if context == "temp" else Geo()
        assert len(list(read_answers(folder / f"qa_data/{context}.{split}.jsonl", reader))) > 100
        assert small.rows(f"situatedqa/raw_data/{context}.{split}.jsonl")
    assert len(list(read_timelines(folder / f"raw_data/temp.{split}.jsonl"))) > 90
    assert len(list(read_nq_open(small.folder / f"nq_open/NQ-open.{split}.jsonl"))) > 150
    assert Identification(folder / "id_data", "geo").read().keys() == set(SPLITS)


def test_a_world_has_all_files_and_no_other(small: Any) -> None:
    found = {path.relative_to(small.folder).as_posix() for path in small.folder.rglob("*") if path.is_file()}
    assert found == {*FILES, "truth/world.json"}


def test_what_depends_on_its_context_is_asked_in_three_or_more(small: Any, qa: Any) -> None:
    assert small.summary["fewest_contexts"] >= 3
    for context in CONTEXTS:
        for split in SPLITS:
            contexts: defaultdict[int, set[str]] = defaultdict(set)
            for row in small.rows(f"situatedqa/qa_data/{context}.{split}.jsonl"):
                if row.get("date_type") != "orig":
                    contexts[row["id"]].add(row.get("date", row.get("location")))
            assert min(map(len, contexts.values())) >= 3


@pytest.mark.parametrize("split", SPLITS)
def test_at_most_two_in_five_rows_hold_the_current_answer(small: Any, qa: Any, split: str) -> None:
    timelines = {q.id: q for q in read_timelines(small.folder / f"situatedqa/raw_data/temp.{split}.jsonl")}
    rows = [row for row in small.rows(f"situatedqa/qa_data/temp.{split}.jsonl") if row["date_type"] != "orig"]
    current = sum(set(row["answer"]) == set(timelines[row["id"]].cur_answers or ()) for row in rows)

    assert 0.25 < current / len(rows) <= 0.4


@pytest.mark.parametrize("split", SPLITS)
def test_examples_are_what_the_timelines_give(small: Any, qa: Any, split: str) -> None:
    questions = list(read_timelines(small.folder / f"situatedqa/raw_data/temp.{split}.jsonl"))
    released = list(read_answers(qa / f"temp.{split}.jsonl", Temp()))
    comparison = compare_with_released(questions, released, TimelineExamples(COLLECTED, ORIGINAL))

    assert not comparison.differences
    assert sum(comparison.agreeing.values()) == len(released)


def test_timelines_say_what_the_snapshots_say(asked: list[Question], written: list[list[Article]]) -> None:
    """The value that a timeline gives for a snapshot's day is stated in it, and no value that begins later is."""
    timelines = Timelines(1)
    stated = later = 0
    for day, snapshot in zip(SNAPSHOTS, written, strict=True):
        articles = {article.thing.key: article for article in snapshot}
        for question in (question for question in asked if question.kind == "changing"):
            article = articles.get(question.fact.subject.key)
            (timeline, *_) = timelines.question(question).timelines or ()
            start, before = timeline.current_from, timeline.previous_from
            assert start is not None
            assert before is not None
            moment = Moment.of(day.year, day.month, day.day) if start.granularity == "date" else Moment.of(day.year)
            current, previous = (timeline.cur_answers or ())[0], (timeline.prev_answers or ())[0]
            if article is None:
                continue
            begun, held = (start, current) if start <= moment else (before, previous)
            if begun <= moment:
                said = [s for (name, _), sentences in article.said.items() for s in sentences
                        if name == question.fact.property.name]  # fmt: skip
                assert any(held in sentence for sentence in said)
                stated += 1
            if start > moment:
                assert current not in article.wikitext
                later += 1
    assert stated > 250
    assert later > 40


def test_places_and_answers_agree_with_the_claims(asked: list[Question], items: dict[str, Any]) -> None:
    checked = 0
    for question in (question for question in asked if question.kind == "stripped"):
        claims = items[question.fact.subject.qid]["claims"][question.fact.property.id]
        for one in geographical(question):
            (claim,) = [
                claim for claim in claims
                if [label_of(q, items) for q in claim["qualifiers"]["P3005"]] == [one.example.context_value]
            ]  # fmt: skip
            assert label_of(claim["mainsnak"], items) in one.example.answers or claim["mainsnak"]["datatype"] == "time"
            assert one.row.answer
            checked += 1
    assert checked > 400


def label_of(snak: Any, items: dict[str, Any]) -> str:
    value = snak["datavalue"]["value"]
    return items[value["id"]]["labels"]["en"]["value"] if snak["datatype"] == "wikibase-item" else str(value)


def test_partitions_are_there(small: Any, qa: Any) -> None:
    temp = list(read_answers(qa / "temp.test.jsonl", Temp()))
    assert all(len(part) > 55 for part in by_date_type(temp).values())
    geo = list(read_answers(qa / "geo.test.jsonl", Geo()))
    parts = by_frequency(geo)
    assert min(map(len, parts.values())) > 30
    questions = list(read_timelines(small.folder / "situatedqa/raw_data/temp.test.jsonl"))
    assert all(len(part) > 20 for part in current_and_previous(questions, "").values())
    assert all(len(part) > 8 for part in stable_and_updated(questions, "").values())


def test_the_questions_of_the_collections_are_the_same_ones(small: Any) -> None:
    for split in SPLITS:
        raw = {row["id"]: row["question"] for row in small.rows(f"situatedqa/raw_data/temp.{split}.jsonl")}
        labelled = {row["id"]: row for row in small.rows(f"situatedqa/id_data/temp.{split}.jsonl")}
        nq = {row["id"]: row for row in small.rows(f"nq_open/NQ-open.{split}.jsonl")}
        geo = small.rows(f"situatedqa/raw_data/geo.{split}.jsonl")
        assert raw.items() <= {key: row["question"] for key, row in labelled.items()}.items()
        assert raw.items() <= {key: row["question"] for key, row in nq.items()}.items()
        assert {row["nq_question"] for row in geo} <= {row["question"] for row in nq.values()}


def test_nq_asks_in_places_and_as_of_times_and_answers_as_of_2018(small: Any) -> None:
    rows = small.rows("nq_open/NQ-open.train.jsonl")
    raw = {row["id"]: row for row in small.rows("situatedqa/raw_data/temp.train.jsonl")}
    assert sum(" as of " in row["question"] for row in rows) > 20
    assert sum(" in " in row["question"] for row in rows) > 80
    differing = 0
    for row in rows:
        if (question := raw.get(row["id"])) and question["is_dependent"]:
            timeline = question["timelines"][0]
            is_old = timeline["cur_start"]["year"] <= 2018
            assert row["answer"][0] == (timeline["cur_answers" if is_old else "prev_answers"] or [""])[0]
            differing += not is_old
    assert differing > 15


def test_both_granularities_and_several_annotators_occur(small: Any) -> None:
    rows = [row for row in small.rows("situatedqa/raw_data/temp.dev.jsonl") if row["timelines"]]
    assert {row["timelines"][0]["cur_start"]["month"] is None for row in rows} == {True, False}
    assert {len(row["timelines"]) for row in rows} == {1, 2}


def test_somebody_who_reads_wikidata_is_right(asked: list[Question], items: dict[str, Any]) -> None:
    timelines = Timelines(1)
    for question in asked:
        rows = geographical(question) if question.kind == "stripped" else timelines.examples(
            question, timelines.question(question)
        )  # fmt: skip
        found = look_up(question.fact, [one.example for one in rows], items)
        for one in rows:
            forms = {normalize_squad(answer) for answer in one.example.answers}
            assert forms & {normalize_squad(answer) for answer in found[id(one.example)]}


@pytest.mark.realdata
@pytest.mark.parametrize("context", CONTEXTS)
@pytest.mark.parametrize("split", SPLITS)
def test_rows_have_the_keys_of_the_released_files(small: Any, released: Any, context: str, split: str) -> None:
    for task in ("id_data", "qa_data", "raw_data"):
        path = released / f"situatedqa/{task}/{context}.{split}.jsonl"
        if path.is_file():
            theirs = {shape(row) for _, row in read_records(path, dict[str, Any])}
            ours = {shape(row) for row in small.rows(f"situatedqa/{task}/{context}.{split}.jsonl")}
            assert ours <= theirs, task


def shape(row: Any) -> str:
    """Keys in their order, all the way down; the first element of a list stands for all."""
    if isinstance(row, dict):
        return "{" + ",".join(f"{key}:{shape(value)}" for key, value in row.items()) + "}"
    if isinstance(row, list):
        return "[" + (shape(row[0]) if row else "") + "]"
    return type(row).__name__
