"""Passage collections: rows, content hashes, the tab-separated form, and what belongs to another collection."""

from __future__ import annotations

import csv
from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from situated.corpus.store import PassageStore
from situated.corpus.tables import ContentHash, TableWriter, open_table
from situated.corpus.tsv import check_replaceable, export_once, export_tsv, import_tsv
from situated.errors import InputError, SituatedError

ROWS = st.lists(st.tuples(st.text(max_size=5), st.text(max_size=9)), max_size=30)


def test_rows(store: PassageStore) -> None:
    passages = list(store)
    assert [passage.id for passage in passages] == [str(n) for n in range(1, len(store) + 1)]
    assert [store[row] for row in range(len(store))] == passages
    assert store[-1] == passages[-1]
    first, last = passages[0], passages[-1]
    assert (first.title, first.text, first.page_id) == ("Ada", 'Ada ein "zwei" drei vier', 1)
    assert (first.revision_id, first.timestamp, first.start, first.end) == (10, "2018-12-20T00:00:01Z", 0, 24)
    assert (last.title, last.page_id, last.wrapped) == ("Cleo & Co", 3, len("Cleo & Co"))
    with pytest.raises(IndexError):
        store[len(store)]


def test_batches(store: PassageStore) -> None:
    batches = list(store.batches(2, start=1, stop=6))
    assert [name for batch in batches for name in batch.column("id").to_pylist()] == ["2", "3", "4", "5", "6"]
    assert max(batch.num_rows for batch in batches) == 2


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_the_folder_is_a_hugging_face_data_set(store: PassageStore) -> None:
    data = store.dataset()
    assert data["text"][:] == [passage.text for passage in store]
    assert data[2]["page_id"] == store[2].page_id


@given(ROWS, st.lists(st.integers(1, 7)), st.integers(0, 3))
def test_a_content_hash_does_not_depend_on_batches(rows: list[tuple[str, str]], sizes: list[int], offset: int) -> None:
    table = pa.table(
        {"a": pa.array([row[0] for row in rows], pa.string()), "b": pa.array([row[1] for row in rows], pa.string())}
    )
    whole, parts = ContentHash("ab"), ContentHash("ab")
    for batch in table.combine_chunks().to_batches():
        whole.update(batch)
    at = 0
    for size in [*sizes, max(1, len(rows))]:
        for batch in table.slice(at, size).to_batches():
            parts.update(batch)
        at += size
    assert whole.hexdigest() == parts.hexdigest()
    for spoilt in ([*rows, ("", "")], [(row[0] + row[1][:1], row[1][1:]) for row in rows], rows[1:]):
        if spoilt != rows:
            other = ContentHash("ab")
            names = [pa.array([row[n] for row in spoilt], pa.string()) for n in (0, 1)]
            other.update(pa.record_batch(names, names=["a", "b"]))
            assert other.hexdigest() != whole.hexdigest()


def test_a_table_of_several_files(tmp_path: Path) -> None:
    schema = pa.schema({"n": pa.int64()})
    with TableWriter(tmp_path / "t", schema, shard_bytes=500) as table:
        for start in range(0, 1000, 100):
            table.write(pa.record_batch([pa.array(range(start, start + 100))], schema=schema))
    assert len(list((tmp_path / "t").glob("data-*.arrow"))) == 10
    assert open_table(tmp_path / "t").column("n").to_pylist() == list(range(1000))


def test_a_table_without_rows(tmp_path: Path) -> None:
    with TableWriter(tmp_path / "t", pa.schema({"n": pa.int64()})):
        pass
    assert open_table(tmp_path / "t").num_rows == 0


def test_a_table_that_fails_is_none(tmp_path: Path) -> None:
    schema = pa.schema({"n": pa.int64()})
    with pytest.raises(RuntimeError), TableWriter(tmp_path / "t", schema) as table:  # noqa: PT012
        table.write(pa.record_batch([pa.array([1])], schema=schema))
        raise RuntimeError
    assert list((tmp_path / "t").iterdir()) == []


@pytest.mark.parametrize("name", ["psgs.tsv", "psgs.tsv.gz"])
def test_export_and_import_give_equal_passages(store: PassageStore, tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    export_tsv(store, path)
    made = import_tsv(path, tmp_path / "again" / "passages", {})
    again = PassageStore(tmp_path / "again")
    assert [(one.id, one.title, one.text) for one in again] == [(one.id, one.title, one.text) for one in store]
    assert again.fingerprint == made.fingerprint == store.fingerprint
    assert again[0].page_id is None
    export_tsv(again, tmp_path / f"second-{name}")
    assert (tmp_path / f"second-{name}").read_bytes() == path.read_bytes()


def test_the_form_of_the_exported_file(store: PassageStore, tmp_path: Path) -> None:
    export_tsv(store, tmp_path / "x.tsv")
    lines = (tmp_path / "x.tsv").read_text().splitlines()
    assert lines[:2] == ["id\ttext\ttitle", '1\t"Ada ein ""zwei"" drei vier"\tAda']
    assert len(lines) == 1 + len(store)
    with (tmp_path / "x.tsv").open(newline="") as file:
        assert next(csv.DictReader(file, delimiter="\t"))["text"] == 'Ada ein "zwei" drei vier'


def test_line_ends_of_other_systems_and_ids_of_any_kind(tmp_path: Path) -> None:
    (tmp_path / "x.tsv").write_bytes(b'id\ttext\ttitle\r\nwiki:7\t"a\nb"\tT\r\n3\tc\tU\r\n')
    import_tsv(tmp_path / "x.tsv", tmp_path / "passages", {})
    assert [(one.id, one.text) for one in PassageStore(tmp_path)] == [("wiki:7", "a\nb"), ("3", "c")]


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"", "x.tsv:1: its first line is None"),
        (b"id\ttitle\ttext\n1\ta\tb\n", r"x.tsv:1: its first line is \['id', 'title'"),
        (b"id\ttext\ttitle\n", "it holds no passage"),
        (b"id\ttext\ttitle\n1\ta\tb\n2\t \tc\n", "x.tsv:3: field 'text': empty"),
        (b'id\ttext\ttitle\n1\ta\tb\n2\t"c\td\n3\te\tf\n', "x.tsv:3: cannot be read on"),
        (b"id\ttext\ttitle\n1\ta\tb\n2\tc\n", "x.tsv:3: 2 fields"),
        (b"id\ttext\ttitle\n1\ta\tb\n\n", "x.tsv:3: 0 fields"),
        (b'id\ttext\ttitle\n1\t"a\tb\n', "cannot be read on"),
        (b"id\ttext\ttitle\n1\t\xff\tb\n", "cannot be read on"),
        (b"id\ttext\ttitle\n7\ta\tb\n7\tc\td\n", "some id comes twice"),
    ],
)
def test_a_file_that_holds_no_passages(tmp_path: Path, content: bytes, says: str) -> None:
    (tmp_path / "x.tsv").write_bytes(content)
    with pytest.raises(InputError, match=says):
        import_tsv(tmp_path / "x.tsv", tmp_path / "passages", {})
    with pytest.raises(InputError, match="no passage collection"):
        PassageStore(tmp_path)


def test_what_was_made_from_other_passages_is_refused(
    snapshot: Callable[..., Path], page: Callable[..., str], store: PassageStore
) -> None:
    other = PassageStore(snapshot("other", [page("Ada", "other text")]))
    store.check(store.fingerprint, Path("index"))
    with pytest.raises(InputError, match=f"index: belongs to another passage collection.*{store.fingerprint[:12]}"):
        store.check(other.fingerprint, Path("index"))


@pytest.mark.parametrize("how", ["torn", "fewer", "account", "gone"])
def test_a_collection_that_is_not_whole(store: PassageStore, tmp_path: Path, how: str) -> None:
    folder = tmp_path / "store" / "passages"
    (data,) = folder.glob("data-*.arrow")
    content = data.read_bytes()
    if how == "torn":
        data.write_bytes(content[: len(content) // 2])
    elif how == "fewer":
        data.write_bytes((tmp_path / "store" / "redirects" / "data-00000.arrow").read_bytes())
    elif how == "account":
        (folder / "collection.json").write_text("{}")
    else:
        (folder / "collection.json").unlink()
    with pytest.raises(InputError):
        PassageStore(tmp_path / "store")


def test_an_export_replaces_only_what_its_run_wrote(store: PassageStore, tmp_path: Path) -> None:
    run, path = store.folder.parent, tmp_path / "notes.tsv"
    check_replaceable(run, path, force=False)
    path.write_text("id\ttext\ttitle\n1\tmine\tM\n")
    with pytest.raises(SituatedError, match="force=true replaces it"):
        export_once(run, path, force=False)
    assert "mine" in path.read_text()
    export_once(run, path, force=True)
    content, written = path.read_bytes(), path.stat().st_mtime_ns
    export_once(run, path, force=False)
    assert (path.read_bytes(), path.stat().st_mtime_ns) == (content, written)
    assert b"mine" not in content
    path.write_text("touched")
    with pytest.raises(SituatedError, match="did not write it"):
        check_replaceable(run, path, force=False)
    with pytest.raises(SituatedError, match="is a folder"):
        check_replaceable(run, tmp_path, force=True)
