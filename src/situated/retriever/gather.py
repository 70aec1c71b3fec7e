"""Rows of all processes in one tensor, through which gradients flow back exactly."""

from __future__ import annotations

from typing import Any

import torch
import torch.distributed as dist
from torch import Tensor


def gather_rows(local: Tensor) -> tuple[Tensor, int]:
    """Rows of every process, in the processes' order, and the place of this process's first row.

    The processes may have different numbers of rows. The gradient of a process's rows is the sum of what all
    processes send back, so a loss that each divides by the global number of questions is that of one process.

    Args:
        local: (rows, ...)

    Returns:
        (rows of all, ...) and the number of rows before this process's.
    """
    if not (dist.is_available() and dist.is_initialized()) or dist.get_world_size() == 1:
        return local, 0
    counts = [torch.zeros(1, dtype=torch.long, device=local.device) for _ in range(dist.get_world_size())]
    dist.all_gather(counts, torch.tensor([len(local)], device=local.device))
    sizes = [int(count) for count in counts]
    gathered: Tensor = _Gather.apply(local, sizes)  # type: ignore[no-untyped-call]
    return gathered, sum(sizes[: dist.get_rank()])


class _Gather(torch.autograd.Function):
    """All rows forward; summed gradients back."""

    @staticmethod
    def forward(ctx: Any, local: Tensor, sizes: list[int]) -> Tensor:
        ctx.sizes = sizes
        padded = local.new_zeros(max(sizes), *local.shape[1:])  # gloo wants equal shapes
        padded[: len(local)] = local
        parts = [torch.empty_like(padded) for _ in sizes]
        dist.all_gather(parts, padded)
        return torch.cat([part[:size] for part, size in zip(parts, sizes, strict=True)])

    @staticmethod
    def backward(ctx: Any, *gradients: Tensor) -> tuple[Tensor, None]:
        total = gradients[0].contiguous().clone()
        dist.all_reduce(total)
        return torch.split(total, ctx.sizes)[dist.get_rank()], None
