"""Vectors of a small collection, searched exactly: every score is computed."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from situated.corpus.store import PassageStore
from situated.encoders.biencoder import BiEncoder, account_of
from situated.errors import InputError
from situated.retriever.protocol import Ranking
from situated.retriever.vectors import ACCOUNT, VectorStore

if TYPE_CHECKING:
    import torch

    from situated.encoders.biencoder import LoadedBiEncoder

log = logging.getLogger(__name__)

ALONE = 100_000
"""Passages that a search embeds by itself where there are no vectors."""

BLOCK = 65_536
"""Passages whose scores are computed at once."""


@dataclass(frozen=True)
class Dense:
    """Search by the dot product of vectors.

    Attributes:
        name: What runs and tables call it.
        biencoder: What makes the vectors.
        ckpt: A folder that a trained bi-encoder was saved in; its weights and settings stand in for ``biencoder``.
    """

    name: str
    biencoder: BiEncoder
    ckpt: str | None = None

    @property
    def encoders(self) -> BiEncoder:
        """The trained encoders where there are some, else the retriever's own.

        Raises:
            InputError: ``ckpt`` holds none.
        """
        return self.biencoder if self.ckpt is None else BiEncoder.from_folder(Path(self.ckpt))

    def files(self) -> dict[str, Path]:
        """Weights and settings on this machine."""
        settings = {} if self.ckpt is None else {"biencoder": account_of(Path(self.ckpt))}
        return self.encoders.files() | settings

    def open(self, store: PassageStore, folder: Path) -> ExactSearcher:
        """Open the vectors in a folder (of ``retriever/embed.py``, one or all shards); embed there if none are.

        Raises:
            InputError: They are of another encoder or collection.
        """
        import torch

        from situated.retriever.embedding import Embedding

        loaded = self.encoders.load("cuda" if torch.cuda.is_available() else "cpu")
        if not (folder / ACCOUNT).is_file() and not any(folder.glob(f"*/{ACCOUNT}")):
            if len(store) > ALONE:
                problem = (
                    f"no vectors, and {len(store):,} passages are more than the {ALONE:,} that a search embeds itself"
                )
                raise InputError(folder, problem, "Make them with retriever/embed.py, as one or several shards.")
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
            found = _block_best(questions @ passages.T, k)
            rows = np.hstack([rows, found.indices.cpu().numpy() + start])
            scores = np.hstack([scores, found.values.cpu().numpy()])
            best = np.lexsort((rows, -scores), axis=-1)[:, :k]
            rows, scores = np.take_along_axis(rows, best, 1), np.take_along_axis(scores, best, 1)
        return [Ranking(*one) for one in zip(rows, scores, strict=True)]


def _block_best(scores: torch.Tensor, k: int) -> torch.return_types.topk:
    """The k best columns of each row and all that equal the last of them, so that ties are broken by row later."""
    import torch

    found = torch.topk(scores, min(k, scores.shape[1]))
    tied = int((scores >= found.values[:, -1:]).sum(1).max())
    return found if tied == found.values.shape[1] else torch.topk(scores, tied)
