"""Invented but pronounceable words."""

from __future__ import annotations

import random
from collections.abc import Collection

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
