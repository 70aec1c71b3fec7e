"""From wikitext to plain text: hand-checked pages, arbitrary mixes of constructs, deep nesting, large pages."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from situated.corpus.wikitext import plain_text

GOLDEN = sorted((Path(__file__).parent / "golden").glob("*.wiki"))
MARKUP = ("{{", "}}", "[[", "]]", "{|", "|}", "<ref", "<!--", "''", "==", "thumb|", "&nbsp;", "()")

WORDS = """
    {{ }} [[ ]] {| |} | || ! |- = == === ' '' ''' ''''' * # : ; ( ) , . & < > / <ref> </ref> <ref/> <ref <!-- -->
    <nowiki> </nowiki> <nowiki/> <math> </math> <table> </table> <br> <sup> <div> </div> <gallery> </gallery> &nbsp;
    &amp;nbsp; &lt;ref &#39; &#39;&#39; &#91; &#x5B; &#0; &#xD800; &#9999999; &lbrace; [http://a.b [//x ] __TOC__ ---
    thumb thumb| File: Category: convert| cvt| lang| nowrap| val| quote| circa| frac| formatnum: lang-fr| ill| as_of|
    birth_date| nihongo| {{{ }}} {{!}} 1 12 1,000 -3 1+1/2 km to by 1=x =y e=5 word Rome été 北京
"""
PIECES = st.sampled_from([
    *WORDS.split(), *"\u00ad\u200b\u00a0\u2028\x00\x85\U0001f600",
    " ", "\n", "\n\n", "\n* ", "\n{|\n", "\n|}\n", "\n== ", " ==\n",
])  # fmt: skip
TEXTS = st.lists(PIECES, max_size=60).map("".join)


@pytest.mark.parametrize("wiki", GOLDEN, ids=lambda path: path.stem)
def test_golden(wiki: Path) -> None:
    expected = wiki.with_suffix(".txt").read_text(encoding="utf-8").removesuffix("\n")
    assert plain_text(wiki.read_text(encoding="utf-8")) == expected


def test_every_golden_page_has_its_text() -> None:
    assert len(GOLDEN) >= 25
    assert {path.stem for path in GOLDEN} == {path.stem for path in GOLDEN[0].parent.glob("*.txt")}


def sound(wikitext: str) -> str:
    """The text of a page, after a look at what any text must be."""
    text = plain_text(wikitext)
    assert [mark for mark in MARKUP if mark in text] == []
    assert not re.search(r"\( [,;]|  |^\s|\s$|\n\n|\n | \n|[\x00-\x09\x0b-\x1f\xa0]", text)
    assert not text or all(any(c.isalnum() for c in line) for line in text.split("\n"))
    return text


@settings(max_examples=400, deadline=None)
@example("'{{x}}'")
@example("'()'")
@example("{(){")
@example("&#91;&#91;a]]")
@example("((((((()))))))")
@example("=<!-- -->=")
@example("a&amp;nbsp;b")
@given(TEXTS)
def test_no_markup_is_left_of_any_mix(wikitext: str) -> None:
    sound(wikitext)


@settings(max_examples=200, deadline=None)
@given(st.text(max_size=80))
def test_any_text_is_taken(wikitext: str) -> None:
    sound(wikitext)


@settings(max_examples=200, deadline=None)
@given(TEXTS, TEXTS)
def test_prose_around_balanced_constructs_stays(before: str, inside: str) -> None:
    """What stands between brackets that match harms nothing outside; text of its own paragraph is kept as it is."""
    inside = re.sub(r"[{}\[\]<>|&]|--|\n", "", inside)
    text = sound(f"Ada Lorn was mayor of Velmora.\n\n{{{{unknown|{inside}}}}}\n\nThe town has 2 bridges.\n\n{before}")
    assert text.split("\n")[:2] == ["Ada Lorn was mayor of Velmora.", "The town has 2 bridges."]


@settings(max_examples=200, deadline=None)
@given(st.text(alphabet="abc ABC 019,.\n", max_size=200))
def test_plain_words_are_kept(text: str) -> None:
    assert re.findall(r"\w+", plain_text(text)) == re.findall(r"\w+", text)


@settings(max_examples=100, deadline=None)
@given(TEXTS)
def test_the_same_text_twice_over_is_read_alike(wikitext: str) -> None:
    """Nothing is remembered from one page to the next."""
    assert plain_text(wikitext) == plain_text(wikitext)


DEEP = 10_000


@pytest.mark.parametrize(
    ("opened", "closed"),
    [("{{nowrap|", "}}"), ("{{a|", "}}"), ("[[a|", "]]"), ("\n{|\n", "\n|}"), ("(", ")"), ("<div>", "</div>"),
     ("{{lang|fr|[[a|", "]]}}"), ("<ref>", "</ref>"), ("[", "]"), ("<nowiki>", "</nowiki>")],
)  # fmt: skip
@pytest.mark.parametrize("balance", ["both", "opened", "closed"])
def test_deep_nesting(opened: str, closed: str, balance: str) -> None:
    left = opened * DEEP if balance != "closed" else ""
    right = closed * DEEP if balance != "opened" else ""
    text = sound(f"Ada Lorn was mayor.\n\n{left} deep {right}\n\nThe town has 2 bridges.")
    assert text.startswith("Ada Lorn was mayor.")
    if (left and right) or opened not in {"<ref>", "<nowiki>"}:
        assert "The town has 2 bridges" in text


@pytest.mark.parametrize(
    ("unit", "end"),
    [("<ref>\n\n", "</ref>"), ("<!--", ""), ("( ", ""), ("(", ")"), (", ", "("), ("[http://a ", "]"), ("\n{|", ""),
     ("{{convert|", "}}"), ("{{convert|1|to|", "}}"), ("[[a|", ""), ("'", ""), (" ", ")"), ("{{quote|[[a", "}}"),
     ("&amp", "")],
)  # fmt: skip
def test_a_hostile_page_of_a_megabyte_ends(unit: str, end: str) -> None:
    """Work that grew with the square of the text would take hours."""
    sound(unit * (1_000_000 // len(unit)) + end)


def test_a_page_of_twenty_megabytes() -> None:
    prose = "The town has walls, a mill and ''three'' bridges. " * 30
    section = (
        "== A ==\n'''Ada''' lives in [[Velmora|the town]], {{convert|3|km|mi}} away.<ref>{{cite web}}</ref>\n\n"
        + prose
        + "\n\n{| class=x\n| cell\n|}\n* [[Rome]]\n{{Infobox|a={{b|c}}}}\n[[File:A.jpg|thumb|A [[b]] c]]\n"
    )
    copies = 20_000_000 // len(section) + 1
    kept = ["Ada lives in the town, 3 kilometres away.", prose.replace("''", "").strip()]
    assert plain_text(section * copies) == "\n".join(kept * copies)
