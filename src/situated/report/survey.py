"""A first look over predictions: what must be known of all examples before one of them is scored."""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from situated.contexts.temp import Moment
from situated.errors import ConfigError, InputError
from situated.metrics import gold_forms
from situated.report.predictions import Answered, Kind, Predictions
from situated.text import Normalize, normalize_situatedqa

log = logging.getLogger(__name__)

COMMON_FROM = 5
"""Examples that a location needs in a file to be common there (SituatedQA, Table 5)."""


class Owners:
    """Whose answer it is: (question, normal form of an answer) -> contexts of the question that it is gold in.

    Contexts are kept as numbers and keys as hashes: those of a million examples must fit into memory.
    """

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}
        self._contexts: list[str] = []
        self._owners: dict[int, tuple[int, ...]] = {}

    def add(self, question_id: str, context: str, forms: Iterable[str]) -> None:
        """Note an example's gold answers."""
        number = self._numbers.setdefault(context, len(self._numbers))
        if number == len(self._contexts):
            self._contexts.append(context)
        for form in forms:
            key = hash((question_id, form))
            owners = self._owners.get(key, ())
            if number not in owners:
                self._owners[key] = (*owners, number)

    def of(self, question_id: str, form: str) -> Iterator[str]:
        """Yield the contexts of a question in which this is an answer."""
        for number in self._owners.get(hash((question_id, form)), ()):
            yield self._contexts[number]


@dataclass
class Survey:
    """What there is to score.

    Attributes:
        kind: What the questions are asked in.
        n: Number of examples.
        common: Normal forms of the common locations.
        owners: Which contexts' answers are which.
        counts: What a reader should hear of, by name.
    """

    kind: Kind = "open"
    n: int = 0
    common: frozenset[str] = frozenset()
    owners: Owners = field(default_factory=Owners)
    counts: Counter[str] = field(default_factory=Counter)


def survey(predictions: Predictions, normalize: Normalize, rows: Iterable[Answered] | None = None) -> Survey:
    """Read and check all predictions once.

    Args:
        predictions: Of one system.
        normalize: The normal form in which answers match.
        rows: The predictions by way of a progress bar.

    Raises:
        InputError: See ``Predictions``; also a date that is none.
    """
    found, places, seen = Survey(), Counter[str](), set[int]()
    for answered in predictions if rows is None else rows:
        example = answered.example
        forms = gold_forms(example.answers, normalize)
        found.n += 1
        if answered.kind == "temp":
            _check_date(predictions, answered)
        elif answered.kind == "geo":
            places[normalize_situatedqa(example.context_value)] += 1
        if answered.kind != "open":
            found.owners.add(example.id, example.context_value, forms)
        shown = hash((example.id, example.question, example.context_value, example.date_type, example.answers))
        for name, counts in (
            ("examples without gold answer", not example.answers),
            ("examples whose gold answers are empty in normal form", bool(example.answers) and not forms),
            ("empty predictions", not normalize(answered.prediction)),
            ("rows that repeat an earlier example", shown in seen),
        ):
            found.counts[name] += bool(counts)
        seen.add(shown)
    found.kind = predictions.kind or "open"
    found.common = frozenset(place for place, n in places.items() if n >= COMMON_FROM)
    return found


def tell(found: Survey) -> dict[str, int]:
    """Warn of what is odd about the examples; return the counts as a manifest names them."""
    for name, count in found.counts.items():
        if count:
            log.warning("%d of %d: %s", count, found.n, name)
    return {name.replace(" ", "_"): count for name, count in found.counts.items()} | {"examples": found.n}


def _check_date(predictions: Predictions, answered: Answered) -> None:
    try:
        Moment.parse(answered.example.context_value)
    except ConfigError as error:
        problem, _, mend = str(error).partition(". ")
        raise InputError(predictions.source, problem, mend, line=answered.line, field="date") from error
