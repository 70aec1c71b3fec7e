"""What every classifier answers, and what is measured of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from situated.errors import SituatedError
from situated.metrics import bootstrap_binary_runs
from situated.schema import Decision, Example


@dataclass(frozen=True)
class Decisions:
    """Answers for n examples.

    Attributes:
        scores: Probability of "yes", (n,).
        yes: Decisions, (draws, n): one row for a deterministic classifier, many for a random one.
    """

    scores: NDArray[np.float64]
    yes: NDArray[np.bool_]

    @classmethod
    def from_scores(cls, scores: NDArray[np.float64]) -> Decisions:
        """One row of decisions: "yes" from a probability of one half."""
        return cls(scores=scores, yes=(scores >= 0.5)[None])


class Classifier(Protocol):
    """Anything that learns from labelled questions and decides on others; one file and one YAML add one."""

    def fit(self, train: Sequence[Example], dev: Sequence[Example], folder: Path, seed: int) -> Mapping[str, Any]:
        """Learn; return facts for the manifest, such as the best epoch."""

    def decide(self, examples: Sequence[Example]) -> Decisions:
        """Decide."""


def to_predictions(split: str, examples: Sequence[Example], decisions: Decisions) -> list[Decision]:
    """Rows of ``predictions.jsonl``; of a random classifier, its first draw."""
    words = ("no", "yes")
    return [
        Decision(
            example_id=example.example_id,
            id=example.id,
            split=split,
            question=example.question,
            label=None if example.is_dependent is None else words[example.is_dependent],
            prediction=words[int(yes)],
            score=round(float(score), 6),
        )
        for example, yes, score in zip(examples, decisions.yes[0], decisions.scores, strict=True)
    ]


def labels(examples: Sequence[Example]) -> list[bool]:
    """Gold labels: whether each question is context-dependent.

    Raises:
        SituatedError: An example has none, as those of question answering; taking it for "no" would train in silence
            on labels that nobody gave.
    """
    gold = [example.is_dependent for example in examples if example.is_dependent is not None]
    if len(gold) < len(examples):
        lacking = next(example.example_id for example in examples if example.is_dependent is None)
        raise SituatedError(
            f"{len(examples) - len(gold)} of {len(examples)} questions have no label (the first: {lacking}). "
            "Choose identification data, such as data=situatedqa_id_temp."
        )
    return gold


def measure(split: str, examples: Sequence[Example], decisions: Decisions) -> dict[str, Any]:
    """Accuracy, and precision, recall and F1 of "yes", each with n and its 95% bootstrap interval."""
    estimates = bootstrap_binary_runs(np.array(labels(examples)), list(decisions.yes))
    return {f"{split}/{name}": estimate for name, estimate in estimates.items()}
