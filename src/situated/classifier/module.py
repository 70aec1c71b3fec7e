"""The classifier as a Lightning module: an encoder, its first token's vector, two outputs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import torch
from pytorch_lightning import LightningModule
from torchmetrics import MeanMetric, MetricCollection
from torchmetrics.classification import BinaryAccuracy, BinaryF1Score, BinaryPrecision, BinaryRecall
from transformers import PreTrainedModel, PreTrainedTokenizerBase

from situated.training.optim import AdamW, total_steps


class ClassifierModule(LightningModule):
    """Fine-tunes a sequence classifier on batches of {input_ids, attention_mask, labels}, each (batch, length).

    Args:
        model: Encoder with a head of two outputs, in the order of ``trained.LABELS``.
        tokenizer: Saved with the model.
        optim: Optimizer and schedule.
    """

    def __init__(self, model: PreTrainedModel, tokenizer: PreTrainedTokenizerBase, optim: AdamW):
        super().__init__()
        self.model, self.tokenizer, self.optim = model, tokenizer, optim
        self.dev_metrics = MetricCollection(
            {"accuracy": BinaryAccuracy(), "precision": BinaryPrecision(), "recall": BinaryRecall(),
             "f1": BinaryF1Score()},
            prefix="dev/",
        )  # fmt: skip
        self.dev_loss = MeanMetric()

    def training_step(self, batch: dict[str, torch.Tensor], batch_idx: int) -> torch.Tensor:
        """Cross-entropy of the batch; of several processes' parts, their mean is that of the whole batch."""
        loss: torch.Tensor = self.model(**batch).loss * self._weight(len(batch["labels"]))
        self.log("train/loss", loss.detach(), prog_bar=True, batch_size=len(batch["labels"]), sync_dist=True)
        return loss

    def validation_step(self, batch: dict[str, torch.Tensor], batch_idx: int) -> None:
        """Count what the dev metrics need."""
        output = self.model(**batch)
        self.dev_metrics.update(output.logits.argmax(dim=-1), batch["labels"])
        self.dev_loss.update(output.loss, weight=len(batch["labels"]))

    def on_validation_epoch_end(self) -> None:
        """Log the dev metrics of the epoch."""
        self.log_dict(self.dev_metrics.compute() | {"dev/loss": self.dev_loss.compute()}, prog_bar=True)
        self.dev_metrics.reset()
        self.dev_loss.reset()

    def configure_optimizers(self) -> Any:
        """Optimizer and per-step schedule over the whole training."""
        optimizer, scheduler = self.optim.build(self.model, total_steps(self.trainer))
        return {"optimizer": optimizer, "lr_scheduler": {"scheduler": scheduler, "interval": "step"}}

    def _weight(self, n: int) -> float | torch.Tensor:
        """How much more (or fewer) examples this process has of the batch than the processes have on average."""
        if self.trainer.world_size == 1:
            return 1.0
        of_all = self.trainer.strategy.reduce(torch.tensor(float(n), device=self.device), reduce_op="mean")
        return n / of_all

    def save(self, folder: Path) -> None:
        """Write safetensors, tokenizer and configuration, as any Hugging Face program reads them."""
        self.model.save_pretrained(folder)
        self.tokenizer.save_pretrained(folder)
