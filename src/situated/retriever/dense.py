"""Vectors of a small collection, searched exactly: every score is computed."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from situated.corpus.store import PassageStore
from situated.encoders.biencoder import BiEncoder
from situated.errors import InputError
from situated.retriever.protocol import Ranking
from situated.retriever.vectors import ACCOUNT, VectorStore

if TYPE_CHECKING:
    from situated.encoders.biencoder import LoadedBiEncoder

log = logging.getLogger(__name__)

BLOCK = 65_536
"""Passages whose scores are computed at once."""


@dataclass(frozen=True)
class Dense:
    """Search by the dot product of vectors.

    Attributes:
        name: What runs and tables call it.
        biencoder: What makes the vectors.
    """

    name: str
    biencoder: BiEncoder

    def files(self) -> dict[str, Path]:
        """Weights on this machine."""
        return self.biencoder.files()

    def open(self, store: PassageStore, folder: Path) -> ExactSearcher:
        """Open the vectors in a folder (of ``retriever/embed.py``, one or all shards); embed there if none are.

        Raises:
            InputError: They are of another encoder or collection.
        """
        import torch

        from situated.retriever.embedding import Embedding

        loaded = self.biencoder.load("cuda" if torch.cuda.is_available() else "cpu")
        if not (folder / ACCOUNT).is_file() and not any(folder.glob(f"*/{ACCOUNT}")):
            size = len(store) * loaded.passage.dim * 2 / 1e6
            log.info("No vectors in %s: %d passages are embedded now (%.0f MB)", folder, len(store), size)
            folder.mkdir(parents=True, exist_ok=True)
            work = folder / "parts" / f"{loaded.fingerprint[:16]}-{store.fingerprint[:16]}"
            Embedding(store, loaded)(folder, work, (0, len(store)))
        vectors = VectorStore(folder)
        store.check(vectors.passages, folder)
        if vectors.encoder != loaded.fingerprint:
            problem = f"holds vectors of another encoder ({vectors.encoder[:12]}, not {loaded.fingerprint[:12]})"
            raise InputError(folder, problem, "Name the folder of this retriever's vectors, or move it away.")
        return ExactSearcher(loaded, vectors)


@dataclass(frozen=True, eq=False)
class ExactSearcher:
    """Questions against all vectors, block by block."""

    encoders: LoadedBiEncoder
    vectors: VectorStore

    def search(self, queries: Sequence[str], k: int) -> list[Ranking]:
        """The k best passages of each query; equal scores by row."""
        import torch

        questions = torch.from_numpy(self.encoders.question.encode(queries))
        device = next(self.encoders.question.parameters()).device
        questions = questions.to(device)
        rows = np.empty((len(queries), 0), dtype=np.int64)
        scores = np.empty((len(queries), 0), dtype=np.float32)
        for start, block in self.vectors.blocks(BLOCK):
            passages = torch.from_numpy(np.array(block)).to(device).float()
            found = torch.topk(questions @ passages.T, min(k, len(block)))
            rows = np.hstack([rows, found.indices.cpu().numpy() + start])
            scores = np.hstack([scores, found.values.cpu().numpy()])
            best = np.lexsort((rows, -scores), axis=-1)[:, :k]
            rows, scores = np.take_along_axis(rows, best, 1), np.take_along_axis(scores, best, 1)
        return [Ranking(*one) for one in zip(rows, scores, strict=True)]
