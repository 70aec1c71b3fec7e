"""Whether a passage holds an answer, by the rule of DPR's evaluation."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable

import regex

_WORD = regex.compile(r"[\p{L}\p{N}\p{M}]")
_NOT_SHOWN = regex.compile(r"[\p{Z}\p{C}]")
# The same rule on lower-cased ASCII, much faster.
_ASCII = re.compile(r"[a-z0-9]+|[!-/:-@\[-`{-~]")
_PLAIN = re.compile(r"[a-z0-9]+|[!-/:<-@\[-_{-~]")  # no ";" and no grave accent, to which other characters decompose
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
    return tuple(_tokens(text))


class AnswerMatcher:
    """Looks for the answers to one question in passages.

    A passage holds an answer if the answer's tokens stand in it one after the other; an answer without a token stands
    nowhere. Passages are cut into tokens only where an answer's tokens all occur.

    Source: DPR's ``has_answer`` for strings.

    Args:
        answers: Of the question.

    >>> matcher = AnswerMatcher(["U.S.", ""])
    >>> matcher.holds("in the U.S. Open"), matcher.holds("in the US Open")
    (True, False)
    """

    def __init__(self, answers: Iterable[str]):
        forms = {answer_tokens(answer) for answer in answers} - {()}
        self._wanted = [(f" {' '.join(form)} ", _by_length(form)) for form in sorted(forms)]
        # Of all that decomposes, nothing gives a token of these characters that was not one before.
        self._plain = all(_PLAIN.fullmatch(token) for _, tokens in self._wanted for token in tokens)

    def holds(self, text: str) -> bool:
        """Whether the passage holds one of the answers."""
        seen = text.lower()
        if not (self._plain or text.isascii()):
            text = _decomposed(text)
            seen = text.lower() if _SIGMA not in text else ""  # as a whole it has other letters than its tokens have
        wanted = [form for form, tokens in self._wanted if not seen or all(token in seen for token in tokens)]
        if not wanted:
            return False
        if any(form in seen for form in wanted):  # between spaces: most answers stand so, and need no cutting
            return True
        words = f" {' '.join(_tokens(text))} "
        return any(form in words for form in wanted)


def _by_length(form: tuple[str, ...]) -> list[str]:
    """An answer's tokens, the longest first: it is the rarest."""
    return sorted(set(form), key=lambda token: (-len(token), token))


def _tokens(text: str) -> list[str]:
    if text.isascii():
        return _ASCII.findall(text.lower())
    return _lowered(_decomposed(text).translate(_SPACED)).split()


def _decomposed(text: str) -> str:
    return text if text.isascii() else unicodedata.normalize("NFD", text)


def _lowered(spaced: str) -> str:
    """Lower-case, each token by itself."""
    return spaced.lower() if _SIGMA not in spaced else " ".join(token.lower() for token in spaced.split())
