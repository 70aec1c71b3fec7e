from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from typing import Any

import pytest
from qwikidata.json_dump import WikidataJsonDump

from situated.contexts.geo import Geo
from situated.contexts.temp import Temp
from situated.data.answers import read_answers
from situated.data.nq_open import read_nq_open
from situated.schema import Example
from situated.world.files import GOLD, GROUPS, WIKIDATA
from situated.world.properties import WHOQA

Group = dict[str, set[str]]


@pytest.fixture(scope="module")
def entities(small: Any) -> list[dict[str, Any]]:
    return list(WikidataJsonDump(str(small.folder / WIKIDATA)))


def values(entity: dict[str, Any], prop: str) -> set[str]:
    claims = [claim for claim in entity["claims"].get(prop, ()) if claim["rank"] != "deprecated"]
    found = [claim["mainsnak"]["datavalue"]["value"] for claim in claims]
    return {value["id"] if "id" in value else value["time"] for value in found}


def test_every_group_that_whoqa_can_ask_about_is_listed_with_its_truth(
    small: Any, entities: list[dict[str, Any]]
) -> None:
    by_name: defaultdict[str, list[dict[str, Any]]] = defaultdict(list)
    for entity in entities:
        if entity["type"] == "item" and "enwiki" in entity["sitelinks"]:
            by_name[entity["labels"]["en"]["value"]].append(entity)
    expected: dict[tuple[str, str], Group] = {}
    for name, sharing in by_name.items():
        for prop in WHOQA:
            members = {entity["id"]: values(entity, prop) for entity in sharing if values(entity, prop)}
            if 2 <= len(members) <= 8:
                expected[name, prop] = members
    rows = small.rows(GROUPS)
    times = {time for entity in entities for prop in ("P569", "P570") for time in values(entity, prop)}

    assert len(rows) == len(expected) > 30
    assert {(row["name"], row["property"]) for row in rows} == expected.keys()
    for row in rows:
        truth = expected[row["name"], row["property"]]
        assert {member["entity"] for member in row["entities"]} == truth.keys()
        for member in row["entities"]:
            answers = {answer["entity"] for answer in member["answers"]} - {None}
            assert answers == {value for value in truth[member["entity"]] if value not in times}
    assert {row["property"] for row in rows} == WHOQA.keys()
    assert {len(row["entities"]) for row in rows} == set(range(2, 9))


def test_groups_disagree(small: Any) -> None:
    rows = small.rows(GROUPS)
    distinct = [len({str(member["answers"]) for member in row["entities"]}) for row in rows]

    assert sum(count > 1 for count in distinct) > 0.9 * len(distinct)
    assert max(distinct) == 8


def test_the_answers_of_a_group_stand_in_its_sentences(small: Any) -> None:
    for row in small.rows(GROUPS):
        for member in row["entities"]:
            text = " ".join(member["sentences"])
            assert all(any(name in text for name in answer["names"]) for answer in member["answers"])


@pytest.mark.parametrize("number", [0, 1])
def test_gold_sentences_stand_on_their_page_and_hold_the_answer(
    number: int, small: Any, snapshots: list[list[Any]], clean: Callable[[str], str]
) -> None:
    pages = {page.number: page for page in snapshots[number]}
    rows = small.rows(GOLD[number])
    assert len(rows) > 2000
    for row in rows:
        page = pages[row["page_id"]]
        assert page.title == row["title"]
        plain = clean(page.wikitext)
        assert row["sentences"]
        for sentence in row["sentences"]:
            assert sentence in plain
            assert any(answer in sentence for answer in row["answers"])


def test_every_question_has_gold_in_the_later_snapshot_and_most_have_in_the_earlier(small: Any) -> None:
    examples: dict[str, Example] = {}
    for split in ("train", "dev", "test"):
        for context, reader in (("temp", Temp()), ("geo", Geo())):
            path = small.folder / f"situatedqa/qa_data/{context}.{split}.jsonl"
            examples |= {f"qa_data/{example.example_id}": example for example in read_answers(path, reader)}
        path = small.folder / f"nq_open/NQ-open.{split}.jsonl"
        examples |= {f"nq_open/{example.example_id}": example for example in read_nq_open(path)}
    gold = [{row["example_id"]: row for row in small.rows(name)} for name in GOLD]

    assert gold[1].keys() == examples.keys()
    assert gold[0].keys() < examples.keys()
    assert len(gold[0]) > 0.85 * len(examples)
    for key, example in examples.items():
        assert set(example.answers) <= set(gold[1][key]["answers"])
