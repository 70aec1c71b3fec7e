"""Tables 2, 10 and 11 from an audit, and 12, which no data makes."""

from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from situated.errors import InputError
from situated.io import write_json
from situated.report.audit import Audit
from situated.report.published import table2, table10, table11, table12
from situated.report.table import Cell, Table

Build = Callable[..., Table]


@pytest.fixture
def as_run(out: Path) -> Callable[[Audit], None]:
    """Leave an audit as the recipe does."""

    def leave(audit: Audit, status: str = "complete") -> None:
        folder = out / "data_prep" / "audit" / "seed=0"
        write_json(folder / "audit.json", audit)
        record = {"stage": "data_prep", "name": "audit", "seed": 0, "status": status, "config": {}, "inputs": {}}
        write_json(folder / "manifest.json", record)

    return leave


def _build(table: Build, out: Path) -> Table:
    return table(out, draws=1, seed=0, known=frozenset())


def _row(table: Table, block: str, *labels: str) -> dict[str, Cell]:
    (found,) = [
        row
        for one in table.blocks
        if one.heading == block
        for row in one.rows
        if tuple(label.text for label in row.labels) == labels
    ]
    return dict(zip(table.columns, found.cells, strict=True))


def test_table_2_sets_the_files_beside_the_paper(out: Path, small_audit: Audit, as_run: Callable[..., None]) -> None:
    as_run(small_audit)
    table = _build(table2.build, out)
    train = _row(table, "temp", "temp", "train")
    assert train["Questions"] == Cell(paper=4438, ours=4, difference=-4434, digits=0)
    assert train["Dependent, %"] == Cell(paper=36, ours=50.0, difference=14, digits=0)
    assert _row(table, "temp", "temp", "test")["Examples"].ours == 7
    assert _row(table, "geo", "geo", "test")["Examples"].ours == 8
    assert _row(table, "temp", "temp", "κ") == {
        "Questions": Cell(paper=0.62, digits=2), "Dependent, %": Cell(digits=2), "Examples": Cell(paper=0.57, digits=2),
    }  # fmt: skip
    assert table.runs == ("data_prep/audit/seed=0",)
    assert not table.missing


def test_files_that_are_not_the_released_ones_are_not_compared(small_audit: Audit) -> None:
    files = {name: msgspec.structs.replace(file, is_released=False) for name, file in small_audit.files.items()}
    audit = msgspec.structs.replace(small_audit, files=files)
    for table in (table2.from_audit(audit), table10.from_audit(audit)):
        assert table.title.endswith("NOT comparable with it")
        assert all(cell.difference is None for block in table.blocks for row in block.rows for cell in row.cells)


def test_what_is_absent_is_said(small_audit: Audit) -> None:
    notes = " ".join(table2.from_audit(small_audit).notes)
    assert "Not in the data folder: " in notes
    assert "id_data/geo.train" in notes
    assert "id_data/temp.dev" in " ".join(table10.from_audit(small_audit).notes)


def test_table_10_counts_sources(small_audit: Audit) -> None:
    table = table10.from_audit(small_audit)
    assert _row(table, "temp", "NQ-Table")["Train"] == Cell(paper=2911, ours=3, difference=-2908, digits=0)
    assert _row(table, "temp", "MS-MARCO")["Train"].ours == 1
    assert _row(table, "temp", "Total")["Train"].ours == 4
    assert _row(table, "temp", "Total")["Total"].ours is None  # dev and test are not there
    assert _row(table, "temp", "NQ-Table")["Dev"] == Cell(paper=500, digits=0)


def test_table_11_shows_the_released_labels_without_a_difference(small_audit: Audit) -> None:
    table = table11.from_audit(small_audit)
    cells = _row(table, "temp train", "NQ-Table")
    assert cells["Yes"].ours == pytest.approx(66.67)
    assert cells["No"].ours == pytest.approx(33.33)
    assert cells["Maybe"] == Cell(paper=3.7)
    assert all(cell.difference is None for cell in cells.values())
    assert table.notes[0].startswith("The table cannot be made")


@pytest.mark.parametrize("build", [table2.build, table10.build, table11.build])
def test_without_an_audit_the_paper_and_the_command_stand(out: Path, build: Build) -> None:
    table = _build(build, out)
    assert all(cell.ours is None for block in table.blocks for row in block.rows for cell in row.cells)
    assert [missing.command for missing in table.missing] == ["python data_prep/audit.py"]


def test_an_audit_under_way_does_not_count(out: Path, small_audit: Audit, as_run: Callable[..., None]) -> None:
    as_run(small_audit, status="running")
    assert not _build(table2.build, out).runs


def test_a_broken_audit_is_named(out: Path, small_audit: Audit, as_run: Callable[..., None]) -> None:
    as_run(small_audit)
    write_json(out / "data_prep/audit/seed=0/audit.json", {"files": {}})
    with pytest.raises(InputError, match=r"audit\.json: not an audit .*python data_prep/audit\.py"):
        _build(table2.build, out)


def test_table_12_is_the_papers_alone(out: Path) -> None:
    table = _build(table12.build, out)
    assert _row(table, "identification", "NQ-Table")["yes or no"] == Cell(paper=0.69, digits=2)
    assert table.notes[0].startswith("The table cannot be made")
