"""Embedding and dense search as from a shell, with pretrained weights."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from situated.corpus.tsv import import_tsv

PASSAGES = ["Ana Diaz is the president of Peru", "Bo Lim wrote a song", "The river Ada crosses the town"]
COMMON = ("retriever=minilm", "corpus.name=tiny", "paths.out=out")
SEARCH = ("retriever/search.py", *COMMON, "questions=q.jsonl", "k=2", "draws=50")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("embedded")
    row = {"question": "who heads the government of Peru", "answer": ["Ana Diaz"]}
    (made / "q.jsonl").write_text(json.dumps(row) + "\n", encoding="utf-8")
    lines = [f"{n}\t{text}\tThing" for n, text in enumerate(PASSAGES, start=1)]
    (made / "p.tsv").write_text("\n".join(["id\ttext\ttitle", *lines]) + "\n", encoding="utf-8")
    import_tsv(made / "p.tsv", made / "out/data_prep/snapshot_tiny/seed=0/passages", {})
    return made


def found(folder: Path, name: str) -> list[str]:
    path = folder / "out/retriever" / name / "seed=0/results.json"
    return [passage["id"] for passage in json.loads(path.read_text(encoding="utf-8"))[0]["ctxs"]]


def test_shards_and_what_search_embeds_itself_agree(folder: Path, command: Callable[..., Any]) -> None:
    for shard in (0, 1):
        done = command("retriever/embed.py", *COMMON, f"shard={shard}", "n_shards=2", cwd=folder)
        assert (done.returncode, done.stderr) == (0, "")
    done = command(*SEARCH, "name=of_shards", cwd=folder)
    assert (done.returncode, done.stderr) == (0, "")
    assert "are embedded now" not in done.stdout
    done = command(*SEARCH, "name=alone", "index_dir=elsewhere", cwd=folder)
    assert (done.returncode, done.stderr) == (0, "")
    assert "3 passages are embedded now" in done.stdout
    assert found(folder, "of_shards") == found(folder, "alone")
    assert found(folder, "alone")[0] == "1"


def test_a_retriever_without_encoder_is_refused(folder: Path, command: Callable[..., Any]) -> None:
    done = command("retriever/embed.py", "retriever=bm25", *COMMON[1:], cwd=folder)
    assert done.returncode == 2
    assert "makes no vectors" in done.stderr
