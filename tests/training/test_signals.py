"""A signal sets a flag; the training answers it, and the job goes back into the queue only where that is wanted."""

from __future__ import annotations

import os
import signal
import stat
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import torch
from pytorch_lightning import Callback

from situated import job
from situated.classifier.finetune import FineTunedClassifier
from situated.io import write_text
from situated.schema import Example
from situated.training import signals

Make = Callable[..., FineTunedClassifier]


@pytest.fixture(autouse=True)
def own_handlers(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Outside any job; handlers and flag as they were before."""
    for name in [*os.environ]:
        if name.startswith("SLURM_") or name in ("RANK", "LOCAL_RANK", job.START):
            monkeypatch.delenv(name)
    numbers = (signal.SIGUSR1, signal.SIGUSR2, signal.SIGTERM)
    before = {number: signal.getsignal(number) for number in numbers}
    monkeypatch.setattr(signals, "_wish", signals._Wish())
    yield
    for number, handler in before.items():
        signal.signal(number, handler)


@pytest.fixture
def scontrol(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[int], Path]:
    """Put a program of that name first in the path: it writes down its words and ends with a code."""

    def make(code: int) -> Path:
        said, program = tmp_path / "said", tmp_path / "bin" / "scontrol"
        write_text(program, f'#!/bin/sh\necho "$@" >> {said}\nexit {code}\n')
        program.chmod(program.stat().st_mode | stat.S_IXUSR)
        monkeypatch.setenv("PATH", f"{program.parent}{os.pathsep}{os.environ['PATH']}")
        return said

    return make


@pytest.mark.parametrize("number", [signal.SIGUSR1, signal.SIGUSR2])
def test_the_first_signal_sets_the_flag(number: signal.Signals) -> None:
    signals.install()
    assert signals.requested() is None
    signal.raise_signal(number)
    signal.raise_signal(signal.SIGUSR1)
    assert signals.requested() is number


def test_a_user_s_stop_does_not_requeue(monkeypatch: pytest.MonkeyPatch, scontrol: Callable[[int], Path]) -> None:
    said = scontrol(0)
    monkeypatch.setenv("SLURM_JOB_ID", "17")
    signals.take_sigterm()
    signal.raise_signal(signal.SIGTERM)
    assert signals.stop() == 128 + signal.SIGTERM
    assert not said.exists()


@pytest.mark.parametrize(
    ("variables", "words"),
    [
        ({"SLURM_JOB_ID": "17"}, "requeue 17\n"),
        ({"SLURM_JOB_ID": "19", "SLURM_ARRAY_JOB_ID": "17", "SLURM_ARRAY_TASK_ID": "2"}, "requeue 17_2\n"),
    ],
)
def test_a_preempted_job_is_requeued_by_its_name(
    variables: dict[str, str], words: str, monkeypatch: pytest.MonkeyPatch, scontrol: Callable[[int], Path]
) -> None:
    said = scontrol(0)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    signals.install()
    signal.raise_signal(signal.SIGUSR1)
    assert signals.stop() == 128 + signal.SIGUSR1
    assert said.read_text(encoding="utf-8") == words


def test_outside_a_job_there_is_nothing_to_requeue(scontrol: Callable[[int], Path]) -> None:
    said = scontrol(0)
    signals.install()
    signal.raise_signal(signal.SIGUSR1)
    assert signals.stop() == 128 + signal.SIGUSR1
    assert not said.exists()


def test_of_several_processes_the_first_speaks(
    monkeypatch: pytest.MonkeyPatch, scontrol: Callable[[int], Path]
) -> None:
    said = scontrol(0)
    monkeypatch.setenv("SLURM_JOB_ID", "17")
    monkeypatch.setenv("SLURM_PROCID", "1")
    signals.install()
    signal.raise_signal(signal.SIGUSR1)
    assert signals.stop() == 0
    assert not said.exists()


@pytest.mark.parametrize("how", ["refused", "none there"])
def test_the_batch_script_is_asked_where_the_program_cannot(
    how: str, monkeypatch: pytest.MonkeyPatch, scontrol: Callable[[int], Path], tmp_path: Path
) -> None:
    monkeypatch.setenv("SLURM_JOB_ID", "17")
    if how == "refused":
        scontrol(1)
    else:
        monkeypatch.setenv("PATH", str(tmp_path))
    signals.install()
    signal.raise_signal(signal.SIGUSR1)
    assert signals.stop() == signals.REQUEUE_ME


def test_a_launcher_s_handler_requeues(monkeypatch: pytest.MonkeyPatch, scontrol: Callable[[int], Path]) -> None:
    said, called = scontrol(0), []

    def launcher(number: int, frame: Any) -> None:
        called.append(number)
        raise SystemExit(-1)

    signal.signal(signal.SIGUSR2, launcher)
    monkeypatch.setenv("SLURM_JOB_ID", "17")
    signals.install()
    signals.install()  # once more takes nothing away
    signal.raise_signal(signal.SIGUSR2)
    assert not called
    with pytest.raises(SystemExit) as stopped:
        signals.stop()
    assert (called, stopped.value.code) == ([signal.SIGUSR2], -1)
    assert not said.exists()


LATE = """
import os, signal, sys
from situated.training import signals

class Late:
    def __del__(self, kill=os.kill, pid=os.getpid(), number=signal.SIGUSR1):
        kill(pid, number)

signals.install()
sys.late = Late()  # goes when Python takes its modules apart
print("done")
"""


def test_a_signal_at_the_very_end_makes_no_failure(command: Callable[..., Any], tmp_path: Path) -> None:
    done = command("-c", LATE, cwd=tmp_path)
    assert (done.returncode, done.stdout) == (0, "done\n")
    assert command("-c", LATE.replace("signals.install()", ""), cwd=tmp_path).returncode == -signal.SIGUSR1


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> dict[Any, Any]:
    """Batches accumulated -> the weights that nobody's signal changed, made once each."""
    return {"folder": tmp_path_factory.mktemp("undisturbed")}


class Raise(Callback):
    """Sends this process a signal at a moment of the training."""

    def __init__(self, number: signal.Signals, hook: str, step: int):
        self.number, self.step = number, step
        setattr(self, hook, self._maybe)

    def _maybe(self, trainer: Any, *rest: Any) -> None:
        if trainer.global_step >= self.step and signals.requested() is None:
            signal.raise_signal(self.number)


@pytest.mark.parametrize(
    ("number", "hook", "step", "accumulate"),
    [
        (signal.SIGUSR1, "on_fit_start", 0, 1),
        (signal.SIGUSR1, "on_train_batch_start", 4, 1),
        (signal.SIGTERM, "on_train_batch_start", 4, 1),
        (signal.SIGUSR2, "on_train_batch_start", 8, 1),  # the epoch's last batch
        (signal.SIGUSR1, "on_validation_batch_end", 9, 1),
        (signal.SIGUSR1, "on_train_epoch_end", 9, 1),
        (signal.SIGUSR1, "on_train_batch_start", 2, 2),  # before a batch whose gradient waits for the next one's
        (signal.SIGUSR1, "on_validation_batch_end", 5, 2),
    ],
)
def test_a_training_stopped_by_a_signal_loses_nothing(
    number: signal.Signals, hook: str, step: int, accumulate: int, make_classifier: Make, questions: list[Example],
    weights: Callable[[Path], dict[str, torch.Tensor]], undisturbed: dict[Any, Any], tmp_path: Path,
) -> None:  # fmt: skip
    if accumulate not in undisturbed:
        folder = undisturbed["folder"] / str(accumulate)
        make_classifier(accumulate=accumulate).fit(questions, questions[:30], folder, 1)
        undisturbed[accumulate] = weights(folder)
    stopped = tmp_path / "stopped"
    signals.install()
    with pytest.raises(SystemExit) as end:
        make_classifier({"raise": Raise(number, hook, step)}, accumulate=accumulate).fit(
            questions, questions[:30], stopped, 1
        )
    assert end.value.code == 128 + number
    assert (stopped / "checkpoints" / "last.ckpt").exists() == (hook != "on_fit_start")
    signals._wish.number = None
    make_classifier(accumulate=accumulate).fit(questions, questions[:30], stopped, 1)
    for name, tensor in weights(stopped).items():
        assert torch.equal(tensor, undisturbed[accumulate][name]), name


def test_sigterm_ends_other_programs_and_lightning_puts_its_handler_back(
    make_classifier: Make, questions: list[Example], tmp_path: Path
) -> None:
    before = signal.getsignal(signal.SIGTERM)
    make_classifier(max_epochs=1).fit(questions, questions[:30], tmp_path, 1)
    assert signal.getsignal(signal.SIGTERM) is before
