"""A passage collection that is mapped into memory: rows at once, whatever its size.

``<run folder>/passages`` is a data set as ``datasets.load_from_disk`` opens it; ``collection.json`` beside its files
names the content, so that an index, or a list of hits, can be told to belong to it.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
import numpy as np
import pyarrow as pa

from situated.corpus.tables import open_table
from situated.errors import InputError
from situated.io import read_json, write_json
from situated.schema import Passage

if TYPE_CHECKING:
    from datasets import Dataset

ACCOUNT = "collection.json"


class Collection(msgspec.Struct, frozen=True):
    """What a passage collection is.

    Attributes:
        fingerprint: Hash of the ids, titles and texts in order; equal for an exported and imported collection.
        passages: How many.
        source: What it was made from: the dumps, or the file that was imported, with their content hashes.
        splitter: What cut the articles.
    """

    fingerprint: str
    passages: int
    source: dict[str, Any]
    splitter: dict[str, Any] = {}


class PassageStore:
    """Passages by row, from 0.

    Args:
        folder: A snapshot's run folder, or its ``passages``.

    Raises:
        InputError: There is no whole collection.
    """

    def __init__(self, folder: Path):
        account = account_of(folder)
        self.folder = account.parent
        if not account.is_file():
            mend = "Make one with data_prep/snapshot.py, or name the folder of a complete run of it."
            raise InputError(folder, f"no passage collection (no {ACCOUNT})", mend)
        try:
            self.collection = msgspec.convert(read_json(account), Collection)
        except msgspec.ValidationError as error:
            raise InputError(
                account, f"not the account of a collection ({error})", "Make the collection anew."
            ) from error
        self.table = open_table(self.folder)
        if self.table.num_rows != self.collection.passages:
            problem = f"holds {self.table.num_rows} passages, not {self.collection.passages}"
            raise InputError(self.folder, problem, "Make the collection anew.")
        self._batches = self.table.to_batches()
        self._ends = np.cumsum([batch.num_rows for batch in self._batches])

    @property
    def fingerprint(self) -> str:
        """One hash for the content: ids, titles and texts in order."""
        return self.collection.fingerprint

    def __len__(self) -> int:
        return int(self.collection.passages)

    def __getitem__(self, row: int) -> Passage:
        row = range(len(self))[row]
        number = int(np.searchsorted(self._ends, row, side="right"))
        batch = self._batches[number]
        at = row - int(self._ends[number]) + batch.num_rows
        values = {name: batch.column(n)[at].as_py() for n, name in enumerate(batch.schema.names)}
        return Passage(**values)

    def __iter__(self) -> Iterator[Passage]:
        for batch in self.batches():
            columns = [column.to_pylist() for column in batch.columns]
            for values in zip(*columns, strict=True):
                yield Passage(**dict(zip(batch.schema.names, values, strict=True)))

    def batches(self, rows: int | None = None, start: int = 0, stop: int | None = None) -> Iterator[pa.RecordBatch]:
        """Yield the rows from ``start`` to ``stop`` in batches of at most ``rows``, without copying them."""
        part = self.table.slice(start, None if stop is None else max(0, stop - start))
        yield from part.to_batches(max_chunksize=rows)

    def dataset(self) -> Dataset:
        """The same as a Hugging Face data set."""
        from datasets import load_from_disk

        loaded: Dataset = load_from_disk(str(self.folder))
        return loaded

    def check(self, fingerprint: str, made: Path) -> None:
        """Refuse what was made from other passages, such as an index or a list of hits.

        Args:
            fingerprint: Of the collection that it was made from, as its own manifest says.
            made: The file or folder.

        Raises:
            InputError: It is another collection's.
        """
        if fingerprint != self.fingerprint:
            problem = (
                f"belongs to another passage collection ({fingerprint[:12]}) than {self.folder} "
                f"({self.fingerprint[:12]}, {len(self)} passages)"
            )
            raise InputError(
                made, problem, "Make it anew from these passages, or name the collection it was made from."
            )


def account_of(folder: Path) -> Path:
    """The file that names a collection's content, of a run folder or of its ``passages``."""
    inner = folder / "passages" / ACCOUNT
    return inner if inner.is_file() else folder / ACCOUNT


def write_account(folder: Path, collection: Collection) -> None:
    """Write what the collection is; last, since it makes the collection whole."""
    write_json(folder / ACCOUNT, collection)
