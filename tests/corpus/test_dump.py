"""Cutting a dump into batches, and reading pages."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from situated.corpus.dump import Page, Unread, batches, pages
from situated.errors import InputError

Make = Callable[..., str]
PATH = Path("d.xml")


def _cut(content: bytes, block: int, size: int = 300) -> list[bytes]:
    return list(batches(PATH, (content[at : at + block] for at in range(0, len(content), block)), "en", size))


@given(st.integers(1, 2000), st.integers(1, 900), st.integers(0, 9))
def test_cuts_depend_on_the_content_alone(
    page: Make, dump: Callable[..., bytes], block: int, size: int, n: int
) -> None:
    content = dump(*(page(f"T{number}", "x" * 37 * number, id=number + 1) for number in range(n)))
    made = _cut(content, block, size)
    assert made == _cut(content, len(content), size)
    found = [one for batch in made for one in pages(batch)]
    assert [one.title for one in found] == [f"T{number}" for number in range(n)]
    assert all(len(batch) >= size for batch in made[:-1])


def test_what_a_page_holds(page: Make) -> None:
    (found,) = pages(page("A & B", "x < y &amp; z\n\n''q''", id=7, revision=70).encode())
    assert found == Page("A & B", 0, 7, 70, "2018-12-20T00:00:07Z", None, "wikitext", "x < y &amp; z\n\n''q''")


@pytest.mark.parametrize(
    ("text", "target"),
    [
        ("#REDIRECT [[B c]]", "B c"), ("#redirect: [[ B_c#Part|x]] {{R}}", "B c"), ("\n#Redirect[[B c]]", "B c"),
        ("See #redirect [[B]]", None), ("#redirected [[B]]", None), ("#REDIRECT [[", None),
    ],
)  # fmt: skip
def test_redirects_of_old_dumps_stand_in_the_text(page: Make, text: str, target: str | None) -> None:
    (found,) = pages(page("A", text).encode())
    assert isinstance(found, Page)
    assert found.redirect == target


def test_the_element_tells_a_redirect_whatever_the_language(page: Make) -> None:
    (found,) = pages(page("A", "#WEITERLEITUNG [[B & C]]", redirect="B & C").encode())
    assert isinstance(found, Page)
    assert found.redirect == "B & C"


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        (b"<revision>", b"<note>", "malformed_xml"),
        (b"x y", b"x \xff y", "invalid_utf8"),
        (b"x y", b"x \x00 y", "malformed_xml"),
        (b"x y", b"x &unknown; y", "malformed_xml"),
        (b"<id>1</id>", b"", "no_title_or_id"),
        (b"<id>1</id>", b"<id>one</id>", "no_title_or_id"),
        (b"<title>A</title>", b"<title> </title>", "no_title_or_id"),
        (b"<id>10</id>", b"", "no_revision"),
    ],
)
def test_a_page_that_cannot_be_read_says_why_and_costs_no_other(
    page: Make, old: bytes, new: bytes, reason: str
) -> None:
    raw = page("A", "x y").encode()
    assert raw.count(old) == 1
    spoilt, whole = list(pages(raw.replace(old, new) + page("B", "fine").encode()))
    assert isinstance(spoilt, Unread)
    assert spoilt.reason == reason
    assert whole.title == "B"


def test_a_page_without_revision() -> None:
    (found,) = pages(b"<page><title>A</title><ns>0</ns><id>1</id></page>")
    assert found == Unread("A", "no_revision")


def test_the_newest_of_several_revisions_counts(page: Make) -> None:
    raw = page("A", "old").replace("</page>", "<revision><id>11</id><text>new</text></revision></page>")
    (found,) = pages(raw.encode())
    assert isinstance(found, Page)
    assert (found.revision_id, found.text) == (11, "new")


def test_a_page_of_20_mb(page: Make, dump: Callable[..., bytes]) -> None:
    content = dump(page("A", "x"), page("Long", "y " * 10_000_000, id=2), page("B", "z", id=3))
    found = [one for batch in _cut(content, 1 << 20, 1 << 20) for one in pages(batch)]
    assert [(one.title, len(one.text)) for one in found if isinstance(one, Page)] == [
        ("A", 1), ("Long", 20_000_000), ("B", 1),
    ]  # fmt: skip


def test_entities_are_not_expanded() -> None:
    raw = b'<page><!DOCTYPE p [<!ENTITY a "aaaa">]><title>A</title><ns>0</ns><id>1</id></page>'
    (found,) = pages(raw)
    assert isinstance(found, Unread)


@pytest.mark.parametrize("block", [50, 100_000])
@pytest.mark.parametrize("cut", [30, 600, 25])
def test_a_dump_that_breaks_off_is_told_with_its_last_page(
    page: Make, dump: Callable[..., bytes], cut: int, block: int
) -> None:
    content = dump(page("A", "x" * 300), page("Last", "y" * 300, id=2))
    last = "A" if cut == 600 else "Last"
    with pytest.raises(InputError, match=f"breaks off: no </mediawiki> after the page '{last}'"):
        _cut(content[:-cut], block, 100)


@pytest.mark.parametrize("content", [b"", b"<html></html>", b"x" * 3_000_000, b"<mediawiki"])
def test_what_is_no_dump(content: bytes) -> None:
    with pytest.raises(InputError, match="not a MediaWiki XML dump"):
        _cut(content, 1 << 20)


def test_a_dump_in_another_language(page: Make, dump: Callable[..., bytes]) -> None:
    content = dump(page("A"), head="<mediawiki version='0.10' xml:lang='fr'>")
    with pytest.raises(InputError, match="in the language 'fr', not 'en'"):
        _cut(content, 1000)
    assert len(list(batches(PATH, [content], "fr"))) == 1
