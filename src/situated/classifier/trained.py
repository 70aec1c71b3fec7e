"""A fine-tuned classifier, read from its folder and asked."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import torch
from rich.progress import track
from safetensors import SafetensorError
from transformers import AutoModelForSequenceClassification, AutoTokenizer, PreTrainedModel, PreTrainedTokenizerBase

from situated.classifier.decisions import Decisions
from situated.classifier.features import Collate, encode
from situated.encoders.pretrained import quiet_transformers
from situated.errors import InputError, SituatedError
from situated.io import read_json
from situated.schema import Example

LABELS = ("no", "yes")


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
    if not (folder / "config.json").is_file():
        mend = "Name a run folder of classifier/train.py with a fine-tuned encoder: only these can be asked again."
        raise InputError(folder, "holds no model (no config.json)", mend)
    config = read_json(folder / "config.json")
    if not isinstance(config, dict):
        raise InputError(folder / "config.json", "no model configuration", "Name a run folder of classifier/train.py.")
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
    except (OSError, RuntimeError, ValueError, SafetensorError) as error:
        raise SituatedError(f"{folder}: the weights cannot be loaded ({str(error).splitlines()[0]}).") from error
    if odd := sorted(map(str, [*loaded["missing_keys"], *loaded["unexpected_keys"]])):
        raise SituatedError(f"{folder}: the weights are of another architecture than config.json ({odd[0]}, ...).")
    return model, AutoTokenizer.from_pretrained(folder, local_files_only=True)
