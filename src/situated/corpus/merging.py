"""Part files put together: passages with ids, pages, redirects; of pages with one title the first stays."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from situated.corpus.parts import Part, read_part
from situated.corpus.tables import PAGES, PASSAGES, REDIRECTS, ContentHash, TableWriter, text_hashes

HASHED = ("id", "title", "text")


def merge(parts: Sequence[Path], folder: Path) -> tuple[Counter[str], str]:
    """Write ``passages``, ``pages`` and ``redirects`` below a folder; return the counts and the passages' fingerprint.

    Passages are numbered from "1" in the order of the dumps, whoever made the parts.
    """
    counts, content = Counter[str](), ContentHash(HASHED)
    repeated = _repeated(parts)
    seen = set[str]()
    with (
        TableWriter(folder / "passages", PASSAGES) as passages,
        TableWriter(folder / "pages", PAGES) as pages,
        TableWriter(folder / "redirects", REDIRECTS) as redirects,
    ):
        for path in parts:
            part = read_part(path)
            counts += part.counts
            kept, own = _without_repeated(part, repeated, seen)
            dropped = part.pages.num_rows - kept.num_rows
            counts += Counter({"skipped/duplicate_title": dropped})
            counts["kept"] -= dropped
            pages.write(_shifted(kept, passages.rows))
            numbered = _numbered(own, passages.rows)
            content.update(numbered)
            passages.write(numbered)
            redirects.write(part.redirects)
        counts["passages"] = passages.rows
    return counts, content.hexdigest()


def _repeated(parts: Sequence[Path]) -> np.ndarray[Any, Any]:
    """Hashes that more than one article's title has, sorted: 8 bytes an article are held, not its title."""
    hashes = [text_hashes(read_part(path).pages.column("title")) for path in parts]
    ordered = np.sort(np.concatenate(hashes)) if hashes else np.zeros(0, np.uint64)
    return np.unique(ordered[1:][ordered[1:] == ordered[:-1]])


def _without_repeated(
    part: Part, repeated: np.ndarray[Any, Any], seen: set[str]
) -> tuple[pa.RecordBatch, pa.RecordBatch]:
    """The part's pages and passages but those of titles that were seen before; ``n_passages`` tells which are whose."""
    titles = part.pages.column("title")
    suspects = np.flatnonzero(np.isin(text_hashes(titles), repeated))
    keep = np.ones(len(titles), bool)
    for row in suspects:
        title = titles[int(row)].as_py()
        keep[row] = title not in seen
        seen.add(title)
    if keep.all():
        return part.pages, part.passages
    lengths = part.pages.column("n_passages").to_numpy()
    kept = part.pages.filter(pa.array(keep))
    firsts = np.cumsum(kept.column("n_passages").to_numpy()) - kept.column("n_passages").to_numpy()
    at = kept.schema.get_field_index("first_passage")
    kept = kept.set_column(at, PAGES.field("first_passage"), pa.array(firsts, pa.int64()))
    return kept, part.passages.filter(pa.array(np.repeat(keep, lengths)))


def _shifted(pages: pa.RecordBatch, rows: int) -> pa.RecordBatch:
    """Pages whose first passages are counted from the collection's beginning."""
    at = pages.schema.get_field_index("first_passage")
    return pages.set_column(at, PAGES.field("first_passage"), pc.add(pages.column(at), rows))


def _numbered(passages: pa.RecordBatch, rows: int) -> pa.RecordBatch:
    ids = pa.array(np.arange(rows + 1, rows + 1 + passages.num_rows)).cast(pa.string())
    return pa.record_batch([ids, *passages.columns], schema=PASSAGES)
