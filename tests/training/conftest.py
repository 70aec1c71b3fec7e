"""A tiny classifier on invented questions: random weights, for the machinery only."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import torch
from pytorch_lightning import Callback, Trainer

from situated.classifier.finetune import FineTunedClassifier
from situated.encoders.pretrained import PretrainedEncoder
from situated.schema import Example
from situated.training.fit import Fit
from situated.training.optim import AdamW


@pytest.fixture(autouse=True)
def one_thread() -> None:
    torch.set_num_threads(1)


@pytest.fixture(scope="session")
def questions() -> list[Example]:
    """70 questions of 1 to 12 words that a classifier can learn: "now" means yes."""
    words = ["who", "is", "mayor", "of", "the", "town", "by", "river", "when", "was", "it", "built"]
    made = []
    for n in range(70):
        text = " ".join(words[(n + i) % 12] for i in range(1 + n % 12)) + (" now" if n % 3 == 0 else "")
        made.append(Example(example_id=f"x:{n}", id=str(n), question=text, is_dependent=n % 3 == 0))
    return made


@pytest.fixture
def make_classifier(tiny_encoder: PretrainedEncoder) -> Callable[..., FineTunedClassifier]:
    """A classifier of 3 epochs of 9 batches (of 8); ``callbacks`` may break it."""

    def make(callbacks: dict[str, Callback] | None = None, accumulate: int = 1, **fit: Any) -> FineTunedClassifier:
        trainer = partial(
            Trainer, accelerator="cpu", devices=1, gradient_clip_val=1.0,
            num_sanity_val_steps=0, log_every_n_steps=1, accumulate_grad_batches=accumulate,
        )  # fmt: skip
        settings: dict[str, Any] = {"max_epochs": 3, "monitor": "dev/loss", "mode": "min", "loggers": {}} | fit
        settings["callbacks"] = callbacks or {}
        return FineTunedClassifier(tiny_encoder, AdamW(lr=3e-3, warmup_steps=0.1), Fit(trainer=trainer, **settings), 8)

    return make


class Stop(Exception):  # noqa: N818 (not an error of the code under test)
    """Stands for the kill."""


class StopAt(Callback):
    """Raises at the given moment of the training."""

    def __init__(self, hook: str, step: int):
        self.hook, self.step = hook, step

    def _maybe(self, hook: str, trainer: Trainer) -> None:
        if hook == self.hook and trainer.global_step >= self.step:
            raise Stop

    def on_train_batch_start(self, trainer: Trainer, *rest: Any) -> None:
        self._maybe("batch_start", trainer)

    def on_train_batch_end(self, trainer: Trainer, *rest: Any) -> None:
        self._maybe("batch_end", trainer)

    def on_validation_batch_end(self, trainer: Trainer, *rest: Any) -> None:
        self._maybe("validation", trainer)

    def on_train_epoch_end(self, trainer: Trainer, *rest: Any) -> None:
        self._maybe("epoch_end", trainer)


@pytest.fixture
def stop_at() -> Callable[[str, int], StopAt]:
    return StopAt


@pytest.fixture
def stopped() -> type[Stop]:
    return Stop


@pytest.fixture
def weights() -> Callable[[Path], dict[str, torch.Tensor]]:
    from safetensors.torch import load_file

    return lambda folder: load_file(folder / "model" / "model.safetensors")
