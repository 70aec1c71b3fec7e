from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest

from situated.errors import InputError
from situated.world.entities import KINDS
from situated.world.phrasing import VALUES, slots
from situated.world.relations import catalogue, read_relations

# What pins an answer: a date, a place in a row, a beginning, or a person with whom something ended or began.
_ANCHOR = re.compile(r"\{(year|recent_year|decade|number|ordinal|person)\}|\bfirst\b")
_TIME = re.compile(r"\{(year|recent_year|decade|month|ordinal)\}|\bfirst\b")
# Slots that may stand in a question without saying where it is about.
_PLACELESS = VALUES.keys() | {"competition", "show", "film"}

WAGE = """
wage:
  changes: often
  local: true
  phrasings: |
    what is the minimum wage in {country}
    what is the minimum wage
"""


def test_anchored_phrasings_hold_an_anchor() -> None:
    loose = [
        phrasing.template
        for relation in catalogue()
        for phrasing in relation.phrasings
        if phrasing.anchored and not _ANCHOR.search(phrasing.template)
    ]

    assert loose == []


def test_time_dependent_phrasings_name_no_time() -> None:
    dated = [
        phrasing.template
        for relation in catalogue()
        for phrasing in relation.phrasings
        if relation.depends_on_time(phrasing) and _TIME.search(phrasing.template)
    ]

    assert dated == []


def test_place_dependent_phrasings_name_nothing_that_is_in_one_place() -> None:
    placed = [
        (phrasing.template, slot)
        for relation in catalogue()
        for phrasing in relation.phrasings
        if relation.depends_on_place(phrasing)
        for slot in slots(phrasing.template)
        if slot not in _PLACELESS | relation.words.keys()
    ]

    assert placed == []


def test_local_relations_are_asked_both_with_a_place_and_without() -> None:
    for relation in catalogue():
        if relation.local:
            assert {phrasing.names_place for phrasing in relation.phrasings} == {True, False}, relation.name


def test_words_around_here_stand_in_place_dependent_phrasings_alone() -> None:
    here = re.compile(r"\b(here|we|us|our|near me|this (city|town|state|country))\b")
    elsewhere = [
        phrasing.template
        for relation in catalogue()
        for phrasing in relation.phrasings
        if here.search(phrasing.template) and not relation.depends_on_place(phrasing)
    ]

    assert elsewhere == []


def test_no_template_stands_twice() -> None:
    counts = Counter(phrasing.template for relation in catalogue() for phrasing in relation.phrasings)

    assert [template for template, count in counts.items() if count > 1] == []


def test_every_word_list_is_used() -> None:
    for relation in catalogue():
        used = {slot for phrasing in relation.phrasings for slot in slots(phrasing.template)}
        assert relation.words.keys() <= used, relation.name
        assert not relation.words.keys() & (KINDS.keys() | VALUES.keys()), relation.name


def test_templates_are_lower_case_and_whole() -> None:
    for relation in catalogue():
        for phrasing in relation.phrasings:
            bare = re.sub(r"\{\w+\}|\[[^][]*\]", "", phrasing.template)
            assert not re.search(r"[][{}A-Z?]", bare), phrasing.template


def test_catalogue_covers_all_kinds_of_dependence() -> None:
    cells = Counter((relation.changes, relation.local) for relation in catalogue())

    assert cells.keys() == {(changes, local) for changes in ("often", "rarely", "never") for local in (True, False)}
    assert sum(len(relation.phrasings) for relation in catalogue()) > 1000


def test_reads_a_relation(tmp_path: Path) -> None:
    (tmp_path / "law.yaml").write_text(WAGE)
    (relation,) = read_relations(tmp_path)

    assert (relation.name, relation.changes, relation.local) == ("wage", "often", True)
    assert [relation.depends_on_place(phrasing) for phrasing in relation.phrasings] == [False, True]
    assert [relation.depends_on_time(phrasing) for phrasing in relation.phrasings] == [True, True]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (WAGE.replace("{country}", "{planet}"), r"law\.yaml: field 'wage': unknown slot \{planet\}.*list its words"),
        (WAGE.replace("often", "sometimes"), r"law\.yaml: .*sometimes"),
        (WAGE.replace("local:", "nearby:"), r"law\.yaml: .*nearby"),
        (
            WAGE.replace("what is the minimum wage\n", "\n\n    what is the wage\n"),
            r"field 'wage': a question is blank",
        ),
        (re.sub(r"\|(\n.*)+", '""\n', WAGE), r"field 'wage': a question is blank"),
        ("wage: [", r"law\.yaml: "),
    ],
)
def test_a_faulty_table_says_where_and_why(tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / "law.yaml").write_text(text)

    with pytest.raises(InputError, match=message):
        read_relations(tmp_path)


def test_a_folder_without_relations_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"no \.yaml file"):
        read_relations(tmp_path)


def test_bytes_that_are_not_text_are_refused(tmp_path: Path) -> None:
    (tmp_path / "law.yaml").write_bytes(WAGE.encode() + b"    caf\xe9\n")

    with pytest.raises(InputError, match=r"law\.yaml"):
        read_relations(tmp_path)


def test_a_name_used_twice_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text(WAGE)
    (tmp_path / "b.yaml").write_text(WAGE)

    with pytest.raises(InputError, match=r"b\.yaml: field 'wage': the name is used twice"):
        read_relations(tmp_path)
