"""Optimizer and learning-rate schedule as one part of the configuration."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Annotated, Any, Literal

import msgspec
import torch
from pytorch_lightning import Trainer
from torch import nn
from torch.optim.lr_scheduler import LRScheduler
from transformers import get_scheduler

Positive = Annotated[float, msgspec.Meta(gt=0)]
NotNegative = Annotated[float, msgspec.Meta(ge=0)]

# Weights of these kinds are not decayed (the BERT recipe).
_UNDECAYED = (nn.LayerNorm,)


@dataclass(frozen=True)
class AdamW:
    """AdamW with warm-up.

    Attributes:
        lr: Peak learning rate.
        weight_decay: Decoupled decay of all weights but biases and layer norms.
        eps: Added to the denominator.
        warmup_steps: Optimizer steps of linear warm-up; a fraction below 1 is one of all steps.
        schedule: What follows the warm-up: "linear" or "cosine" to zero, or "constant".
    """

    lr: Positive
    weight_decay: NotNegative = 0.0
    eps: Positive = 1e-8
    warmup_steps: NotNegative = 0.0
    schedule: Literal["linear", "cosine", "constant"] = "linear"

    def build(self, module: nn.Module, total_steps: int) -> tuple[torch.optim.Optimizer, LRScheduler]:
        """The optimizer over the module's parameters and its schedule over ``total_steps`` optimizer steps."""
        undecayed = {
            id(parameter)
            for part in module.modules()
            for name, parameter in part.named_parameters(recurse=False)
            if isinstance(part, _UNDECAYED) or name == "bias"
        }
        parameters = [p for p in module.parameters() if p.requires_grad]
        groups = [
            {"params": [p for p in parameters if id(p) not in undecayed], "weight_decay": self.weight_decay},
            {"params": [p for p in parameters if id(p) in undecayed], "weight_decay": 0.0},
        ]
        # The fused kernel is several times faster than the loop over tensors, on CPU too.
        optimizer = torch.optim.AdamW(groups, lr=self.lr, eps=self.eps, fused=True)
        warmup = self.warmup_steps * total_steps if self.warmup_steps < 1 else self.warmup_steps
        name = "constant_with_warmup" if self.schedule == "constant" else self.schedule
        scheduler = get_scheduler(name, optimizer, num_warmup_steps=round(warmup), num_training_steps=total_steps)
        return optimizer, scheduler


def total_steps(trainer: Trainer) -> int:
    """Optimizer steps of the whole training.

    Lightning's own estimate sets the train loader up before a checkpoint is read, after which the loader's position
    in it is not restored any more; so it is counted from a loader of its own.
    """
    data: Any = trainer.datamodule  # type: ignore[attr-defined]
    batches = len(data.train_dataloader())
    return math.ceil(batches / trainer.accumulate_grad_batches) * (trainer.max_epochs or 1)
