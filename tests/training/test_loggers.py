"""Curves: one file and one Weights & Biases run, equal to those of a training that nobody stopped."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from situated.classifier.finetune import FineTunedClassifier
from situated.schema import Example
from situated.training.loggers import Curves, curves_path, read_curves, wandb_logger

Rows = Callable[[Path], list[dict[str, float]]]
Make = Callable[..., FineTunedClassifier]


def of_training(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Rows without what depends on the clock."""
    return [{k: v for k, v in row.items() if not k.startswith("_") or k == "_step"} for row in rows]


@pytest.fixture
def loggers(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    monkeypatch.delenv("WANDB_API_KEY", raising=False)
    monkeypatch.setenv("WANDB_SILENT", "true")
    return {"curves": Curves, "wandb": partial(wandb_logger, project="situated")}


@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::ResourceWarning")
def test_curves_of_a_stopped_training_are_those_of_an_undisturbed_one(
    make_classifier: Make, questions: list[Example], stop_at: Any, stopped: type[Exception], loggers: dict[str, Any],
    tmp_path: Path, offline_rows: Rows,
) -> None:  # fmt: skip
    wandb = pytest.importorskip("wandb")
    whole, broken = tmp_path / "whole", tmp_path / "broken"
    make_classifier(loggers=loggers).fit(questions, questions[:30], whole, 1)
    wandb.finish()
    for hook, step in [("batch_end", 3), ("batch_end", 12), ("validation", 18), ("epoch_end", 27)]:
        with pytest.raises(stopped):
            make_classifier({"stop": stop_at(hook, step)}, save_every_steps=4, loggers=loggers).fit(
                questions, questions[:30], broken, 1
            )
        wandb.finish()
    make_classifier(save_every_steps=4, loggers=loggers).fit(questions, questions[:30], broken, 1)
    wandb.finish()

    undisturbed = read_curves(curves_path(whole))
    assert [row["step"] for row in undisturbed if "train/loss" in row] == list(range(27))
    assert len([row for row in undisturbed if "dev/f1" in row]) == 3
    assert read_curves(curves_path(broken)) == undisturbed

    rows = offline_rows(broken)
    assert of_training(rows) == of_training(offline_rows(whole))
    steps = [row["_step"] for row in rows]
    assert steps == sorted(set(steps))
    assert len(rows) == len(undisturbed)
    run_id = (broken / "wandb_id.txt").read_text(encoding="utf-8")
    assert [path.name.endswith(run_id) for path in (broken / "wandb").glob("offline-run-*")] == [True]


@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::ResourceWarning")
def test_a_run_with_nothing_left_to_train_keeps_its_curves(
    loggers: dict[str, Any], tmp_path: Path, offline_rows: Rows
) -> None:
    wandb = pytest.importorskip("wandb")
    for start in range(2):
        curves, run = loggers["curves"](tmp_path), loggers["wandb"](tmp_path)
        assert run.experiment.id
        if start == 0:
            for logger in (curves, run):
                logger.log_metrics({"loss": 1.5}, 0)
                logger.log_metrics({"loss": math.nan}, 1)
        run.finalize("success")
        wandb.finish()
    assert read_curves(curves_path(tmp_path)) == [{"step": 0, "loss": 1.5}, {"step": 1, "loss": None}]
    assert [row["trainer/global_step"] for row in offline_rows(tmp_path)] == [0, 1]


def test_a_line_that_a_kill_tore_is_dropped(tmp_path: Path) -> None:
    Curves(tmp_path).log_metrics({"loss": 1.0}, 3)
    with curves_path(tmp_path).open("ab") as file:
        file.write(b'{"step":4,"lo')
    assert read_curves(curves_path(tmp_path)) == [{"step": 3, "loss": 1.0}]
    Curves(tmp_path).log_metrics({"loss": 2.0}, 4)
    assert read_curves(curves_path(tmp_path)) == [{"step": 3, "loss": 1.0}, {"step": 4, "loss": 2.0}]
