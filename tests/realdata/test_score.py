"""Scoring on the released test files, whose figures follow from counting."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from situated.io import read_records, write_jsonl
from situated.metrics import Estimate
from situated.report.predictions import Predictions
from situated.report.scoring import Columns, Scored, estimates, scored
from situated.report.survey import survey
from situated.text import normalize_situatedqa

pytestmark = pytest.mark.realdata
Row = dict[str, Any]
Answer = Callable[[int, Row], str]
SIZES = {
    "temp": {"total": 2795, "any": 2795, "static": 400, "sampled": 1482, "start": 913},
    "geo": {"total": 506, "any": 506, "common": 266, "rare": 240, "us": 43, "india": 20, "other": 203},
}


@pytest.fixture
def score(released: Path, tmp_path: Path) -> Callable[[str, Answer], tuple[dict[str, Estimate], list[Scored]]]:
    """Score what a function of (row, its number from 0) answers, joined with the released test file."""

    def score(kind: str, answer: Answer) -> tuple[dict[str, Estimate], list[Scored]]:
        gold = released / f"situatedqa/qa_data/{kind}.test.jsonl"
        rows = [row for _, row in read_records(gold, dict)]
        write_jsonl(tmp_path / "x.jsonl", [row | {"pred_answer": answer(n, row)} for n, row in enumerate(rows)][::-1])
        predictions = Predictions(tmp_path / "x.jsonl", gold)
        found = survey(predictions, normalize_situatedqa)
        columns = Columns(found.n)
        lines = list(scored(predictions, found, normalize_situatedqa, columns))
        return estimates(columns, draws=200, seed=0), lines

    return score


Score = Callable[[str, Answer], tuple[dict[str, Estimate], list[Scored]]]


@pytest.mark.parametrize("kind", ["temp", "geo"])
def test_perfect_answers_are_all_right_but_for_a_bracket(score: Score, kind: str) -> None:
    found, lines = score(kind, lambda _, row: row["answer"][-1])
    assert {name.partition("/")[2]: e.n for name, e in found.items() if name.startswith("em/")} == SIZES[kind]
    wrong = [line.example_id for line in lines if not line.em]
    assert wrong == (["temp.test:2346"] if kind == "temp" else [])
    for group, n in SIZES[kind].items():
        lost = len(wrong) if group in ("total", "any", "static") else 0
        assert found[f"em/{group}"].value == pytest.approx(1 - lost / n)
    assert not any(e.value for name, e in found.items() if name.startswith("wrong_context"))


@pytest.mark.parametrize(
    ("kind", "answer", "right"),
    [
        ("temp", "2018", {"total": 51, "any": 89, "static": 0, "sampled": 34, "start": 17}),
        ("geo", "the 2014.", {"total": 5, "any": 21, "common": 1, "rare": 4}),
        ("temp", "", dict.fromkeys(SIZES["temp"], 0)),
        ("geo", "", dict.fromkeys(SIZES["geo"], 0)),
    ],
)
def test_a_constant_is_right_as_often_as_the_files_say_it(
    score: Score, kind: str, answer: str, right: dict[str, int]
) -> None:
    found, _ = score(kind, lambda _n, _row: answer)
    for group, count in right.items():
        assert found[f"em/{group}"].value == pytest.approx(count / SIZES[kind][group])
    assert found["wrong_context/total"].value == pytest.approx((right["any"] - right["total"]) / SIZES[kind]["total"])


def test_answers_of_the_row_after_are_never_right_by_position(score: Score, released: Path) -> None:
    rows = [row for _, row in read_records(released / "situatedqa/qa_data/temp.test.jsonl", dict)]
    shifted = [row["answer"][0] for row in rows[1:]] + [rows[0]["answer"][0]]
    found, lines = score("temp", lambda n, _: shifted[n])
    for line, row, answer in zip(lines, rows, shifted, strict=True):
        forms = {normalize_situatedqa(text) for text in row["answer"]} - {""}
        assert line.em is (normalize_situatedqa(answer) in forms)
    assert 0.2 < found["em/total"].value < 0.8
