"""Curves: csv for each start, Weights & Biases as one run however often it is taken up."""

from __future__ import annotations

import csv
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from situated.classifier.finetune import FineTunedClassifier
from situated.schema import Example
from situated.training.loggers import csv_logger, wandb_logger


@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::ResourceWarning")
def test_a_resumed_training_stays_one_wandb_run(
    make_classifier: Callable[..., FineTunedClassifier], questions: list[Example], stop_at: Any,
    stopped: type[Exception], tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    wandb = pytest.importorskip("wandb")
    monkeypatch.delenv("WANDB_API_KEY", raising=False)
    monkeypatch.setenv("WANDB_SILENT", "true")
    loggers = {"csv": csv_logger, "wandb": partial(wandb_logger, project="situated")}
    with pytest.raises(stopped):
        make_classifier({"stop": stop_at("batch_end", 12)}, save_every_steps=4, loggers=loggers).fit(
            questions, questions[:30], tmp_path, 1
        )
    wandb.finish()
    make_classifier(save_every_steps=4, loggers=loggers).fit(questions, questions[:30], tmp_path, 1)
    wandb.finish()
    run_id = (tmp_path / "wandb_id.txt").read_text(encoding="utf-8")
    offline = list((tmp_path / "wandb").glob("offline-run-*"))
    assert offline
    assert all(folder.name.endswith(run_id) for folder in offline)
    assert [path.name for path in sorted((tmp_path / "logs").iterdir())] == ["version_0", "version_1"]
    for version in ("version_0", "version_1"):
        with (tmp_path / "logs" / version / "metrics.csv").open(encoding="utf-8") as file:
            steps = [int(row["step"]) for row in csv.DictReader(file)]
        assert steps
        assert steps == sorted(steps)
