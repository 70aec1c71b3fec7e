"""Whether a passage holds an answer, by the rule of DPR's evaluation."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable

import regex

_WORD = regex.compile(r"[\p{L}\p{N}\p{M}]")
_NOT_SHOWN = regex.compile(r"[\p{Z}\p{C}]")
# The one letter whose lower case depends on its neighbours: at the end of a word it is another.
_SIGMA = "\N{GREEK CAPITAL LETTER SIGMA}"


class _Spaced(dict[int, str]):
    """Code point -> what ``str.translate`` puts in its place; each is looked up once.

    Parts of words stay, separators and control characters become a space, any other character a word of its own. The
    classes are those of ``regex``, which DPR uses: Python's own tables are of another version of Unicode.
    """

    def __missing__(self, point: int) -> str:
        character = chr(point)
        self[point] = made = _spaced(character)
        return made


def _spaced(character: str) -> str:
    if _WORD.fullmatch(character):
        return character
    return " " if _NOT_SHOWN.fullmatch(character) else f" {character} "


_SPACED = _Spaced()


def answer_tokens(text: str) -> tuple[str, ...]:
    """Lower-cased runs of letters, digits and marks, and single characters of other kinds, of the decomposed text.

    Source: DPR's tokenizer for its answer recall (Karpukhin et al. 2020), after DrQA's.

    >>> answer_tokens("The U.S. (in 1990)")
    ('the', 'u', '.', 's', '.', '(', 'in', '1990', ')')
    """
    return tuple(_lowered(_decomposed(text).translate(_SPACED)).split())


class AnswerMatcher:
    """Looks for the answers to one question in passages.

    A passage holds an answer if the answer's tokens stand in it one after the other; an answer without a token stands
    nowhere. Passages are cut into tokens only where an answer's longest token occurs.

    Source: DPR's ``has_answer`` for strings.

    Args:
        answers: Of the question.

    >>> matcher = AnswerMatcher(["U.S.", ""])
    >>> matcher.holds("in the U.S. Open"), matcher.holds("in the US Open")
    (True, False)
    """

    def __init__(self, answers: Iterable[str]):
        forms = {answer_tokens(answer) for answer in answers} - {()}
        self._wanted = [(max(form, key=len), f" {' '.join(form)} ") for form in sorted(forms)]

    def holds(self, text: str) -> bool:
        """Whether the passage holds one of the answers."""
        text = _decomposed(text)
        if _SIGMA not in text:
            seen = text.lower()
            wanted = [form for longest, form in self._wanted if longest in seen]
        else:  # lower-cased as a whole it may hold other letters than its tokens do
            wanted = [form for _, form in self._wanted]
        if not wanted:
            return False
        words = f" {' '.join(_lowered(text.translate(_SPACED)).split())} "
        return any(form in words for form in wanted)


def _decomposed(text: str) -> str:
    return text if text.isascii() else unicodedata.normalize("NFD", text)


def _lowered(spaced: str) -> str:
    """Lower-case, each token by itself."""
    return spaced.lower() if _SIGMA not in spaced else " ".join(token.lower() for token in spaced.split())
