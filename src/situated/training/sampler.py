"""Batches of questions of like length, in an order that depends on (seed, epoch) alone and can be taken up anywhere."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any, Protocol

import torch
from torch.utils.data import DataLoader, Sampler

from situated.errors import ConfigError


class EpochBatches(Protocol):
    """Batches of indices whose order depends on the epoch alone."""

    def set_epoch(self, epoch: int) -> None:
        """Choose the order of an epoch, from 0."""

    def __len__(self) -> int: ...

    def __iter__(self) -> Iterator[list[int]]: ...


class LengthGroupedBatchSampler(Sampler[list[int]]):
    """Shuffle, sort by length inside windows of many batches, cut into batches, shuffle the batches.

    Padding falls to some percent of the tokens while the batches stay random. Several processes take their parts of
    the same batches, so that their number changes neither the batches nor the steps.

    Args:
        lengths: Length of every example, in tokens.
        batch_size: Examples a batch, of all processes together; the last one of a window may be smaller.
        seed: Seed of the order.
        window: Batches a window.
        rank: Number of this process.
        world_size: Number of processes.
        keys: What may stand but once in a batch, one an example: rows of one question would be each other's
            negatives. Kept apart as far as the batches allow; None lets them fall together.
    """

    def __init__(
        self,
        lengths: Sequence[int],
        batch_size: int,
        seed: int,
        window: int = 50,
        rank: int = 0,
        world_size: int = 1,
        keys: Sequence[str] | None = None,
    ):
        if batch_size < world_size:
            raise ConfigError(f"batch_size: {batch_size} examples are too few for {world_size} processes.")
        self.lengths = torch.as_tensor(lengths)
        self.batch_size, self.seed, self.window = batch_size, seed, window
        self.rank, self.world_size = rank, world_size
        self.keys = keys
        self.epoch = 0

    def set_epoch(self, epoch: int) -> None:
        """Choose the order of an epoch, from 0; Lightning calls it."""
        self.epoch = epoch

    def __len__(self) -> int:
        return -(-len(self.lengths) // self.batch_size)

    def __iter__(self) -> Iterator[list[int]]:
        generator = torch.Generator().manual_seed(self.seed * 1_000_003 + self.epoch)
        order = torch.randperm(len(self.lengths), generator=generator)
        batches = []
        for window in torch.split(order, self.batch_size * self.window):
            by_length = window[self.lengths[window].argsort(stable=True)]
            batches += [batch.tolist() for batch in torch.split(by_length, self.batch_size)]
        if self.keys is not None:
            _keep_apart(batches, self.keys)
        for index in torch.randperm(len(batches), generator=generator).tolist():
            # All take part in every step, so in a last batch with fewer examples than processes one repeats the first.
            yield batches[index][self.rank :: self.world_size] or batches[index][:1]


def _keep_apart(batches: list[list[int]], keys: Sequence[str]) -> None:
    """Swap examples whose key their batch holds already with ones of the nearest batches, which are of like length."""
    held = [Counter(keys[index] for index in batch) for batch in batches]
    for number, batch in enumerate(batches):
        for place, index in enumerate(batch):
            if held[number][keys[index]] > 1:
                _swap(batches, held, keys, number, place)


def _swap(batches: list[list[int]], held: list[Counter[str]], keys: Sequence[str], number: int, place: int) -> None:
    """Swap one example away, if any batch can take it and give one that fits."""
    key = keys[batches[number][place]]
    for other in sorted(range(len(batches)), key=lambda other: (abs(other - number), other)):
        if held[other][key]:
            continue
        for there, index in enumerate(batches[other]):
            given = keys[index]
            if held[number][given]:
                continue
            batches[other][there], batches[number][place] = batches[number][place], index
            held[number].update({key: -1, given: 1})
            held[other].update({key: 1, given: -1})
            return


class ResumableDataLoader(DataLoader[Any]):
    """A data loader that Lightning can save in mid-epoch and take up at the very next batch.

    The order comes from ``batch_sampler``, to which Lightning tells the epoch, so the state is one number.
    """

    def __init__(self, dataset: Any, batch_sampler: EpochBatches, **kwargs: Any):
        super().__init__(dataset, batch_sampler=_Skipping(batch_sampler), **kwargs)
        self.batches_done = 0

    def __iter__(self) -> Iterator[Any]:  # type: ignore[override]
        # Lightning takes an epoch's last batch and never asks for the end, so the turn of the epoch is made here.
        self.load_state_dict(self.state_dict())
        self._order.skip = self.batches_done
        for batch in super().__iter__():
            self.batches_done += 1
            yield batch

    def state_dict(self) -> dict[str, int]:
        """The number of batches of the running epoch that were handed out."""
        return {"batches_done": self.batches_done % len(self)}

    def load_state_dict(self, state: dict[str, int]) -> None:
        """Go on where ``state_dict`` was taken."""
        self.batches_done = state["batches_done"]

    @property
    def _order(self) -> _Skipping:
        order = self.batch_sampler
        if not isinstance(order, _Skipping):
            raise TypeError("the batch sampler was replaced; its position cannot be restored")
        return order


class _Skipping(Sampler[list[int]]):
    """A batch sampler's epoch without its first ``skip`` batches; its length stays that of the whole epoch."""

    def __init__(self, sampler: EpochBatches):
        self.sampler = sampler
        self.skip = 0

    def __len__(self) -> int:
        return len(self.sampler)

    def __iter__(self) -> Iterator[list[int]]:
        for index, batch in enumerate(self.sampler):
            if index >= self.skip:
                yield batch
