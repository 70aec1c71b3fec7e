"""The vectors of a passage collection: shards that are mapped into memory, checked against each other."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal

import msgspec
import numpy as np
import numpy.typing as npt

from situated.errors import InputError
from situated.io import read_json, sha256

ACCOUNT = "vectors.json"
ARRAY = "vectors.npy"
_AGAIN = "Make the shard again with retriever/embed.py force=true."


class Shard(msgspec.Struct, frozen=True):
    """What one file of vectors is.

    Attributes:
        passages: Fingerprint of the collection.
        encoder: Fingerprint of the bi-encoder.
        dim: Numbers of a vector.
        dtype: Of a number.
        start: First row of the collection.
        stop: One past the last.
        total: Rows of the collection.
        sha256: Content hash of the array's file.
    """

    passages: str
    encoder: str
    dim: int
    dtype: Literal["float16", "float32"]
    start: int
    stop: int
    total: int
    sha256: str


class VectorStore:
    """All vectors of a collection, by row.

    Args:
        folder: A folder with one shard, or the folder above several.

    Raises:
        InputError: A shard is missing, cut off, or of another encoder or collection than the others.
    """

    def __init__(self, folder: Path):
        self.folder = folder
        found = [folder / ACCOUNT] if (folder / ACCOUNT).is_file() else sorted(folder.glob(f"*/{ACCOUNT}"))
        if not found:
            raise InputError(folder, f"no vectors (no {ACCOUNT})", "Make them with retriever/embed.py.")
        shards = sorted(((_read(path), path.parent) for path in found), key=lambda one: (one[0].start, one[0].stop))
        self.shards = [shard for shard, _ in shards]
        self.folders = [place for _, place in shards]
        self._check()
        self._arrays = [_open(shard, place) for shard, place in shards]

    @property
    def passages(self) -> str:
        """Fingerprint of the collection."""
        return self.shards[0].passages

    @property
    def encoder(self) -> str:
        """Fingerprint of the bi-encoder."""
        return self.shards[0].encoder

    @property
    def dim(self) -> int:
        """Numbers of a vector."""
        return self.shards[0].dim

    def __len__(self) -> int:
        return self.shards[0].total

    def blocks(self, rows: int = 65_536) -> Iterator[tuple[int, npt.NDArray[Any]]]:
        """Yield (first row, vectors) in order, at most ``rows`` at once, not copied: (rows, dim), as stored."""
        for shard, array in zip(self.shards, self._arrays, strict=True):
            for start in range(0, len(array), rows):
                yield shard.start + start, array[start : start + rows]

    def verify(self) -> None:
        """Read everything once.

        Raises:
            InputError: A file's content is not what was written, or a number is no finite one.
        """
        for shard, folder in zip(self.shards, self.folders, strict=True):
            if sha256(folder / ARRAY) != shard.sha256:
                raise InputError(folder / ARRAY, "its content has changed since it was written", _AGAIN)
        for start, block in self.blocks():
            if not np.isfinite(block).all():
                row = start + int(np.flatnonzero(~np.isfinite(block).all(1))[0])
                raise InputError(self.folder, f"the vector of row {row} holds NaN or infinity", _AGAIN)

    def _check(self) -> None:
        first, expected = self.shards[0], 0
        for shard, folder in zip(self.shards, self.folders, strict=True):
            for name in ("passages", "encoder", "dim", "dtype", "total"):
                ours, its = getattr(first, name), getattr(shard, name)
                if ours != its:
                    problem = f"{name} is {str(its)[:12]}, but {str(ours)[:12]} in {self.folders[0]}"
                    raise InputError(folder / ACCOUNT, problem, "Keep shards of one embedding in one folder.")
            if shard.start != expected:
                what = "are missing" if shard.start > expected else "stand in two shards"
                low, high = sorted((shard.start, expected))
                raise InputError(self.folder, f"rows {low} to {high - 1} {what}", "Make every shard of one n_shards.")
            expected = shard.stop
        if expected != first.total:
            problem = f"rows {expected} to {first.total - 1} are missing"
            raise InputError(self.folder, problem, "Make the shards that are left with retriever/embed.py.")


def _read(path: Path) -> Shard:
    try:
        return msgspec.convert(read_json(path), Shard)
    except msgspec.ValidationError as error:
        raise InputError(path, f"not the account of vectors ({error})", _AGAIN) from error


def _open(shard: Shard, folder: Path) -> npt.NDArray[Any]:
    path = folder / ARRAY
    try:
        array: npt.NDArray[Any] = np.load(path, mmap_mode="r", allow_pickle=False)
    except (OSError, ValueError, EOFError) as error:
        raise InputError(path, f"cannot be opened ({error})", _AGAIN) from error
    expected = (shard.stop - shard.start, shard.dim)
    if array.shape != expected or array.dtype != shard.dtype:
        raise InputError(path, f"holds {array.dtype} {array.shape}, not {shard.dtype} {expected}", _AGAIN)
    return array
