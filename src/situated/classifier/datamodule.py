"""Questions as batches of wordpieces."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch
from pytorch_lightning import LightningDataModule
from torch.utils.data import DataLoader
from transformers import PreTrainedTokenizerBase

from situated.schema import Example
from situated.training.sampler import LengthGroupedBatchSampler, ResumableDataLoader

Features = dict[str, Any]


class IdentificationDataModule(LightningDataModule):
    """Train and dev questions, tokenised once, padded to the longest of their batch.

    Args:
        train: Labelled examples.
        dev: Labelled examples.
        tokenizer: The encoder's.
        max_length: Longest question, in wordpieces.
        batch_size: Questions a training batch.
        seed: Seed of the order.
    """

    def __init__(
        self,
        train: Sequence[Example],
        dev: Sequence[Example],
        tokenizer: PreTrainedTokenizerBase,
        max_length: int,
        batch_size: int,
        seed: int,
    ):
        super().__init__()
        self.train = encode(train, tokenizer, max_length)
        self.dev = encode(dev, tokenizer, max_length)
        self.collate = Collate(tokenizer)
        self.batch_size, self.seed = batch_size, seed

    def train_dataloader(self) -> ResumableDataLoader:
        """Batches of like length, resumable in mid-epoch."""
        lengths = [len(features["input_ids"]) for features in self.train]
        sampler = LengthGroupedBatchSampler(lengths, self.batch_size, self.seed)
        return ResumableDataLoader(self.train, sampler, collate_fn=self.collate)

    def val_dataloader(self) -> DataLoader[Features]:
        """All dev questions, by length."""
        by_length = sorted(self.dev, key=lambda features: len(features["input_ids"]))
        return DataLoader(by_length, batch_size=64, collate_fn=self.collate)  # type: ignore[arg-type]


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
