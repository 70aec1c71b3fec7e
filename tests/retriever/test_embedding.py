from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from situated.corpus.store import PassageStore
from situated.encoders.biencoder import BiEncoder, LoadedBiEncoder
from situated.encoders.pretrained import PretrainedEncoder
from situated.errors import InputError, SituatedError
from situated.io import read_json, write_json
from situated.retriever.dense import Dense
from situated.retriever.embedding import Embedding, StoppedError, shard_rows
from situated.retriever.vectors import VectorStore

Collect = Callable[..., PassageStore]


@pytest.fixture
def settings(tiny_encoder: PretrainedEncoder) -> BiEncoder:
    """One tiny encoder for both sides."""
    return BiEncoder(tiny_encoder.pretrained, question_max_length=32, passage_max_length=32)


@pytest.fixture
def loaded(settings: BiEncoder) -> LoadedBiEncoder:
    """The same in memory."""
    return settings.load()


@pytest.fixture
def shards(collection: Collect, loaded: LoadedBiEncoder, tmp_path: Path) -> Path:
    """A collection's vectors in two shards."""
    store = collection()
    for shard in range(2):
        place = tmp_path / "embed" / f"shard={shard}-of-2"
        Embedding(store, loaded, "float32", chunk=2)(place, place / "parts", shard_rows(len(store), shard, 2))
    return tmp_path / "embed"


def test_vectors_stand_in_the_order_of_the_passages(collection: Collect, loaded: LoadedBiEncoder, shards: Path) -> None:
    store = collection()
    vectors = VectorStore(shards)
    vectors.verify()
    found = np.concatenate([block for _, block in vectors.blocks(1)])
    alone = [loaded.passage.encode([(passage.title, passage.text)]) for passage in store]
    np.testing.assert_allclose(found, np.concatenate(alone), atol=1e-5)
    assert len(vectors) == len(store)
    assert vectors.encoder == loaded.fingerprint


def test_a_stopped_run_goes_on_to_the_same_file(collection: Collect, loaded: LoadedBiEncoder, tmp_path: Path) -> None:
    store = collection()
    embed = Embedding(store, loaded, chunk=1)
    rows = (0, len(store))
    whole = embed(tmp_path / "whole", tmp_path / "whole" / "parts", rows)
    asked = iter([False, True])
    with pytest.raises(StoppedError):
        embed(tmp_path / "cut", tmp_path / "cut" / "parts", rows, lambda: next(asked))
    assert embed(tmp_path / "cut", tmp_path / "cut" / "parts", rows).sha256 == whole.sha256


def test_broken_shards_are_refused(shards: Path) -> None:
    first = shards / "shard=0-of-2"
    account, array = read_json(first / "vectors.json"), (first / "vectors.npy").read_bytes()
    (first / "vectors.npy").write_bytes(array[:-4])
    with pytest.raises(InputError, match="cannot be opened"):
        VectorStore(shards)
    (first / "vectors.npy").write_bytes(array[:-4] + b"\0\0\xc0\x7f")
    with pytest.raises(InputError, match="has changed"):
        VectorStore(shards).verify()
    for name, problem in {"encoder": "encoder is", "passages": "passages is"}.items():
        write_json(first / "vectors.json", account | {name: "other"})
        with pytest.raises(InputError, match=problem):
            VectorStore(shards)
    (first / "vectors.json").unlink()
    with pytest.raises(InputError, match="are missing"):
        VectorStore(shards)


def test_an_encoder_that_makes_nan_is_refused(collection: Collect, loaded: LoadedBiEncoder, tmp_path: Path) -> None:
    next(loaded.passage.parameters()).data.fill_(float("nan"))
    with pytest.raises(SituatedError, match="NaN"):
        Embedding(collection(), loaded)(tmp_path / "e", tmp_path / "e" / "parts", (0, 1))


def test_exact_search_finds_a_passage_by_its_own_vector(
    collection: Collect, settings: BiEncoder, tmp_path: Path
) -> None:
    store = collection()
    searcher = Dense("tiny", settings).open(store, tmp_path / "index")
    queries = [passage.text for passage in store][:2]
    found = searcher.search(queries, 100)
    scores = searcher.encoders.question.encode(queries) @ next(iter(searcher.vectors.blocks()))[1].astype("f4").T
    for rank, expected in zip(found, scores, strict=True):
        assert sorted(rank.rows.tolist()) == [*range(len(store))]
        np.testing.assert_allclose(rank.scores, np.sort(expected)[::-1], atol=1e-4)
    other = Dense("tiny", replace(settings, normalize=True))
    with pytest.raises(InputError, match="another encoder"):
        other.open(store, tmp_path / "index")
