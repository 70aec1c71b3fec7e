"""The figures that the two papers print."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any, Literal, TypeVar

import msgspec

from situated.errors import ConfigError

T = TypeVar("T")
DevTest = tuple[float, float]


@dataclass(frozen=True)
class IdentificationScores:
    """A row of Table 4: percent on (dev, test), of the class "yes" but for the accuracy."""

    accuracy: DevTest
    precision: DevTest
    recall: DevTest
    f1: DevTest

    def on(self, split: str) -> dict[str, float]:
        """Metric -> percent on one split."""
        at = ("dev", "test").index(split)
        return {name: getattr(self, name)[at] for name in ("accuracy", "precision", "recall", "f1")}


@dataclass(frozen=True)
class Statistics:
    """Table 2 for one context: (questions, percent context-dependent) of each split, and the size of the QA data."""

    train: tuple[int, float]
    dev: tuple[int, float]
    test: tuple[int, float]
    id_kappa: float
    qa_train: int
    qa_dev: int
    qa_test: int
    qa_kappa: float


@dataclass(frozen=True)
class SituatedScores:
    """A row of Tables 5 and 13: percent on each partition; "any" counts the answers of every annotated context."""

    static: float
    sampled: float
    start: float
    temp_total: float
    common: float
    rare: float
    geo_total: float
    temp_any: float | None = None
    geo_any: float | None = None

    def on(self, context: str) -> dict[str, float]:
        """Group -> percent in one context."""
        groups = {"temp": ("static", "sampled", "start"), "geo": ("common", "rare")}[context]
        shared = {"total": getattr(self, f"{context}_total"), "any": getattr(self, f"{context}_any")}
        return {name: getattr(self, name) for name in groups} | {k: v for k, v in shared.items() if v is not None}


@dataclass(frozen=True)
class HumanScores:
    """Percent of the authors' own answers that match, on 100 examples of each context."""

    temp_total: float
    geo_total: float


@dataclass(frozen=True)
class SituatedAnswers:
    """Table 5: family of systems -> setting -> exact match; ``counts`` are the examples of each partition."""

    counts: dict[str, int]
    retrieval: dict[str, SituatedScores]
    closed_book: dict[str, SituatedScores]
    human: HumanScores


@dataclass(frozen=True)
class OneOrAny:
    """A row of Table 6: percent that match an answer of (the context asked for, any annotated context)."""

    temp: tuple[float, float]
    geo: tuple[float, float]


@dataclass(frozen=True)
class AssumedLocation:
    """Table 7: group of locations -> exact match of the unmodified systems."""

    counts: dict[str, int]
    retrieval: dict[str, float]
    closed_book: dict[str, float]


@dataclass(frozen=True)
class CurrentPrevious:
    """Table 8: setting -> exact match on (current, previous, both)."""

    counts: dict[str, int]
    retrieval: dict[str, tuple[float, float, float]]
    closed_book: dict[str, tuple[float, float, float]]
    human: dict[str, float]


@dataclass(frozen=True)
class StableUpdated:
    """Table 9: setting (the state of knowledge) -> exact match on (stable, updated) answers."""

    counts: dict[str, int]
    retrieval: dict[str, tuple[float, float]]
    closed_book: dict[str, tuple[float, float]]


@dataclass(frozen=True)
class Prose:
    """Figures that stand in the text alone."""

    agreement_with_nq_percent: dict[str, float]
    geo_answers_with_time_expression_percent: float


def printed(paper: Literal["situatedqa", "whoqa"], table: str, shape: type[T]) -> T:
    """One printed table, in the shape that its user declares.

    >>> printed("situatedqa", "table4_identification", dict[str, dict[str, IdentificationScores]])["temp"]["human"].f1
    (94.1, 90.9)

    Raises:
        ConfigError: There is no such table, or it has another shape.
    """
    tables = _documents()[paper]
    if table not in tables:
        raise ConfigError(f"{table}: not a table of {paper} in paper_tables.yaml. There: {', '.join(tables)}.")
    try:
        return msgspec.convert(tables[table], shape)
    except msgspec.ValidationError as error:
        raise ConfigError(
            f"paper_tables.yaml: {paper}.{table}: {error}. Mend the entry or its declared shape."
        ) from error


@cache
def _documents() -> dict[str, dict[str, Any]]:
    source = resources.files("situated.report").joinpath("paper_tables.yaml").read_bytes()
    return msgspec.yaml.decode(source, type=dict[str, dict[str, Any]])
