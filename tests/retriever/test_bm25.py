"""BM25 against its formula, and which indexes are refused."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from situated.corpus.store import PassageStore
from situated.errors import InputError
from situated.retriever.bm25 import BM25, Analyzer
from situated.retriever.protocol import best

Collect = Callable[..., PassageStore]


def by_formula(store: PassageStore, query: str, k1: float, b: float) -> list[float]:
    """Lucene's BM25, spelled out."""
    analyzer = Analyzer(stemming=True, stop_words=True)
    documents = [analyzer.terms(f"{passage.title} {passage.text}") for passage in store]
    mean = sum(map(len, documents)) / len(documents)
    scores = []
    for document in documents:
        counts, score = Counter(document), 0.0
        for term in analyzer.terms(query):
            frequency = sum(term in other for other in documents)
            if frequency and counts[term]:
                weight = math.log(1 + (len(documents) - frequency + 0.5) / (frequency + 0.5))
                score += weight * counts[term] / (counts[term] + k1 * (1 - b + b * len(document) / mean))
        scores.append(score)
    return scores


@pytest.mark.parametrize("query", ["wide rivers", "mayor of the town in 2019", "river river Ada"])
def test_scores_are_those_of_the_formula(collection: Collect, tmp_path: Path, query: str) -> None:
    store = collection()
    (ranking,) = BM25("bm25").open(store, tmp_path / "index").search([query], 10)
    scores = by_formula(store, query, 0.9, 0.4)
    order = sorted((row for row, score in enumerate(scores) if score > 0), key=lambda row: (-scores[row], row))
    assert ranking.rows.tolist() == order
    assert ranking.scores.tolist() == pytest.approx([scores[row] for row in order], rel=1e-5)


def test_only_passages_that_share_a_term_are_found(collection: Collect, tmp_path: Path) -> None:
    searcher = BM25("bm25").open(collection(), tmp_path / "index")
    assert [ranking.rows.tolist() for ranking in searcher.search(["bridge", "the of", "zebra", ""], 5)] == [
        [1],
        [],
        [],
        [],
    ]


def test_an_index_is_made_once_and_opened_again(collection: Collect, tmp_path: Path) -> None:
    store, folder = collection(), tmp_path / "index"
    first = BM25("bm25").open(store, folder).search(["old river"], 3)
    written = {path.name: path.stat().st_mtime_ns for path in folder.iterdir()}
    again = BM25("bm25").open(store, folder).search(["old river"], 3)
    assert again[0].rows.tolist() == first[0].rows.tolist()
    assert {path.name: path.stat().st_mtime_ns for path in folder.iterdir()} == written
    assert not list(tmp_path.glob(".*"))


def test_an_index_of_other_passages_or_settings_is_refused(collection: Collect, tmp_path: Path) -> None:
    BM25("bm25").open(collection(), tmp_path / "index")
    with pytest.raises(InputError, match="another passage collection"):
        BM25("bm25").open(collection("other", ["else"]), tmp_path / "index")
    with pytest.raises(InputError, match="made with"):
        BM25("bm25", k1=1.5).open(collection(), tmp_path / "index")
    (tmp_path / "index" / "index.json").write_text("{}", encoding="utf-8")
    with pytest.raises(InputError, match="not the account of an index"):
        BM25("bm25").open(collection(), tmp_path / "index")


def test_equal_scores_stand_in_the_order_of_rows() -> None:
    scores = np.array([1, 3, 1, 1, 0, 1], dtype=np.float32)
    for k, rows in ((1, [1]), (2, [1, 0]), (3, [1, 0, 2]), (9, [1, 0, 2, 3, 5])):
        assert best(scores, k).rows.tolist() == rows
