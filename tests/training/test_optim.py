"""Optimizer and schedule."""

from __future__ import annotations

import pytest
import torch
from torch import nn

from situated.training.optim import AdamW


def _rates(optim: AdamW, steps: int) -> list[float]:
    optimizer, schedule = optim.build(nn.Linear(2, 2), steps)
    rates = []
    for _ in range(steps):
        rates.append(optimizer.param_groups[0]["lr"])
        optimizer.step()
        schedule.step()
    return rates


@pytest.mark.parametrize("warmup", [0.2, 20.0])
def test_linear_warm_up_then_linear_to_zero(warmup: float) -> None:
    rates = _rates(AdamW(lr=1.0, warmup_steps=warmup), 100)
    assert rates[0] == 0.0
    assert rates[10] == pytest.approx(0.5)
    assert rates[20] == pytest.approx(1.0)
    assert rates[60] == pytest.approx(0.5)
    assert rates[99] == pytest.approx(1 / 80)


def test_constant_stays() -> None:
    assert _rates(AdamW(lr=1.0, warmup_steps=0.1, schedule="constant"), 100)[10:] == [1.0] * 90


def test_biases_and_layer_norms_are_not_decayed() -> None:
    module = nn.Sequential(nn.Linear(3, 3), nn.LayerNorm(3))
    optimizer, _ = AdamW(lr=0.1, weight_decay=0.01).build(module, 10)
    decayed = {id(p) for group in optimizer.param_groups if group["weight_decay"] for p in group["params"]}
    assert decayed == {id(module[0].weight)}
    assert sum(len(group["params"]) for group in optimizer.param_groups) == len(list(module.parameters()))


def test_frozen_parameters_are_left_out() -> None:
    module = nn.Linear(3, 3)
    module.weight.requires_grad_(False)
    optimizer, _ = AdamW(lr=0.1).build(module, 10)
    assert [p.shape for group in optimizer.param_groups for p in group["params"]] == [torch.Size([3])]
