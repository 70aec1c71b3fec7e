"""BM25 over a passage collection, by bm25s."""

from __future__ import annotations

import logging
import re
import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated, Any

import msgspec
import numpy as np
from rich.progress import track

from situated.corpus.store import PassageStore
from situated.errors import InputError
from situated.io import read_json, write_json
from situated.lock import alone_in
from situated.retriever.protocol import Ranking, best

log = logging.getLogger(__name__)

ACCOUNT = "index.json"
_WORD = re.compile(r"\w+")
# Lucene's English stop words.
_STOPPED = (
    "a an and are as at be but by for if in into is it no not of on or such that the their then there these they this "
    "to was will with"
)
_STOP_WORDS = frozenset(_STOPPED.split())


class Account(msgspec.Struct, frozen=True):
    """What an index was made of.

    Attributes:
        passages: Fingerprint of the collection.
        n: Number of its passages.
        settings: Of the retriever.
    """

    passages: str
    n: int
    settings: dict[str, Any]


class BM25:
    """Source: Robertson & Zaragoza 2009, as Lucene computes it; titles are searched with their texts.

    Args:
        name: What runs and tables call it.
        k1: Saturation of a term's frequency; 0.9 and ``b`` 0.4 are the usual values for Wikipedia's passages.
        b: How much a passage's length counts.
        stemming: Compare words by their Porter stems.
        stop_words: Leave out Lucene's English stop words.
    """

    def __init__(
        self,
        name: str,
        k1: Annotated[float, msgspec.Meta(ge=0)] = 0.9,
        b: Annotated[float, msgspec.Meta(ge=0, le=1)] = 0.4,
        stemming: bool = True,
        stop_words: bool = True,
    ):
        self.name = name
        self.settings = {"k1": float(k1), "b": float(b), "stemming": stemming, "stop_words": stop_words}
        self.analyzer = Analyzer(stemming, stop_words)

    def files(self) -> dict[str, Path]:
        """There are no weights."""
        return {}

    def open(self, store: PassageStore, folder: Path) -> BM25Index:
        """Open the index, or make it after saying what it covers.

        Raises:
            InputError: The folder holds another index.
        """
        if not folder.exists():
            making = folder.with_name(f".{folder.name}.making")
            with alone_in(making):
                if not folder.exists():
                    self._build(store, folder)
            making.rmdir()
        expected = Account(store.fingerprint, len(store), self.settings)
        account = _account(folder)
        store.check(account.passages, folder)
        if account != expected:
            mend = "Give the retriever a name of its own (retriever.name=...), or remove the folder."
            raise InputError(folder / ACCOUNT, f"made with {account.settings}, not {self.settings}", mend)
        return BM25Index(folder, self.analyzer)

    def _build(self, store: PassageStore, folder: Path) -> None:
        import bm25s

        logging.getLogger("bm25s").setLevel(logging.WARNING)
        log.info("No index at %s: making it of %s passages", folder, f"{len(store):,}")
        model = bm25s.BM25(k1=self.settings["k1"], b=self.settings["b"], method="lucene")
        ids = [self.analyzer.numbers(text) for text in track(_texts(store), "reading passages", len(store))]
        model.index((ids, self.analyzer.vocabulary), show_progress=False)
        temporary = folder.with_name(f".{folder.name}.part")
        shutil.rmtree(temporary, ignore_errors=True)
        model.save(temporary, show_progress=False)
        write_json(temporary / ACCOUNT, Account(store.fingerprint, len(store), self.settings))
        temporary.replace(folder)


class Analyzer:
    """Text -> terms.

    Args:
        stemming: Porter stems.
        stop_words: Leave out Lucene's English stop words.

    >>> Analyzer(True, True).terms("The Rivers of Peru")
    ['river', 'peru']
    """

    def __init__(self, stemming: bool, stop_words: bool):
        self.vocabulary: dict[str, int] = {}
        self._stops = _STOP_WORDS if stop_words else frozenset()
        self._terms: dict[str, str] = {}
        self._stem = _porter() if stemming else None

    def terms(self, text: str) -> list[str]:
        """The terms of a text, in its order."""
        return [self._term(word) for word in _WORD.findall(text.lower()) if word not in self._stops]

    def numbers(self, text: str) -> list[int]:
        """The terms as numbers; new ones are put into the vocabulary."""
        return [self.vocabulary.setdefault(term, len(self.vocabulary)) for term in self.terms(text)]

    def _term(self, word: str) -> str:
        if self._stem is None:
            return word
        term = self._terms.get(word)
        if term is None:
            term = self._terms[word] = self._stem.stemWord(word)
        return term


class BM25Index:
    """An index mapped into memory.

    Args:
        folder: Where it was saved.
        analyzer: Of the same settings as those it was made with.
    """

    def __init__(self, folder: Path, analyzer: Analyzer):
        import bm25s

        self.analyzer = analyzer
        self.model = bm25s.BM25.load(folder, mmap=True, show_progress=False)

    def search(self, queries: Sequence[str], k: int) -> list[Ranking]:
        """The best k passages of each query that share a term with it."""
        return [self._search(query, k) for query in queries]

    def _search(self, query: str, k: int) -> Ranking:
        known = [term for term in self.analyzer.terms(query) if term in self.model.vocab_dict]
        if not known:
            return Ranking(np.empty(0, dtype=np.int64), np.empty(0, dtype=np.float32))
        return best(self.model.get_scores(known), k)


def _porter() -> Any:
    import Stemmer

    return Stemmer.Stemmer("porter")


def _texts(store: PassageStore) -> Iterator[str]:
    for batch in store.batches(10_000):
        for title, text in zip(batch.column("title").to_pylist(), batch.column("text").to_pylist(), strict=True):
            yield f"{title} {text}"


def _account(folder: Path) -> Account:
    try:
        return msgspec.convert(read_json(folder / ACCOUNT), Account)
    except msgspec.ValidationError as error:
        raise InputError(folder / ACCOUNT, f"not the account of an index ({error})", "Remove the folder.") from error
