"""Cutting articles: DPR's blocks, ORQA's sentences, and where each passage stands in its article."""

from __future__ import annotations

import pickle
import string
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from situated.corpus.passages import Cut, Sentences, WordBlocks, sentences
from situated.errors import ConfigError

TEXTS = st.lists(st.text(string.ascii_letters + "  .é\u00a0", max_size=60), max_size=12).map("\n".join)


def article(title: str, text: str) -> str:
    """The text that offsets count in, as the module's docstring says it."""
    lines = [" ".join(line.split()) for line in (title, *text.split("\n"))]
    return "\n".join(line for line in lines if line)


def read(whole: str, cut: Cut) -> str:
    own, wrapped = whole[cut.start : cut.end], whole[: cut.wrapped]
    return " ".join(f"{own} {wrapped}".replace("\n", " ").split(" ")).strip()


@given(TEXTS, st.integers(1, 12))
def test_blocks(text: str, words: int) -> None:
    cuts = WordBlocks(words).cut("A title", text)
    whole = article("A title", text)
    if not text.split():
        assert cuts == []
        return
    assert [cut.text for cut in cuts] == [read(whole, cut) for cut in cuts]
    assert " ".join(whole[cut.start : cut.end] for cut in cuts).split() == whole.split()
    assert cuts[0].text.startswith("A title"[: len(cuts[0].text)])
    assert {cut.wrapped for cut in cuts[:-1]} <= {0}
    if len(cuts) > 1:
        assert {len(cut.text.split()) for cut in cuts} == {words}


def test_a_short_article_is_not_wrapped() -> None:
    assert WordBlocks(100).cut("Ada", "some  words\nmore") == [Cut("Ada some words more", 0, 19, 0)]


def test_the_last_block_goes_on_with_the_beginning() -> None:
    cuts = WordBlocks(4).cut("Ada L", "b c d\ne f g h")
    assert [cut.text for cut in cuts] == ["Ada L b c", "d e f g", "h Ada L b"]
    assert cuts[-1][1:] == (18, 19, 7)


@pytest.fixture(scope="module")
def tokenizer(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Words of at most three letters are one piece, others one for each three; it cuts and pads unless told not to."""
    from tokenizers import Tokenizer, models, normalizers, pre_tokenizers

    letters = string.ascii_lowercase + string.digits + ".!?()\"'é"
    vocabulary = ["[UNK]", *letters, *(f"##{one}" for one in letters)]
    made = Tokenizer(models.WordPiece({word: n for n, word in enumerate(vocabulary)}, unk_token="[UNK]"))  # noqa: S106
    made.normalizer = normalizers.Lowercase()
    made.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    made.enable_truncation(8)
    made.enable_padding(length=8)
    folder = tmp_path_factory.mktemp("tokenizer")
    made.save(str(folder / "tokenizer.json"))
    return str(folder)


@settings(deadline=None)
@given(TEXTS, st.integers(1, 40))
def test_sentences_are_packed_up_to_the_limit(tokenizer: str, text: str, limit: int) -> None:
    splitter = Sentences(tokenizer, limit)
    cuts = splitter.cut("A title", text)
    whole = article("A title", text)
    assert [cut.text for cut in cuts] == [whole[cut.start : cut.end].replace("\n", " ") for cut in cuts]
    assert "".join("".join(cut.text for cut in cuts).split()) == "".join(text.split())
    assert all(len(splitter._tokenizer.encode(cut.text)) <= limit for cut in cuts)
    assert all(cut.wrapped == 0 for cut in cuts)


def test_sentences_stay_whole_where_they_fit(tokenizer: str) -> None:
    text = "Ab cd ef. Gh ij. Kl mn op.\nQr st uv wx yz ab cd ef gh ij kl."
    cuts = Sentences(tokenizer, 16).cut("T", text)
    assert [cut.text for cut in cuts] == ["Ab cd ef. Gh ij.", "Kl mn op.", "Qr st uv wx yz ab cd ef", "gh ij kl."]


def test_a_text_without_spaces_or_ends_is_cut_in_linear_work(tokenizer: str) -> None:
    splitter = Sentences(tokenizer, 300)
    cuts = splitter.cut("T", "abc" * 50_000)
    assert sum(len(cut.text) for cut in cuts) == 150_000
    assert max(len(splitter._tokenizer.encode(cut.text)) for cut in cuts) <= 300


def test_a_splitter_goes_to_another_process(tokenizer: str) -> None:
    splitter = Sentences(tokenizer, 9)
    cuts = splitter.cut("T", "Ab cd. Ef gh.")
    assert pickle.loads(pickle.dumps(splitter)).cut("T", "Ab cd. Ef gh.") == cuts  # noqa: S301 (our own)
    assert splitter.files() == {"tokenizer": Path(tokenizer) / "tokenizer.json"}


@pytest.mark.parametrize(
    "text",
    [
        "He met Mr. Smith.| She left.", "J. R. R. Tolkien wrote it.| \"Why?\"| Nobody knew.",
        "In the U.S. Army he rose.",
        "It cost 3.5 million.| 1990 was good.", "See no. 5 (vol. 2).| Then \u201cgo\u201d!| Öl is oil.", "one\n|two",
        "e.g. Paris", "it ends. but goes on", "No end",
    ],
)  # fmt: skip
def test_where_sentences_end(text: str) -> None:
    plain = text.replace("|", "")
    assert [plain[start:end] for start, end in sentences(plain)] == [part.strip() for part in text.split("|")]


@pytest.mark.parametrize(
    ("place", "says"),
    [("package:no_such_package/x", "is not installed"), ("{folder}", "there is no"), ("{file}", "cannot be loaded")],
)
def test_a_tokenizer_that_is_none(tmp_path: Path, place: str, says: str) -> None:
    (tmp_path / "t.json").write_text("{}")
    named = place.format(folder=tmp_path, file=tmp_path / "t.json")
    with pytest.raises(ConfigError, match=says):
        Sentences(named).cut("T", "text")
