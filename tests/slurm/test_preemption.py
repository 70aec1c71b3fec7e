"""Trainings that a real cluster stops, by preemption and by force, end as if nobody had."""

from __future__ import annotations

import shutil
import subprocess
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from situated.encoders.pretrained import PretrainedEncoder
from situated.io import read_json, write_text
from situated.training.loggers import curves_path, read_curves
from situated.world.identification import write_identification

pytestmark = [pytest.mark.slurm, pytest.mark.usefixtures("cluster")]

FILES = ("metrics.json", "predictions.jsonl", "model/model.safetensors", "logs/curves.jsonl")
RUN = Path("classifier") / "tiny_temp" / "seed=1"
CHAIN = """
name: interrupted
overrides: []
steps:
  - name: train
    recipe: classifier/train.py
    overrides: [{words}]
    resources: {{kind: cpu}}
"""
Command = Callable[..., "subprocess.CompletedProcess[str]"]


def said(*words: str) -> str:
    return subprocess.run(words, capture_output=True, text=True, check=True).stdout


@dataclass(frozen=True)
class Training:
    """A training of a tiny encoder, given to the cluster by a chain of one step, in the partition that is preempted."""

    folder: Path
    command: Command
    words: tuple[str, ...]

    def undisturbed(self) -> Callable[[], Path]:
        """Begin it, outside the cluster; what is returned waits for its end and gives the run folder."""

        def train() -> Path:
            done = self.command("classifier/train.py", *self.words, "paths.out=whole", cwd=self.folder)
            assert done.returncode == 0, done.stdout + done.stderr
            return self.folder / "whole" / RUN

        return ThreadPoolExecutor(1).submit(train).result

    def submit(self, out: str) -> Path:
        """The run folder that its job will make."""
        listed = ", ".join(f'"{word}"' for word in (*self.words, f"paths.out={out}"))
        write_text(self.folder / "my" / "chain" / "interrupted.yaml", CHAIN.format(words=listed))
        words = ("--config-dir", "my", "chain=interrupted", "launcher=slurm", f"paths.out={out}")
        done = self.command("slurm/chain.py", *words, cwd=self.folder)
        assert done.returncode == 0, done.stdout + done.stderr
        return self.folder / out / RUN

    def log(self, out: str) -> str:
        return "\n".join(path.read_text(encoding="utf-8") for path in (self.folder / out / "slurm").rglob("*.log"))


@pytest.fixture
def training(
    tiny_encoder: PretrainedEncoder, tmp_path: Path, command: Command, monkeypatch: pytest.MonkeyPatch
) -> Callable[..., Training]:
    def make(*words: str, epochs: int) -> Training:
        shutil.copytree(tiny_encoder.pretrained, tmp_path / "encoder")
        write_identification(tmp_path / "data/situatedqa/id_data", seed=0, sizes={"train": 401, "dev": 61, "test": 60})
        write_text(tmp_path / "cluster.yaml", "signal_s: 30\ncpu: {partition: preempt, cpus: 1, time: 15}\n")
        monkeypatch.setenv("SITUATED_CLUSTER", str(tmp_path / "cluster.yaml"))
        shared = (
            "model.name=tiny", f"model.pretrained={tmp_path / 'encoder'}", f"paths.data={tmp_path / 'data'}",
            "seed=1", "optim.lr=1e-3", "threads=1", f"classifier.fit.max_epochs={epochs}",
        )  # fmt: skip
        return Training(tmp_path, command, (*shared, *words))

    return make


def until(happened: Callable[[], bool], training: Training, out: str, seconds: float = 120) -> None:
    end = time.monotonic() + seconds
    while not happened():
        assert time.monotonic() < end, training.log(out)
        time.sleep(0.2)


def epochs_logged(run: Path) -> int:
    return (run / "run.log").read_text(encoding="utf-8").count(": epoch ") if (run / "run.log").exists() else 0


def starts(run: Path) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = read_json(run / "manifest.json")["starts"]
    return found


def numbers(made: list[dict[str, Any]]) -> list[int]:
    return [int(start["start"].rpartition(".")[2]) for start in made]


def preempt(training: Training, out: str) -> None:
    """Let a job of the higher partition take the whole node for a moment."""
    cpus = said("sinfo", "-h", "-p", "gpu", "-o", "%c").split()[0].rstrip("+")
    words = ["sbatch", "--wait", "--partition=gpu", f"--cpus-per-task={cpus}", "--output=/dev/null", "--wrap=sleep 1"]
    subprocess.run(words, check=True, capture_output=True)


def complete(run: Path) -> bool:
    return (run / "manifest.json").exists() and read_json(run / "manifest.json")["status"] == "complete"


def test_a_training_preempted_twice_ends_as_an_undisturbed_one(
    training: Callable[..., Training], offline_rows: Callable[[Path], list[dict[str, float]]]
) -> None:
    one = training("trainer=cpu", "classifier.batch_size=4", "logger=wandb", epochs=9)
    run = one.submit("twice")
    undisturbed = one.undisturbed()
    for time_preempted in (1, 2):
        until(lambda n=time_preempted: epochs_logged(run) >= 2 * n, one, "twice")  # type: ignore[misc]
        preempt(one, "twice")
    until(lambda: complete(run), one, "twice")
    made = starts(run)
    assert len(made) >= 3, "others may preempt it as well"
    assert len({start["job"] for start in made}) == 1
    assert numbers(made) == [*range(len(made))]
    assert read_json(run / "manifest.json")["slurm"]["restarts"] == len(made) - 1
    assert one.log("twice").count("Going on from") >= 2

    whole = undisturbed()
    for name in FILES:
        assert (run / name).read_bytes() == (whole / name).read_bytes(), name
    rows, curves = offline_rows(run), read_curves(curves_path(run))
    assert [row["trainer/global_step"] for row in rows] == [row["step"] for row in curves]
    steps = [row["_step"] for row in rows]
    assert steps == sorted(set(steps))


def test_a_killed_training_that_the_chain_submits_again_ends_as_an_undisturbed_one(
    training: Callable[..., Training],
) -> None:
    one = training("trainer=cpu", "classifier.batch_size=4", epochs=6)
    run = one.submit("killed")
    undisturbed = one.undisturbed()
    until(lambda: epochs_logged(run) >= 2, one, "killed")
    job = starts(run)[0]["job"]
    said("scancel", "--signal=KILL", f"{job}.0")
    until(lambda: not said("squeue", "-h", "-o", "%i", f"--jobs={job}").strip(), one, "killed")
    assert not complete(run)
    assert one.submit("killed") == run
    until(lambda: complete(run), one, "killed")
    first, second = starts(run)
    assert first["job"] != second["job"]
    assert "Going on from" in one.log("killed")
    whole = undisturbed()
    for name in FILES:
        assert (run / name).read_bytes() == (whole / name).read_bytes(), name


def test_two_processes_with_parts_of_unequal_size_are_preempted_as_one(training: Callable[..., Training]) -> None:
    one = training("trainer=ddp", "trainer.accelerator=cpu", "classifier.batch_size=7", epochs=3)
    run = one.submit("two")
    undisturbed = one.undisturbed()
    until(lambda: epochs_logged(run) >= 1, one, "two")
    preempt(one, "two")
    until(lambda: complete(run), one, "two")
    assert numbers(starts(run)) == [*range(len(starts(run)))]
    assert len(starts(run)) >= 2, "others may preempt it as well"
    assert read_json(run / "manifest.json")["slurm"]["tasks"] == "2"
    whole = undisturbed()
    for name in FILES:
        assert (run / name).read_bytes() == (whole / name).read_bytes(), name
