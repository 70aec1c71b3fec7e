"""A training killed with SIGKILL in mid-epoch ends, started again, with the figures of an undisturbed one."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from situated.encoders.pretrained import PretrainedEncoder
from situated.io import read_json
from situated.world.identification import write_identification

ROOT = Path(__file__).parents[2]
ENVIRONMENT = os.environ | {"OMP_NUM_THREADS": "1", "HF_HUB_OFFLINE": "1"}


def _words(folder: Path, out: str) -> list[str]:
    return [
        sys.executable, "classifier/train.py", "model.name=tiny", f"model.pretrained={folder / 'encoder'}",
        f"paths.data={folder / 'data'}", f"paths.out={folder / out}", "seed=1", "trainer=cpu", "optim.lr=1e-3",
        "classifier.batch_size=4", "classifier.fit.max_epochs=2", "classifier.fit.save_every_steps=7", "threads=1",
    ]  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("after_s", [0.0, 1.5])
def test_killed_in_mid_epoch(tiny_encoder: PretrainedEncoder, tmp_path: Path, after_s: float) -> None:
    shutil.copytree(tiny_encoder.pretrained, tmp_path / "encoder")
    write_identification(tmp_path / "data/situatedqa/id_data", seed=0, sizes={"train": 400, "dev": 60, "test": 60})
    subprocess.run(_words(tmp_path, "whole"), cwd=ROOT, env=ENVIRONMENT, check=True, capture_output=True)
    run = tmp_path / "killed/classifier/tiny_temp/seed=1"
    process = subprocess.Popen(
        _words(tmp_path, "killed"), cwd=ROOT, env=ENVIRONMENT, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL
    )
    while not (run / "checkpoints/last.ckpt").exists():
        assert process.poll() is None, process.stderr and process.stderr.read().decode()
        time.sleep(0.02)
    time.sleep(after_s)
    process.send_signal(signal.SIGKILL)
    assert process.wait() == -signal.SIGKILL
    if process.stderr:
        process.stderr.close()
    assert read_json(run / "manifest.json")["status"] == "running"
    assert not (run / "metrics.json").exists()
    again = subprocess.run(
        _words(tmp_path, "killed"), cwd=ROOT, env=ENVIRONMENT, check=True, capture_output=True, text=True
    )
    assert "Going on from" in again.stdout + again.stderr
    whole = tmp_path / "whole/classifier/tiny_temp/seed=1"
    for name in ("metrics.json", "predictions.jsonl", "model/model.safetensors"):
        assert (run / name).read_bytes() == (whole / name).read_bytes(), name
    manifest = read_json(run / "manifest.json")
    assert manifest["status"] == "complete"
    assert len(manifest["starts"]) == 2
    assert not (run / "checkpoints/last.ckpt").exists()


@pytest.mark.slow
@pytest.mark.parametrize("by", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_is_no_success(tiny_encoder: PretrainedEncoder, tmp_path: Path, by: signal.Signals) -> None:
    shutil.copytree(tiny_encoder.pretrained, tmp_path / "encoder")
    write_identification(tmp_path / "data/situatedqa/id_data", seed=0, sizes={"train": 400, "dev": 60, "test": 60})
    process = subprocess.Popen(
        [*_words(tmp_path, "stopped"), "classifier.fit.max_epochs=50"],
        cwd=ROOT, env=ENVIRONMENT, stderr=subprocess.STDOUT, stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    run = tmp_path / "stopped/classifier/tiny_temp/seed=1"
    while not (run / "checkpoints/last.ckpt").exists():
        assert process.poll() is None
        time.sleep(0.02)
    process.send_signal(by)
    said, _ = process.communicate(timeout=120)
    assert process.returncode == 128 + by
    assert f"Stopped by {by.name}" in said
    assert read_json(run / "manifest.json")["status"] == "running"
