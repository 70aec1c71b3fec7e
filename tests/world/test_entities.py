from __future__ import annotations

import re
from pathlib import Path

import pytest

from situated.io import read_records
from situated.world.entities import KINDS, build_world
from situated.world.names import coin_words
from situated.world.sampling import generator


def test_coined_words_are_distinct_and_avoid_taken_ones() -> None:
    first = coin_words(generator(5), 400)
    again = coin_words(generator(5), 400, taken=first[:300])

    assert len(set(first)) == 400
    assert not set(again) & set(first[:300])


def test_coined_words_can_be_said() -> None:
    for word in coin_words(generator(6), 400):
        assert re.fullmatch(r"[A-Z][a-z]{5,14}", word)
        assert not re.search(r"[^aeiouAEIOU]{4}|[aeiou]{3}", word), word


def test_world_has_every_kind_in_its_number() -> None:
    world = build_world(3)

    assert {kind: len(world.of_kind(kind)) for kind in KINDS} == {name: kind.count for name, kind in KINDS.items()}


def test_no_coined_word_names_two_things() -> None:
    ordinary = set(re.findall(r"\w+", " ".join(pattern for kind in KINDS.values() for pattern in kind.patterns)))
    names = [entity.name for kind in KINDS for entity in build_world(3).of_kind(kind)]
    coined = [word.removesuffix("s") for name in names for word in re.findall(r"\w+", name) if word not in ordinary]

    assert len(names) == len(set(names))
    assert len(coined) == len(set(coined))


def test_one_seed_makes_one_world() -> None:
    assert build_world(3) == build_world(3)
    assert build_world(3) != build_world(4)


@pytest.mark.realdata
def test_no_name_occurs_in_the_released_questions(released: Path) -> None:
    real = {
        word
        for path in sorted((released / "situatedqa" / "id_data").glob("*.jsonl"))
        for _, row in read_records(path, dict[str, str | int])
        for word in re.findall(r"\w+", str(row["question"]).lower())
    }

    assert len(real) > 5000
    for seed in range(5):
        assert not {word.lower() for word in coin_words(generator(seed), 2000)} & real
