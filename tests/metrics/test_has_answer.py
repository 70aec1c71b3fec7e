"""Answer recall's rule against a slow implementation of its own."""

from __future__ import annotations

import unicodedata

import pytest
import regex
from hypothesis import given
from hypothesis import strategies as st

from situated.metrics.has_answer import AnswerMatcher, answer_tokens

TOKEN = regex.compile(r"[\p{L}\p{N}\p{M}]+|[^\p{Z}\p{C}]")
# What goes wrong first: sigmas at and within the ends of words, marks, dotted capitals, separators, other planes.
ALPHABET = (
    "aAbB1 .,'-\t\n\u00a0\u2028\u200b\u03a3\u03c3\u03c2\u0391\u0301\u0130\u00e9\u00df\u01c5\u0345"
    "\U0001d400\U0001f600\uac00\u212b"
)
TEXT = st.text(st.sampled_from(ALPHABET) | st.characters(codec="utf-8"), max_size=30)


def slow_tokens(text: str) -> list[str]:
    return [token.lower() for token in TOKEN.findall(unicodedata.normalize("NFD", text))]


def slow_holds(answers: list[str], text: str) -> bool:
    words = slow_tokens(text)
    for answer in answers:
        form = slow_tokens(answer)
        if form and any(words[start : start + len(form)] == form for start in range(len(words) - len(form) + 1)):
            return True
    return False


@given(TEXT)
def test_tokens_are_those_of_the_rule(text: str) -> None:
    assert list(answer_tokens(text)) == slow_tokens(text)


@given(st.lists(TEXT, max_size=3), TEXT)
def test_any_text_is_judged_as_by_the_rule(answers: list[str], text: str) -> None:
    assert AnswerMatcher(answers).holds(text) == slow_holds(answers, text)


@given(TEXT, st.integers(0, 30), st.integers(0, 30))
def test_parts_of_a_text_are_judged_as_by_the_rule(text: str, start: int, end: int) -> None:
    answers = [text[start:end], text[start:end].lower(), text[start:end].upper()]
    for answer in answers:
        assert AnswerMatcher([answer]).holds(text) == slow_holds([answer], text)


@pytest.mark.parametrize(
    ("answer", "text", "holds"),
    [
        ("23%", "some 23% of them", True),
        ("23%", "some 23 percent", False),
        ("Jr.", "Sammy Davis Jr. sang", True),
        ("art", "the artist", False),
        ("Beyonc\u00e9", "it was Beyonce\u0301's", True),
        ("\u039f\u0394\u039f\u03a3", "\u03bf\u03b4\u03bf\u03c2", True),  # a capital sigma at the end of a word
        ("", "anything", False),
        (" \u200b", "anything \u200b", False),
        ("in 1990", "born in  1990.", True),
        ("1990 in", "born in 1990", False),
    ],
)
def test_known_cases(answer: str, text: str, holds: bool) -> None:
    assert AnswerMatcher([answer]).holds(text) is holds
    assert slow_holds([answer], text) is holds
