from __future__ import annotations

from situated.world.entities import build_world
from situated.world.phrasing import VALUES, fill
from situated.world.sampling import generator

WORLD = build_world(1)


def test_every_alternative_is_drawn_and_the_empty_one_leaves_no_gap() -> None:
    rng = generator(1)
    asked = {fill("who is [our|the new|] mayor", {}, WORLD, rng) for _ in range(100)}

    assert asked == {"who is our mayor", "who is the new mayor", "who is mayor"}


def test_relation_words_come_before_the_world() -> None:
    assert fill("a {town}", {"town": ("hamlet",)}, WORLD, generator(1)) == "a hamlet"


def test_two_slots_of_a_kind_differ() -> None:
    words = {"side": ("left", "right")}
    asked = {fill("{side} {side_2}", words, WORLD, generator(seed)) for seed in range(20)}

    assert asked == {"left right", "right left"}


def test_names_and_values_fill_slots() -> None:
    town, year = fill("{town}|{year}", {}, WORLD, generator(2)).split("|")

    assert town in {entity.name for entity in WORLD.of_kind("town")}
    assert year in VALUES["year"]
