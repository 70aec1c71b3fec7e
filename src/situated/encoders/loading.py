"""Encoders from Hugging Face folders, DPR's published ones among them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from situated.encoders.pretrained import PretrainedEncoder, explained_load
from situated.errors import ConfigError

if TYPE_CHECKING:
    from transformers import PreTrainedModel, PreTrainedTokenizerBase


def load_encoder(pretrained: PretrainedEncoder) -> tuple[PreTrainedModel, PreTrainedTokenizerBase]:
    """Load a bare encoder in fp32, and its tokenizer.

    A DPR folder (``DPRQuestionEncoder``, ``DPRContextEncoder``) wraps a BERT: the BERT is what is taken.

    Raises:
        ConfigError: It cannot be loaded.
    """
    from transformers import AutoConfig, AutoModel, BertConfig, BertModel, DPRContextEncoder, DPRQuestionEncoder

    place, revision = pretrained.location, pretrained.revision or "main"
    with explained_load(place):
        config = AutoConfig.from_pretrained(place, revision=revision)
        model: PreTrainedModel
        if config.model_type == "dpr" and "DPRContextEncoder" in (config.architectures or []):
            model = DPRContextEncoder.from_pretrained(place, revision=revision).ctx_encoder.bert_model
        elif config.model_type == "dpr":
            model = DPRQuestionEncoder.from_pretrained(place, revision=revision).question_encoder.bert_model
        else:
            model, loaded = AutoModel.from_pretrained(place, revision=revision, output_loading_info=True)
            if lacking := sorted(key for key in map(str, loaded["missing_keys"]) if "pooler" not in key):
                raise ConfigError(
                    f"retriever.biencoder: {place!r} lacks the weights {lacking[0]} and {len(lacking) - 1} more, which "
                    "would be drawn at random. Name a checkpoint of the encoder that its config.json describes."
                )
    if config.model_type == "dpr":  # else it is saved as a "dpr" whose weights no DPR class finds
        settings = {
            name: value for name, value in config.to_dict().items() if name not in ("model_type", "architectures")
        }
        bert = BertModel(BertConfig(**settings), add_pooling_layer=False)
        bert.load_state_dict(model.state_dict())
        model = bert
    if getattr(model, "pooler", None) is not None:
        # Unused; drawn at random where a checkpoint lacks it, so that no two loads were equal.
        model.register_module("pooler", None)
    in_fp32: Any = model
    return in_fp32.float(), pretrained.tokenizer()
