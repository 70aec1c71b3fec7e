"""Comments, references and other tags: what is cut out, and that no text is searched twice for the same tag."""

from __future__ import annotations

import re

import pytest

from situated.corpus.markup import opaque
from situated.corpus.markup.opaque import without_opaque


class Recorder:
    """A pattern that adds up the characters it was given to search."""

    def __init__(self, pattern: re.Pattern[str]) -> None:
        self.pattern, self.searched = pattern, 0

    def search(self, text: str, position: int) -> re.Match[str] | None:
        found = self.pattern.search(text, position)
        self.searched += (found.end() if found else len(text)) - position
        return found


@pytest.mark.parametrize("unit", ["<ref>", "<ref>\n\n", "<!-- ", "<math>", "<nowiki>", "<ref><math><!--\n\n"])
@pytest.mark.parametrize("end", ["", "</ref>", "-->", "</math></nowiki>"])
def test_each_tag_is_searched_for_once(unit: str, end: str, monkeypatch: pytest.MonkeyPatch) -> None:
    recorders = {name: Recorder(pattern) for name, pattern in opaque._CLOSING.items()}
    monkeypatch.setattr(opaque, "_CLOSING", recorders)
    text = unit * 5_000 + end
    without_opaque(text)
    assert max(recorder.searched for recorder in recorders.values()) <= 2 * len(text)


@pytest.mark.parametrize(
    ("wikitext", "text"),
    [
        ("a<ref>b</ref>c<REF name='x'/>d<Ref name=y >e</rEf >f", "acdf"),
        ("a<ref>lost\n\nEnd.<ref>b</ref>c", "alost\n\nEnd.c"),
        ("a<ref>two\n\nparagraphs</ref>b", "ab"),
        ("a<references/>b<references>\n<ref>c</ref>\n</references>d", "abd"),
        ("a<nowiki/>b<nowiki>''c''</nowiki>", "ab&#39;&#39;c&#39;&#39;"),
        ("a<refuse>b", "a<refuse>b"),
        ("a<math>x<y</math>b", "ab"),
    ],
)
def test_cut_out(wikitext: str, text: str) -> None:
    assert without_opaque(wikitext) == text
