"""What kind of page a text makes: one to retrieve from, or one that only points to others."""

from __future__ import annotations

import re
from typing import Literal

Kind = Literal["article", "disambiguation", "list", "index", "outline"]

_TITLE = re.compile(r"(?:(?P<list>lists? of )|(?P<index>index(?:es)? of )|(?P<outline>outline of ))", re.IGNORECASE)

# Short names of templates that mark a disambiguation page, beside those that spell "disambig" out.
_SHORT = (
    "dab", "disam", "disamb", "dbig", "bio-dab", "hndis", "hndis-cleanup", "geodis", "geodis-cleanup", "mathdab",
    "mil-unit-dis", "numberdis", "operadab", "roaddis", "schooldis", "stationdis", "callsigndis", "hospitaldis",
    "tndis", "numdab", "letter-dab", "lettercombdab", "sdab", "songdis", "townshipdis", "wpdab",
)  # fmt: skip
# The name ends there or its parameters begin, so "{{disambiguation needed|date=...}}" within an article is none.
_MARK = re.compile(
    r"\{\{\s*(?:template:)?"
    r"(?:(?:[a-z\u2013 -]{1,40}[ -])?disambig(?:uation)?(?:[ -](?:page|cleanup))?|" + "|".join(map(re.escape, _SHORT)) +
    r")\s*(?:\||\}\})",
    re.IGNORECASE,
)  # fmt: skip


def kind(title: str, wikitext: str) -> Kind:
    """Tell what an English page is from its title and the templates that mark it.

    Source: the pages that DPR's collection leaves out (Karpukhin et al. 2020, section 4.1).

    >>> kind("Mercury", "'''Mercury''' may be: ... {{disambiguation|planet}}"), kind("Mercury (disambiguation)", "")
    ('disambiguation', 'disambiguation')
    >>> kind("List of rivers", ""), kind("Outline of logic", ""), kind("Listening", "a {{Disambiguation needed}} word")
    ('list', 'outline', 'article')
    """
    if title.lower().endswith("(disambiguation)") or "__DISAMBIG__" in wikitext or _MARK.search(wikitext):
        return "disambiguation"
    if found := _TITLE.match(title):
        named: dict[str, Kind] = {"list": "list", "index": "index", "outline": "outline"}
        return named[str(found.lastgroup)]
    return "article"
