"""A snapshot of the real sample: exact counts, DPR's properties, and the same passages back from an export."""

from __future__ import annotations

from collections.abc import Callable
from itertools import groupby
from pathlib import Path
from typing import Any

import pytest

from situated.corpus.store import PassageStore
from situated.corpus.tables import open_table
from situated.corpus.tsv import export_tsv, import_tsv
from situated.io import read_json

pytestmark = pytest.mark.realdata


@pytest.fixture(scope="module")
def run(released: Path, command: Callable[..., Any], tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("snapshot")
    dump = released / "wikipedia" / "enwiki-2016-sample.xml.bz2"
    done = command("data_prep/snapshot.py", f"corpus.dumps=['{dump}']", "corpus.name=sample", "processes=2", cwd=folder)
    assert (done.returncode, done.stderr) == (0, "")
    return folder / "outputs/data_prep/snapshot_sample/seed=0"


def test_pages_are_counted_exactly(run: Path) -> None:
    counts = read_json(run / "manifest.json")["counts"]
    assert {name: count for name, count in counts.items() if name != "passages"} == {
        "pages": 206, "redirects": 100, "articles": 106, "disambiguations": 8, "kept": 96, "skipped/list": 2,
        "skipped/redirect_of_other_namespace": 1,
    }  # fmt: skip
    assert open_table(run / "redirects").num_rows == 99


def test_blocks_have_the_properties_of_dprs(run: Path) -> None:
    store = PassageStore(run)
    articles = [list(passages) for _, passages in groupby(store, lambda one: one.page_id)]
    assert len(articles) == 96
    for article in articles:
        assert article[0].text.startswith(article[0].title)
        if len(article) > 1:
            assert {len(one.text.split()) for one in article} == {100}
    assert [one.id for one in store] == [str(number) for number in range(1, len(store) + 1)]


def test_the_round_trip(run: Path, tmp_path: Path) -> None:
    store = PassageStore(run)
    export_tsv(store, tmp_path / "psgs.tsv.gz")
    made = import_tsv(tmp_path / "psgs.tsv.gz", tmp_path / "passages", {})
    assert made.fingerprint == store.fingerprint
    assert [(one.id, one.title, one.text) for one in PassageStore(tmp_path)] == [
        (one.id, one.title, one.text) for one in store
    ]
