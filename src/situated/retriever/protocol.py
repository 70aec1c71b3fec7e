"""What every retriever can do; one file and one YAML add another."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import numpy as np
import numpy.typing as npt

from situated.corpus.store import PassageStore


@dataclass(frozen=True)
class Ranking:
    """Passages for one query, best first; equal scores by row.

    Attributes:
        rows: Rows of the collection, (at most k,).
        scores: Of each, (at most k,).
    """

    rows: npt.NDArray[np.int64]
    scores: npt.NDArray[np.float32]


class Searcher(Protocol):
    """An index that is open."""

    def search(self, queries: Sequence[str], k: int) -> list[Ranking]:
        """The best k passages of each query; fewer where no more of them match it."""


class Retriever(Protocol):
    """A way to search a collection.

    Attributes:
        name: What runs and tables call it.
    """

    name: str

    def files(self) -> dict[str, Path]:
        """The local weights that it needs, as inputs of a run."""

    def open(self, store: PassageStore, folder: Path) -> Searcher:
        """Open the index in a folder, or make it there.

        Raises:
            InputError: The folder holds an index of other passages or other settings.
        """


def best(scores: npt.NDArray[np.float32], k: int) -> Ranking:
    """The k highest scores above zero, equal ones by row.

    >>> best(np.array([0.5, 2.0, 0.0, 2.0], dtype=np.float32), 2).rows.tolist()
    [1, 3]
    """
    matching = int(np.count_nonzero(scores > 0))
    if k < matching:
        least = np.partition(scores, len(scores) - k)[len(scores) - k]
        rows = np.flatnonzero(scores >= least)  # more than k where several have the least
    else:
        rows = np.flatnonzero(scores > 0)
    order = rows[np.lexsort((rows, -scores[rows]))][:k]
    return Ranking(order.astype(np.int64), scores[order])
