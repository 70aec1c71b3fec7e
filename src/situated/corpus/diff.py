"""Two snapshots beside each other: articles and passages that appeared, vanished or changed, by MediaWiki's page ids.

Of every article 40 bytes are held, of no more than one article the text.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa

from situated.corpus.store import PassageStore
from situated.corpus.tables import open_table
from situated.errors import InputError

Change = dict[str, Any]
_Numbers = np.ndarray[Any, Any]


class Side(NamedTuple):
    """A snapshot: its passages and the articles they come from."""

    passages: PassageStore
    pages: pa.Table


class Pair(NamedTuple):
    """An article's rows in the two page tables; -1 where it is not there."""

    before: int
    after: int


def open_side(folder: Path) -> Side:
    """The snapshot in a run folder.

    Raises:
        InputError: There is none, or it was imported without its pages.
    """
    passages = PassageStore(folder)
    if not (folder / "pages").is_dir():
        mend = "Compare two runs of data_prep/snapshot.py: an imported collection does not say which pages it has."
        raise InputError(folder, "holds passages but no table of pages", mend)
    return Side(passages, open_table(folder / "pages"))


def compare(before: Side, after: Side, counts: Counter[str]) -> Iterator[Change]:
    """Yield a line for each article and each passage that is not the same, in the order of page ids; count all.

    An article whose text is the same under another revision or title is told so; the passages of one that was renamed
    change with it where its title is part of them.
    """
    for page_id, pair in _pairs(before.pages, after.pages):
        old, new = _page(before, pair.before), _page(after, pair.after)
        kind = _kind(old, new)
        counts[f"articles/{kind}"] += 1
        if kind == "same":
            counts["passages/same"] += new["n_passages"]
            continue
        passages = list(_passages(before.passages, old, after.passages, new, counts))
        yield {
            "change": kind, "page_id": page_id, "title": (new or old)["title"], "title_before": old.get("title"),
            "revision_before": old.get("revision_id"), "revision_after": new.get("revision_id"),
            "timestamp_before": old.get("timestamp"), "timestamp_after": new.get("timestamp"), "passages": passages,
        }  # fmt: skip


def _pairs(before: pa.Table, after: pa.Table) -> Iterator[tuple[int, Pair]]:
    """Yield (page id, rows) of all articles; those that agree in everything else as well."""
    sides = [table.column("page_id").to_numpy() for table in (before, after)]
    orders = [np.argsort(ids, kind="stable") for ids in sides]
    at = [0, 0]
    while at[0] < len(sides[0]) or at[1] < len(sides[1]):
        heads = [int(ids[order[n]]) if n < len(ids) else None for ids, order, n in zip(sides, orders, at, strict=True)]
        page_id = min(head for head in heads if head is not None)
        rows = [int(order[n]) if head == page_id else -1 for head, order, n in zip(heads, orders, at, strict=True)]
        at = [n + (row >= 0) for n, row in zip(at, rows, strict=True)]
        yield page_id, Pair(*rows)


def _page(side: Side, row: int) -> dict[str, Any]:
    if row < 0:
        return {}
    found: dict[str, Any] = side.pages.slice(row, 1).to_pylist()[0]
    return found


def _kind(old: dict[str, Any], new: dict[str, Any]) -> str:
    if not old or not new:
        return "appeared" if new else "vanished"
    if old["text_hash"] != new["text_hash"]:
        return "changed"
    if old["title"] != new["title"]:
        return "renamed"
    return "same" if old["revision_id"] == new["revision_id"] else "same_text"


def _passages(
    before: PassageStore, old: dict[str, Any], after: PassageStore, new: dict[str, Any], counts: Counter[str]
) -> Iterator[dict[str, str]]:
    """Yield the passages of an article that are on one side alone."""
    sides = [_texts(store, page) for store, page in ((before, old), (after, new))]
    shared = Counter(text for _, text in sides[0]) & Counter(text for _, text in sides[1])
    counts["passages/same"] += shared.total()
    for change, rows in zip(("vanished", "appeared"), sides, strict=True):
        left = shared.copy()
        for name, text in rows:
            if left[text]:
                left[text] -= 1
                continue
            counts[f"passages/{change}"] += 1
            yield {"change": change, "id": name}


def _texts(store: PassageStore, page: dict[str, Any]) -> list[tuple[str, str]]:
    if not page:
        return []
    first, number = page["first_passage"], page["n_passages"]
    part = store.table.slice(first, number).select(["id", "text"])
    return list(zip(*(column.to_pylist() for column in part.columns), strict=True))
