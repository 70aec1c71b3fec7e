"""A question encoder and a passage encoder whose vectors' dot product ranks passages."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import msgspec

from situated.encoders.pretrained import PretrainedEncoder, quiet_transformers
from situated.errors import ConfigError, InputError
from situated.io import read_json, write_json

if TYPE_CHECKING:
    from situated.encoders.text_encoder import Text, TextEncoder

ACCOUNT = "biencoder.json"


@dataclass(frozen=True)
class BiEncoder:
    """Where two encoders lie, and how texts become their vectors.

    Attributes:
        question: A hub name, a folder, or "package:<module>/<folder>" (``PretrainedEncoder``).
        passage: The same for passages; None: one encoder for both.
        revision: Commit of the hub's repositories.
        pooling: The first token's vector (DPR), or the mean over tokens.
        normalize: Vectors of length 1.
        question_prefix: Put before questions ("query: ").
        passage_prefix: Put before passages.
        title: How a passage's title enters: as the first of a pair (DPR: ``[CLS] title [SEP] text [SEP]``), before
            the text as one text with it, or not at all. Segment ids are zero always.
        question_max_length: Longest question in tokens, special ones included.
        passage_max_length: Longest passage.
        temperature: The training loss divides scores by it.
    """

    question: str
    passage: str | None = None
    revision: str | None = None
    pooling: Literal["cls", "mean"] = "cls"
    normalize: bool = False
    question_prefix: str = ""
    passage_prefix: str = ""
    title: Literal["pair", "prefix", "none"] = "pair"
    question_max_length: int = 256
    passage_max_length: int = 256
    temperature: float = 1.0

    @classmethod
    def from_folder(cls, path: Path) -> BiEncoder:
        """A trained one: a train run's folder, or its ``model``.

        Raises:
            InputError: It holds none.
        """
        folder = path / "model" if (path / "model" / ACCOUNT).is_file() else path
        account = folder / ACCOUNT
        if not account.is_file():
            raise InputError(path, f"no trained retriever (no {ACCOUNT})", "Name a complete run of retriever/train.py.")
        try:
            found = msgspec.convert(read_json(account), cls)
        except msgspec.ValidationError as error:
            raise InputError(account, f"not the account of a retriever ({error})", "Train it anew.") from error
        passage = None if found.passage is None else str(folder / found.passage)
        return replace(found, question=str(folder / found.question), passage=passage)

    def files(self) -> dict[str, Path]:
        """Weights on this machine, as inputs of a run; nothing for hub names."""
        sides = {"question_encoder": self.question, "passage_encoder": self.passage}
        return {
            name: path
            for name, place in sides.items()
            if place is not None
            for path in PretrainedEncoder(name, place).files().values()
        }

    def load(self, device: str = "cpu") -> LoadedBiEncoder:
        """Both encoders on a device, in evaluation mode.

        Raises:
            ConfigError: One is not there, or the two make vectors of different length.
        """
        question = self._encoder(self.question, self.question_prefix, self.question_max_length)
        same = self.passage is None and self.question_prefix == self.passage_prefix
        same = same and self.question_max_length == self.passage_max_length
        passage = question if same else self._passage_encoder(question)
        if question.dim != passage.dim:
            raise ConfigError(
                f"retriever.biencoder: questions make vectors of {question.dim}, passages of {passage.dim} numbers; "
                "name two encoders of one width."
            )
        return LoadedBiEncoder(self, question.to(device).eval(), passage.to(device).eval())

    def _passage_encoder(self, question: TextEncoder) -> TextEncoder:
        from situated.encoders.text_encoder import TextEncoder

        if self.passage is not None:
            return self._encoder(self.passage, self.passage_prefix, self.passage_max_length)
        return TextEncoder(
            question.model,
            question.tokenizer,
            pooling=self.pooling,
            normalize=self.normalize,
            prefix=self.passage_prefix,
            max_length=self.passage_max_length,
        )

    def _encoder(self, place: str, prefix: str, max_length: int) -> TextEncoder:
        from situated.encoders.loading import load_encoder
        from situated.encoders.text_encoder import TextEncoder

        quiet_transformers()
        pretrained = PretrainedEncoder("encoder", place, self.revision)
        model, tokenizer = load_encoder(pretrained)
        longest = int(getattr(model.config, "max_position_embeddings", max_length))
        if max_length > longest:
            raise ConfigError(
                f"retriever.biencoder: {place} reads at most {longest} tokens, not {max_length}; "
                "lower question_max_length and passage_max_length."
            )
        return TextEncoder(
            model, tokenizer, pooling=self.pooling, normalize=self.normalize, prefix=prefix, max_length=max_length
        )


@dataclass(frozen=True, eq=False)
class LoadedBiEncoder:
    """Two encoders in memory; they share weights where one serves both."""

    settings: BiEncoder
    question: TextEncoder
    passage: TextEncoder

    @property
    def is_shared(self) -> bool:
        """Whether one set of weights serves questions and passages."""
        return self.question.model is self.passage.model

    @property
    def fingerprint(self) -> str:
        """Hash of everything that changes vectors (hex, 64 characters)."""
        encoders = [self.question] if self.question is self.passage else [self.question, self.passage]
        parts = [encoder.fingerprint for encoder in encoders] + [self.settings.title]
        return hashlib.sha256(" ".join(parts).encode()).hexdigest()

    def passage_texts(self, titles: Sequence[str], texts: Sequence[str]) -> list[Text]:
        """What the passage encoder reads: pairs, or titles before texts, or texts alone."""
        pairs = zip(titles, texts, strict=True)
        if self.settings.title == "pair":
            return [*pairs]
        if self.settings.title == "prefix":
            return [f"{title} {text}" for title, text in pairs]
        return [*texts]

    def save(self, folder: Path) -> None:
        """Write settings and weights so that ``BiEncoder.from_folder`` finds them; the settings last."""
        names = {"shared": self.question} if self.is_shared else {"question": self.question, "passage": self.passage}
        for name, encoder in names.items():
            encoder.model.save_pretrained(folder / name)
            encoder.tokenizer.save_pretrained(folder / name)
        first, *second = names
        saved = replace(self.settings, question=first, passage=second[0] if second else None, revision=None)
        write_json(folder / ACCOUNT, asdict(saved))
