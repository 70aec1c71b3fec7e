"""Wikidata's items in the layout of its dumps: an array, one item a line."""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from typing import Any

from situated.world.block import Block
from situated.world.coining import concepts
from situated.world.days import Precision, random_day
from situated.world.sampling import generator
from situated.world.things import Fact, Spell, Thing, Value

Item = dict[str, Any]

_PRECISION: Mapping[Precision, int] = {"year": 9, "month": 10, "day": 11}
_CALENDAR = "http://www.wikidata.org/entity/Q1985727"
_START, _END, _VALID_IN, _INSTANCE_OF = "P580", "P582", "P3005", "P31"
_MISTAKES = 0.12  # share of dates of birth with a deprecated statement beside the right one


def items(block: Block, seed: int) -> Iterator[Item]:
    """Every item of a block: things with articles, then their values."""
    facts: defaultdict[str, list[Fact]] = defaultdict(list)
    for fact in block.facts:
        facts[fact.subject.key].append(fact)
    for thing in (*block.things, *block.items):
        yield item(thing, facts[thing.key], seed)


def item(thing: Thing, facts: Sequence[Fact], seed: int) -> Item:
    """One item with its labels, aliases, claims and sitelinks."""
    claims: dict[str, list[Item]] = {_INSTANCE_OF: [_class(thing)]}
    for fact in facts:
        claims.setdefault(fact.property.id, []).extend(_statements(thing, fact, seed))
    names = {"en": thing.name, "de": thing.name}
    return {
        "type": "item",
        "id": thing.qid,
        "labels": _terms(names),
        "descriptions": _terms({"en": thing.noun}),
        "aliases": {"en": [{"language": "en", "value": alias} for alias in thing.aliases]} if thing.aliases else {},
        "claims": claims,
        "sitelinks": {"enwiki": {"site": "enwiki", "title": thing.title, "badges": []}} if thing.title else {},
    }


def property_entity(name: str, label: str, datatype: str) -> Item:
    """The entity of a property."""
    return {
        "type": "property",
        "datatype": datatype,
        "id": name,
        "labels": _terms({"en": label}),
        "descriptions": {},
        "aliases": {},
        "claims": {},
    }


def datatype(fact_value: str) -> str:
    """Wikidata's type of a kind of value, see ``situated.world.properties``."""
    if fact_value == "number":
        return "quantity"
    if fact_value in ("year", "date", "birth", "death", "released"):
        return "time"
    return "string" if fact_value == "day" else "wikibase-item"


def _terms(names: Mapping[str, str]) -> Item:
    return {language: {"language": language, "value": name} for language, name in names.items()}


def _class(thing: Thing) -> Item:
    snak = _snak(_INSTANCE_OF, "wikibase-item", _entity(concepts()[thing.kind]))
    return _statement(thing, snak, "normal", {}, 0)


def _statements(thing: Thing, fact: Fact, seed: int) -> Iterator[Item]:
    """The statements of a fact: what holds comes before what held, and mistakes are marked as such."""
    prop = fact.property
    for number, spell in enumerate(fact.spells):
        is_current = prop.changes and spell.end is None
        snak = _value_snak(prop.id, datatype(prop.value), spell.value)
        yield _statement(thing, snak, "preferred" if is_current else "normal", _qualifiers(fact, spell, number), number)
    rng = generator(seed, "mistake", thing.key, prop.name)
    if prop.value == "birth" and rng.random() < _MISTAKES:
        wrong = Value(text="", day=random_day(rng, date(1890, 1, 1), date(1979, 12, 31)))
        yield _statement(thing, _value_snak(prop.id, "time", wrong), "deprecated", {}, len(fact.spells))


def _qualifiers(fact: Fact, spell: Spell, number: int) -> dict[str, list[Item]]:
    found: dict[str, list[Item]] = {}
    if spell.place is not None:
        found[_VALID_IN] = [_qualifier(_VALID_IN, "wikibase-item", _entity(spell.place))]
    if not fact.property.changes:
        return found
    for name, day, after in ((_START, spell.start, 0), (_END, spell.end, 1)):
        if day is not None:
            is_day = fact.is_full and number + after >= len(fact.spells) - 2
            found[name] = [_qualifier(name, "time", _time(day, "day" if is_day else "year"))]
    return found


def _statement(thing: Thing, snak: Item, rank: str, qualifiers: dict[str, list[Item]], number: int) -> Item:
    key = hashlib.md5(f"{thing.key}/{snak['property']}/{number}".encode(), usedforsecurity=False).hexdigest().upper()
    statement: Item = {"mainsnak": snak, "type": "statement"}
    if qualifiers:
        statement |= {"qualifiers": qualifiers, "qualifiers-order": [*qualifiers]}
    identifier = f"{thing.qid}${key[:8]}-{key[8:12]}-{key[12:16]}-{key[16:20]}-{key[20:]}"
    return statement | {"id": identifier, "rank": rank}


def _value_snak(name: str, kind: str, value: Value) -> Item:
    if value.thing is not None:
        return _snak(name, kind, _entity(value.thing))
    if value.amount is not None:
        return _snak(name, kind, {"value": {"amount": f"+{value.amount}", "unit": "1"}, "type": "quantity"})
    if value.day is not None:
        return _snak(name, kind, _time(value.day, value.precision))
    return _snak(name, kind, {"value": value.text, "type": "string"})


def _entity(thing: Thing) -> Item:
    value = {"entity-type": "item", "numeric-id": thing.number, "id": thing.qid}
    return {"value": value, "type": "wikibase-entityid"}


def _time(day: date, precision: Precision) -> Item:
    month, of_month = (day.month if precision != "year" else 0), (day.day if precision == "day" else 0)
    value = {
        "time": f"+{day.year:04d}-{month:02d}-{of_month:02d}T00:00:00Z", "timezone": 0, "before": 0, "after": 0,
        "precision": _PRECISION[precision], "calendarmodel": _CALENDAR,
    }  # fmt: skip
    return {"value": value, "type": "time"}


def _qualifier(name: str, kind: str, datavalue: Item) -> Item:
    """A snak with its hash, which readers of dumps expect of qualifiers."""
    key = hashlib.sha1(f"{name}{datavalue}".encode(), usedforsecurity=False).hexdigest()
    return {"hash": key} | _snak(name, kind, datavalue)


def _snak(name: str, kind: str, datavalue: Item) -> Item:
    return {"snaktype": "value", "property": name, "datavalue": datavalue, "datatype": kind}
