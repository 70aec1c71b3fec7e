"""A training that is stopped anywhere ends with the weights and figures of one that was not."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from situated.classifier.finetune import FineTunedClassifier
from situated.errors import SituatedError
from situated.schema import Example
from situated.training.resume import check_architecture

Make = Callable[..., FineTunedClassifier]
Weights = Callable[[Path], dict[str, torch.Tensor]]
MOMENTS = [
    ("batch_start", 0), ("batch_start", 5), ("batch_end", 8), ("batch_end", 9), ("validation", 9), ("epoch_end", 9),
    ("batch_start", 9), ("batch_end", 14), ("epoch_end", 18), ("batch_end", 26), ("validation", 27),
]  # fmt: skip


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    return {"folder": tmp_path_factory.mktemp("undisturbed")}


@pytest.fixture
def reference(
    undisturbed: dict[str, Any], make_classifier: Make, questions: list[Example], weights: Weights
) -> dict[str, Any]:
    """Result of the run that nobody stops, made once."""
    if "scores" not in undisturbed:
        classifier = make_classifier()
        undisturbed["facts"] = classifier.fit(questions, questions[:30], undisturbed["folder"], 1)
        undisturbed["scores"] = classifier.decide(questions).scores
        undisturbed["weights"] = weights(undisturbed["folder"])
    assert undisturbed["facts"]["best_epoch"] == 3, "else the comparison would not see the later epochs"
    return undisturbed


@pytest.mark.parametrize(("hook", "step"), MOMENTS)
@pytest.mark.parametrize("every_steps", [4, None])
def test_stopped_training_ends_as_undisturbed(
    hook: str, step: int, every_steps: int | None, reference: dict[str, Any], make_classifier: Make,
    questions: list[Example], stop_at: Any, stopped: type[Exception], weights: Weights, tmp_path: Path,
) -> None:  # fmt: skip
    with pytest.raises(stopped):
        make_classifier({"stop": stop_at(hook, step)}, save_every_steps=every_steps).fit(
            questions, questions[:30], tmp_path, 1
        )
    classifier = make_classifier(save_every_steps=every_steps)
    facts = classifier.fit(questions, questions[:30], tmp_path, 1)
    assert facts == reference["facts"]
    for name, tensor in weights(tmp_path).items():
        assert torch.equal(tensor, reference["weights"][name]), name
    assert np.array_equal(classifier.decide(questions).scores, reference["scores"])


def test_another_seed_gives_another_model(
    reference: dict[str, Any], make_classifier: Make, questions: list[Example], tmp_path: Path
) -> None:
    classifier = make_classifier()
    classifier.fit(questions, questions[:30], tmp_path, 2)
    assert not np.array_equal(classifier.decide(questions).scores, reference["scores"])


def test_dropout_is_on_while_training(reference: dict[str, Any], make_classifier: Make) -> None:
    """Loaded models are in evaluation mode, and Lightning leaves them so."""
    modes: list[bool] = []

    from pytorch_lightning import Callback

    class Watch(Callback):
        def on_train_batch_start(self, trainer: Any, pl_module: Any, *rest: Any) -> None:
            modes.append(all(m.training for m in pl_module.modules() if isinstance(m, torch.nn.Dropout)))

    folder = reference["folder"]
    examples = [Example(example_id=str(n), id="", question="who now", is_dependent=n % 2 == 0) for n in range(4)]
    make_classifier({"watch": Watch()}, max_epochs=1).fit(examples, examples, folder / "watched", 0)
    assert modes == [True]


def test_a_checkpoint_of_another_architecture_is_refused(
    make_classifier: Make, questions: list[Example], stop_at: Any, stopped: type[Exception], tmp_path: Path
) -> None:
    with pytest.raises(stopped):
        make_classifier({"stop": stop_at("batch_end", 5)}, save_every_steps=1).fit(
            questions, questions[:30], tmp_path, 1
        )
    last = tmp_path / "checkpoints" / "last.ckpt"
    before = last.read_bytes()
    from pytorch_lightning import LightningModule

    class Other(LightningModule):
        def __init__(self) -> None:
            super().__init__()
            self.layer = torch.nn.Linear(2, 2)

    with pytest.raises(SituatedError, match=r"last\.ckpt.*another architecture"):
        check_architecture(last, Other())
    assert last.read_bytes() == before


def test_a_torn_checkpoint_is_named(tmp_path: Path) -> None:
    torn = tmp_path / "last.ckpt"
    torn.write_bytes(b"PK\x03\x04 not all of it")
    from pytorch_lightning import LightningModule

    with pytest.raises(SituatedError, match=r"last\.ckpt: not a training checkpoint"):
        check_architecture(torn, LightningModule())


def test_word_embeddings_can_be_frozen(
    make_classifier: Make, questions: list[Example], weights: Weights, tmp_path: Path
) -> None:
    classifier = make_classifier(max_epochs=1)
    name = "bert.embeddings.word_embeddings.weight"
    first = classifier.encoder.sequence_classifier(("no", "yes")).state_dict()[name]
    classifier.fit(questions, questions[:30], tmp_path / "trained", 1)
    classifier.freeze_word_embeddings = True
    classifier.fit(questions, questions[:30], tmp_path / "frozen", 1)
    assert torch.equal(weights(tmp_path / "frozen")[name], first)
    assert not torch.equal(weights(tmp_path / "trained")[name], first)
