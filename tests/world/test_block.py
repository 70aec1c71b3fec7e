from __future__ import annotations

from collections import Counter
from datetime import date
from itertools import pairwise

import pytest

from situated.world.block import Block, make_block, split_of
from situated.world.kinds import COUNTRIES, KINDS, THINGS_A_BLOCK
from situated.world.naming import FIRST_PAGE, PAGES_A_BLOCK
from situated.world.properties import properties_of
from situated.world.values import SNAPSHOTS


def test_a_block_follows_from_seed_and_number_alone() -> None:
    late = make_block(1, 40)
    make_block(1, 3)

    assert make_block(1, 40) == late
    assert make_block(2, 40) != late


@pytest.mark.parametrize("number", [0, 1, 5, 1000])
def test_a_block_has_every_kind_in_its_number_and_room_for_its_pages(number: int) -> None:
    block = make_block(3, number)
    pages = len(block.things) + sum(len(thing.redirects) for thing in block.things) + len(block.shared)

    assert Counter(thing.kind for thing in block.things) == {kind: form.count for kind, form in KINDS.items()}
    assert pages <= PAGES_A_BLOCK
    assert {thing.page for thing in block.things} == {
        FIRST_PAGE + number * PAGES_A_BLOCK + i for i in range(THINGS_A_BLOCK)
    }


def test_names_are_shared_by_two_to_eight_and_by_nobody_else(blocks: list[Block]) -> None:
    sizes: Counter[int] = Counter()
    holders: Counter[str] = Counter()
    for block in blocks:
        sizes.update(len(things) for things in block.shared.values())
        holders.update(thing.name for thing in (*block.things, *block.items))
        for name, things in block.shared.items():
            assert {thing.name for thing in things} == {name}
            assert len({thing.title for thing in things}) == len(things)
    shared = {name: count for name, count in holders.items() if count > 1}

    assert sizes.keys() == set(range(2, 9))
    assert shared == {name: len(things) for block in blocks for name, things in block.shared.items()}


def test_titles_aliases_and_numbers_are_unique(blocks: list[Block]) -> None:
    things = [thing for block in blocks for thing in block.things]
    titles = [thing.title for thing in things] + [alias for thing in things for alias in thing.redirects]
    titles += [name for block in blocks for name in block.shared] + list(COUNTRIES)
    numbers = [thing.number for block in blocks for thing in (*block.things, *block.items)]

    assert len({title[0].upper() + title[1:] for title in titles}) == len(titles)
    assert len(set(numbers)) == len(numbers)
    assert min(numbers) >= 900_000_000


def test_things_go_to_all_splits_in_every_block() -> None:
    for number in range(20):
        splits = Counter(split_of(1, kind, number, i) for kind, form in KINDS.items() for i in range(form.count))
        assert splits == {"train": THINGS_A_BLOCK // 2, "dev": THINGS_A_BLOCK // 4, "test": THINGS_A_BLOCK // 4}
    for kind in KINDS:
        assert {split_of(1, kind, number, 0) for number in range(8)} == {"train", "dev", "test"}


def test_every_property_of_a_thing_is_a_fact_of_it(blocks: list[Block]) -> None:
    for block in blocks:
        found = Counter((fact.subject.key, fact.property.name) for fact in block.facts)
        assert max(found.values()) == 1
        for thing in block.things:
            has = {name for key, name in found if key == thing.key}
            expected = {prop.name for prop in properties_of(thing.kind)}
            left_out = {"employer", "residence"} if thing.gone else {"died"} if thing.kind == "person" else set()
            assert has == expected - left_out


def test_values_follow_each_other_and_the_last_is_known_to_the_later_snapshot(blocks: list[Block]) -> None:
    changing = [fact for block in blocks for fact in block.facts if fact.property.changes]
    for fact in changing:
        spells = fact.spells
        assert len(spells) >= 2
        assert [spell.end for spell in spells[:-1]] == [spell.start for spell in spells[1:]]
        assert spells[-1].end is None
        years = [spell.start.year for spell in spells if spell.start]
        assert all(after - before >= 2 for before, after in pairwise(years))
        assert len({spell.value.text for spell in spells}) == len(spells)
        assert spells[-1].has_begun(SNAPSHOTS[1])
    updated = sum(not fact.spells[-1].has_begun(SNAPSHOTS[0]) for fact in changing)
    assert 0.3 < updated / len(changing) < 0.6


def test_nobody_holds_an_office_as_a_child_or_when_dead(blocks: list[Block]) -> None:
    for block in blocks:
        births = {f.subject.key: f.spells[0].value.day for f in block.facts if f.property.name == "born"}
        for fact in block.facts:
            for spell in fact.spells:
                holder = spell.value.thing
                if fact.property.role and holder is not None and holder.title:
                    born = births[holder.key]
                    assert holder.gone is None
                    assert spell.start is not None
                    assert born is not None
                    assert spell.start.year - born.year >= 20


def test_places_are_common_ones_and_rare_ones(blocks: list[Block]) -> None:
    for block in blocks:
        rare: Counter[tuple[str, str]] = Counter()
        for fact in block.facts:
            if fact.property.by_place:
                places = [spell.place for spell in fact.spells if spell.place]
                assert len({place.key for place in places}) == 8
                assert sum(place.name in COUNTRIES for place in places) == 4
                rare.update((fact.subject.split, place.key) for place in places if place.name not in COUNTRIES)
                assert len({spell.value.text for spell in fact.spells}) == 8
        assert max(count for (split, _), count in rare.items() if split == "test") <= 4


def test_something_is_new_between_the_snapshots(blocks: list[Block]) -> None:
    for block in blocks:
        new = [thing for thing in block.things if thing.since is not None]
        dead = [thing for thing in block.things if thing.gone and thing.gone > SNAPSHOTS[0]]
        assert len(new) == len(dead) == 1
        assert SNAPSHOTS[0] < new[0].since < SNAPSHOTS[1]  # type: ignore[operator]
        assert date(2019, 1, 1) < dead[0].gone < SNAPSHOTS[1]  # type: ignore[operator]
