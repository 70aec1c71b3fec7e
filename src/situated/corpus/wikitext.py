"""From wikitext to plain text, fast: one pass with a stack instead of a parser."""

from __future__ import annotations

from situated.corpus.markup.lines import prose, wordy
from situated.corpus.markup.links import without_external
from situated.corpus.markup.opaque import without_opaque
from situated.corpus.markup.scanner import scanned
from situated.corpus.markup.tidy import decoded, tidied, without_tags


def plain_text(wikitext: str) -> str:
    r"""The prose of a page: a paragraph a line, without markup; list items that are prose are paragraphs.

    Numbers, dates and foreign words that stand in templates are kept. Headings, tables, infoboxes, navigation,
    references, captions, formulas, code and categories are dropped. It never raises, and its work grows linearly with
    the text however deep that is nested.

    >>> plain_text("'''Rome''' ({{lang-it|Roma}}; {{IPA|x}}) is a [[city]].<ref>x</ref>\n\n== Site ==\n{{Infobox}}")
    'Rome (Italian: Roma) is a city.'
    """
    text, _ = scanned(without_opaque(wikitext))
    return wordy(tidied(decoded(prose(without_tags(without_external(text))))))
