from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from datetime import date

import pytest

from situated.world.article import Article, articles
from situated.world.block import Block
from situated.world.days import MONTHS
from situated.world.phrases import Text, Voice, fill, with_article
from situated.world.sampling import generator
from situated.world.things import Fact
from situated.world.values import SNAPSHOTS

Clean = Callable[[str], str]


@pytest.fixture(scope="module")
def facts(blocks: list[Block]) -> dict[str, list[Fact]]:
    """Key of a thing -> its facts."""
    found: dict[str, list[Fact]] = {}
    for block in blocks:
        for fact in block.facts:
            found.setdefault(fact.subject.key, []).append(fact)
    return found


@pytest.mark.parametrize("snapshot", [0, 1])
def test_what_holds_is_stated_and_nothing_that_begins_later(
    snapshot: int, written: list[list[Article]], facts: dict[str, list[Fact]]
) -> None:
    day, later_values = SNAPSHOTS[snapshot], 0
    for article in written[snapshot]:
        for fact in facts[article.thing.key]:
            for number, spell in enumerate(fact.spells):
                said = article.said.get((fact.property.name, number), ())
                if spell.has_begun(day):
                    assert said
                    assert all(spell.value.text in sentence for sentence in said)
                else:
                    later_values += 1
                    assert not said
                    assert spell.value.text not in article.wikitext
    assert (later_values > 50) == (snapshot == 0)


def test_a_sentence_says_when_a_value_began_as_exactly_as_questions_ask(
    written: list[list[Article]], facts: dict[str, list[Fact]]
) -> None:
    checked = 0
    for article in written[1]:
        for fact in facts[article.thing.key]:
            if fact.is_full and fact.property.changes:
                start = fact.spells[-1].start
                assert start is not None
                said = " ".join(article.said[fact.property.name, len(fact.spells) - 1])
                month = MONTHS[start.month - 1]
                assert f"{start.day} {month} {start.year}" in said or f"{month} {start.day}, {start.year}" in said
                checked += 1
    assert checked > 20


@pytest.mark.parametrize("snapshot", [0, 1])
def test_sentences_are_what_another_parser_leaves_of_the_wikitext(
    snapshot: int, written: list[list[Article]], clean: Clean
) -> None:
    for article in written[snapshot]:
        plain = clean(article.wikitext)
        for sentences in article.said.values():
            for sentence in sentences:
                assert sentence in plain, (article.thing.title, sentence)


def test_no_markup_is_left_and_sentences_are_whole(written: list[list[Article]], clean: Clean) -> None:
    for article in written[1]:
        plain = clean(article.wikitext)
        assert not re.search(r"\{\{|\}\}|\[\[|\]\]|'''?|<[a-z/]|\{\w+\}|\bthe the\b|\bNone\b", plain), (
            article.thing.title
        )
        for sentences in article.said.values():
            for sentence in sentences:
                assert re.fullmatch(r'["A-Z0-9].*\.', sentence), sentence
                assert "  " not in sentence


def test_wikitext_has_what_wikipedia_has(written: list[list[Article]]) -> None:
    texts = [article.wikitext for article in written[1]]
    for part in (
        "{{Infobox ", "<ref", '<ref name="r0" />', '{| class="wikitable', "\n* ", "{{convert|", "[[File:", "|thumb|",
        "{{nowrap|{{convert|", "{{Navbox |name=Related |title=Related |list1={{flatlist|", "[[Category:", "{{Reflist",
        "{{start date|", "{{formatnum:", "{{Other uses|", "''",
    ):  # fmt: skip
        assert sum(part in text for text in texts) >= 3, part


def test_articles_speak_of_their_subject_by_pronoun_and_by_names_that_no_list_has(written: list[list[Article]]) -> None:
    def share(mentions: Callable[[Article], bool]) -> float:
        return sum(map(mentions, written[1])) / len(written[1])

    def sentences(article: Article) -> list[str]:
        return [sentence for said in article.said.values() for sentence in said]

    def by_pronoun(article: Article) -> bool:
        return any(re.match(r"(It|She|He|Its|Her|His)\b", sentence) for sentence in sentences(article))

    def by_nickname(article: Article) -> bool:
        thing = article.thing
        name = thing.nickname[0].upper() + thing.nickname[1:]
        unlisted = thing.nickname not in (*thing.aliases, thing.name)
        return unlisted and any(s.startswith((f"{name} ", f"{name}'")) for s in sentences(article))

    assert share(by_pronoun) > 0.3
    assert share(by_nickname) > 0.3


def test_answers_stand_in_sentences_that_do_not_answer(
    written: list[list[Article]], facts: dict[str, list[Fact]], clean: Clean
) -> None:
    holding = 0
    for article in written[1]:
        rest = clean(article.wikitext)
        for said in article.said.values():
            for sentence in said:
                rest = rest.replace(sentence, "")
        begun = [spell for fact in facts[article.thing.key] for _, spell in fact.begun(article.day)]
        holding += any(spell.value.text in rest for spell in begun)
    assert holding / len(written[1]) > 0.3


def test_phrasing_varies(written: list[list[Article]]) -> None:
    mayors = [said for article in written[1] for (name, _), said in article.said.items() if name == "mayor"]
    frames = {re.sub(r"[A-Z]\w+|\d+", "_", sentence) for said in mayors for sentence in said}

    assert len(frames) > 12


def test_an_article_changes_only_where_something_has_changed(written: list[list[Article]]) -> None:
    before = {article.thing.key: article for article in written[0]}
    same = changed = 0
    for article in written[1]:
        if old := before.get(article.thing.key):
            for key, sentences in old.said.items():
                same += article.said[key] == sentences
                changed += article.said[key] != sentences
    assert same > 5 * changed > 0


def test_new_things_have_no_article_in_the_earlier_snapshot_and_no_link(written: list[list[Article]]) -> None:
    new = {article.thing.title for article in written[1]} - {article.thing.title for article in written[0]}

    assert len(new) == 3
    for article in written[0]:
        assert not any(f"[[{title}" in article.wikitext for title in new)


def test_the_dead_were(blocks: list[Block], written: list[list[Article]]) -> None:
    for snapshot, day in enumerate(SNAPSHOTS):
        for article in written[snapshot]:
            if article.thing.gone:
                verb = "was" if article.thing.gone <= day else "is"
                assert re.search(rf"'''.* {verb} an? {article.thing.noun}", article.wikitext), article.thing.title


def test_articles_of_a_day_before_everything_state_no_history(blocks: list[Block]) -> None:
    early = list(articles(blocks[0], 1, date(1950, 1, 1)))

    assert early
    assert not any(name == "mayor" for article in early for name, _ in article.said)


def test_a_voice_uses_articles_and_possessives_as_english_does(blocks: list[Block]) -> None:
    river = next(thing for thing in blocks[0].things if thing.kind == "river")
    plural = replace(river, nickname="the Waters")
    said = set()
    for seed in range(40):
        voice = Voice(plural, SNAPSHOTS[1], "dmy", generator(seed))
        said.add(fill("{Sp} water.", voice.filler({})).plain)

    assert said == {f"The {river.name}'s water.", "The Waters' water.", "Its water."}
    assert with_article("engineer") == "an engineer"
    assert Text.of("x") == Text("x", "x")
