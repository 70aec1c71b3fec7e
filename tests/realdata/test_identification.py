"""Context-dependence identification on the released files."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from situated.data.situatedqa import Context, Identification
from situated.io import read_json

ROOT = Path(__file__).parents[2]
pytestmark = pytest.mark.realdata


@pytest.mark.parametrize(
    ("context", "counts", "dependent"),
    [("temp", (4438, 2606, 1928), (1591, 840, 533)), ("geo", (1149, 879, 367), (527, 369, 137))],
)
def test_released_counts(released: Path, context: Context, counts: tuple[int, ...], dependent: tuple[int, ...]) -> None:
    splits = Identification(released / "situatedqa/id_data", context).read()
    assert tuple(map(len, splits.values())) == counts
    assert tuple(sum(bool(e.is_dependent) for e in rows) for rows in splits.values()) == dependent
    ids = [example.id for rows in splits.values() for example in rows]
    assert sum(abs(int(text)) > 2**53 for text in ids) > 0.7 * len(ids)
    raw = (released / f"situatedqa/id_data/{context}.test.jsonl").read_text(encoding="utf-8")
    assert all(f'"id": {example.id}' in raw for example in splits["test"])


def _train(released: Path, out: Path, experiment: str) -> dict[str, float]:
    words = [
        sys.executable, "classifier/train.py", f"experiment/classifier={experiment}", f"paths.data={released}",
        f"paths.out={out}", "seed=1",
    ]  # fmt: skip
    subprocess.run(words, cwd=ROOT, check=True)
    (path,) = out.rglob("metrics.json")
    return {name: entry["value"] for name, entry in read_json(path).items()}


@pytest.mark.parametrize(("experiment", "dev_f1"), [("tfidf_temp", 0.830), ("tfidf_geo", 0.765)])
def test_words_alone(released: Path, tmp_path: Path, experiment: str, dev_f1: float) -> None:
    assert _train(released, tmp_path, experiment)["dev/f1"] >= dev_f1


@pytest.mark.slow
@pytest.mark.parametrize(("experiment", "dev_f1", "test_f1"), [("minilm_geo", 0.81, 0.72), ("minilm_temp", 0.90, 0.83)])
def test_a_small_encoder(released: Path, tmp_path: Path, experiment: str, dev_f1: float, test_f1: float) -> None:
    """One seed; the bounds leave room for the spread between seeds."""
    metrics = _train(released, tmp_path, experiment)
    assert metrics["dev/f1"] >= dev_f1
    assert metrics["test/f1"] >= test_f1
