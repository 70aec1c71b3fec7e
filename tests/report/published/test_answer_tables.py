"""Tables 5 to 9, 13 and 14 from score folders."""

from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from situated.errors import InputError, SituatedError
from situated.io import read_json, write_json, write_jsonl
from situated.report.render import csv_lines, latex, markdown
from situated.report.table import Cell, Row, Table

MakeScores = Callable[..., Path]
TEMP = {"static", "sampled", "start"}
GEO = {"us", "india", "other", "rare"}


def _table(number: int, out: Path, known: frozenset[str]) -> Table:
    module = import_module(f"situated.report.published.table{number}")
    table: Table = module.build(out, draws=200, seed=0, known=known)
    return table


def _rows(table: Table, block: str, system: str) -> dict[str, Row]:
    """Second label -> row."""
    (found,) = [one for one in table.blocks if one.heading == block]
    return {row.labels[1].text: row for row in found.rows if row.labels[0].text == system}


def _column(table: Table, block: str, system: str, column: str) -> dict[str, Cell]:
    at = table.columns.index(column)
    return {name: row.cells[at] for name, row in _rows(table, block, system).items()}


def _ours(cells: dict[str, Cell]) -> dict[str, Any]:
    return {name: cell.ours for name, cell in cells.items()}


def test_a_perfect_system_in_table_5(out: Path, make_scores: MakeScores, known: frozenset[str]) -> None:
    make_scores("retrieval/modified", "temp", TEMP)
    make_scores("closed_book/finetuned", "geo", GEO)
    table = _table(5, out, known)
    temp = _column(table, "temp", "Retrieval (DPR)", "Modified query")
    assert _ours(temp) == {"Static": 100, "Sampled": 100, "Start": 100, "Total": 100}
    assert [cell.difference for cell in temp.values()] == [71.2, 84.1, 81.5, 81.4]
    assert [cell.n for cell in temp.values()] == [400, 1482, 913, 2795]
    geo = _column(table, "geo", "Closed book (BART)", "Fine-tuned")
    assert [(cell.paper, cell.difference, cell.n) for cell in geo.values()] == [
        (21.5, 78.5, 266), (11.7, 88.3, 240), (16.8, 83.2, 506),
    ]  # fmt: skip
    assert table.runs == ("score/closed_book_finetuned_geo/seed=1", "score/retrieval_modified_temp/seed=1")


def test_parts_have_the_scores_that_logic_demands(out: Path, make_scores: MakeScores, known: frozenset[str]) -> None:
    make_scores("retrieval/unmodified", "temp", {"static"})
    make_scores("retrieval/unmodified", "geo", {"us"})
    table = _table(5, out, known)
    temp = _ours(_column(table, "temp", "Retrieval (DPR)", "Unmodified"))
    assert temp == {"Static": 100, "Sampled": 0, "Start": 0, "Total": pytest.approx(100 * 400 / 2795, abs=1e-3)}
    geo = _ours(_column(table, "geo", "Retrieval (DPR)", "Unmodified"))
    assert geo["Common"] == pytest.approx(100 * 43 / 266, abs=1e-3)
    assert geo["Rare"] == 0


def test_counts_that_the_paper_does_not_print_are_shown(
    out: Path, make_scores: MakeScores, known: frozenset[str]
) -> None:
    make_scores("retrieval/unmodified", "temp", TEMP)
    table = _table(5, out, known)
    rows = _rows(table, "temp", "Retrieval (DPR)")
    assert [row.labels[1].detail for row in rows.values()] == [
        "n = 400", "n = 1482, paper 1472", "n = 913, paper 923", "n = 2795",
    ]  # fmt: skip
    assert any("sampled 1482 (paper 1472), start 913 (paper 923)" in note for note in table.notes)


def test_table_6_sets_one_beside_any(out: Path, make_scores: MakeScores, known: frozenset[str]) -> None:
    make_scores("closed_book/modified", "temp", set(), any_right=True)
    cells = _column(_table(6, out, known), "temp", "Closed book (BART)", "Modified query")
    assert _ours(cells) == {"One": 0, "Any": 100}
    assert [cell.difference for cell in cells.values()] == [-14.5, 80.1]


def test_table_7_is_of_unmodified_systems(out: Path, make_scores: MakeScores, known: frozenset[str]) -> None:
    make_scores("retrieval/unmodified", "geo", {"us"})
    make_scores("retrieval/modified", "geo", GEO)
    table = _table(7, out, known)
    assert table.columns == ("Unmodified",)
    cells = _column(table, "geo", "Retrieval (DPR)", "Unmodified")
    assert _ours(cells) == {"US": 100, "India": 0, "Other common": 0, "Rare": 0}
    assert [cell.n for cell in cells.values()] == [43, 20, 203, 240]
    assert _rows(table, "geo", "Retrieval (DPR)")["US"].labels[1].detail == "n = 43, paper 42"


def test_table_8(out: Path, make_scores: MakeScores, known: frozenset[str]) -> None:
    make_scores("retrieval/finetuned", "previous", {"current"}, gold="e" * 64)
    table = _table(8, out, known)
    cells = _column(table, "current and previous", "Retrieval (DPR)", "Fine-tuned")
    assert _ours(cells) == {"Current": 100, "Previous": 0, "Total": pytest.approx(100 * 529 / 902, abs=1e-3)}
    assert [cell.difference for cell in cells.values()] == [77.5, -11.3, 40.8]


@pytest.mark.parametrize(("number", "metric", "papers"), [(9, "em", (26.6, 11.5)), (14, "recall@50", (78.3, 60.3))])
def test_tables_9_and_14_have_a_row_for_each_state_of_knowledge(
    out: Path, make_scores: MakeScores, known: frozenset[str], number: int, metric: str, papers: tuple[float, float]
) -> None:
    make_scores("retrieval/wiki_2021", "updated", {"updated"}, metric=metric)
    table = _table(number, out, known)
    assert table.columns == ("Stable", "Updated")
    rows = _rows(table, "stable and updated", "Retrieval (DPR)")
    assert list(rows) == ["Wikipedia Dec 2018", "Wikipedia Feb 2021", "Wikipedia Feb 2021, fine-tuned"]
    stable, updated = rows["Wikipedia Feb 2021"].cells
    assert (stable.paper, stable.ours, stable.n) == (papers[0], 0, 267)
    assert (updated.paper, updated.ours, updated.n) == (papers[1], 100, 209)
    assert updated.difference == pytest.approx(100 - papers[1])
    assert rows["Wikipedia Dec 2018"].cells[0].ours is None


def test_table_13_takes_recall_alone(out: Path, make_scores: MakeScores, known: frozenset[str]) -> None:
    make_scores("retrieval/unmodified", "temp", TEMP)
    make_scores("retrieval/unmodified", "geo", {"rare"}, any_right=True, metric="recall@50")
    table = _table(13, out, known)
    assert set(_ours(_column(table, "temp", "Retrieval (DPR)", "Unmodified")).values()) == {None}
    geo = _ours(_column(table, "geo", "Retrieval (DPR)", "Unmodified"))
    assert geo == {"Common": 0, "Rare": 100, "Total": pytest.approx(100 * 240 / 506, abs=1e-3), "Any": 100}


@pytest.mark.parametrize("number", [5, 6, 7, 8, 9])
def test_without_score_folders_the_paper_and_the_commands_stand(out: Path, known: frozenset[str], number: int) -> None:
    table = _table(number, out, known)
    cells = [cell for block in table.blocks for row in block.rows for cell in row.cells]
    assert all(cell.ours is None for cell in cells)
    assert any(cell.paper is not None for cell in cells)
    assert table.missing
    assert all("python report/score.py predictions=" in missing.command for missing in table.missing)
    assert not table.runs
    assert "NOT comparable" not in table.title


@pytest.mark.parametrize("number", [13, 14])
def test_recall_without_score_folders_says_so(out: Path, known: frozenset[str], number: int) -> None:
    table = _table(number, out, known)
    assert any("No recipe here leaves recall@50" in note for note in table.notes)


def test_a_system_that_is_there_is_not_missing(out: Path, make_scores: MakeScores, known: frozenset[str]) -> None:
    make_scores("closed_book/unmodified", "geo", GEO)
    missing = {one.row for one in _table(7, out, known).missing}
    assert missing == {"Retrieval (DPR), geo (unmodified)"}


def test_examples_other_than_the_test_file_are_not_compared(
    out: Path, make_scores: MakeScores, known: frozenset[str]
) -> None:
    few = {"static": 4, "sampled": 3, "start": 2}
    make_scores("retrieval/unmodified", "temp", TEMP, sizes=few)
    table = _table(5, out, known)
    cells = _column(table, "temp", "Retrieval (DPR)", "Unmodified")
    assert all(cell.ours == 100 and cell.difference is None and cell.paper is not None for cell in cells.values())
    assert table.title.endswith("NOT comparable with it")
    assert _rows(table, "temp", "Retrieval (DPR)")["Static"].labels[0].detail == "1 seed, other data"


def test_another_gold_file_of_equal_size_is_not_compared(
    out: Path, make_scores: MakeScores, known: frozenset[str]
) -> None:
    make_scores("retrieval/unmodified", "temp", TEMP, gold="e" * 64)
    cells = _column(_table(5, out, known), "temp", "Retrieval (DPR)", "Unmodified")
    assert all(cell.difference is None for cell in cells.values())


def test_answers_scored_against_their_own_gold_are_marked(
    out: Path, make_scores: MakeScores, known: frozenset[str]
) -> None:
    make_scores("retrieval/unmodified", "temp", TEMP, gold=None)
    table = _table(5, out, known)
    row = _rows(table, "temp", "Retrieval (DPR)")["Static"]
    assert row.labels[0].detail == "1 seed, own gold"
    assert row.cells[0].difference == 55.8
    assert any(note.startswith("'own gold'") for note in table.notes)


def test_seeds_are_averaged_with_an_interval_over_questions_and_seeds(
    out: Path, make_scores: MakeScores, known: frozenset[str]
) -> None:
    make_scores("retrieval/modified", "temp", {"static"}, seed=1)
    make_scores("retrieval/modified", "temp", set(), seed=2)
    table = _table(5, out, known)
    cells = _column(table, "temp", "Retrieval (DPR)", "Modified query")
    static = cells["Static"]
    assert (static.ours, static.seeds) == (50, 2)
    assert static.ci95 == (0, 100)
    assert (cells["Start"].ours, cells["Start"].ci95) == (0, (0, 0))
    assert any("resamples questions and seeds together (200 draws, seed 0)" in note for note in table.notes)


def test_recall_of_several_seeds(out: Path, make_scores: MakeScores, known: frozenset[str]) -> None:
    for seed, right in ((1, {"rare"}), (2, {"rare", "us"})):
        make_scores("retrieval/modified", "geo", right, seed=seed, any_right=True, metric="recall@50")
    cells = _ours(_column(_table(13, out, known), "geo", "Retrieval (DPR)", "Modified query"))
    assert cells["Common"] == pytest.approx(100 * 43 / 266 / 2, abs=1e-3)
    assert (cells["Rare"], cells["Any"]) == (100, 100)


def test_seeds_of_other_settings_are_refused(out: Path, make_scores: MakeScores, known: frozenset[str]) -> None:
    make_scores("retrieval/modified", "geo", GEO, seed=1, config={"normal_form": "squad"})
    make_scores("retrieval/modified", "geo", GEO, seed=2, config={"normal_form": "situatedqa"})
    with pytest.raises(SituatedError, match=r"not seeds of one experiment.* config\.normal_form"):
        _table(5, out, known)


def test_seeds_of_other_examples_are_refused(out: Path, make_scores: MakeScores, known: frozenset[str]) -> None:
    make_scores("retrieval/modified", "geo", GEO, seed=1)
    make_scores("retrieval/modified", "geo", GEO, seed=2, prefix="other")
    with pytest.raises(SituatedError, match=r"1012 are in one only, such as 'other:1'.*gold="):
        _table(5, out, known)


def test_broken_score_folders_are_named(out: Path, make_scores: MakeScores, known: frozenset[str]) -> None:
    folder = make_scores("retrieval/modified", "geo", GEO)
    write_json(folder / "metrics.json", {"em/total": 1})
    with pytest.raises(InputError, match=r"metrics\.json: not the metrics of scored answers"):
        _table(5, out, known)


def test_scores_given_twice_are_refused(out: Path, make_scores: MakeScores, known: frozenset[str]) -> None:
    for seed in (1, 2):
        folder = make_scores("retrieval/modified", "geo", GEO, seed=seed)
    row = {"example_id": "test:1", "question_id": "q0", "groups": ["rare"], "em": True, "any": True}
    write_jsonl(folder / "scores.jsonl", [row, row])
    with pytest.raises(InputError, match=r"scores\.jsonl:2: field 'example_id': 'test:1' was given already"):
        _table(5, out, known)


def test_scores_without_the_metric_are_refused(out: Path, make_scores: MakeScores, known: frozenset[str]) -> None:
    for seed in (1, 2):
        folder = make_scores("retrieval/modified", "geo", GEO, seed=seed)
        metrics = read_json(folder / "metrics.json")
        recall = {name.replace("em/", "recall@50/"): value for name, value in metrics.items()}
        write_json(folder / "metrics.json", recall)
    with pytest.raises(InputError, match=r"scores\.jsonl: holds no example, or not the score of each, for 'recall@50/"):
        _table(13, out, known)


def test_other_systems_have_rows_and_a_column_of_their_own(
    out: Path, make_scores: MakeScores, known: frozenset[str]
) -> None:
    make_scores("bm25", "temp", TEMP, name="mine")
    make_scores("retrieval/prompted", "temp", set())
    table = _table(5, out, known)
    assert table.columns == ("Unmodified", "Modified query", "Fine-tuned", "Other")
    assert set(_ours(_column(table, "temp", "bm25 (mine)", "Other")).values()) == {100}
    prompted = _rows(table, "temp", "Retrieval (DPR) (retrieval_prompted_temp)")
    assert all(row.cells[3].ours == 0 and row.cells[0].paper is None for row in prompted.values())
    assert _rows(table, "temp", "Retrieval (DPR)")["Static"].cells[0] == Cell(paper=44.2)


def test_a_second_experiment_of_one_system_has_its_own_rows(
    out: Path, make_scores: MakeScores, known: frozenset[str]
) -> None:
    make_scores("retrieval/modified", "temp", TEMP, name="a", sizes={"static": 1, "sampled": 1, "start": 1})
    make_scores("retrieval/modified", "temp", set(), name="b")
    table = _table(5, out, known)
    assert set(_ours(_column(table, "temp", "Retrieval (DPR)", "Modified query")).values()) == {0}
    again = _column(table, "temp", "Retrieval (DPR) (a)", "Modified query")
    assert all(cell.ours == 100 and cell.paper is None for cell in again.values())


def test_incomplete_score_folders_are_named(out: Path, make_scores: MakeScores, known: frozenset[str]) -> None:
    make_scores("retrieval/modified", "temp", TEMP, status="running")
    table = _table(5, out, known)
    assert "Not counted: score/retrieval_modified_temp/seed=1 is incomplete (status 'running')." in table.notes
    assert not table.runs


def test_open_questions_stand_in_no_table(out: Path, make_scores: MakeScores, known: frozenset[str]) -> None:
    make_scores("retrieval/modified", "open", {""})
    assert not any(_table(number, out, known).runs for number in (5, 6, 7, 8, 9))


@pytest.mark.parametrize("number", [5, 9, 13])
def test_every_form_of_a_table_can_be_written(
    out: Path, make_scores: MakeScores, known: frozenset[str], number: int
) -> None:
    make_scores("mine", "temp", TEMP)
    make_scores("mine", "updated", {"stable"})
    make_scores("mine", "geo", {"us"}, metric="recall@50", name="ranked")
    table = _table(number, out, known)
    assert "mine" in markdown(table)
    assert "mine" in csv_lines(table)
    assert "mine" in latex(table)
