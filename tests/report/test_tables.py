from collections.abc import Callable
from importlib import import_module
from pathlib import Path

import msgspec
import pytest

from situated.data.sources import known_sha256
from situated.errors import ConfigError
from situated.report.render import csv_lines, latex, markdown
from situated.report.table import Table
from situated.report.tables import available, build, write

MakeRun = Callable[..., Path]


def test_every_table_that_is_offered_can_be_made_from_nothing(out: Path, known: frozenset[str]) -> None:
    assert 4 in available()
    tables = build(available(), out, draws=10, known=known)
    assert [table.name for table in tables] == [f"table{number}" for number in available()]
    for number, table in zip(available(), tables, strict=True):
        assert import_module(f"situated.report.published.table{number}").build
        for block in table.blocks:
            for row in block.rows:
                assert (len(row.labels), len(row.cells)) == (len(table.stub), len(table.columns))


def test_unknown_numbers_are_refused_with_those_there(out: Path, known: frozenset[str]) -> None:
    with pytest.raises(ConfigError, match=r"table=\[3, 99\]: no such table here\. Available: .*4"):
        build([4, 99, 3], out, known=known)


def test_no_draws_are_refused(out: Path, make_run: MakeRun, known: frozenset[str]) -> None:
    make_run("random")
    with pytest.raises(ConfigError, match="draws = 0"):
        build([4], out, draws=0, known=known)


def test_same_runs_make_the_same_table_and_the_seed_changes_intervals_alone(
    out: Path, make_run: MakeRun, known: frozenset[str]
) -> None:
    make_run("random")
    first, again, other = (build([4], out, draws=50, seed=seed, known=known)[0] for seed in (0, 0, 1))
    assert first == again
    cells, others = ([c for b in t.blocks for r in b.rows for c in r.cells] for t in (first, other))
    assert [cell.ours for cell in cells] == [cell.ours for cell in others]
    assert [cell.ci95 for cell in cells] != [cell.ci95 for cell in others]


def test_files_hold_the_table(out: Path, make_run: MakeRun, known: frozenset[str], tmp_path: Path) -> None:
    make_run("random")
    (table,) = build([4], out, draws=50, known=known)
    folder = tmp_path / "report"
    paths = write(table, folder)
    assert sorted(folder.iterdir()) == sorted(paths)
    assert {path.name for path in paths} == {"table4.md", "table4.csv", "table4.tex", "table4.json"}
    assert msgspec.json.decode((folder / "table4.json").read_bytes(), type=Table) == table
    for suffix, render in (("md", markdown), ("csv", csv_lines), ("tex", latex)):
        assert (folder / f"table4.{suffix}").read_text(encoding="utf-8") == render(table)


def test_released_files_are_those_of_the_sources_by_default(out: Path, make_run: MakeRun) -> None:
    released = dict(zip(("train", "dev", "test"), sorted(known_sha256()), strict=False))
    make_run("random", "temp", inputs=released)
    make_run("random", "geo")
    (table,) = build([4], out, draws=10)
    temp, geo = (block.rows[0].cells[0] for block in table.blocks)
    assert temp.difference is not None
    assert geo.ours is not None
    assert geo.difference is None
