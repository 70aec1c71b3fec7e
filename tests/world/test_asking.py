from __future__ import annotations

from collections import Counter, defaultdict

from situated.world.asking import Question, ask
from situated.world.block import Block, make_block
from situated.world.kinds import COUNTRIES
from situated.world.properties import SPLITS


def test_a_block_is_asked_about_in_every_way_and_split(asked: list[Question]) -> None:
    counts = Counter((question.kind, question.split) for question in asked)

    for kind in ("changing", "constant", "dated", "stripped"):
        for split in SPLITS:
            assert counts[kind, split] > 25, (kind, split)
    assert 900 < len(asked) + sum(question.placed is not None for question in asked) < 1100


def test_questions_follow_from_block_and_seed(blocks: list[Block], asked: list[Question]) -> None:
    assert ask(make_block(1, 1), 1) == ask(blocks[1], 1)
    assert len({question.text for question in asked}) == len({question.id for question in asked}) == len(asked)
    assert all(abs(question.id) < 2**63 for question in asked)


def test_half_of_the_questions_name_their_subject_by_an_alias(asked: list[Question]) -> None:
    assert 0.44 < sum(question.by_alias for question in asked) / len(asked) < 0.58
    for question in asked:
        names = question.fact.subject.aliases if question.by_alias else (question.fact.subject.asked_as,)
        assert any(name.lower() in question.text for name in names)


def test_nobody_is_named_by_a_name_that_others_have(asked: list[Question], blocks: list[Block]) -> None:
    shared = {name for block in blocks for name in block.shared}
    for question in asked:
        subject = question.fact.subject
        if subject.name in shared and not question.by_alias:
            assert subject.asked_as != subject.name
            assert subject.asked_as.lower() in question.text


def test_held_out_questions_are_new_in_subject_and_in_phrasing(asked: list[Question]) -> None:
    subjects: defaultdict[str, set[str]] = defaultdict(set)
    templates: defaultdict[str, set[str]] = defaultdict(set)
    for question in asked:
        subjects[question.split].add(question.fact.subject.key)
        templates[question.split].add(question.template)
    for found in (subjects, templates):
        assert not found["train"] & (found["dev"] | found["test"])
        assert not found["dev"] & found["test"]


def test_no_question_gives_its_answer_away(asked: list[Question]) -> None:
    for question in asked:
        for spell in question.asked:
            assert f" {spell.value.text.lower()} " not in f" {question.text} "


def test_dated_questions_name_a_time_within_the_value_asked_for(asked: list[Question]) -> None:
    forms: Counter[str] = Counter()
    for question in (question for question in asked if question.kind == "dated"):
        (spell,) = question.asked
        years = [int(word) for word in question.text.replace(",", " ").split() if word.isdigit() and len(word) == 4]
        assert spell.start is not None
        assert spell.start.year < years[-1] < (spell.end.year if spell.end else 2021)
        forms["as of" if " as of " in question.text else "in"] += 1
    assert min(forms["as of"], forms["in"]) > 60


def test_questions_on_places_have_four_and_name_none(asked: list[Question]) -> None:
    stripped = [question for question in asked if question.kind == "stripped"]
    for question in stripped:
        places = [spell.place for spell in question.asked if spell.place]
        assert len(places) == 4
        assert sum(place.name in COUNTRIES for place in places) == 2
        assert not any(place.name.lower() in question.text for place in places)
        placed = question.placed
        assert placed is not None
        assert placed.asked[0] in question.asked
        assert placed.asked[0].place is not None
        assert placed.asked[0].place.name.lower() in placed.text
    in_place = sum(f" in {q.placed.asked[0].place.name}".lower() in q.placed.text for q in stripped)  # type: ignore[union-attr]
    assert in_place > len(stripped) / 3
