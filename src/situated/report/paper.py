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
