"""Encoders from Hugging Face folders, DPR's published ones among them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from situated.encoders.pretrained import PretrainedEncoder, _explained

if TYPE_CHECKING:
    from transformers import PreTrainedModel, PreTrainedTokenizerBase


def load_encoder(pretrained: PretrainedEncoder) -> tuple[PreTrainedModel, PreTrainedTokenizerBase]:
    """Load a bare encoder in fp32, and its tokenizer.

    A DPR folder (``DPRQuestionEncoder``, ``DPRContextEncoder``) wraps a BERT: the BERT is what is taken.

    Raises:
        ConfigError: It cannot be loaded.
    """
    import torch
    from transformers import AutoConfig, AutoModel, DPRContextEncoder, DPRQuestionEncoder

    place, revision = pretrained.location, pretrained.revision or "main"
    with _explained(place):
        config = AutoConfig.from_pretrained(place, revision=revision)
        model: PreTrainedModel
        if config.model_type == "dpr" and "DPRContextEncoder" in (config.architectures or []):
            model = DPRContextEncoder.from_pretrained(place, revision=revision).ctx_encoder.bert_model
        elif config.model_type == "dpr":
            model = DPRQuestionEncoder.from_pretrained(place, revision=revision).question_encoder.bert_model
        else:
            model = AutoModel.from_pretrained(place, revision=revision)
    return model.to(torch.float32), pretrained.tokenizer()
