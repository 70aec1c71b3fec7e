"""Questions as wordpieces, and as padded batches of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch
from transformers import PreTrainedTokenizerBase

from situated.schema import Example

Features = dict[str, Any]


class Collate:
    """Pads a list of features to one batch of tensors (batch, longest)."""

    def __init__(self, tokenizer: PreTrainedTokenizerBase):
        self.tokenizer = tokenizer

    def __call__(self, features: list[Features]) -> dict[str, torch.Tensor]:
        """Pad."""
        return dict(self.tokenizer.pad(features, return_tensors="pt"))


def encode(examples: Sequence[Example], tokenizer: PreTrainedTokenizerBase, max_length: int) -> list[Features]:
    """Wordpieces of each question, with its label (0 no, 1 yes) where it has one."""
    encoded = tokenizer([example.question for example in examples], truncation=True, max_length=max_length)
    rows: list[Features] = [{name: encoded[name][index] for name in encoded} for index in range(len(examples))]
    for features, example in zip(rows, examples, strict=True):
        if example.is_dependent is not None:
            features["labels"] = int(example.is_dependent)
    return rows
