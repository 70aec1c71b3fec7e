"""Several processes train as one does: the same batches, the same steps, the same decisions."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from situated.encoders.pretrained import PretrainedEncoder
from situated.io import read_json, read_records, write_json
from situated.schema import Decision
from situated.training.loggers import curves_path, read_curves
from situated.world.identification import write_identification


@pytest.fixture
def without_dropout(tiny_encoder: PretrainedEncoder, tmp_path: Path) -> Path:
    """The tiny encoder, without the numbers that each process draws for itself."""
    folder = shutil.copytree(tiny_encoder.pretrained, tmp_path / "encoder")
    config = read_json(folder / "config.json")
    write_json(folder / "config.json", config | {"hidden_dropout_prob": 0.0, "attention_probs_dropout_prob": 0.0})
    return folder


@pytest.mark.slow
def test_two_processes_train_as_one(without_dropout: Path, tmp_path: Path, command: Callable[..., Any]) -> None:
    sizes = {"train": 61, "dev": 31, "test": 30}  # parts of unequal size, and a last batch of one question
    write_identification(tmp_path / "data" / "situatedqa" / "id_data", seed=0, sizes=sizes)
    words = [
        "classifier/train.py", "model.name=tiny", f"model.pretrained={without_dropout}", "paths.data=data", "threads=1",
        "optim.lr=3e-3", "classifier.batch_size=5", "classifier.fit.max_epochs=2", "trainer.log_every_n_steps=1",
    ]  # fmt: skip
    one = command(*words, "paths.out=one", "trainer=cpu", cwd=tmp_path)
    assert (one.returncode, one.stderr) == (0, "")
    two = command(*words, "paths.out=two", "trainer=ddp", "trainer.accelerator=cpu", cwd=tmp_path)
    assert two.returncode == 0, two.stderr
    assert two.stdout.count("Complete: ") == 1

    folders = [tmp_path / out / "classifier" / "tiny_temp" / "seed=0" for out in ("one", "two")]
    curves = [read_curves(curves_path(folder)) for folder in folders]
    assert len(curves[0]) == 2 * 13 + 2
    for ours, theirs in zip(*curves, strict=True):
        assert ours == pytest.approx(theirs, abs=2e-4)
    scores = [[row.score for _, row in read_records(folder / "predictions.jsonl", Decision)] for folder in folders]
    assert scores[0] == pytest.approx(scores[1], abs=1e-3)
    assert len(read_json(folders[1] / "manifest.json")["starts"]) == 1


@pytest.mark.slow
def test_more_processes_than_a_batch_has_questions_are_refused(
    without_dropout: Path, tmp_path: Path, command: Callable[..., Any], world: Path
) -> None:
    done = command(
        "classifier/train.py", f"model.pretrained={without_dropout}", f"paths.data={world}", "trainer=ddp", "threads=1",
        "trainer.accelerator=cpu", "classifier.batch_size=1", cwd=tmp_path,
    )  # fmt: skip
    assert done.returncode == 2
    assert "batch_size: 1 examples are too few for 2 processes" in done.stderr
