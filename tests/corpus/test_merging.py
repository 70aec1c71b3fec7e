"""Batches put together: ids, aliases, counts, and pages of one title."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from situated.corpus.merging import merge
from situated.corpus.parts import Cleaner, read_part
from situated.corpus.passages import WordBlocks
from situated.corpus.store import PassageStore
from situated.corpus.tables import open_table

Make = Callable[..., str]
PROSE = "one two three four five six seven"


def _merged(batches: list[str], folder: Path) -> dict[str, int]:
    paths = [folder / f"{number}.part" for number in range(len(batches))]
    for path, batch in zip(paths, batches, strict=True):
        Cleaner(WordBlocks(5)).write(batch.encode(), path)
    return dict(merge(paths, folder)[0])


def test_every_page_is_counted_once(page: Make, tmp_path: Path) -> None:
    batch = [
        page("Ada", PROSE, id=1), page("Bea", redirect="Ada", id=2), page("Talk:Ada", PROSE, ns=1, id=3),
        page("WP:B", redirect="Wikipedia:Ada", ns=4, id=4), page("Ada (disambiguation)", PROSE, id=5),
        page("List of Adas", PROSE, id=6), page("Index of Adas", PROSE, id=7), page("Outline of Adas", PROSE, id=8),
        page("Void", "{{Infobox|a=b}}", id=9), page("Broken", PROSE, id=11).replace("<revision>", "<x>"),
        page("Data", "{}", id=12).replace("<text", "<model>json</model><text"),
    ]  # fmt: skip
    counts = _merged(["".join(batch[:4]), "".join(batch[4:])], tmp_path)
    assert counts == {
        "pages": 11, "redirects": 2, "articles": 7, "kept": 1, "disambiguations": 1, "passages": 2,
        "skipped/other_namespace": 1, "skipped/redirect_of_other_namespace": 1, "skipped/list": 1, "skipped/index": 1,
        "skipped/outline": 1, "skipped/no_text": 1, "skipped/malformed_xml": 1, "skipped/no_wikitext": 1,
    }  # fmt: skip
    inside = ("list", "index", "outline", "no_text", "no_wikitext")
    assert counts["articles"] == counts["kept"] + counts["disambiguations"] + sum(
        counts[f"skipped/{one}"] for one in inside
    )
    assert open_table(tmp_path / "redirects").to_pylist() == [{"title": "Bea", "target": "Ada", "page_id": 2}]


def test_of_pages_with_one_title_the_first_stays(page: Make, snapshot: Callable[..., Path], tmp_path: Path) -> None:
    batches = [
        page("Ada", PROSE, id=1) + page("Bea", f"{PROSE} eight", id=2) + page("Ada", f"again {PROSE}", id=3),
        page("Bea", "x", id=4) + page("Cleo", PROSE, id=5) + page("Ada", "y", id=6),
    ]
    store = PassageStore(snapshot("whole", batches))
    assert [(one.id, one.title, one.page_id) for one in store] == [
        ("1", "Ada", 1), ("2", "Ada", 1), ("3", "Bea", 2), ("4", "Bea", 2), ("5", "Cleo", 5), ("6", "Cleo", 5),
    ]  # fmt: skip
    rows = open_table(tmp_path / "whole" / "pages").select(["title", "first_passage", "n_passages"]).to_pylist()
    assert [tuple(row.values()) for row in rows] == [("Ada", 0, 2), ("Bea", 2, 2), ("Cleo", 4, 2)]
    counts = _merged(batches, tmp_path / "counted")
    assert (counts["articles"], counts["kept"], counts["skipped/duplicate_title"]) == (6, 3, 3)


def test_the_same_pages_give_the_same_files_however_they_fall_into_runs(
    page: Make, snapshot: Callable[..., Path], contents: Callable[[Path], dict[str, bytes]]
) -> None:
    batches = [page(f"T{number}", PROSE, id=number) for number in range(5)]
    first, second = snapshot("first", batches), snapshot("second", batches)
    assert contents(first) == contents(second)
    assert PassageStore(snapshot("one", ["".join(batches)])).fingerprint == PassageStore(first).fingerprint


def test_a_part_file_holds_three_tables(page: Make, tmp_path: Path) -> None:
    counts = Cleaner(WordBlocks(5)).write((page("A", PROSE) + page("B", redirect="A")).encode(), tmp_path / "p")
    part = read_part(tmp_path / "p")
    assert part.counts == counts
    assert (part.passages.num_rows, part.pages.num_rows, part.redirects.num_rows) == (2, 1, 1)
    Cleaner(WordBlocks(5)).write(b"", tmp_path / "empty")
    assert [table.num_rows for table in read_part(tmp_path / "empty")[1:]] == [0, 0, 0]
