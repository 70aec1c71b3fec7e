"""Tests between two systems on the same examples."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt


@dataclass(frozen=True, slots=True)
class Discordant:
    """Examples that one of two systems alone gets right.

    Attributes:
        first: Right by the first system only.
        second: Right by the second system only.
    """

    first: int
    second: int

    @classmethod
    def of(cls, first: npt.NDArray[np.bool_], second: npt.NDArray[np.bool_]) -> Discordant:
        """Count.

        >>> Discordant.of(np.array([True, True, False]), np.array([True, False, False]))
        Discordant(first=1, second=0)
        """
        return cls(int((first & ~second).sum()), int((second & ~first).sum()))

    @property
    def p(self) -> float:
        """Two-sided p of McNemar's test, exact: discordant examples fall to either side like a fair coin.

        It takes the examples for independent; where they come in clusters, it is too small.

        Source: McNemar 1947, in its exact (binomial) form.

        >>> round(Discordant(first=1, second=9).p, 6)
        0.021484
        """
        from scipy.stats import binomtest  # loads in a second: not for everyone

        total = self.first + self.second
        return float(binomtest(self.first, total).pvalue) if total else 1.0


def bootstrap_p(differences: npt.NDArray[np.float64]) -> float:
    """Two-sided p of no difference: the level at which the percentile interval begins to leave 0 out.

    At least 2 / (draws + 1), since no number of draws can show less.

    Source: Davison & Hinkley 1997, section 4.4 (counting the observed sample as one more draw).

    >>> bootstrap_p(np.array([-0.1, 0.2, 0.3]))
    1.0
    >>> bootstrap_p(np.full(99, 0.1))
    0.02

    Args:
        differences: Resampled differences, (draws,).
    """
    below, above = int((differences <= 0).sum()), int((differences >= 0).sum())
    return min(1.0, 2 * (1 + min(below, above)) / (1 + len(differences)))


def holm(p_values: Sequence[float]) -> list[float]:
    """P values adjusted for being the several tests of one family, in the order given.

    Source: Holm 1979.

    >>> holm([0.01, 0.04, 0.03])
    [0.03, 0.06, 0.06]
    """
    order = np.argsort(p_values, kind="stable")
    factors = np.arange(len(order), 0, -1)
    adjusted = np.empty(len(order))
    adjusted[order] = np.minimum(np.maximum.accumulate(np.asarray(p_values)[order] * factors), 1.0)
    return [float(p) for p in adjusted]
