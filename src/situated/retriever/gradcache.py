"""Vectors of batches whose activations would not fit into memory."""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch import Tensor
from torch.utils.checkpoint import checkpoint


def encode_in_chunks(
    encode: Callable[[Tensor, Tensor], Tensor], input_ids: Tensor, attention_mask: Tensor, rows: int | None
) -> Tensor:
    """Encode some rows at a time and keep their vectors alone; the backward pass encodes each chunk again.

    Gradients are those of the whole batch: dropout draws the same numbers the second time. Since autograd does the
    second pass, the optimisation stays as it is (accumulation, clipping, several processes).

    Args:
        encode: (input_ids, attention_mask) -> (rows, dim)
        input_ids: (batch, tokens)
        attention_mask: (batch, tokens)
        rows: Rows a chunk; None encodes the batch at once.

    Source: Gao et al. 2021, Scaling deep contrastive learning batch size under memory limited setup.
    """
    if rows is None or not torch.is_grad_enabled():
        return encode(input_ids, attention_mask)
    chunks = []
    for ids, mask in zip(torch.split(input_ids, rows), torch.split(attention_mask, rows), strict=True):
        longest = int(mask.sum(1).max())  # a chunk of short rows needs less padding
        vectors = checkpoint(encode, ids[:, :longest], mask[:, :longest], use_reentrant=False)
        assert isinstance(vectors, Tensor)  # noqa: S101 (for the type checker)
        chunks.append(vectors)
    return torch.cat(chunks)
