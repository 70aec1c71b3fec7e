"""Sentences that say nothing anybody asks for, so that those which do are not all there is."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from pathlib import Path

import msgspec

from situated.world.days import MONTHS
from situated.world.kinds import Group
from situated.world.names import coin_words
from situated.world.phrases import Text, Voice, fill
from situated.world.sampling import generator

_FILLERS = Path(__file__).with_name("fillers.yaml")
_DAYS = ("Monday", "Tuesday", "Thursday", "Friday", "Saturday")
_MILES_A_KILOMETRE = 0.621371


@cache
def _fillers() -> Mapping[Group, Sequence[str]]:
    return msgspec.yaml.decode(_FILLERS.read_bytes(), type=dict[Group, tuple[str, ...]])


def filler(group: Group, number: int, voice: Voice) -> Text:
    """One such sentence; those of other numbers are other ones as long as there are any."""
    sentences = _fillers()[group]
    rng = voice.rng
    sentence = sentences[_order(voice.subject.key, len(sentences))[number % len(sentences)]]
    slots = {
        "n": Text.of(str(rng.randint(2, 12))),
        "m": Text.of(rng.choice(MONTHS)),
        "day": Text.of(rng.choice(_DAYS)),
        "convert": _distance(rng),
    }
    if "{w}" in sentence:
        slots["w"] = Text.of(coin_words(rng, 1)[0])
    return fill(sentence, voice.filler(slots))


@lru_cache(maxsize=64)
def _order(key: str, count: int) -> Sequence[int]:
    """The order in which an article takes them."""
    return generator("fillers", key).sample(range(count), count)


def _distance(rng: random.Random) -> Text:
    kilometres = rng.randint(2, 40)
    return Text(
        f"{kilometres} kilometres ({kilometres * _MILES_A_KILOMETRE:.1f} mi)", f"{{{{convert|{kilometres}|km|mi}}}}"
    )
