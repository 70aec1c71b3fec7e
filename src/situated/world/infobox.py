"""The parts of articles that are no sentences: infoboxes, and tables of who held what."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date

from situated.world.days import written
from situated.world.phrases import Voice
from situated.world.things import Fact, Spell, Thing, Value


def infobox(thing: Thing, facts: Sequence[Fact], day: date, voice: Voice) -> str:
    """The infobox of an article on a day, with templates in it."""
    rows = [f"| name = {thing.name}", *_rows(facts, day, voice)]
    if thing.form.group in ("place", "landmark"):
        rows.append(f"| coordinates = {{{{coord|{thing.number % 60}|{thing.page % 60}|N|display=inline,title}}}}")
    return f"{{{{{thing.form.infobox}\n" + "\n".join(rows) + "\n}}"


def _rows(facts: Sequence[Fact], day: date, voice: Voice) -> Iterator[str]:
    for fact in facts:
        held = [spell for _, spell in fact.begun(day) if spell.holds(day)]
        if fact.property.infobox and held and not fact.property.by_place:
            yield f"| {fact.property.infobox} = {_value(held[-1].value, fact.property.infobox, voice)}"


def _value(value: Value, parameter: str, voice: Voice) -> str:
    if value.thing is not None:
        return voice.link(value.thing).wiki
    if value.amount is not None:
        if parameter == "length":
            return f"{{{{nowrap|{{{{convert|{value.amount}|m|ft|0|abbr=on}}}}}}}}"
        return f"{{{{formatnum:{value.amount}}}}}"
    if value.day is not None and value.precision == "day":
        template = {"birth_date": "birth date", "death_date": "death date"}.get(parameter, "start date")
        return f"{{{{{template}|{value.day.year}|{value.day.month}|{value.day.day}|df=y}}}}"
    return value.text


def table(fact: Fact, day: date, voice: Voice) -> str:
    """A table of the values that a property has had until a day."""
    lines = ['{| class="wikitable sortable"', f"|+ {fact.property.section}", "! Name !! From !! To"]
    for _, spell in fact.begun(day):
        value = voice.link(spell.value.thing).wiki if spell.value.thing is not None else spell.value.text
        lines += ["|-", f"| {value} || {_year(spell.start)} || {_end(spell, day)}"]
    return "\n".join([*lines, "|}"])


def _year(day: date | None) -> str:
    return written(day, "year", "dmy") if day is not None else ""


def _end(spell: Spell, day: date) -> str:
    return "''present''" if spell.holds(day) else _year(spell.end)
