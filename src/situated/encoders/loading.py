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
    from transformers import AutoConfig, AutoModel, BertConfig, BertModel, DPRContextEncoder, DPRQuestionEncoder

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
    if config.model_type == "dpr":  # else it is saved as a "dpr" whose weights no DPR class finds
        settings = {
            name: value for name, value in config.to_dict().items() if name not in ("model_type", "architectures")
        }
        bert = BertModel(BertConfig(**settings), add_pooling_layer=False)
        bert.load_state_dict(model.state_dict())
        model = bert
    if getattr(model, "pooler", None) is not None:
        model.register_module(
            "pooler", None
        )  # unused; drawn at random where a checkpoint lacks it, so that no two loads were equal
    return model.float(), pretrained.tokenizer()
