"""The tables of a snapshot as Arrow files that are mapped into memory, in the layout of Hugging Face ``datasets``."""

from __future__ import annotations

import hashlib
import shutil
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Any

import numpy as np
import pyarrow as pa

from situated.errors import InputError
from situated.io import atomic_write, read_json, write_json

PASSAGES = pa.schema(
    {
        "id": pa.string(), "title": pa.string(), "text": pa.string(), "page_id": pa.int64(), "revision_id": pa.int64(),
        "timestamp": pa.string(), "start": pa.int32(), "end": pa.int32(), "wrapped": pa.int32(),
    }
)  # fmt: skip
PAGES = pa.schema(
    {
        "page_id": pa.int64(), "revision_id": pa.int64(), "timestamp": pa.string(), "title": pa.string(),
        "text_hash": pa.int64(), "first_passage": pa.int64(), "n_passages": pa.int32(),
    }
)  # fmt: skip
REDIRECTS = pa.schema({"title": pa.string(), "target": pa.string(), "page_id": pa.int64()})

_SHARD_BYTES = 500 << 20
_STATE = "state.json"


class TableWriter:
    """Writes record batches to a new table; it is whole when the block ends well.

    Args:
        folder: Of the table; what stood there is replaced.
        shard_bytes: Of a file, about.
    """

    def __init__(self, folder: Path, schema: pa.Schema, shard_bytes: int = _SHARD_BYTES):
        self.folder, self.schema, self._shard_bytes = folder, schema, shard_bytes
        self.rows = 0
        self._names: list[str] = []
        self._file: Any = None
        self._opened: Any = None
        self._writer: Any = None

    def __enter__(self) -> TableWriter:
        shutil.rmtree(self.folder, ignore_errors=True)
        return self

    def write(self, batch: pa.RecordBatch) -> None:
        """Add rows."""
        if not batch.num_rows:
            return
        if self._writer is None:
            self._open()
        self._writer.write_batch(batch)
        self.rows += batch.num_rows
        if self._file.tell() >= self._shard_bytes:
            self._close(None, None, None)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._writer is None and not self._names and kind is None:
            self._open()
        if self._writer is not None:
            self._close(kind, error, trace)
        if kind is None:
            fingerprint = hashlib.sha256(f"{self.rows} {self.schema}".encode()).hexdigest()[:16]
            write_json(self.folder / "dataset_info.json", {})
            write_json(self.folder / _STATE, _state(self._names, fingerprint))

    def _open(self) -> None:
        self._names.append(f"data-{len(self._names):05d}.arrow")
        self._opened = atomic_write(self.folder / self._names[-1])
        self._file = self._opened.__enter__()
        self._writer = pa.ipc.new_stream(self._file, self.schema)

    def _close(self, *why: Any) -> None:
        writer, self._writer = self._writer, None
        writer.close()
        self._opened.__exit__(*why)


def _state(names: Sequence[str], fingerprint: str) -> dict[str, Any]:
    """What ``datasets.load_from_disk`` wants to know."""
    return {
        "_data_files": [{"filename": name} for name in names], "_fingerprint": fingerprint, "_format_columns": None,
        "_format_kwargs": {}, "_format_type": None, "_output_all_columns": False, "_split": None,
    }  # fmt: skip


def open_table(folder: Path) -> pa.Table:
    """A table, mapped into memory and not read.

    Raises:
        InputError: There is none, or it is torn.
    """
    state = read_json(folder / _STATE)
    tables = []
    for entry in state["_data_files"]:
        path = folder / entry["filename"]
        try:
            tables.append(pa.ipc.open_stream(pa.memory_map(str(path))).read_all())
        except (OSError, pa.ArrowException) as error:
            raise InputError(path, f"not a whole Arrow file ({error})", "Make the collection again.") from error
    return pa.concat_tables(tables)


class ContentHash:
    """A hash of some text columns that does not depend on how the rows fall into batches."""

    def __init__(self, columns: Sequence[str]):
        self._columns = columns
        self._content = [hashlib.sha256() for _ in columns]
        self._lengths = [hashlib.sha256() for _ in columns]

    def update(self, batch: pa.RecordBatch) -> None:
        """Take in rows."""
        for column, content, lengths in zip(self._columns, self._content, self._lengths, strict=True):
            offsets, data = text_buffers(batch.column(column))
            lengths.update(np.diff(offsets).astype("<i4").tobytes())
            content.update(data[offsets[0] : offsets[-1]] if len(offsets) else b"")

    def hexdigest(self) -> str:
        """The hash of all rows so far (hex, 64 characters)."""
        parts = [one.hexdigest() for pair in zip(self._content, self._lengths, strict=True) for one in pair]
        return hashlib.sha256(" ".join(parts).encode()).hexdigest()


def text_buffers(column: pa.Array) -> tuple[np.ndarray[Any, np.dtype[np.int32]], memoryview]:
    """Where each text of a column without nulls begins and ends in its bytes, and the bytes."""
    _, offsets, data = column.buffers()
    ends = np.frombuffer(offsets, np.int32, len(column) + 1, 4 * column.offset) if offsets else np.zeros(1, np.int32)
    return ends, memoryview(data) if data is not None else memoryview(b"")


def text_hashes(column: pa.Array) -> np.ndarray[Any, np.dtype[np.uint64]]:
    """64 bits of each text of a column."""
    texts = (text.encode() for text in column.to_pylist())
    hashes = (int.from_bytes(hashlib.blake2b(text, digest_size=8).digest(), "little") for text in texts)
    return np.fromiter(hashes, np.uint64, len(column))
