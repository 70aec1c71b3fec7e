"""Invented but pronounceable words."""

from __future__ import annotations

import math
import random
from collections.abc import Collection, Sequence
from functools import cache

from situated.world.sampling import digest

_CLUSTERS = ("br", "dr", "fl", "gl", "gr", "kl", "kr", "pl", "pr", "sk", "sl", "st", "tr", "vr", "zh")
_FIRST_ONSETS = (*"bdfghjklmnprstvwyz", *_CLUSTERS)
_ONSETS = (*"bdfghjklmnprstvwz",)
_VOWELS = (*"aaaeeeiiiooouu", "ai", "ei", "ou")
_INNER_CODAS = ("", "", "", "", "", "l", "n", "r")
# Three syllables and endings that few real names have: a coined word should name nothing that exists.
_LAST_CODAS = ("k", "lk", "nd", "rn", "rv", "sk", "th", "v", "x")
_SYLLABLES = ((_FIRST_ONSETS, _INNER_CODAS), (_ONSETS, _INNER_CODAS), (_ONSETS, _LAST_CODAS))


def coin_words(rng: random.Random, count: int, taken: Collection[str] = ()) -> list[str]:
    """Coin distinct capitalised words, none of them in ``taken``.

    >>> from situated.world.sampling import generator
    >>> coin_words(generator(1), 4)
    ['Dalzilsiv', 'Veisegerv', 'Fanginwith', 'Zemaipairv']
    """
    used = set(taken)
    words: list[str] = []
    while len(words) < count:
        word = _coin_word(rng)
        if word not in used:
            used.add(word)
            words.append(word)
    return words


def _coin_word(rng: random.Random) -> str:
    syllables = (rng.choice(onsets) + rng.choice(_VOWELS) + rng.choice(codas) for onsets, codas in _SYLLABLES)
    return "".join(syllables).capitalize()


# The same sounds without repetition: equal digits make equal words, and other digits other words.
_DISTINCT_VOWELS = ("a", "e", "i", "o", "u", "ai", "ei", "ou")
_DISTINCT_CODAS = ("", "l", "n", "r")
_DIGITS: tuple[Sequence[str], ...] = (
    _FIRST_ONSETS, _DISTINCT_VOWELS, _DISTINCT_CODAS, _ONSETS, _DISTINCT_VOWELS, _DISTINCT_CODAS, _ONSETS,
    _DISTINCT_VOWELS, _LAST_CODAS,
)  # fmt: skip
WORDS = math.prod(map(len, _DIGITS))
"""How many words ``nth_word`` can coin."""


def nth_word(seed: int, number: int) -> str:
    """The word of a number below ``WORDS``: other numbers give other words, without a list of those already taken.

    >>> [nth_word(1, number) for number in range(3)]
    ['Jarteinuv', 'Vrailmonzerv', 'Krogalouk']
    """
    step, first = _walk(seed)
    rest = (number * step + first) % WORDS
    parts: list[str] = []
    for digit in _DIGITS:
        rest, value = divmod(rest, len(digit))
        parts.append(digit[value])
    return "".join(parts).capitalize()


@cache
def _walk(seed: int) -> tuple[int, int]:
    """A step that comes by every word before it comes back, and where it starts."""
    step = 1 + int.from_bytes(digest(seed, "step")) % (WORDS - 1)
    while math.gcd(step, WORDS) != 1:
        step += 1
    return step, int.from_bytes(digest(seed, "first word")) % WORDS


def given_name(rng: random.Random, *, female: bool) -> str:
    """A first name; its ending tells the gender, as it often does.

    >>> from situated.world.sampling import generator
    >>> given_name(generator(1), female=True), given_name(generator(2), female=False)
    ('Daris', 'Prozim')
    """
    endings: Sequence[str] = ("a", "ia", "ina", "e", "is") if female else ("o", "en", "us", "im", "or")
    name: str = rng.choice(_FIRST_ONSETS) + rng.choice("aeiou") + rng.choice(_ONSETS) + rng.choice(endings)
    return name.capitalize()
