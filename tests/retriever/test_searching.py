"""A search that is stopped between blocks goes on where it was."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from situated.corpus.store import PassageStore
from situated.retriever import searching
from situated.retriever.bm25 import BM25
from situated.retriever.protocol import Ranking, Searcher
from situated.run import Run
from situated.schema import Example

QUERIES = ["river", "mayor 2017", "bridge", "town", "zebra"]
ASKED = [(Example(example_id=f"q:{n}", id="", question=q, answers=("2017",)), q) for n, q in enumerate(QUERIES)]


class Counting:
    """A searcher that counts what it is asked."""

    def __init__(self, searcher: Searcher):
        self.searcher, self.asked = searcher, list[str]()

    def search(self, queries: Sequence[str], k: int) -> list[Ranking]:
        self.asked += queries
        return self.searcher.search(queries, k)


@pytest.mark.parametrize("stop_after", [0, 1, 3])
def test_a_stopped_search_asks_nothing_twice(
    stop_after: int, collection: Callable[..., PassageStore], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(searching, "BLOCK", 1)
    store = collection()
    searcher = Counting(BM25("bm25").open(store, tmp_path / "index"))
    search = searching.Search(store, k=3, draws=10)
    whole, stopped = (Run(tmp_path / name, {"name": "x", "seed": 0}, {}) for name in ("whole", "stopped"))
    with whole.claim():
        expected = search(searcher, ASKED, whole, lambda: False)
    searcher.asked.clear()
    with pytest.raises(searching.StoppedError), stopped.claim():
        search(searcher, ASKED, stopped, lambda: len(searcher.asked) >= stop_after)
    with stopped.claim():
        assert search(searcher, ASKED, stopped, lambda: False) == expected
    assert searcher.asked == QUERIES
    for name in ("results.json", "run.trec"):
        assert (tmp_path / "stopped" / name).read_bytes() == (tmp_path / "whole" / name).read_bytes()
    assert not (tmp_path / "stopped" / "parts").exists()
