"""The scanner's work grows linearly with the text, whatever its nesting."""

from __future__ import annotations

import pytest

from situated.corpus.markup.scanner import scanned

PATTERNS = {
    "templates that keep their text": ("{{nowrap|x ", "}}"),
    "templates that drop it": ("{{unknown|x ", "}}"),
    "links": ("[[a|x ", "]]"),
    "tables": ("\n{| x\n", "\n|}"),
    "links in templates": ("{{lang|fr|[[a|x ", "]]}}"),
    "templates never closed": ("{{nowrap|x ", ""),
    "templates never opened": ("x ", "}}"),
    "links never closed": ("[[a ", ""),
    "crossed": ("{{nowrap|[[x ", "}}]]"),
}


def work(pattern: tuple[str, str], depth: int) -> int:
    return scanned(pattern[0] * depth + "core" + pattern[1] * depth)[1]


@pytest.mark.parametrize("pattern", PATTERNS.values(), ids=PATTERNS)
def test_work_is_linear_in_the_depth(pattern: tuple[str, str]) -> None:
    """Ten times the depth may take ten times the work, not a hundred times."""
    small, large = work(pattern, 1_000), work(pattern, 10_000)
    assert large <= 11 * small
    assert large <= 60 * len("".join(pattern)) * 10_000


def test_what_is_nested_as_on_a_page_is_read() -> None:
    depth = 30
    assert scanned("{{nowrap|" * depth + "core" + "}}" * depth)[0] == "core"


def test_unclosed_constructs_do_not_hide_later_ones() -> None:
    text, _ = scanned("{{broken\n" * 500 + "{{convert|3|km}} to [[Rome|the city]]")
    assert text.endswith("3 kilometres to the city")


@pytest.mark.parametrize(
    ("wikitext", "text"),
    [
        ("{{nowrap|a [[b}} c]] d", "a b c d"),
        ("[[a|b {{nowrap|c]] d}} e", "a|b c d e"),
        ("x\n{|\n| {{broken\n|}\ny", "x\n\n\ny"),
        ("{{nowrap|a|}}", "a"),
        ("{{Infobox\n| a = {|\n| b\n|}\n| c = d\n}}e", "e"),
        ("{{Infobox\n| a = b\n|}}e", "e"),
        ("[[File:A.jpg|thumb|a [[b]] {{convert|1|km}} c]]d", "d"),
    ],
)
def test_crossed_and_mixed(wikitext: str, text: str) -> None:
    assert scanned(wikitext)[0] == text
