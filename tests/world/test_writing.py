from __future__ import annotations

import hashlib
import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import bm25s
import numpy as np
import pytest
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import f1_score
from sklearn.pipeline import make_pipeline

from situated.io import open_binary, read_json, read_records
from situated.world.files import FILES, GOLD, SUMMARY
from situated.world.writing import write_world

CONTENT = "3ce5c48c0d4754563d6fb17b2e4f3f20a30e55e821a6f1e5d33942462b9b902a"
MAKE = "import sys; from pathlib import Path; from situated.world.writing import write_world; "
MAKE += "write_world(Path(sys.argv[1]), 1, 0.25)"
MEASURE = MAKE.replace("0.25", "float(sys.argv[2])")
# Not getrusage: it counts what the process had been before it became this one.
MEASURE += "; print(Path('/proc/self/status').read_text().split('VmHWM:')[1].split()[0])"


@pytest.mark.parametrize("hash_seed", ["0", "4711"])
def test_the_same_seed_makes_the_same_bytes_in_any_process(small: Any, tmp_path: Path, hash_seed: str) -> None:
    environment = os.environ | {"PYTHONHASHSEED": hash_seed, "TZ": "Asia/Tokyo", "LC_ALL": "C"}
    subprocess.run([sys.executable, "-c", MAKE, str(tmp_path)], check=True, env=environment)
    for name in (*FILES, SUMMARY):
        assert (tmp_path / name).read_bytes() == (small.folder / name).read_bytes(), name


def test_the_same_seed_makes_the_same_content_on_any_machine(small: Any) -> None:
    """Made on another machine, by another Python. Whoever changes the world's words puts the new hash here."""
    assert small.summary["content"] == CONTENT


def test_another_seed_makes_another_world(small: Any, tmp_path: Path) -> None:
    other = write_world(tmp_path, 2, 0.1)

    assert other["blocks"] == 1
    assert all(other["sha256"][name] != found for name, found in small.summary["sha256"].items())
    assert all((tmp_path / name).stat().st_size for name in FILES)


def test_a_larger_world_begins_as_a_smaller_one(small: Any, tmp_path: Path) -> None:
    write_world(tmp_path, 1, 0.1)
    for name in ("situatedqa/qa_data/temp.test.jsonl", "truth/whoqa.jsonl", "nq_open/NQ-open.train.jsonl"):
        assert (small.folder / name).read_bytes().startswith((tmp_path / name).read_bytes())


def test_the_summary_counts_and_hashes_what_is_there(small: Any) -> None:
    assert read_json(small.folder / SUMMARY) == small.summary
    assert small.summary["articles"] == 3 * 48
    assert small.summary["questions"] == sum(
        small.summary["rows"][f"{name}.{split}.jsonl"]
        for name in ("nq_open/NQ-open", "situatedqa/raw_data/geo")
        for split in ("train", "dev", "test")
    )
    for name in FILES:
        with open_binary(small.folder / name) as file:
            content = file.read()
        assert hashlib.sha256(content).hexdigest() == small.summary["sha256"][name]
        if name.endswith(".jsonl"):
            assert content.count(b"\n") == small.summary["rows"][name]


def test_a_world_that_fails_leaves_no_file(tmp_path: Path) -> None:
    def fail() -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write_world(tmp_path, 1, 0.1, fail)
    assert not [path for path in tmp_path.rglob("*") if path.is_file()]


def test_each_block_is_reported(tmp_path: Path) -> None:
    done: list[int] = []
    write_world(tmp_path, 3, 0.17, lambda: done.append(1))

    assert len(done) == 2


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="needs Linux")
def test_memory_does_not_grow_with_the_world(tmp_path: Path) -> None:
    greatest = []
    for scale in ("1", "5"):
        words = [sys.executable, "-c", MEASURE, str(tmp_path / scale), scale]
        done = subprocess.run(words, check=True, capture_output=True, text=True)
        greatest.append(int(done.stdout))

    assert greatest[1] < 1.1 * greatest[0] < 500 * 1024


@pytest.mark.slow
@pytest.mark.parametrize("seed", [1, 2])
def test_words_alone_do_not_solve_identification(tmp_path: Path, seed: int) -> None:
    write_world(tmp_path, seed, 1)
    for context in ("temp", "geo"):
        rows = {s: _labelled(tmp_path / f"situatedqa/id_data/{context}.{s}.jsonl") for s in ("train", "test")}
        words = make_pipeline(TfidfVectorizer(ngram_range=(1, 2)), LogisticRegression(C=10, max_iter=2000))
        words.fit(*rows["train"])
        assert 55 < 100 * f1_score(rows["test"][1], words.predict(rows["test"][0])) < 90


def _labelled(path: Path) -> tuple[list[str], list[bool]]:
    rows = [row for _, row in read_records(path, dict[str, Any])]
    return [row["question"] for row in rows], [row["is_dependent"] == "yes" for row in rows]


def test_word_overlap_does_not_find_what_is_named_by_an_alias(
    small: Any, snapshots: list[list[Any]], clean: Callable[[str], str]
) -> None:
    passages, numbers = [], []
    for page in snapshots[1]:
        if page.namespace == 0 and page.redirect is None:
            words = clean(page.wikitext).split()
            pieces = [f"{page.title} {' '.join(words[i : i + 100])}" for i in range(0, len(words), 100)]
            passages += pieces
            numbers += [page.number] * len(pieces)
    index = bm25s.BM25()
    index.index(bm25s.tokenize(passages, stopwords="en", show_progress=False), show_progress=False)
    forms = [f" {_form(passage)} " for passage in passages]
    recall = {}
    for by_alias in (True, False):
        rows = [row for row in small.rows(GOLD[1]) if row["by_alias"] == by_alias][::5]
        queries = bm25s.tokenize([row["question"] for row in rows], stopwords="en", show_progress=False)
        found, _ = index.retrieve(queries, k=5, show_progress=False)
        hits = [
            any(f" {_form(answer)} " in forms[passage] for passage in passages_found for answer in row["answers"])
            for row, passages_found in zip(rows, found, strict=True)
        ]
        recall[by_alias] = np.mean(hits)

    assert len(passages) > 400
    assert 0.1 < recall[True] < 0.7
    assert recall[False] > 0.7


def _form(text: str) -> str:
    return " ".join(re.findall(r"\w+", text.lower()))
