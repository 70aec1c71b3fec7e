"""The classifier as a Lightning module: an encoder, its first token's vector, two outputs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import torch
from pytorch_lightning import LightningModule
from torchmetrics import MetricCollection
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

    def training_step(self, batch: dict[str, torch.Tensor], batch_idx: int) -> torch.Tensor:
        """Cross-entropy of the batch."""
        loss: torch.Tensor = self.model(**batch).loss
        self.log("train/loss", loss.detach(), prog_bar=True, batch_size=len(batch["labels"]))
        return loss

    def validation_step(self, batch: dict[str, torch.Tensor], batch_idx: int) -> None:
        """Count what the dev metrics need."""
        output = self.model(**batch)
        self.dev_metrics.update(output.logits.argmax(dim=-1), batch["labels"])
        self.log("dev/loss", output.loss, batch_size=len(batch["labels"]))

    def on_validation_epoch_end(self) -> None:
        """Log the dev metrics of the epoch."""
        self.log_dict(self.dev_metrics.compute(), prog_bar=True)
        self.dev_metrics.reset()

    def configure_optimizers(self) -> Any:
        """Optimizer and per-step schedule over the whole training."""
        optimizer, scheduler = self.optim.build(self.model, total_steps(self.trainer))
        return {"optimizer": optimizer, "lr_scheduler": {"scheduler": scheduler, "interval": "step"}}

    def save(self, folder: Path) -> None:
        """Write safetensors, tokenizer and configuration, as any Hugging Face program reads them."""
        self.model.save_pretrained(folder)
        self.tokenizer.save_pretrained(folder)
