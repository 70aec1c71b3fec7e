"""Order and batches by length."""

from __future__ import annotations

from itertools import islice

import pytest
from hypothesis import given
from hypothesis import strategies as st

from situated.errors import ConfigError
from situated.training.sampler import LengthGroupedBatchSampler, ResumableDataLoader


@given(
    lengths=st.lists(st.integers(1, 60), min_size=1, max_size=300),
    batch_size=st.integers(1, 40),
    seed=st.integers(0, 5),
    window=st.integers(1, 5),
)
def test_an_epoch_holds_every_example_once(lengths: list[int], batch_size: int, seed: int, window: int) -> None:
    sampler = LengthGroupedBatchSampler(lengths, batch_size, seed, window)
    batches = list(sampler)
    assert sorted(index for batch in batches for index in batch) == list(range(len(lengths)))
    assert len(batches) == len(sampler)
    assert max(map(len, batches)) <= batch_size


@given(n=st.integers(1, 120), batch_size=st.integers(3, 16), world_size=st.integers(1, 3), epoch=st.integers(0, 2))
def test_several_processes_share_the_batches_of_one(n: int, batch_size: int, world_size: int, epoch: int) -> None:
    def batches(rank: int, of: int) -> list[list[int]]:
        sampler = LengthGroupedBatchSampler(list(range(n)), batch_size, seed=5, rank=rank, world_size=of)
        sampler.set_epoch(epoch)
        made = list(sampler)
        assert len(sampler) == len(made)
        return made

    for whole, *parts in zip(batches(0, 1), *(batches(rank, world_size) for rank in range(world_size)), strict=True):
        assert all(parts)
        shared = sorted(index for part in parts for index in part)
        assert shared == sorted(whole + whole[:1] * (world_size - len(whole)))


def test_too_few_examples_a_batch_are_refused() -> None:
    with pytest.raises(ConfigError, match="batch_size: 2 examples are too few for 3 processes"):
        LengthGroupedBatchSampler([1, 2, 3], 2, 0, world_size=3)


@given(skip=st.integers(0, 12), epoch=st.integers(0, 3))
def test_a_loader_goes_on_at_the_very_next_batch(skip: int, epoch: int) -> None:
    def loader() -> ResumableDataLoader:
        sampler = LengthGroupedBatchSampler(list(range(50)), 4, seed=3)
        sampler.set_epoch(epoch)
        return ResumableDataLoader(list(range(50)), sampler, collate_fn=list)

    whole = list(loader())
    first, second = loader(), loader()
    taken = list(islice(first, skip))
    second.load_state_dict(first.state_dict())
    assert taken + list(second) == whole


def test_epochs_and_seeds_have_orders_of_their_own() -> None:
    orders = set()
    for seed in (0, 1):
        for epoch in (0, 1):
            sampler = LengthGroupedBatchSampler([1] * 100, 10, seed)
            sampler.set_epoch(epoch)
            orders.add(str(list(sampler)))
    assert len(orders) == 4


def test_batches_hold_like_lengths() -> None:
    lengths = [n % 50 + 1 for n in range(2000)]
    batches = list(LengthGroupedBatchSampler(lengths, 32, seed=0))
    padded = sum(max(lengths[i] for i in batch) * len(batch) for batch in batches)
    assert padded < 1.05 * sum(lengths)


@pytest.mark.parametrize(("n_questions", "batch_size"), [(40, 8), (13, 8), (300, 16)])
def test_rows_of_one_question_are_kept_apart(n_questions: int, batch_size: int) -> None:
    keys = [f"q{n % n_questions}" for n in range(4 * n_questions)]
    lengths = [1 + n % 29 for n in range(len(keys))]
    for epoch in range(5):
        parts = []
        for rank in range(2):
            sampler = LengthGroupedBatchSampler(lengths, batch_size, 3, rank=rank, world_size=2, keys=keys)
            sampler.set_epoch(epoch)
            parts.append([*sampler])
            assert len(parts[-1]) == len(sampler)
            assert [*sampler] == parts[-1]
        batches = [[*one, *other] for one, other in zip(*parts, strict=True)]
        assert sorted(index for batch in batches for index in batch) == [*range(len(keys))]
        assert all(len({keys[index] for index in batch}) == len(batch) for batch in batches)


def test_rows_that_cannot_be_kept_apart_are_still_all_there() -> None:
    sampler = LengthGroupedBatchSampler([3] * 10, 4, 0, keys=["same"] * 10)
    assert sorted(index for batch in sampler for index in batch) == [*range(10)]
