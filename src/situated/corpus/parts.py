"""A batch of pages, cleaned and cut, in a file of its own: the unit of work, and of what a kill can lose.

A part file holds three Arrow streams one after the other (passages without ids, pages, redirects), and its counts in
the first one's metadata. It depends on its batch and the settings alone, not on who made it or when.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import pyarrow as pa

from situated.corpus.dump import Page, Unread, pages
from situated.corpus.pages import kind
from situated.corpus.passages import Splitter
from situated.corpus.tables import PAGES, PASSAGES, REDIRECTS
from situated.corpus.wikitext import plain_text
from situated.io import atomic_write

_COUNTS = b"situated.counts"
_UNNAMED = pa.schema([field for field in PASSAGES if field.name != "id"])


class Part(NamedTuple):
    """What a part file holds."""

    counts: Counter[str]
    passages: pa.RecordBatch
    pages: pa.RecordBatch
    redirects: pa.RecordBatch


@dataclass
class _Rows:
    """Rows of the three tables, as they come."""

    passages: list[tuple[Any, ...]]
    pages: list[tuple[Any, ...]]
    redirects: list[tuple[Any, ...]]


class Cleaner:
    """Makes part files; goes to other processes whole.

    Args:
        splitter: Cuts the articles.
    """

    def __init__(self, splitter: Splitter):
        self._splitter = splitter

    def write(self, batch: bytes, path: Path) -> Counter[str]:
        """Clean and cut the pages of a batch into a part file; return its counts."""
        counts, rows = Counter[str](), _Rows([], [], [])
        for page in pages(batch):
            counts.update(self._take(page, rows))
        counts["passages"] = len(rows.passages)
        metadata = {_COUNTS: msgspec.json.encode(dict(counts), order="sorted")}
        with atomic_write(path) as file:
            _write_stream(file, rows.passages, _UNNAMED.with_metadata(metadata))
            _write_stream(file, rows.pages, PAGES)
            _write_stream(file, rows.redirects, REDIRECTS)
        return counts

    def _take(self, page: Page | Unread, rows: _Rows) -> list[str]:
        """Add a page's rows; return what it counts as."""
        if isinstance(page, Unread):
            return ["pages", f"skipped/{page.reason}"]
        if page.redirect is not None:
            if page.namespace != 0:
                return ["pages", "redirects", "skipped/redirect_of_other_namespace"]
            rows.redirects.append((page.title, page.redirect, page.page_id))
            return ["pages", "redirects"]
        if page.namespace != 0:
            return ["pages", "skipped/other_namespace"]
        return ["pages", "articles", self._article(page, rows)]

    def _article(self, page: Page, rows: _Rows) -> str:
        if page.model != "wikitext":
            return "skipped/no_wikitext"
        if (found := kind(page.title, page.text)) != "article":
            return "disambiguations" if found == "disambiguation" else f"skipped/{found}"
        return self._cut(page, rows)

    def _cut(self, page: Page, rows: _Rows) -> str:
        try:
            text = plain_text(page.text)
        except Exception as error:
            error.add_note(f"in the page {page.title!r}, revision {page.revision_id}")
            raise
        cuts = self._splitter.cut(page.title, text)
        if not cuts:
            return "skipped/no_text"
        where = (page.page_id, page.revision_id, page.timestamp)
        rows.pages.append((*where, page.title, _hash(text), len(rows.passages), len(cuts)))
        rows.passages += [(page.title, cut.text, *where, *cut[1:]) for cut in cuts]
        return "kept"


def _hash(text: str) -> int:
    """64 bits of a text, as a signed number."""
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest(), "little", signed=True)


def _write_stream(file: Any, rows: list[tuple[Any, ...]], schema: pa.Schema) -> None:
    columns = list(zip(*rows, strict=True)) if rows else [()] * len(schema)
    arrays = [pa.array(values, field.type) for values, field in zip(columns, schema, strict=True)]
    with pa.ipc.new_stream(file, schema) as stream:
        stream.write_batch(pa.record_batch(arrays, schema=schema))


def read_part(path: Path) -> Part:
    """A part file, mapped into memory."""
    with pa.memory_map(str(path)) as file:
        passages, pages, redirects = (_read_stream(file) for _ in range(3))
    counts = msgspec.json.decode(passages.schema.metadata[_COUNTS], type=dict[str, int])
    return Part(Counter(counts), passages, pages, redirects)


def _read_stream(file: Any) -> pa.RecordBatch:
    """The one batch of the stream that begins where the file stands; leaves it at the next one's beginning."""
    (batch,) = pa.ipc.open_stream(file)
    return batch
