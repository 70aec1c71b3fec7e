"""Articles cut into passages: DPR's blocks of words, or ORQA's sentences up to a wordpiece limit.

Offsets are characters of the article's text: its title, a newline, and its paragraphs, one a line, the words of a line
separated by single spaces. A passage is those characters with its newlines read as spaces.
"""

from __future__ import annotations

import bisect
import re
from collections.abc import Iterator, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, Protocol

from situated.config import Positive

if TYPE_CHECKING:
    from tokenizers import Tokenizer

# Words before a full stop that does not end a sentence, in lower case; single letters are initials.
_ABBREVIATIONS = frozenset(
    re.findall(
        r"\S+",
        """
        adm approx apr assn assoc asst aug ave blvd bros brig c ca capt cf ch co col comdr corp cpl dec dept dist dr
        ed eds e.g esp est et etc feb fig figs fl fr ft gen gov hon i.e inc jan jr jul jun lt ltd maj mar messrs mgr
        mr mrs ms mt no nos nov oct op p ph.d pl pp pres prof pt pvt rep rev sec sen sep sept sgt sr st ste supt u.k
        u.s v viz vol vols vs
        """,
    )
)
_STOP = re.compile(r"[.!?…][\"'\u201d\u2019)\]]*[ \n]+(?=[\"'\u201c\u2018(\[]*[^\W_a-z])|\n")
_LONGEST_SENTENCE = 10_000  # characters; longer ones are no prose, and would be slow to tokenize in one piece


class Cut(NamedTuple):
    """A passage of an article.

    Attributes:
        start: Its first character in the article's text.
        end: One past its last character there, before the wrapped words.
        wrapped: Characters of the article's beginning that follow its own; 0 for all but DPR's last blocks.
    """

    text: str
    start: int
    end: int
    wrapped: int


class Splitter(Protocol):
    """What cuts an article, given as its title and its paragraphs, one a line."""

    def cut(self, title: str, text: str) -> list[Cut]:
        """The passages of an article, in order; none where the text is empty."""
        ...

    def files(self) -> dict[str, Path]:
        """What it reads, by name."""
        ...


class WordBlocks:
    """Blocks of white-space words over the whole article, its title first.

    The last block of several goes on with the article's beginning until it has as many words as the others.

    Source: DPR's psgs_w100 (Karpukhin et al. 2020, section 4.1).

    Args:
        words: Of a block.
    """

    def __init__(self, words: Positive = 100):
        self.words = words

    def files(self) -> dict[str, Path]:
        """It reads no file."""
        return {}

    def cut(self, title: str, text: str) -> list[Cut]:
        """The passages of an article.

        >>> [tuple(cut) for cut in WordBlocks(3).cut("Ada", "Ada was a mathematician")]
        [('Ada Ada was', 0, 11, 0), ('a mathematician Ada', 12, 27, 3)]
        """
        body = text.split()
        if not body:
            return []
        words = title.split() + body
        cuts, start = [], 0
        for at in range(0, len(words), self.words):
            own = " ".join(words[at : at + self.words])
            cuts.append(Cut(own, start, start + len(own), 0))
            start += len(own) + 1
        missing = -len(words) % self.words
        if missing and len(cuts) > 1:
            more, last = " ".join(words[:missing]), cuts[-1]
            cuts[-1] = Cut(f"{last.text} {more}", last.start, last.end, len(more))
        return cuts


class Sentences:
    """Whole sentences, packed until the next would exceed a limit of wordpieces; the title is no part of the text.

    A sentence that is longer than the limit by itself is cut between words.

    Source: ORQA's blocks (Lee et al. 2019, section 5), which SituatedQA's repository points to.

    Args:
        tokenizer: A ``tokenizer.json``, the folder that holds one, or a hub name; "package:<module>/<folder>" for
            one that an installed Python package carries.
        wordpieces: Of a passage, at most, without special tokens.
    """

    def __init__(self, tokenizer: str, wordpieces: Positive = 288):
        self.tokenizer, self.wordpieces = tokenizer, wordpieces

    def __getstate__(self) -> dict[str, object]:
        """What makes it anew in another process."""
        return {"tokenizer": self.tokenizer, "wordpieces": self.wordpieces}

    @cached_property
    def _tokenizer(self) -> Tokenizer:
        from situated.corpus.tokenizer import load_tokenizer

        return load_tokenizer(self.tokenizer)

    def files(self) -> dict[str, Path]:
        """The tokenizer as an input of a run; nothing for a hub name."""
        from situated.corpus.tokenizer import tokenizer_file

        file = tokenizer_file(self.tokenizer)
        return {} if file is None else {"tokenizer": file}

    def cut(self, title: str, text: str) -> list[Cut]:
        """The passages of an article."""
        body = "\n".join(line for raw in text.split("\n") if (line := " ".join(raw.split())))
        offset = len(" ".join(title.split())) + 1
        units = list(self._units(body))
        cuts, first, total = [], 0, 0
        for number, (_, _, pieces) in enumerate(units):
            if total and total + pieces > self.wordpieces:
                cuts.append(_joined(body, units[first][0], units[number - 1][1], offset))
                first, total = number, 0
            total += pieces
        if units:
            cuts.append(_joined(body, units[first][0], units[-1][1], offset))
        return cuts

    def _units(self, body: str) -> Iterator[tuple[int, int, int]]:
        """Yield (start, end, wordpieces) of sentences, or of pieces of those that are too long."""
        spans = list(sentences(body))
        encoded = self._tokenizer.encode_batch([body[start:end] for start, end in spans], add_special_tokens=False)
        for (start, end), encoding in zip(spans, encoded, strict=True):
            if len(encoding) <= self.wordpieces:
                yield start, end, len(encoding)
            else:
                for begin, stop, pieces in self._broken(body[start:end], [one[0] for one in encoding.offsets]):
                    yield start + begin, start + stop, pieces

    def _broken(self, sentence: str, starts: Sequence[int]) -> Iterator[tuple[int, int, int]]:
        """Cut a sentence between words, where that is possible; ``starts`` are its wordpieces' first characters."""
        first = begin = 0
        while len(starts) - first > self.wordpieces:
            limit = max(starts[first + self.wordpieces], begin + 1)
            space = sentence.rfind(" ", begin, limit)
            cut = space + 1 if space > begin else limit
            following = bisect.bisect_left(starts, cut, first)
            yield begin, space if space > begin else cut, following - first
            first, begin = following, cut
        yield begin, len(sentence), len(starts) - first


def sentences(text: str) -> Iterator[tuple[int, int]]:
    """Yield (start, end) of a text's sentences; a line's end is a sentence's, and so is a stop before a capital.

    >>> text = "Dr. J. Smith met U.S. Steel in 1901. He left (for good). It rained!"
    >>> [text[start:end] for start, end in sentences(text)]
    ['Dr. J. Smith met U.S. Steel in 1901.', 'He left (for good).', 'It rained!']
    """
    start = 0
    for found in _STOP.finditer(text):
        if "\n" not in found.group() and text[found.start()] == "." and _abbreviates(text, found.start()):
            continue
        yield from _bounded(text, start, found.start() + len(found.group().rstrip()))
        start = found.end()
    yield from _bounded(text, start, len(text))


def _abbreviates(text: str, stop: int) -> bool:
    """Whether the full stop there belongs to an abbreviation or an initial."""
    begin = max(text.rfind(" ", max(0, stop - 12), stop), text.rfind("\n", max(0, stop - 12), stop)) + 1
    word = text[begin:stop].lstrip("(['\"\u201c\u2018")
    return (len(word) == 1 and word.isalpha()) or word.lower() in _ABBREVIATIONS


def _bounded(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield a sentence, in pieces where it is longer than any prose."""
    while end - start > _LONGEST_SENTENCE:
        space = text.rfind(" ", start + 1, start + _LONGEST_SENTENCE)
        cut = space if space > 0 else start + _LONGEST_SENTENCE
        yield start, cut
        start = cut + (space > 0)
    if end > start:
        yield start, end


def _joined(body: str, start: int, end: int, offset: int) -> Cut:
    return Cut(body[start:end].replace("\n", " "), start + offset, end + offset, 0)
