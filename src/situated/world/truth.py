"""What is right, beside the files that the world is read from: gold passages, and groups that share a name."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from situated.world.article import Article
from situated.world.block import Block
from situated.world.properties import WHOQA
from situated.world.things import Fact, Thing, Value

SMALLEST_GROUP, LARGEST_GROUP = 2, 8
"""How many entities may share a name. Source: WhoQA, section 2."""

Articles = Mapping[str, Article]
"""Key of a thing -> its article."""


def gold_row(
    example_id: str, question: str, fact: Fact, spells: Sequence[int], articles: Articles, *, by_alias: bool
) -> dict[str, Any] | None:
    """The page and the sentences of one snapshot that answer an example; None where the snapshot has none.

    Sentences are as a reader sees them: whoever cuts articles into passages finds them there, however they are cut.
    """
    article = articles.get(fact.subject.key)
    if article is None:
        return None
    said = [sentence for number in spells for sentence in article.said.get((fact.property.name, number), ())]
    if not said:
        return None
    values = [fact.spells[number].value for number in spells]
    return {
        "example_id": example_id,
        "question": question,
        "answers": [answer for value in values for answer in value.answers],
        "entity": fact.subject.qid,
        "property": fact.property.id,
        "by_alias": by_alias,
        "title": article.thing.title,
        "page_id": article.thing.page,
        "sentences": list(dict.fromkeys(said)),
    }


def whoqa_rows(block: Block, articles: Articles) -> Iterator[dict[str, Any]]:
    """Every group of a block that WhoQA can ask about: things of one name with a property in common."""
    facts: defaultdict[tuple[str, str], list[Fact]] = defaultdict(list)
    for fact in block.facts:
        facts[fact.subject.key, fact.property.id].append(fact)
    for name, things in block.shared.items():
        for prop, label in WHOQA.items():
            members = [thing for thing in things if facts[thing.key, prop]]
            if SMALLEST_GROUP <= len(members) <= LARGEST_GROUP:
                yield {
                    "name": name,
                    "property": prop,
                    "label": label,
                    "entities": [_member(thing, facts[thing.key, prop], articles) for thing in members],
                }


def _member(thing: Thing, facts: Sequence[Fact], articles: Articles) -> dict[str, Any]:
    spells = [(fact, number) for fact in facts for number in range(len(fact.spells))]
    article = articles.get(thing.key)
    said = {} if article is None else article.said
    return {
        "entity": thing.qid,
        "title": thing.title,
        "page_id": thing.page,
        "answers": [_answer(fact.spells[number].value) for fact, number in spells],
        "sentences": [s for fact, number in spells for s in said.get((fact.property.name, number), ())],
    }


def _answer(value: Value) -> dict[str, Any]:
    """One element of the answer: an entity with its names, or a date as far as it is known."""
    if value.thing is not None:
        return {"entity": value.thing.qid, "names": [value.thing.name, *value.thing.aliases]}
    return {"entity": None, "names": [*value.answers]}
