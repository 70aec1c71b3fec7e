"""Texts -> vectors: one Hugging Face encoder, its pooling, and batches that waste no padding."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import torch
from torch import Tensor, nn

if TYPE_CHECKING:
    from transformers import PreTrainedModel, PreTrainedTokenizerBase

Pooling = Literal["cls", "mean"]
Text = str | tuple[str, str]
"""A text, or a title and a text that a separator stands between."""


class TextEncoder(nn.Module):
    """An encoder whose vectors stand for whole texts.

    Args:
        model: Any Hugging Face encoder.
        tokenizer: Its tokenizer.
        pooling: The first token's vector (DPR), or the mean over the text's tokens.
        normalize: Divide by the Euclidean norm.
        prefix: Put before every text ("query: ").
        max_length: Longest input in tokens, special ones included; a longer one is cut, its last token a separator.
    """

    def __init__(
        self,
        model: PreTrainedModel,
        tokenizer: PreTrainedTokenizerBase,
        *,
        pooling: Pooling = "cls",
        normalize: bool = False,
        prefix: str = "",
        max_length: int = 256,
    ):
        super().__init__()
        self.model, self.tokenizer = model, tokenizer
        self.pooling, self.normalize = pooling, normalize
        self.prefix, self.max_length = prefix, max_length

    @property
    def dim(self) -> int:
        """Length of a vector."""
        return int(self.model.config.hidden_size)

    @property
    def fingerprint(self) -> str:
        """Hash of the weights and of the settings that change vectors (hex, 64 characters)."""
        settings = (self.pooling, self.normalize, self.prefix, self.max_length)
        digest = hashlib.sha256(repr(settings).encode())
        for name, tensor in sorted(self.model.state_dict().items()):
            digest.update(f"{name} {tensor.dtype} {tuple(tensor.shape)}\n".encode())
            digest.update(tensor.detach().cpu().contiguous().flatten().view(torch.uint8).numpy().tobytes())
        vocabulary = sorted(self.tokenizer.get_vocab().items())
        digest.update(repr(vocabulary).encode())
        return digest.hexdigest()

    def tokenize(self, texts: Sequence[Text]) -> list[list[int]]:
        """Token ids of each text with its special tokens, at most ``max_length``; not padded."""
        if not texts:
            return []
        pairs = [text if isinstance(text, tuple) else (text, "") for text in texts]
        firsts = [self.prefix + first for first, _ in pairs]
        seconds = [second for _, second in pairs] if isinstance(texts[0], tuple) else None
        ids: list[list[int]] = self.tokenizer(firsts, seconds, truncation=False, verbose=False)["input_ids"]
        end = self.tokenizer.sep_token_id
        return [one if len(one) <= self.max_length else [*one[: self.max_length - 1], end] for one in ids]

    def forward(self, input_ids: Tensor, attention_mask: Tensor) -> Tensor:
        """Vectors of a padded batch.

        Args:
            input_ids: (batch, tokens)
            attention_mask: (batch, tokens), 1 where there is a token. Segment ids are zero everywhere.

        Returns:
            (batch, dim)
        """
        states = self.model(input_ids=input_ids, attention_mask=attention_mask).last_hidden_state
        if self.pooling == "cls":
            vectors = states[:, 0]
        else:
            weights = attention_mask[..., None].to(states.dtype)
            vectors = (states * weights).sum(1) / weights.sum(1)
        return nn.functional.normalize(vectors, dim=-1) if self.normalize else vectors

    def pad(self, rows: Sequence[Sequence[int]]) -> dict[str, Tensor]:
        """Token ids of unequal length -> ``input_ids`` and ``attention_mask``, padded to the longest."""
        longest = max(map(len, rows))
        ids = np.full((len(rows), longest), self.tokenizer.pad_token_id or 0, dtype=np.int64)
        mask = np.zeros_like(ids)
        for row, tokens in enumerate(rows):
            ids[row, : len(tokens)] = tokens
            mask[row, : len(tokens)] = 1
        return {"input_ids": torch.from_numpy(ids), "attention_mask": torch.from_numpy(mask)}

    @torch.inference_mode()
    def encode(
        self, texts: Sequence[Text], batch_tokens: int = 8_192, progress: Callable[[int], Any] | None = None
    ) -> np.ndarray[Any, np.dtype[np.float32]]:
        """Vectors of texts, float32 (texts, dim), in their order.

        Args:
            texts: Encoded by length, so that a batch holds little padding.
            batch_tokens: Tokens of a batch, padding included.
            progress: Told the number of texts of each finished batch.
        """
        return self.encode_ids(self.tokenize(texts), batch_tokens, progress)

    @torch.inference_mode()
    def encode_ids(
        self, rows: Sequence[Sequence[int]], batch_tokens: int = 8_192, progress: Callable[[int], Any] | None = None
    ) -> np.ndarray[Any, np.dtype[np.float32]]:
        """The same for texts that are tokens already."""
        was_training = self.training
        self.eval()
        device = next(self.parameters()).device
        vectors = np.empty((len(rows), self.dim), dtype=np.float32)
        for batch in by_length([len(row) for row in rows], batch_tokens):
            padded = {name: part.to(device) for name, part in self.pad([rows[row] for row in batch]).items()}
            vectors[batch] = self(**padded).float().cpu().numpy()
            if progress is not None:
                progress(len(batch))
        self.train(was_training)
        return vectors


def by_length(lengths: Sequence[int], batch_tokens: int) -> Iterator[list[int]]:
    """Rows in batches of like length, the longest first, each at most ``batch_tokens`` with padding or one row.

    >>> list(by_length([2, 9, 3, 8], 18))
    [[1, 3], [2, 0]]
    """
    batch: list[int] = []
    for row in sorted(range(len(lengths)), key=lambda row: (-lengths[row], row)):
        if batch and (len(batch) + 1) * lengths[batch[0]] > batch_tokens:
            yield batch
            batch = []
        batch.append(row)
    if batch:
        yield batch
