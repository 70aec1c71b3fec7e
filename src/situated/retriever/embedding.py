"""Passages -> vectors of one shard, chunk by chunk, so that a killed run goes on where it was."""

from __future__ import annotations

import logging
import shutil
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import numpy.typing as npt
from rich.progress import track

from situated.corpus.store import PassageStore
from situated.errors import ConfigError, SituatedError
from situated.io import atomic_write, sha256, write_json
from situated.retriever.vectors import ACCOUNT, ARRAY, Shard

if TYPE_CHECKING:
    from situated.encoders.biencoder import LoadedBiEncoder

log = logging.getLogger(__name__)


class StoppedError(Exception):
    """A signal asked the embedding to stop; the chunks that are whole are kept."""


def shard_rows(total: int, shard: int, n_shards: int) -> tuple[int, int]:
    """First row and one past the last of a shard; sizes differ by one at most.

    >>> [shard_rows(10, shard, 3) for shard in range(3)]
    [(0, 3), (3, 6), (6, 10)]

    Raises:
        ConfigError: There is no such shard, or it would be empty.
    """
    if not 0 <= shard < n_shards:
        raise ConfigError(f"shard: {shard} is none of n_shards={n_shards}; take 0 to {n_shards - 1}.")
    if n_shards > total:
        raise ConfigError(f"n_shards: {n_shards} shards for {total} passages; take {total} at most.")
    return total * shard // n_shards, total * (shard + 1) // n_shards


@dataclass(frozen=True)
class Embedding:
    """How passages become vectors.

    Attributes:
        store: The passages.
        encoders: Of which the passages' is used.
        dtype: Of the stored numbers.
        chunk: Passages sorted by length together, and written at once.
        batch_tokens: Tokens of a batch, padding included.
    """

    store: PassageStore
    encoders: LoadedBiEncoder
    dtype: Literal["float16", "float32"] = "float16"
    chunk: int = 4_096
    batch_tokens: int = 8_192

    def __call__(
        self, folder: Path, work: Path, rows: tuple[int, int], stop: Callable[[], object] = lambda: None
    ) -> Shard:
        """Write the vectors of ``rows`` into ``folder``; chunks lie in ``work`` until all are there.

        Batches depend on the chunk alone, so that the file does not depend on where a run stopped.

        Raises:
            StoppedError: ``stop`` said so.
            SituatedError: The encoder makes NaN or infinity.
        """
        work.mkdir(parents=True, exist_ok=True)
        starts = range(*rows, self.chunk)
        files = [work / f"{start:012}.npy" for start in starts]
        missing = [start for start, file in zip(starts, files, strict=True) if not file.exists()]
        for start, ids in track(self._tokenised(missing, rows[1]), "embedding", len(missing), transient=True):
            if stop():
                raise StoppedError
            vectors = self.encoders.passage.encode_ids(ids, self.batch_tokens).astype(self.dtype)
            self._refuse_broken(vectors, start)
            with atomic_write(work / f"{start:012}.npy") as file:
                np.save(file, vectors, allow_pickle=False)
        self._join(folder / ARRAY, files, rows)
        shard = Shard(
            passages=self.store.fingerprint, encoder=self.encoders.fingerprint, dim=self.encoders.passage.dim,
            dtype=self.dtype, start=rows[0], stop=rows[1], total=len(self.store), sha256=sha256(folder / ARRAY),
        )  # fmt: skip
        write_json(folder / ACCOUNT, shard)
        shutil.rmtree(work)
        return shard

    def tokens(self, start: int, stop: int) -> list[list[int]]:
        """Token ids of the passages from ``start`` to ``stop``."""
        ids: list[list[int]] = []
        for batch in self.store.batches(start=start, stop=stop):
            titles, texts = (batch.column(batch.schema.get_field_index(name)) for name in ("title", "text"))
            ids += self.encoders.passage.tokenize(self.encoders.passage_texts(titles.to_pylist(), texts.to_pylist()))
        return ids

    def _tokenised(self, starts: list[int], end: int) -> Iterator[tuple[int, list[list[int]]]]:
        """Yield (start, token ids) of chunks; the next one is tokenised while the model works on this one."""
        with ThreadPoolExecutor(1) as ahead:
            jobs = [(start, min(start + self.chunk, end)) for start in starts]
            coming = ahead.submit(self.tokens, *jobs[0]) if jobs else None
            for number, (start, _) in enumerate(jobs):
                assert coming is not None
                ids = coming.result()
                if number + 1 < len(jobs):
                    coming = ahead.submit(self.tokens, *jobs[number + 1])
                yield start, ids

    def _refuse_broken(self, vectors: npt.NDArray[Any], start: int) -> None:
        broken = np.flatnonzero(~np.isfinite(vectors).all(1))
        if len(broken):
            passage = self.store[start + int(broken[0])]
            raise SituatedError(
                f"retriever.biencoder: passage {passage.id} ({passage.title!r}) becomes NaN or infinity in {self.dtype}. "
                "Take dtype=float32; if that fails too, the checkpoint is broken."
            )

    def _join(self, path: Path, files: list[Path], rows: tuple[int, int]) -> None:
        header = {
            "descr": np.lib.format.dtype_to_descr(np.dtype(self.dtype)),
            "fortran_order": False,
            "shape": (rows[1] - rows[0], self.encoders.passage.dim),
        }
        with atomic_write(path) as joined:
            np.lib.format.write_array_header_1_0(joined, header)
            for file in files:
                joined.write(np.load(file, mmap_mode="r", allow_pickle=False).tobytes())
