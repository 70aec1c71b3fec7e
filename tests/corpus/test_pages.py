"""Which pages are left out."""

from __future__ import annotations

import pytest

from situated.corpus.pages import kind


@pytest.mark.parametrize(
    "text",
    [
        "{{disambiguation}}", "x {{ Disambig |geo}}", "{{dab}}", "{{Hndis|Smith, Ada}}", "{{geodis}}",
        "{{human name disambiguation}}", "{{Disambiguation cleanup|date=x}}", "{{Template:Disambig}}", "{{numberdis}}",
        "{{letter\u2013number combination disambiguation}}", "{{school disambiguation}}", "__DISAMBIG__",
    ],
)  # fmt: skip
def test_marks_of_disambiguation_pages(text: str) -> None:
    assert kind("Mercury", f"'''Mercury''' may be\n* [[a]]\n{text}") == "disambiguation"


@pytest.mark.parametrize(
    "text",
    [
        "{{disambiguation needed|date=x}}", "{{Distinguish|b}}", "{{for|c|d (disambiguation)}}", "{{dablink|x}}",
        "{{redirect-distinguish|e|f}}", "a disambiguation page", "{{Disability}}", "[[x|{{y}} disambiguation]]",
    ],
)  # fmt: skip
def test_what_an_article_may_hold(text: str) -> None:
    assert kind("Mercury", text) == "article"


@pytest.mark.parametrize(
    ("title", "found"),
    [
        ("List of rivers", "list"), ("Lists of films", "list"), ("Index of physics articles", "index"),
        ("Outline of logic", "outline"), ("Ada (disambiguation)", "disambiguation"), ("Listed building", "article"),
        ("The List of Seven", "article"), ("Index", "article"), ("Outline (list)", "article"),
    ],
)  # fmt: skip
def test_titles(title: str, found: str) -> None:
    assert kind(title, "text") == found
