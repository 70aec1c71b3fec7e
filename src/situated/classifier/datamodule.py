"""Questions as batches of wordpieces."""

from __future__ import annotations

from collections.abc import Sequence

from pytorch_lightning import LightningDataModule
from torch.utils.data import DataLoader
from transformers import PreTrainedTokenizerBase

from situated.classifier.features import Collate, Features, encode
from situated.errors import ConfigError
from situated.schema import Example
from situated.training.sampler import LengthGroupedBatchSampler, ResumableDataLoader


class IdentificationDataModule(LightningDataModule):
    """Train and dev questions, tokenised once, padded to the longest of their batch.

    Args:
        train: Labelled examples.
        dev: Labelled examples.
        tokenizer: The encoder's.
        max_length: Longest question, in wordpieces.
        batch_size: Questions a training batch, of all processes together.
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
        """Batches of like length, resumable in mid-epoch; this process's part of each."""
        lengths = [len(features["input_ids"]) for features in self.train]
        rank, world_size = self._place()
        sampler = LengthGroupedBatchSampler(lengths, self.batch_size, self.seed, rank=rank, world_size=world_size)
        return ResumableDataLoader(self.train, sampler, collate_fn=self.collate)

    def val_dataloader(self) -> DataLoader[Features]:
        """This process's part of the dev questions, by length; the metrics add up the parts."""
        rank, world_size = self._place()
        if len(self.dev) < world_size:
            raise ConfigError(f"trainer: {world_size} processes are too many for {len(self.dev)} dev questions.")
        by_length = sorted(self.dev, key=lambda features: len(features["input_ids"]))[rank::world_size]
        return DataLoader(by_length, batch_size=64, collate_fn=self.collate)  # type: ignore[arg-type]

    def _place(self) -> tuple[int, int]:
        """Number of this process and of all."""
        return (self.trainer.global_rank, self.trainer.world_size) if self.trainer else (0, 1)
