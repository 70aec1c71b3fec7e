from __future__ import annotations

import gzip
import json
from collections import Counter
from datetime import date
from typing import Any

import pytest
from qwikidata.entity import WikidataItem, WikidataProperty
from qwikidata.json_dump import WikidataJsonDump

from situated.world.block import Block
from situated.world.files import WIKIDATA
from situated.world.properties import WHOQA

Items = dict[str, dict[str, Any]]


@pytest.fixture(scope="module")
def dump(small: Any) -> Items:
    """Number -> entity, as a reader of dumps gives them."""
    return {entity["id"]: entity for entity in WikidataJsonDump(str(small.folder / WIKIDATA))}


def test_a_reader_of_dumps_reads_every_entity(dump: Items, small: Any) -> None:
    kinds = Counter(entity["type"] for entity in dump.values())

    assert kinds["item"] + kinds["property"] == small.summary["items"] == len(dump)
    assert kinds["property"] > 40
    for entity in dump.values():
        read = (WikidataItem if entity["type"] == "item" else WikidataProperty)(entity)
        assert read.get_label() == entity["labels"]["en"]["value"]
    things = [WikidataItem(entity) for entity in dump.values() if entity.get("sitelinks")]
    assert len(things) == 28 + 3 * 48
    assert all(item.get_enwiki_title() for item in things)
    assert all(item.get_truthy_claim_groups() for item in things)


def test_a_dump_is_an_array_of_one_entity_a_line(small: Any) -> None:
    with gzip.open(small.folder / WIKIDATA, "rt", encoding="utf-8") as file:
        lines = file.read().split("\n")

    assert (lines[0], lines[-2], lines[-1]) == ("[", "]", "")
    assert all(line.endswith(",") for line in lines[1:-3])
    assert all(json.loads(line.rstrip(","))["id"] for line in lines[1:-2])


def test_items_are_those_of_the_blocks(dump: Items, blocks: list[Block]) -> None:
    for block in blocks:
        for thing in (*block.things, *block.items):
            entity = dump[thing.qid]
            assert entity["labels"]["en"]["value"] == thing.name
            assert [alias["value"] for alias in entity["aliases"].get("en", ())] == list(thing.aliases)
            assert entity["sitelinks"].get("enwiki", {}).get("title", "") == thing.title


def test_every_value_that_is_an_item_is_in_the_dump(dump: Items) -> None:
    for entity in dump.values():
        for claims in entity["claims"].values():
            for claim in claims:
                snaks = [claim["mainsnak"], *(s for group in claim.get("qualifiers", {}).values() for s in group)]
                for snak in snaks:
                    assert snak["property"]
                    if snak["datatype"] == "wikibase-item":
                        assert snak["datavalue"]["value"]["id"] in dump


def test_what_changes_has_beginnings_ends_and_a_preferred_value(dump: Items, blocks: list[Block]) -> None:
    for fact in (fact for block in blocks for fact in block.facts if fact.property.changes):
        claims = dump[fact.subject.qid]["claims"][fact.property.id]
        assert [claim["rank"] for claim in claims] == ["normal"] * (len(claims) - 1) + ["preferred"]
        assert ["P582" in claim["qualifiers"] for claim in claims] == [True] * (len(claims) - 1) + [False]
        for claim, spell in zip(claims, fact.spells, strict=True):
            begun = claim["qualifiers"]["P580"][0]["datavalue"]["value"]
            assert spell.start is not None
            if begun["precision"] == 11:
                assert begun["time"][1:11] == spell.start.isoformat()
            else:
                assert (begun["precision"], begun["time"][1:11]) == (9, f"{spell.start.year}-00-00")


def test_dates_are_known_to_the_day_the_month_or_the_year_and_some_are_wrong(dump: Items) -> None:
    claims = [claim for entity in dump.values() for claim in entity["claims"].get("P569", ())]
    values = [claim["mainsnak"]["datavalue"]["value"] for claim in claims]
    precisions = Counter(value["precision"] for value in values)

    assert precisions.keys() >= {9, 11}
    assert Counter(claim["rank"] for claim in claims).keys() == {"normal", "deprecated"}
    for value in values:
        year, month, day = map(int, value["time"][1:11].split("-"))
        assert (month > 0, day > 0) == (value["precision"] > 9, value["precision"] > 10)
        assert date(year, month or 1, day or 1)


def test_whoqa_can_ask_for_each_of_its_properties(dump: Items) -> None:
    assert {prop for entity in dump.values() for prop in entity["claims"]} >= WHOQA.keys()
