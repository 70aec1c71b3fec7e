"""What can be reached on the world, and whether it is what it says: counted while it is written.

A system that looks at no context gives one answer to a question wherever and whenever it is asked. The ceiling of a
partition is the share of its rows that the best such system gets right.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any

from situated.contexts.temp import Moment
from situated.schema import Example
from situated.text import normalize_squad
from situated.world.days import Precision, Style, written
from situated.world.kinds import COUNTRIES
from situated.world.things import Fact

Item = Mapping[str, Any]

_START, _VALID_IN = "P580", "P3005"
_YEAR = re.compile(r"\b(?:19|20)[0-9]{2}\b")
_PRECISIONS: Mapping[int, Precision] = {9: "year", 10: "month", 11: "day"}
_STYLES: tuple[Style, ...] = ("dmy", "mdy")
_KINDS = {"orig": "static", "sampled_year": "sampled", "sampled_date": "sampled", "start": "start"}


@dataclass
class Partition:
    """Counts of the rows of one partition.

    Attributes:
        rows: All.
        blind: Rows that the best system without context gets right.
        oracle: Rows that somebody gets right who looks the answer up on Wikidata.
        shuffled: Rows that another question's answers get right.
        current: Rows of what depends on time whose answer is the current one.
    """

    rows: int = 0
    blind: int = 0
    oracle: int = 0
    shuffled: int = 0
    current: int = 0


@dataclass
class Checks:
    """Counts the rows as they are written, question by question.

    Attributes:
        partitions: Split and partition ("temp/start", "geo/total", ...) -> counts.
        fewest_contexts: The fewest rows of a question whose answer depends on its context.
    """

    partitions: dict[tuple[str, str], Partition] = field(default_factory=lambda: defaultdict(Partition))
    fewest_contexts: int | None = None
    _before: dict[str, Sequence[str]] = field(default_factory=dict)

    def __iter__(self) -> Iterator[tuple[tuple[str, str], Partition]]:
        """Split and partition, and its counts."""
        return iter(sorted(self.partitions.items()))

    def add(self, split: str, fact: Fact, examples: Sequence[Example], items: Mapping[str, Item]) -> None:
        """Count the rows of one question.

        Args:
            split: Of the question.
            fact: What it asks for.
            examples: Its rows.
            items: The block's items on Wikidata, by number.
        """
        if not examples:
            return
        if examples[0].is_dependent:
            self.fewest_contexts = min(len(examples), self.fewest_contexts or len(examples))
        context = examples[0].context_type
        parts: defaultdict[str, list[Example]] = defaultdict(list)
        for example in examples:
            parts[_partition(example)].append(example)
        found = look_up(fact, examples, items)
        current, changes = fact.spells[-1].value.answers, bool(examples[0].is_dependent) and context == "temp"
        for name, rows in (*parts.items(), ("total", examples)):
            counts = self.partitions[split, f"{context}/{name}"]
            counts.rows += len(rows)
            counts.blind += _best_blind(rows)
            counts.oracle += sum(_is_right(found[id(row)], row) for row in rows)
            counts.shuffled += sum(_is_right(self._before.get(context, ("",))[:1], row) for row in rows)
            counts.current += sum(changes and _is_right(current, row) for row in rows)
        self._before[context] = examples[-1].answers


def _partition(example: Example) -> str:
    if example.context_type == "geo":
        return "common" if example.context_value in COUNTRIES else "rare"
    return _KINDS[example.date_type]


def look_up(fact: Fact, examples: Sequence[Example], items: Mapping[str, Item]) -> dict[int, Sequence[str]]:
    """What somebody answers who reads Wikidata: identity of the example -> labels of the values found.

    Statements are chosen by their qualifiers alone, deprecated ones left out.
    """
    claims = items[fact.subject.qid]["claims"][fact.property.id]
    statements = [one for one in claims if one["rank"] != "deprecated"]
    found: dict[int, Sequence[str]] = {}
    for example in examples:
        chosen = _chosen(statements, example, items)
        found[id(example)] = [label for one in chosen for label in labels(one["mainsnak"]["datavalue"], items)]
    return found


def _chosen(statements: Sequence[Item], example: Example, items: Mapping[str, Item]) -> Sequence[Item]:
    if example.context_type == "geo":
        return [one for one in statements if example.context_value in _places(one, items)]
    if not any(_START in one.get("qualifiers", ()) for one in statements):
        return statements
    # What does not depend on the context names its year itself.
    years = _YEAR.findall(example.question)
    moment = Moment.parse(example.context_value) if example.is_dependent else Moment.of(int(years[-1]))
    begun = [one for one in statements if _start(one) <= _last_day(moment)]
    return sorted(begun, key=_start)[-1:]


def _places(statement: Item, items: Mapping[str, Item]) -> list[str]:
    return [label for snak in statement["qualifiers"][_VALID_IN] for label in labels(snak["datavalue"], items)]


def _start(statement: Item) -> tuple[int, ...]:
    """Year, month and day, as far as they are known."""
    begun = statement["qualifiers"][_START][0]["datavalue"]["value"]["time"]
    return tuple(map(int, begun[1:11].split("-")))


def _last_day(moment: Moment) -> tuple[int, ...]:
    if moment.granularity == "year":
        return (moment.year, 12, 31)
    day = date.fromordinal(moment.number)
    return (day.year, day.month, day.day)


def labels(datavalue: Item, items: Mapping[str, Item]) -> list[str]:
    """A value in words: an item's label, a date in two forms, a number with commas, a string."""
    value = datavalue["value"]
    if datavalue["type"] == "wikibase-entityid":
        return [items[value["id"]]["labels"]["en"]["value"]]
    if datavalue["type"] == "quantity":
        return [f"{int(value['amount']):,}"]
    if datavalue["type"] == "string":
        return [value]
    year, month, day = map(int, value["time"][1:11].split("-"))
    precision = _PRECISIONS[value["precision"]]
    known = date(year, month or 1, day or 1)
    return [written(known, precision, style) for style in _STYLES]


def _best_blind(rows: Sequence[Example]) -> int:
    """How many rows the best single answer gets right."""
    counts = Counter(form for row in rows for form in {normalize_squad(answer) for answer in row.answers})
    return max(counts.values())


def _is_right(predictions: Sequence[str], row: Example) -> bool:
    forms = {normalize_squad(answer) for answer in row.answers} - {""}
    return any(normalize_squad(prediction) in forms for prediction in predictions)
