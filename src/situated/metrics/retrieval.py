"""Measures of ranked passages."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt

from situated.metrics.clusters import bootstrap_mean
from situated.metrics.estimate import Estimate

CUTOFFS = (1, 5, 20, 50, 100)
"""Ranks within which an answer is looked for."""


def first_rank(flags: Sequence[bool]) -> float:
    """Rank from 1 of the first relevant passage; infinity where there is none.

    >>> first_rank([False, True, True]), first_rank([])
    (2.0, inf)
    """
    return next((float(rank) for rank, relevant in enumerate(flags, start=1) if relevant), float("inf"))


def answer_recall(
    ranks: npt.NDArray[np.float64], questions: Sequence[str], depth: int, draws: int, seed: int
) -> Mapping[str, Estimate]:
    """``recall@k``: share of the examples with an answer among their first k passages.

    A k beyond the depth of the retrieval is left out: what lies there was not looked at.

    Source: DPR (Karpukhin et al. 2020), top-k accuracy; intervals resample questions with all their examples.

    >>> found = answer_recall(np.array([1.0, 3.0, np.inf]), ["a", "b", "c"], depth=5, draws=10, seed=0)
    >>> [(name, round(estimate.value, 2), estimate.n) for name, estimate in found.items()]
    [('recall@1', 0.33, 3), ('recall@5', 0.67, 3)]

    Args:
        ranks: ``first_rank`` of each example, (n_examples,).
        questions: The question of each example.
        depth: Passages that were asked for.
        draws: Number of resamples.
        seed: Of the resampling.
    """
    _, clusters = np.unique(np.asarray(questions), return_inverse=True)
    return {
        f"recall@{k}": bootstrap_mean((ranks <= k).astype(np.float64), clusters, draws, seed)
        for k in CUTOFFS
        if k <= depth
    }
