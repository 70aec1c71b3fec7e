"""``report/score.py`` as from a shell."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from situated.io import read_json, read_records, write_jsonl, write_text

Command = Callable[..., Any]
Row = dict[str, Any]
DATE_TYPES = ("orig", "sampled_year", "sampled_date", "start")


def rows(n: int = 24) -> list[Row]:
    return [
        {
            "question": f"q{i // 4}", "id": 2**60 + i // 4, "edited_question": f"q{i // 4} as of {2010 + i % 4}",
            "date": str(2010 + i % 4), "date_type": DATE_TYPES[i % 4], "answer": [f"answer {i}"],
            "any_answer": [f"answer {j}" for j in range(i - i % 4, i - i % 4 + 4)],
        }
        for i in range(n)
    ]  # fmt: skip


def write(path: Path, answers: list[str]) -> None:
    write_jsonl(path, [row | {"pred_answer": answer} for row, answer in zip(rows(), answers, strict=True)])


PERFECT = [f"answer {i}" for i in range(24)]


def test_a_file_is_scored_and_complete(command: Command, tmp_path: Path) -> None:
    write(tmp_path / "mine.jsonl", [*PERFECT[:12], *[""] * 12])
    words = ("report/score.py", "predictions=mine.jsonl", "paths.out=out", "draws=100", "system=retrieval/modified")
    done = command(*words, cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert "50.0 [" in done.stdout
    folder = tmp_path / "out/score/mine/seed=0"
    metrics = read_json(folder / "metrics.json")
    assert {name: entry["n"] for name, entry in metrics.items() if name.startswith("em/")} == {
        "em/total": 24, "em/any": 24, "em/static": 6, "em/sampled": 12, "em/start": 6,
    }  # fmt: skip
    assert set(metrics["em/total"]) == {"value", "n", "ci95"}
    assert metrics["em/total"]["value"] == 0.5
    lines = [row for _, row in read_records(folder / "scores.jsonl", dict)]
    assert [(line["example_id"], line["em"], line["question_id"]) for line in lines[11:13]] == [
        ("mine:12", True, str(2**60 + 2)), ("mine:13", False, str(2**60 + 3)),
    ]  # fmt: skip
    manifest = read_json(folder / "manifest.json")
    assert manifest["status"] == "complete"
    assert manifest["config"]["system"] == "retrieval/modified"
    assert manifest["counts"] == {
        "examples": 24, "empty_predictions": 12, "examples_without_gold_answer": 0,
        "examples_whose_gold_answers_are_empty_in_normal_form": 0, "rows_that_repeat_an_earlier_example": 0,
    }  # fmt: skip
    assert not (folder / "paired.json").exists()
    assert "Already complete" in command(*words, cwd=tmp_path).stdout


def test_two_systems_are_compared_whatever_the_order_of_their_files(command: Command, tmp_path: Path) -> None:
    write_jsonl(tmp_path / "gold.jsonl", rows())
    ids = [{"example_id": f"gold:{i + 1}", "prediction": answer} for i, answer in enumerate(PERFECT)]
    write_jsonl(tmp_path / "ours.jsonl", random.Random(0).sample(ids, 24))  # noqa: S311
    write(tmp_path / "theirs.jsonl", [*PERFECT[:18], *[""] * 6])
    words = (
        "predictions=ours.jsonl",
        "gold=gold.jsonl",
        "against=theirs.jsonl",
        "draws=100",
        "paths.out=out",
        "name=x",
    )
    done = command("report/score.py", *words, cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    paired = read_json(tmp_path / "out/score/x/seed=0/paired.json")
    assert paired["em/total"]["difference"] == 0.25
    assert paired["em/total"]["mcnemar"]["only_first"] == 6
    assert paired["em/total"]["mcnemar"]["p"] == pytest.approx(2 / 2**6)
    assert "x less theirs" in done.stdout


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ((), "required but not given: predictions. Add predictions=..."),
        (("predictions=bad.jsonl",), "bad.jsonl:2: field 'pred_answer': missing."),
        (("predictions=short.jsonl", "gold=gold.jsonl"), "short.jsonl: not the predictions of gold.jsonl: 23 examples"),
        (("predictions=good.jsonl", "against=short.jsonl"), "short.jsonl: not the predictions of good.jsonl: 23 exam"),
        (("predictions=good.jsonl", "draws=0"), "draws: Expected `int` >= 1"),
    ],
)
def test_what_cannot_be_scored_ends_with_one_message_and_no_folder(
    command: Command, tmp_path: Path, words: tuple[str, ...], message: str
) -> None:
    write_jsonl(tmp_path / "gold.jsonl", rows())
    write(tmp_path / "good.jsonl", PERFECT)
    write_text(tmp_path / "short.jsonl", (tmp_path / "good.jsonl").read_text().splitlines(keepends=True)[3])
    write_jsonl(tmp_path / "bad.jsonl", [rows()[0] | {"pred_answer": "x"}, rows()[1]])
    done = command("report/score.py", "paths.out=out", *words, cwd=tmp_path)
    assert done.returncode == 2
    assert done.stderr.startswith(f"error: {message}")
    assert "Traceback" not in done.stderr
    assert not (tmp_path / "out").exists()
