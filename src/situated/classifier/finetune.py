"""The paper's classifier: a pretrained encoder, fine-tuned, its epoch picked on dev."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
from pytorch_lightning import seed_everything
from rich.progress import track
from transformers import AutoModelForSequenceClassification, AutoTokenizer, PreTrainedModel, PreTrainedTokenizerBase

from situated.classifier.datamodule import Collate, IdentificationDataModule, encode
from situated.classifier.decisions import Decisions
from situated.classifier.module import LABELS, ClassifierModule
from situated.encoders.pretrained import PretrainedEncoder, quiet_transformers
from situated.errors import SituatedError
from situated.io import read_json
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
        self, encoder: PretrainedEncoder, optim: AdamW, fit: Fit, batch_size: int, freeze_word_embeddings: bool = False
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


class TrainedClassifier:
    """A fine-tuned classifier read from its folder.

    Args:
        folder: Configuration, tokenizer and safetensors of a sequence classifier with the labels "no" and "yes".
        max_length: Longest question, in wordpieces.

    Raises:
        SituatedError: The folder holds something else.
    """

    def __init__(self, folder: Path, max_length: int = 64):
        self.max_length = max_length
        self.device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
        self.model, self.tokenizer = _load(folder)
        network: torch.nn.Module = self.model
        network.to(self.device).eval()

    @torch.inference_mode()
    def decide(self, examples: Sequence[Example], batch_size: int = 64) -> Decisions:
        """Decide, in batches of like length."""
        features = encode(examples, self.tokenizer, self.max_length)
        order = sorted(range(len(features)), key=lambda index: len(features[index]["input_ids"]))
        collate = Collate(self.tokenizer)
        scores = np.empty(len(features))
        for start in track(range(0, len(order), batch_size), description="deciding", transient=True):
            chosen = order[start : start + batch_size]
            batch = collate([{k: v for k, v in features[i].items() if k != "labels"} for i in chosen])
            logits = self.model(**{name: tensor.to(self.device) for name, tensor in batch.items()}).logits
            scores[chosen] = logits.float().softmax(dim=-1)[:, LABELS.index("yes")].cpu().numpy()
        return Decisions.from_scores(scores)


def _load(folder: Path) -> tuple[PreTrainedModel, PreTrainedTokenizerBase]:
    """Model and tokenizer, after making sure that they are a classifier of ours."""
    config = read_json(folder / "config.json")
    labels = tuple(label for _, label in sorted((config.get("id2label") or {}).items()))
    architectures = config.get("architectures") or ["nothing known"]
    if labels != LABELS or not architectures[0].endswith("ForSequenceClassification"):
        raise SituatedError(
            f"{folder}: a checkpoint of another architecture: {architectures[0]} with labels {list(labels)}. "
            f"A sequence classifier with labels {list(LABELS)} is needed: train one with classifier/train.py."
        )
    quiet_transformers()
    try:
        model, loaded = AutoModelForSequenceClassification.from_pretrained(
            folder, output_loading_info=True, use_safetensors=True, local_files_only=True
        )
    except (OSError, RuntimeError, ValueError) as error:
        raise SituatedError(f"{folder}: the weights cannot be loaded ({str(error).splitlines()[0]}).") from error
    if odd := sorted(map(str, [*loaded["missing_keys"], *loaded["unexpected_keys"]])):
        raise SituatedError(f"{folder}: the weights are of another architecture than config.json ({odd[0]}, ...).")
    return model, AutoTokenizer.from_pretrained(folder, local_files_only=True)
