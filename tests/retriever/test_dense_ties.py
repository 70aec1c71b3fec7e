"""Equal scores stand in the order of the collection, wherever a block or k cuts through them."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from situated.retriever.dense import _block_best


@pytest.mark.parametrize("k", [1, 2, 3, 5, 8])
def test_a_block_gives_all_that_tie_with_its_last(k: int) -> None:
    scores = torch.tensor([[1.0, 2.0, 1.0, 1.0, 3.0, 1.0], [0.0, 0.0, 0.0, 0.0, 0.0, 0.0]])
    found = _block_best(scores, k)
    for row, values, columns in zip(scores.numpy(), found.values.numpy(), found.indices.numpy(), strict=True):
        order = np.lexsort((columns, -values))[:k]
        expected = np.lexsort((np.arange(len(row)), -row))[:k]
        assert columns[order].tolist() == expected.tolist()
