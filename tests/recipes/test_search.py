"""The search recipe as from a shell: what it writes, refuses and takes up."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from situated.corpus.tsv import import_tsv

Command = Callable[..., Any]
ROWS = [
    {"question": "who leads Peru", "answer": ["Ana Diaz"], "id": 1},
    {"question": "which river crosses the town", "answer": "Ada"},
    {"question": "the of and", "answer": ["nothing"]},
]
PASSAGES = ["Ana Diaz leads Peru since 2019", "Bo Lim led Peru until 2019", "The river Ada crosses the town"]


@pytest.fixture(scope="module")
def searched(tmp_path_factory: pytest.TempPathFactory, command: Command) -> Path:
    folder = tmp_path_factory.mktemp("searched")
    (folder / "q.jsonl").write_text("".join(json.dumps(row) + "\n" for row in ROWS), encoding="utf-8")
    lines = [f"{n}\t{text}\tThing" for n, text in enumerate(PASSAGES, start=1)]
    (folder / "p.tsv").write_text("\n".join(["id\ttext\ttitle", *lines]) + "\n", encoding="utf-8")
    import_tsv(folder / "p.tsv", folder / "out/data_prep/snapshot_tiny/seed=0/passages", {})
    done = command(*SEARCH, cwd=folder)
    assert (done.returncode, done.stderr) == (0, "")
    return folder


SEARCH = (
    "retriever/search.py", "retriever=bm25", "corpus.name=tiny", "questions=q.jsonl", "k=100", "paths.out=out",
    "draws=100",
)  # fmt: skip
RUN = Path("out/retriever/search_bm25_tiny_q_none/seed=0")


def test_results_are_in_dprs_format_with_recall(searched: Path) -> None:
    results = json.loads((searched / RUN / "results.json").read_text(encoding="utf-8"))
    assert [(r["question"], r["answers"]) for r in results][1] == ("which river crosses the town", ["Ada"])
    assert [[c["id"] for c in r["ctxs"]] for r in results] == [["1", "2"], ["3"], []]
    assert [c["has_answer"] for c in results[0]["ctxs"]] == [True, False]
    assert set(results[0]["ctxs"][0]) == {"id", "title", "text", "score", "has_answer"}
    metrics = json.loads((searched / RUN / "metrics.json").read_text(encoding="utf-8"))
    assert {name: metrics[name]["value"] for name in metrics} == {
        f"recall@{k}": pytest.approx(2 / 3) for k in (1, 5, 20, 50, 100)
    }
    manifest = json.loads((searched / RUN / "manifest.json").read_text(encoding="utf-8"))
    assert manifest["counts"] == {"questions": 3, "questions/without_hits": 1}
    assert (searched / RUN / "run.trec").read_text(encoding="utf-8").splitlines()[2].split()[:4] == [
        "q:2",
        "Q0",
        "3",
        "1",
    ]


def test_a_search_that_was_cut_off_ends_with_the_same(searched: Path, tmp_path: Path, command: Command) -> None:
    folder = shutil.copytree(searched, tmp_path / "copy")
    whole = {name: (folder / RUN / name).read_bytes() for name in ("results.json", "run.trec", "metrics.json")}
    manifest = json.loads((folder / RUN / "manifest.json").read_text(encoding="utf-8"))
    (folder / RUN / "manifest.json").write_text(json.dumps(manifest | {"status": "running"}), encoding="utf-8")
    for name in whole:
        (folder / RUN / name).unlink()
    assert command(*SEARCH, cwd=folder).returncode == 0
    assert {name: (folder / RUN / name).read_bytes() for name in whole} == whole


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("context=geo", "name=x"), "no location"),
        (("passages=nowhere", "name=x"), "nowhere"),
        (("k=0", "name=x"), "k:"),
        (("retriever=bm25_plain", "retriever.name=bm25", "name=x"), "made with"),
    ],
)
def test_what_cannot_be_searched_is_refused(
    searched: Path, command: Command, contents: Callable[[Path], dict[str, bytes]], words: tuple[str, ...], said: str
) -> None:
    before = contents(searched / RUN)
    done = command(*SEARCH, *words, cwd=searched)
    assert done.returncode == 2
    assert said in done.stderr
    assert len(done.stderr.splitlines()) <= 2
    assert contents(searched / RUN) == before
