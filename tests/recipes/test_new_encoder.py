"""A user adds an encoder by one YAML of their own, trains with it, and predicts with what was trained."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from situated.encoders.pretrained import PretrainedEncoder
from situated.io import read_json, read_records, write_jsonl, write_text

YAML = """\
_target_: situated.encoders.pretrained.PretrainedEncoder
name: my_encoder
pretrained: {folder}
max_length: 32
"""
METRICS = {f"{split}/{name}" for split in ("dev", "test") for name in ("accuracy", "precision", "recall", "f1")}

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def place(
    tiny_encoder: PretrainedEncoder, world: Path, tmp_path_factory: pytest.TempPathFactory, command: Callable[..., Any]
) -> Path:
    """A folder in which the encoder was added and trained, with a log of the command in ``train.log``."""
    folder = tmp_path_factory.mktemp("my")
    write_text(folder / "mine" / "model" / "my_encoder.yaml", YAML.format(folder=tiny_encoder.pretrained))
    words = ["--config-dir", "mine", "model=my_encoder", "data=situatedqa_id_geo", f"paths.data={world}"]
    settings = ["trainer=cpu", "classifier.fit.max_epochs=1", "paths.out=out", "seed=3"]
    done = command("classifier/train.py", *words, *settings, cwd=folder)
    assert done.returncode == 0, done.stderr
    return folder


@pytest.fixture(scope="module")
def trained(place: Path) -> Path:
    """The run folder."""
    return place / "out" / "classifier" / "my_encoder_geo" / "seed=3"


def test_the_run_folder_holds_everything(trained: Path) -> None:
    names = {path.relative_to(trained).as_posix() for path in trained.rglob("*") if path.is_file()}
    assert {"config.yaml", "manifest.json", "metrics.json", "predictions.jsonl", "run.log"} <= names
    assert {"model/model.safetensors", "model/config.json", "model/tokenizer.json"} <= names
    manifest = read_json(trained / "manifest.json")
    assert manifest["status"] == "complete"
    assert set(manifest["inputs"]) == {"train", "dev", "test", "weights"}
    assert manifest["config"]["model"]["max_length"] == 32
    assert manifest["counts"]["best_epoch"] == 1


def test_every_metric_has_its_number_of_questions_and_its_interval(trained: Path) -> None:
    metrics = read_json(trained / "metrics.json")
    assert set(metrics) == METRICS
    for metric in metrics.values():
        assert set(metric) == {"value", "n", "ci95"}
        assert metric["n"] == 30
        assert metric["ci95"][0] <= metric["value"] <= metric["ci95"][1]


def test_predictions_hold_every_dev_and_test_question_once(trained: Path, world: Path) -> None:
    rows = [row for _, row in read_records(trained / "predictions.jsonl", dict[str, Any])]
    keys = [f"geo.{split}:{n}" for split in ("dev", "test") for n in range(1, 31)]
    assert [row["example_id"] for row in rows] == keys
    source = [row for _, row in read_records(world / "situatedqa/id_data/geo.test.jsonl", dict[str, Any])]
    assert [(row["id"], row["question"], row["label"]) for row in rows[30:]] == [
        (str(row["id"]), row["question"], row["is_dependent"]) for row in source
    ]
    right = [row["prediction"] == row["label"] for row in rows[30:]]
    assert read_json(trained / "metrics.json")["test/accuracy"]["value"] == pytest.approx(sum(right) / 30)


def test_predicting_with_the_trained_run_decides_as_the_training_did(
    trained: Path, place: Path, world: Path, command: Callable[..., Any]
) -> None:
    source = [row for _, row in read_records(world / "situatedqa/id_data/geo.test.jsonl", dict[str, Any])]
    write_jsonl(place / "unlabelled.jsonl", [{"question": row["question"]} for row in source])
    words = [f"ckpt={trained.relative_to(place)}", "input=unlabelled.jsonl", "name=mine", "paths.out=out"]
    done = command("classifier/predict.py", *words, cwd=place)
    assert (done.returncode, done.stderr) == (0, "")
    folder = place / "out" / "classifier_predict" / "mine" / "seed=0"
    before = [row for _, row in read_records(trained / "predictions.jsonl", dict[str, Any])][30:]
    after = [row for _, row in read_records(folder / "predictions.jsonl", dict[str, Any])]
    assert [row["prediction"] for row in after] == [row["prediction"] for row in before]
    assert [row["score"] for row in after] == pytest.approx(
        [row["score"] for row in before], abs=1e-4
    )  # batches and threads may differ
    assert [(row["example_id"], row["label"], row["id"]) for row in after] == [
        (f"unlabelled:{n}", None, "") for n in range(1, 31)
    ]
    assert json.loads((folder / "metrics.json").read_text(encoding="utf-8")) == {}
