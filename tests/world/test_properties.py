from __future__ import annotations

import re
from pathlib import Path

import pytest

from situated.errors import InputError
from situated.world.kinds import KINDS
from situated.world.properties import SPLITS, WHOQA, Tense, properties, properties_of, read_properties

TENSES: tuple[Tense, ...] = ("ask", "was")
WAGE = """wage:
  of: [town]
  id: P1
  changes: true
  value: number
  section: Economy
  ask: |
    a {s}
    b {s}
    c {s}
    d {s}
  was: |
    e {s}
    f {s}
    g {s}
    h {s}
  say: |
    {S} pays {v}.
  past: |
    {S} paid {v}.
  aside: |
    A horse ran {v} miles.
"""


def test_no_phrasing_is_asked_in_two_splits() -> None:
    for seed in (1, 2):
        asked = {
            split: {t for prop in properties() for tense in TENSES for t in prop.phrasings(tense, split, seed)}
            for split in SPLITS
        }
        assert not asked["train"] & (asked["dev"] | asked["test"])
        assert not asked["dev"] & asked["test"]


def test_every_split_can_ask_for_everything_and_the_seed_decides_how() -> None:
    for prop in properties():
        for tense in TENSES if prop.changes else TENSES[:1]:
            parts = [prop.phrasings(tense, split, 1) for split in SPLITS]
            assert all(parts)
            assert sorted(template for part in parts for template in part) == sorted(prop.lines(tense))
    assert any(prop.phrasings("ask", "test", 1) != prop.phrasings("ask", "test", 2) for prop in properties())


def test_every_kind_of_thing_has_something_to_say() -> None:
    for kind in KINDS:
        assert len(properties_of(kind)) >= 2, kind


def test_the_properties_of_whoqa_are_there() -> None:
    assert len(WHOQA) == 13
    assert WHOQA.keys() <= {prop.id for prop in properties()}


def test_sentences_hold_what_they_are_for() -> None:
    for prop in properties():
        for line in (*prop.lines("say"), *prop.lines("past"), *prop.lines("aside")):
            assert re.search(r"\{(v|V|a_v|on_v)\}", line), (prop.name, line)
            assert line.endswith("."), (prop.name, line)
        for line in (*prop.lines("ask"), *prop.lines("was")):
            assert "{s}" in line, (prop.name, line)
            assert line == line.lower(), (prop.name, line)
        assert all(("{place}" in line) == prop.by_place or prop.name == "chain_opened" for line in prop.lines("say"))
        assert not any("{s" in line.lower() for line in prop.lines("aside")), prop.name


def test_reads_a_property(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text(WAGE)
    (prop,) = read_properties(tmp_path)

    assert (prop.name, prop.changes, prop.lines("say")) == ("wage", True, ("{S} pays {v}.",))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (WAGE.replace("[town]", "[planet]"), r"a\.yaml: field 'wage': no kind of things is called 'planet'"),
        (WAGE.replace("    d {s}\n", ""), r"field 'wage': fewer than 4 phrasings"),
        (WAGE.replace("    h {s}\n", "    g {s}\n"), r"field 'wage': fewer than 4 phrasings"),
        (WAGE.replace("e {s}", "a {s}").replace("wage:", "x:") + WAGE, r"field 'wage': '. \{s\}' also asks for x"),
        (WAGE.replace("paid {v}", "paid {sum}"), r"field 'wage': unknown slot \{sum\}"),
        (re.sub(r"  past: \|\n.*\n", "", WAGE), r"field 'wage': no sentence for a value that held before"),
        (WAGE.replace("number", "colour"), r"a\.yaml: .*colour"),
        (WAGE.replace("section:", "chapter:"), r"a\.yaml: .*chapter"),
        ("wage: [", r"a\.yaml: "),
    ],
)
def test_a_faulty_table_says_where_and_why(tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / "a.yaml").write_text(text)
    with pytest.raises(InputError, match=message):
        read_properties(tmp_path)


def test_a_folder_without_properties_and_a_name_used_twice_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"no \.yaml file"):
        read_properties(tmp_path)
    for name in ("a", "b"):
        (tmp_path / f"{name}.yaml").write_text(WAGE)
    with pytest.raises(InputError, match=r"b\.yaml: field 'wage': the name is used twice"):
        read_properties(tmp_path)
