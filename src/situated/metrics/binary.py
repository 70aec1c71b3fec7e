"""Binary classification: accuracy, precision, recall, F1, with bootstrap over examples and seeds."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from situated.metrics.estimate import Estimate, check_draws

Flags = Sequence[bool] | npt.NDArray[np.bool_]
_Floats = npt.NDArray[np.float64]

BINARY_METRICS = ("accuracy", "precision", "recall", "f1")
_BLOCK = 1_000  # bootstrap draws held in memory at once


@dataclass(frozen=True, slots=True)
class BinaryCounts:
    """Confusion counts of a binary classifier; precision, recall and F1 are those of the positive class.

    A ratio with an empty denominator is 0, as with scikit-learn's ``zero_division=0``.

    >>> BinaryCounts.of([True, True, False], [True, False, False])
    BinaryCounts(tp=1, fp=0, fn=1, tn=1)
    >>> BinaryCounts(tp=8, fp=2, fn=0, tn=0).precision
    0.8
    """

    tp: int
    fp: int
    fn: int
    tn: int

    @classmethod
    def of(cls, labels: Flags, predictions: Flags) -> BinaryCounts:
        """Count; True is the positive class."""
        gold, guesses = _aligned(labels, [predictions])
        return cls(*(int(count) for count in _cells(gold, guesses).sum(axis=0)[0]))

    @property
    def accuracy(self) -> float:
        """Fraction of all examples that are right."""
        return self._score("accuracy")

    @property
    def precision(self) -> float:
        """Fraction right of those called positive."""
        return self._score("precision")

    @property
    def recall(self) -> float:
        """Fraction found of the positive ones."""
        return self._score("recall")

    @property
    def f1(self) -> float:
        """Harmonic mean of precision and recall."""
        return self._score("f1")

    def _score(self, metric: str) -> float:
        cells = np.array([self.tp, self.fp, self.fn, self.tn], dtype=np.float64)
        return float(_scores(cells)[BINARY_METRICS.index(metric)])


def bootstrap_binary(labels: Flags, predictions: Flags, draws: int = 10_000, seed: int = 0) -> dict[str, Estimate]:
    """Accuracy, precision, recall and F1 of one run, with percentile bootstrap intervals over the examples.

    See ``bootstrap_binary_runs``, of which this is the case of one run.

    >>> bootstrap_binary([True] * 8 + [False] * 2, [True] * 10)["recall"]
    Estimate(value=1.0, n=10, ci95=(1.0, 1.0))
    """
    return bootstrap_binary_runs(labels, [predictions], draws, seed)


def bootstrap_binary_runs(
    labels: Flags, runs: Sequence[Flags], draws: int = 10_000, seed: int = 0
) -> dict[str, Estimate]:
    """Mean scores of several runs (training seeds) over the same examples, with percentile bootstrap intervals.

    Every draw resamples the runs and, for all of them alike, the examples; the order of the examples does not matter.
    With few runs the interval covers little of the variance between seeds: a resample of S runs shows (S - 1) / S of
    it, none for S = 1.

    Source: Efron & Tibshirani 1993, chapter 13 (percentile interval); the Multi-Bootstrap of Sellam et al. 2022,
    "The MultiBERTs" (seeds and examples resampled together).

    Args:
        labels: Whether each example is positive, (n_examples,).
        runs: One (n_examples,) prediction for each run.
        draws: Number of bootstrap resamples.
        seed: Of the resampling.

    Raises:
        ConfigError: ``draws`` is not positive.
        ValueError: Labels and predictions are not booleans of one length, or there are none.
    """
    check_draws(draws)
    gold, guesses = _aligned(labels, runs)
    # Examples with the same label and the same predictions are alike to every score, so that a resample of examples
    # is a multinomial draw over those patterns (four for one run): no draw touches single examples.
    patterns, sizes = np.unique(np.vstack([gold, guesses]), axis=1, return_counts=True)
    cells = _cells(patterns[0], patterns[1:])
    observed = _scores(np.tensordot(sizes, cells, axes=1)).mean(axis=0)
    resampled = np.concatenate(list(_resampled_scores(cells, sizes, draws, np.random.default_rng(seed))))
    low, high = np.quantile(resampled, [0.025, 0.975], axis=0)
    return {
        metric: Estimate(float(observed[i]), len(gold), (float(low[i]), float(high[i])))
        for i, metric in enumerate(BINARY_METRICS)
    }


def _resampled_scores(
    cells: _Floats, sizes: npt.NDArray[np.int64], draws: int, generator: np.random.Generator
) -> Iterator[_Floats]:
    """Yield blocks of (draws, n_metrics): mean scores over resampled runs on resampled examples."""
    n_examples, n_runs = int(sizes.sum()), cells.shape[1]
    for start in range(0, draws, _BLOCK):
        block = min(_BLOCK, draws - start)
        examples = generator.multinomial(n_examples, sizes / n_examples, size=block)
        runs = generator.multinomial(n_runs, np.full(n_runs, 1 / n_runs), size=block)
        scores = _scores(np.tensordot(examples.astype(np.float64), cells, axes=1))
        yield np.einsum("brm,br->bm", scores, runs / n_runs)


def _scores(cells: _Floats) -> _Floats:
    """(..., 4) counts of tp, fp, fn, tn -> (..., 4) scores in the order of ``BINARY_METRICS``."""
    tp, fp, fn, tn = np.moveaxis(cells, -1, 0)
    return np.stack(
        [
            _ratio(tp + tn, tp + fp + fn + tn),
            _ratio(tp, tp + fp),
            _ratio(tp, tp + fn),
            _ratio(2 * tp, 2 * tp + fp + fn),
        ],
        axis=-1,
    )


def _ratio(numerator: _Floats, denominator: _Floats) -> _Floats:
    return np.divide(numerator, denominator, out=np.zeros_like(numerator), where=denominator > 0)


def _cells(gold: npt.NDArray[np.bool_], guesses: npt.NDArray[np.bool_]) -> _Floats:
    """(n,) labels and (n_runs, n) predictions -> (n, n_runs, 4) indicators of tp, fp, fn, tn."""
    positive, called = gold[:, np.newaxis], guesses.T
    cells = [positive & called, ~positive & called, positive & ~called, ~positive & ~called]
    return np.stack(cells, axis=-1).astype(np.float64)


def _aligned(labels: Flags, runs: Sequence[Flags]) -> tuple[npt.NDArray[np.bool_], npt.NDArray[np.bool_]]:
    """(n,) labels and (n_runs, n) predictions of the same examples."""
    arrays: list[npt.NDArray[Any]] = [np.asarray(flags) for flags in (labels, *runs)]
    gold, *guesses = arrays
    if not guesses or any(flags.dtype != np.bool_ or flags.ndim != 1 for flags in arrays):
        raise ValueError("labels and predictions are one-dimensional booleans: pass label == 'yes', not the words")
    if len({len(flags) for flags in arrays}) != 1:
        lengths = ", ".join(str(len(flags)) for flags in guesses)
        raise ValueError(f"{len(gold)} labels but {lengths} predictions: they must be of the same examples")
    if len(gold) == 0:
        raise ValueError("no examples: a score of nothing is not defined")
    return gold, np.stack(guesses)
