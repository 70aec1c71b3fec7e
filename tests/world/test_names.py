from __future__ import annotations

import re

from situated.world.coining import BLOCKS_AT_MOST, ITEMS_A_BLOCK, Coiner, clip, concepts
from situated.world.names import WORDS, given_name, nth_word
from situated.world.sampling import generator


def test_numbers_have_words_of_their_own() -> None:
    spread = [*range(30_000), *range(WORDS - 30_000, WORDS)]

    assert len({nth_word(4, number) for number in spread}) == len(spread)
    assert nth_word(4, 0) != nth_word(5, 0)


def test_words_can_be_said() -> None:
    for number in range(500):
        word = nth_word(6, number)
        assert re.fullmatch(r"[A-Z][a-z]{5,16}", word)
        assert not re.search(r"[^aeiouAEIOU]{4}|[aeiou]{3}", word), word


def test_blocks_share_no_word_and_no_number() -> None:
    made = [Coiner(1, block, generator(block)) for block in (0, 1, BLOCKS_AT_MOST - 1)]
    words = [coiner.word() for coiner in made for _ in range(400)]
    numbers = [coiner.number() for coiner in made for _ in range(400)]

    assert len(set(words)) == len(set(numbers)) == 1200
    assert not {thing.number for thing in concepts().values()} & set(numbers)
    assert BLOCKS_AT_MOST * ITEMS_A_BLOCK <= WORDS


def test_no_person_of_a_block_has_anothers_name() -> None:
    coiner = Coiner(1, 0, generator(1))
    names = [coiner.person_name("Dol", female=female) for female in (True, False) for _ in range(300)]

    assert len(set(names)) == 600


def test_names_cut_short_differ_where_the_words_do_nearly_always() -> None:
    words = [nth_word(2, number) for number in range(20_000)]

    assert len({clip(word) for word in words}) > 19_900
    assert all(clip(word)[:-1] == word[: len(clip(word)) - 1] for word in words)


def test_first_names_tell_the_gender() -> None:
    rng = generator(1)
    female = {given_name(rng, female=True) for _ in range(300)}

    assert len(female) > 150
    assert not female & {given_name(rng, female=False) for _ in range(300)}
