"""A pretrained encoder by name: from a model hub, a folder, or inside an installed Python package."""

from __future__ import annotations

import importlib.util
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from situated.errors import ConfigError

if TYPE_CHECKING:
    from transformers import PreTrainedModel, PreTrainedTokenizerBase

PACKAGE = "package:"


@dataclass(frozen=True)
class PretrainedEncoder:
    """Any Hugging Face encoder.

    Attributes:
        name: What runs and tables call it.
        pretrained: A hub name ("bert-base-uncased"), a folder, or "package:<module>/<folder>" for weights that an
            installed Python package carries (a machine without network).
        revision: Commit of the hub's repository; None takes the newest and records which.
        max_length: Longest input, in wordpieces with the special tokens; longer ones are cut at the end.
    """

    name: str
    pretrained: str
    revision: str | None = None
    max_length: int = 64

    @property
    def location(self) -> str:
        """What ``from_pretrained`` takes: the hub name, or the folder's path.

        Raises:
            ConfigError: The package is not installed or has no such folder.
        """
        if not self.pretrained.startswith(PACKAGE):
            return self.pretrained
        module, _, folder = self.pretrained.removeprefix(PACKAGE).partition("/")
        spec = importlib.util.find_spec(module)
        if spec is None or not spec.submodule_search_locations:
            raise ConfigError(
                f"model.pretrained: the Python package {module!r} is not installed. "
                f"Install it (pip install {module.replace('_', '-')}) or name a folder or a hub model instead."
            )
        path = Path(spec.submodule_search_locations[0]) / folder
        if not (path / "config.json").is_file():
            raise ConfigError(f"model.pretrained: {path} holds no model (no config.json).")
        return str(path)

    def files(self) -> dict[str, Path]:
        """The local weights as an input of a run; nothing for a hub name, which ``revision`` identifies."""
        weights = Path(self.location) / "model.safetensors"
        return {"weights": weights} if weights.is_file() else {}

    def tokenizer(self) -> PreTrainedTokenizerBase:
        """The encoder's own tokenizer."""
        from transformers import AutoTokenizer

        quiet_transformers()
        with explained_load(self.location):
            return AutoTokenizer.from_pretrained(self.location, revision=self.revision or "main")

    def sequence_classifier(self, labels: Sequence[str]) -> PreTrainedModel:
        """The encoder with a fresh classification head over its first token's vector, one output a label."""
        from transformers import AutoModelForSequenceClassification

        quiet_transformers()
        with explained_load(self.location):
            model: PreTrainedModel = AutoModelForSequenceClassification.from_pretrained(
                self.location,
                revision=self.revision or "main",
                num_labels=len(labels),
                id2label=dict(enumerate(labels)),
                label2id={label: index for index, label in enumerate(labels)},
            )
        return model


def quiet_transformers() -> None:
    """Leave out transformers' bars over its own files and its notes on fresh heads, which are what is wanted here."""
    from transformers.utils import logging

    logging.set_verbosity_error()  # type: ignore[no-untyped-call]
    logging.disable_progress_bar()  # type: ignore[no-untyped-call]


class explained_load:  # noqa: N801 (reads as a statement)
    """Turn a failed load into one message that says what was looked for and where."""

    def __init__(self, location: str):
        self.location = location

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if isinstance(error, (OSError, ValueError)):
            first = str(error).strip().splitlines()[0] if str(error).strip() else type(error).__name__
            raise ConfigError(
                f"model.pretrained: {self.location!r} could not be loaded ({first}). Name a folder with config.json, "
                "tokenizer and model.safetensors, or a hub model while the network is up (HF_HUB_OFFLINE unset)."
            ) from error
