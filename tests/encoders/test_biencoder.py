from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from situated.encoders.biencoder import BiEncoder
from situated.encoders.pretrained import PretrainedEncoder
from situated.errors import ConfigError, InputError

TEXTS = ["who won the final", "the", "in the year the team won the final of the cup in the city"]


@pytest.fixture
def biencoder(tiny_encoder: PretrainedEncoder) -> BiEncoder:
    """One tiny encoder for both sides."""
    place = tiny_encoder.pretrained
    return BiEncoder(place, pooling="mean", title="prefix", question_max_length=32, passage_max_length=32)


@pytest.fixture
def dpr(tiny_encoder: PretrainedEncoder, tmp_path: Path) -> BiEncoder:
    """Two encoders in the layout of DPR's published folders, of random weights."""
    from transformers import AutoTokenizer, BertConfig, DPRConfig, DPRContextEncoder, DPRQuestionEncoder

    plain = BertConfig.from_pretrained(tiny_encoder.pretrained).to_dict()
    names = ("vocab_size", "hidden_size", "num_hidden_layers", "num_attention_heads", "intermediate_size")
    config = DPRConfig(
        **{name: plain[name] for name in names}, max_position_embeddings=plain["max_position_embeddings"]
    )
    torch.manual_seed(3)
    for name, kind in {"question": DPRQuestionEncoder, "passage": DPRContextEncoder}.items():
        kind(config).save_pretrained(tmp_path / name)
        AutoTokenizer.from_pretrained(tiny_encoder.pretrained).save_pretrained(tmp_path / name)
    return BiEncoder(
        str(tmp_path / "question"), str(tmp_path / "passage"), question_max_length=32, passage_max_length=32
    )


def test_vectors_do_not_depend_on_batches_nor_order(biencoder: BiEncoder) -> None:
    encoder = biencoder.load().question
    alone = np.concatenate([encoder.encode([text]) for text in TEXTS])
    assert alone.dtype == np.float32
    np.testing.assert_allclose(encoder.encode(TEXTS), alone, atol=1e-5)
    np.testing.assert_allclose(encoder.encode(TEXTS[::-1], batch_tokens=1), alone[::-1], atol=1e-5)


def test_vectors_are_those_of_transformers_dpr_classes(dpr: BiEncoder) -> None:
    from transformers import DPRContextEncoder, DPRQuestionEncoder

    loaded = dpr.load()
    pairs = [("title of it", text) for text in TEXTS]
    for encoder, kind, texts in [
        (loaded.question, DPRQuestionEncoder, TEXTS),
        (loaded.passage, DPRContextEncoder, pairs),
    ]:
        place = dpr.question if encoder is loaded.question else str(dpr.passage)
        batch = encoder.pad(encoder.tokenize(texts))  # type: ignore[arg-type]
        with torch.no_grad():
            model: Any = kind.from_pretrained(place)
            theirs = model.eval()(**batch).pooler_output.numpy()
        np.testing.assert_allclose(encoder.encode(texts), theirs, atol=1e-5)  # type: ignore[arg-type]


def test_a_cut_text_ends_in_a_separator(biencoder: BiEncoder) -> None:
    encoder = biencoder.load().passage
    (ids,) = encoder.tokenize([("the", "the " * 100)])
    assert len(ids) == 32
    assert ids[-1] == encoder.tokenizer.sep_token_id


def test_saved_and_opened_again_it_is_the_same(dpr: BiEncoder, biencoder: BiEncoder, tmp_path: Path) -> None:
    for number, settings in enumerate([dpr, biencoder]):
        loaded = settings.load()
        loaded.save(tmp_path / str(number))
        again = BiEncoder.from_folder(tmp_path / str(number)).load()
        assert again.fingerprint == loaded.fingerprint
        assert again.is_shared == loaded.is_shared


def test_settings_that_change_vectors_change_the_fingerprint(biencoder: BiEncoder) -> None:
    found = {
        settings.load().fingerprint
        for settings in (
            biencoder,
            replace(biencoder, normalize=True),
            replace(biencoder, passage_prefix="passage: "),
            replace(biencoder, title="none"),
        )
    }
    assert len(found) == 4


def test_what_cannot_be_used_is_refused(biencoder: BiEncoder, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no trained retriever"):
        BiEncoder.from_folder(tmp_path)
    with pytest.raises(ConfigError, match="reads at most"):
        replace(biencoder, passage_max_length=100_000).load()


def test_weights_that_a_checkpoint_lacks_are_not_drawn_at_random(biencoder: BiEncoder, tmp_path: Path) -> None:
    from safetensors.torch import load_file, save_file

    folder = tmp_path / "lacking"
    shutil.copytree(biencoder.question, folder)
    weights = load_file(folder / "model.safetensors")
    save_file({name: tensor for name, tensor in weights.items() if "layer.1" not in name}, folder / "model.safetensors")
    with pytest.raises(ConfigError, match="lacks the weights"):
        replace(biencoder, question=str(folder)).load()
