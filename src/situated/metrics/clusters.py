"""Means of scores whose examples come in clusters: several contexts of one question go right and wrong together."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from situated.metrics.estimate import Estimate, check_draws

Floats = npt.NDArray[np.float64]
Integers = npt.NDArray[np.integer]

_BLOCK = 2_000_000  # numbers held in memory at once
_DECIMALS = 9  # of sums: how rounding errors add up depends on the order of the examples


def bootstrap_mean(values: Floats, clusters: Integers, draws: int = 10_000, seed: int = 0) -> Estimate:
    """Mean with a 95% percentile interval over resampled clusters.

    >>> bootstrap_mean(np.array([1.0, 1.0, 0.0, 0.0]), np.array([7, 7, 5, 5]), draws=1_000)
    Estimate(value=0.5, n=4, ci95=(0.0, 1.0))

    Args: see ``resampled_means``.
    """
    low, high = np.quantile(resampled_means(values, clusters, draws, seed), [0.025, 0.975])
    return Estimate(float(values.mean()), len(values), (float(low), float(high)))


def resampled_means(values: Floats, clusters: Integers, draws: int, seed: int) -> Floats:
    """(draws,) means over the examples of as many clusters as there are, drawn with replacement.

    Clusters of one size and sum are alike to the mean, so that a resample is a multinomial draw over those patterns,
    exactly; neither the order of the examples nor that of the clusters matters.

    Source: cluster bootstrap (Field & Welsh 2007) of a ratio estimator: sum of the values over number of the examples.

    >>> resampled_means(np.array([0.2, 0.4]), np.array([0, 0]), draws=2, seed=0).round(6).tolist()
    [0.3, 0.3]

    Args:
        values: Score of each example, (n_examples,).
        clusters: Number of each example's cluster, not negative, (n_examples,).
        draws: Number of resamples.
        seed: Of the resampling.

    Raises:
        ConfigError: ``draws`` is not positive.
        ValueError: Values and clusters are not of one length, or there are none.
    """
    check_draws(draws)
    if len(values) != len(clusters) or not len(values):
        raise ValueError(f"{len(values)} values of {len(clusters)} examples: as many are needed, and at least one")
    counts = np.bincount(clusters)
    sums = np.bincount(clusters, weights=values).round(_DECIMALS)
    filled = counts > 0
    # Pairs as complex numbers sort, and are made unique, much faster than rows of a matrix.
    patterns, sizes = np.unique(sums[filled] + 1j * counts[filled], return_counts=True)
    return np.concatenate([*_drawn(patterns.real, patterns.imag, sizes, draws, np.random.default_rng(seed))])


def _drawn(
    sums: Floats, counts: Floats, sizes: npt.NDArray[np.int64], draws: int, generator: np.random.Generator
) -> Iterator[Floats]:
    n_clusters = int(sizes.sum())
    block = max(1, _BLOCK // len(sizes))
    for start in range(0, draws, block):
        drawn = generator.multinomial(n_clusters, sizes / n_clusters, size=min(block, draws - start))
        weights = drawn.astype(np.float64)
        yield (weights @ sums) / (weights @ counts)
