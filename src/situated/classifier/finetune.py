"""The paper's classifier: a pretrained encoder, fine-tuned, its epoch picked on dev."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any

import msgspec
from pytorch_lightning import seed_everything

from situated.classifier.datamodule import IdentificationDataModule
from situated.classifier.decisions import Decisions
from situated.classifier.module import ClassifierModule
from situated.classifier.trained import LABELS, TrainedClassifier
from situated.encoders.pretrained import PretrainedEncoder
from situated.errors import SituatedError
from situated.schema import Example
from situated.training.fit import Fit
from situated.training.optim import AdamW


class FineTunedClassifier:
    """Source: SituatedQA section 4.1 and appendix D.

    Args:
        encoder: What is fine-tuned.
        optim: Optimizer and schedule.
        fit: Epochs, trainer, loggers, the dev metric that picks the epoch.
        batch_size: Questions a training batch.
        freeze_word_embeddings: Leave the word vectors as pretrained; of a small encoder they are half the weights,
            and few questions only overfit them.
    """

    def __init__(
        self,
        encoder: PretrainedEncoder,
        optim: AdamW,
        fit: Fit,
        batch_size: Annotated[int, msgspec.Meta(ge=1)],
        freeze_word_embeddings: bool = False,
    ):
        self.encoder, self.optim, self.batch_size = encoder, optim, batch_size
        self.freeze_word_embeddings = freeze_word_embeddings
        self._fit = fit
        self._best: TrainedClassifier | None = None

    def fit(self, train: Sequence[Example], dev: Sequence[Example], folder: Path, seed: int) -> Mapping[str, Any]:
        """Fine-tune; the best epoch on dev is kept in ``<folder>/model`` and decides from then on."""
        seed_everything(seed, verbose=False)
        tokenizer = self.encoder.tokenizer()
        # A loaded model is in evaluation mode, and Lightning keeps it so: without train() there is no dropout.
        model = self.encoder.sequence_classifier(LABELS).train()
        if self.freeze_word_embeddings:
            model.get_input_embeddings().requires_grad_(False)
        module = ClassifierModule(model, tokenizer, self.optim)
        data = IdentificationDataModule(train, dev, tokenizer, self.encoder.max_length, self.batch_size, seed)
        best = self._fit(module, data, folder, seed)
        self._best = TrainedClassifier(folder / "model", self.encoder.max_length)
        facts: dict[str, Any] = {"best_epoch": (best.epoch or 0) + 1}
        if revision := getattr(model.config, "_commit_hash", None):
            facts["encoder_revision"] = revision
        return facts

    def decide(self, examples: Sequence[Example]) -> Decisions:
        """Decide by the best epoch's weights."""
        if self._best is None:
            raise SituatedError("The classifier has not been trained: call fit first.")
        return self._best.decide(examples)
