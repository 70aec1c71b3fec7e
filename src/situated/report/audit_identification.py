"""Counts of the questions that are labelled as depending on their context or not."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import msgspec

from situated.data.situatedqa import IdentificationRow, read_identification
from situated.io import read_records

SOURCES = {
    "nq_table.open": "nq_table",
    "nq_passage.open": "nq_passage",
    "webq": "webquestions",
    "tydi": "tydi_qa_en",
    "marco": "ms_marco",
}
"""``source_dataset`` of the released files -> the source as the paper's tables are keyed."""


class Balance(msgspec.Struct, frozen=True, kw_only=True):
    """Questions, and how many of them depend on their context."""

    questions: int
    dependent: int
    percent: float


class Labelled(Balance, frozen=True, kw_only=True):
    """One file of ``id_data``.

    Attributes:
        sources: Data set that the questions come from -> its questions; temporal files alone say it.
        repeated_questions: Questions whose words another row of the file has already.
    """

    sources: dict[str, Balance]
    repeated_questions: int


def audit_identification(path: Path, context: str) -> Labelled:
    """Count the questions of one file.

    Raises:
        InputError: See ``read_identification``.
    """
    examples = list(read_identification(path))
    by_source: dict[str, list[bool]] = {}
    for _, row in read_records(path, IdentificationRow):
        if row.source_dataset is not None:
            source = SOURCES.get(row.source_dataset, row.source_dataset)
            by_source.setdefault(source, []).append(row.is_dependent == "yes")
    words = Counter(example.question for example in examples)
    overall = balance([bool(example.is_dependent) for example in examples])
    return Labelled(
        questions=overall.questions,
        dependent=overall.dependent,
        percent=overall.percent,
        sources={source: balance(labels) for source, labels in sorted(by_source.items())},
        repeated_questions=len(examples) - len(words),
    )


def balance(labels: Sequence[bool]) -> Balance:
    """Count labels; the percentage has two decimals.

    >>> balance([True, False, False])
    Balance(questions=3, dependent=1, percent=33.33)
    """
    dependent = sum(labels)
    return Balance(questions=len(labels), dependent=dependent, percent=percent(dependent, len(labels)))


def percent(part: int | float, whole: int | float) -> float:
    """A share in percent, two decimals; 0 of nothing.

    >>> percent(2, 3), percent(0, 0)
    (66.67, 0.0)
    """
    return round(100 * part / whole, 2) if whole else 0.0
