from collections.abc import Callable
from pathlib import Path

import pytest

from situated.data.situatedqa import Identification
from situated.errors import SituatedError
from situated.io import read_records, sha256, write_json, write_jsonl
from situated.report.published.table4 import build
from situated.report.table import Cell, Row, Table
from situated.schema import Decision

MakeRun = Callable[..., Path]
OTHER = {"train": "d" * 64, "dev": "e" * 64, "test": "f" * 64}


def _table(out: Path, known: frozenset[str]) -> Table:
    return build(out, draws=200, seed=0, known=known)


def _rows(table: Table, context: str, system: str) -> list[Row]:
    (block,) = [block for block in table.blocks if block.heading == context]
    return [row for row in block.rows if row.labels[0].text == system]


def _cells(table: Table, context: str, system: str, split: str) -> dict[str, Cell]:
    (row,) = [row for row in _rows(table, context, system) if row.labels[1].text == split]
    return dict(zip(table.columns, row.cells, strict=True))


def test_perfect_system_has_full_scores_and_is_compared(out: Path, make_run: MakeRun, known: frozenset[str]) -> None:
    make_run("bert_base", "geo")
    cells = _cells(_table(out, known), "geo", "BERT-base", "test")
    assert list(cells) == ["Accuracy", "Precision", "Recall", "F1"]
    assert cells["F1"] == Cell(paper=76.2, ours=100, ci95=(100, 100), difference=23.8, n=30, seeds=1)
    assert [cell.difference for cell in cells.values()] == [20.4, 32.6, 12.4, 23.8]


def test_constant_systems_have_the_scores_that_the_labels_demand(
    out: Path, make_run: MakeRun, known: frozenset[str]
) -> None:
    make_run("constant")
    make_run("majority")
    table = _table(out, known)
    always = _cells(table, "temp", "constant", "dev")
    assert {name: cell.ours for name, cell in always.items()} == {
        "Accuracy": 40.0,
        "Precision": 40.0,
        "Recall": 100.0,
        "F1": pytest.approx(100 * 2 * 0.4 / 1.4, abs=1e-3),
    }
    never = _cells(table, "temp", "Majority", "test")
    assert [cell.ours for cell in never.values()] == [70.0, 0.0, 0.0, 0.0]
    assert all(cell.paper is None and cell.difference is None for cell in never.values())


def test_seeds_are_averaged_in_one_row(out: Path, make_run: MakeRun, known: frozenset[str]) -> None:
    accuracies = []
    for seed in (1, 2, 3):
        predictions = make_run("random", seed=seed) / "predictions.jsonl"
        dev = [row for _, row in read_records(predictions, Decision) if row.split == "dev"]
        accuracies.append(sum(row.label == row.prediction for row in dev) / len(dev))
    table = _table(out, known)
    accuracy = _cells(table, "temp", "Random", "dev")["Accuracy"]
    assert len(set(accuracies)) > 1
    assert accuracy.ours == pytest.approx(100 * sum(accuracies) / 3, abs=1e-3)
    assert accuracy.seeds == 3
    assert [label.detail for label in _rows(table, "temp", "Random")[0].labels] == ["3 seeds", "n = 40"]


def test_systems_without_runs_show_the_paper_and_the_command(
    out: Path, make_run: MakeRun, known: frozenset[str]
) -> None:
    make_run("bert_large", "temp")
    table = _table(out, known)
    assert _cells(table, "temp", "BERT-base", "dev")["F1"] == Cell(paper=91.2)
    assert _cells(table, "geo", "Human", "test")["Recall"] == Cell(paper=88.9)
    commands = {missing.row: missing.command for missing in table.missing}
    assert commands["BERT-large, geo"] == "python classifier/train.py experiment/classifier=bert_large_geo seed=1"
    assert list(commands) == ["Random, temp", "BERT-base, temp", "Random, geo", "BERT-base, geo", "BERT-large, geo"]


def test_run_of_another_name_does_not_stand_for_the_preset(out: Path, make_run: MakeRun, known: frozenset[str]) -> None:
    make_run("bert_base", name="smoke_bert_base_temp", data={"limit": 8})
    assert "BERT-base, temp" in {missing.row for missing in _table(out, known).missing}


def test_without_runs_the_paper_stands_alone(out: Path, known: frozenset[str]) -> None:
    table = _table(out, known)
    assert [block.heading for block in table.blocks] == ["temp", "geo"]
    assert all(cell.ours is None for block in table.blocks for row in block.rows for cell in row.cells)
    assert len(table.missing) == 6
    assert "No complete run" in table.notes[0]
    assert "NOT comparable" not in table.title


def test_incomplete_runs_are_named_and_not_counted(out: Path, make_run: MakeRun, known: frozenset[str]) -> None:
    make_run("random", seed=1)
    make_run("random", seed=2, status="running")
    (make_run("bert_base", seed=7) / "manifest.json").unlink()
    table = _table(out, known)
    assert _cells(table, "temp", "Random", "dev")["F1"].seeds == 1
    assert table.runs == ("classifier/random_temp/seed=1",)
    assert [note for note in table.notes if note.startswith("Not counted")] == [
        "Not counted: classifier/bert_base_temp/seed=7 is incomplete (no manifest.json).",
        "Not counted: classifier/random_temp/seed=2 is incomplete (status 'running').",
    ]


def test_runs_on_other_data_are_not_compared(out: Path, make_run: MakeRun, known: frozenset[str]) -> None:
    make_run("bert_base", inputs=OTHER)
    table = _table(out, known)
    cell = _cells(table, "temp", "BERT-base", "dev")["F1"]
    assert (cell.paper, cell.ours, cell.difference) == (91.2, 100, None)
    assert _rows(table, "temp", "BERT-base")[0].labels[0].detail == "1 seed, other data"
    assert table.title.endswith("NOT comparable with it")
    assert any(note.startswith("Not comparable with the paper") for note in table.notes)


def test_runs_on_part_of_the_data_are_not_compared(out: Path, make_run: MakeRun, known: frozenset[str]) -> None:
    make_run("bert_base", data={"limit": 5})
    make_run("random")
    table = _table(out, known)
    assert _cells(table, "temp", "BERT-base", "dev")["F1"].difference is None
    assert _rows(table, "temp", "BERT-base")[0].labels[0].detail == "1 seed, first 5"
    assert _cells(table, "temp", "Random", "dev")["F1"].difference is not None
    assert "NOT comparable" not in table.title


def test_released_counts_that_the_paper_does_not_print_are_noted(
    out: Path, make_run: MakeRun, known: frozenset[str]
) -> None:
    make_run("bert_base", "geo")
    make_run("bert_base", "temp", inputs=OTHER)
    notes = " ".join(_table(out, known).notes)
    assert "geo dev: 40 questions in the released file, 879 in the paper" in notes
    assert "temp dev" not in notes


def test_experiments_with_one_system_have_a_row_each(out: Path, make_run: MakeRun, known: frozenset[str]) -> None:
    make_run("bert_base", config={"lr": 5e-5})
    make_run("bert_base", name="slow", config={"lr": 1e-5})
    table = _table(out, known)
    assert len(_rows(table, "temp", "BERT-base")) == 2
    assert len(_rows(table, "temp", "BERT-base (slow)")) == 2


def test_seeds_of_other_configurations_are_not_averaged(out: Path, make_run: MakeRun, known: frozenset[str]) -> None:
    make_run("bert_base", seed=1, config={"lr": 5e-5})
    make_run("bert_base", seed=2, config={"lr": 1e-5})
    with pytest.raises(SituatedError, match=r"seed=1 and .*seed=2 are not seeds of one experiment.* config\.lr"):
        _table(out, known)


def test_seeds_with_other_examples_are_not_averaged(out: Path, make_run: MakeRun, known: frozenset[str]) -> None:
    make_run("bert_base", seed=1)
    make_run("bert_base", seed=2, prefix="p")
    with pytest.raises(SituatedError, match="do not predict the same examples"):
        _table(out, known)


def test_rows_stand_in_the_papers_order(out: Path, make_run: MakeRun, known: frozenset[str]) -> None:
    for system in ("zeta", "alpha", "tfidf", "minilm", "majority"):
        make_run(system)
    make_run("alpha", "previous")
    table = _table(out, known)
    assert [block.heading for block in table.blocks] == ["temp", "geo", "previous"]
    assert [row.labels[0].text for row in table.blocks[0].rows[::2]] == [
        "Random", "Majority", "TF-IDF + LR", "MiniLM-L6", "BERT-base", "BERT-large", "alpha", "zeta", "Human",
    ]  # fmt: skip
    assert [row.labels[0].text for row in table.blocks[2].rows] == ["alpha", "alpha"]


@pytest.mark.realdata
def test_majority_on_the_released_files(released: Path, out: Path) -> None:
    data = Identification(released / "situatedqa" / "id_data", "temp")
    folder = out / "classifier" / "majority_temp" / "seed=1"
    examples = data.read()
    predictions = [
        Decision(
            example_id=example.example_id,
            id=example.id,
            split=split,
            question=example.question,
            label="yes" if example.is_dependent else "no",
            prediction="no",
            score=0.0,
        )
        for split in ("dev", "test")
        for example in examples[split]
    ]
    write_jsonl(folder / "predictions.jsonl", predictions)
    inputs = {split: {"sha256": sha256(path)} for split, path in data.files().items()}
    config = {"system": "majority", "data": {"context": "temp"}}
    record = {"stage": "classifier", "name": "majority_temp", "seed": 1, "status": "complete"}
    write_json(folder / "manifest.json", record | {"config": config, "inputs": inputs})
    table = build(out, draws=100, seed=0, known=frozenset(entry["sha256"] for entry in inputs.values()))
    for split, share_of_no, n in (("dev", 67.8, 2606), ("test", 72.4, 1928)):
        accuracy = _cells(table, "temp", "Majority", split)["Accuracy"]
        assert accuracy.ours == pytest.approx(share_of_no, abs=0.05)
        assert accuracy.n == n
    assert "temp dev: 2606 questions in the released file, 2572 in the paper's Table 2." in table.notes
