"""What the scanner must not look into: comments, references, formulas, code, text in ``nowiki``."""

from __future__ import annotations

import re

# The content of these goes with the tag. A page may hold thousands of references, so that they are cut out first.
_DROPPED = (
    "ce", "categorytree", "chem", "code", "gallery", "graph", "hiero", "imagemap", "includeonly", "indicator",
    "inputbox", "mapframe", "maplink", "math", "pre", "ref", "references", "score", "section", "source", "style",
    "syntaxhighlight", "templatedata", "templatestyles", "timeline",
)  # fmt: skip
_OPENING = re.compile(rf"<(?:(!--)|({'|'.join((*_DROPPED, 'nowiki'))})\b([^<>]*+)>)", re.IGNORECASE)
_CLOSING = {
    name: re.compile(rf"</{name}\b[^<>]*+>", re.IGNORECASE) for name in (*_DROPPED, "nowiki")
} | {"!--": re.compile("-->")}  # fmt: skip
_MARKUP = re.compile(r"[\[\]{}|'=<>*#:;_~-]")
_JOINER = "\u2060"  # invisible, dropped at the end


class _Closings:
    """Where each tag is closed next. Remembered, so that no part of the text is searched twice for the same tag."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._known: dict[str, tuple[int, int]] = {}

    def after(self, name: str, position: int) -> tuple[int, int] | None:
        """Start and end of the closing tag, or None."""
        known = self._known.get(name)
        if known is None or 0 <= known[0] < position:
            found = _CLOSING[name].search(self._text, position)
            known = self._known[name] = found.span() if found else (-1, -1)
        return known if known[0] >= 0 else None


def without_opaque(text: str) -> str:
    r"""Cut out comments and tags whose content is no prose; hide the markup that ``nowiki`` protects.

    An opening tag that is never closed loses nothing but itself. A reference that swallows the end of a paragraph has
    lost its closing tag: the one found belongs to a later reference.

    >>> without_opaque("Rome<!-- check --> fell<ref name=a>{{cite|b}}</ref> in 476.<ref name=a />")
    'Rome fell in 476.'
    >>> without_opaque("<nowiki>[[no link]]</nowiki>")
    '&#91;&#91;no link&#93;&#93;'
    """
    kept: list[str] = []
    closings = _Closings(text)
    position = 0
    while opening := _OPENING.search(text, position):
        kept.append(text[position : opening.start()])
        comment, tag, attributes = opening.groups()
        position = opening.end()
        if attributes and attributes.rstrip().endswith("/"):
            kept.append(apart(text, position))
            continue
        name = comment or tag.lower()
        closing = closings.after(name, position)
        if comment:
            position = closing[1] if closing else position
        elif closing and not (name == "ref" and _swallows(text, position, closing[0])):
            if name == "nowiki":
                kept.append(_MARKUP.sub(_reference, text[position : closing[0]]))
            position = closing[1]
            kept.append(apart(text, position))
    kept.append(text[position:])
    return "".join(kept)


def apart(text: str, position: int) -> str:
    r"""What keeps quotes apart where something between them went: two quotes and a third are no three.

    >>> apart("''Rome''{{cn}}'s", 14)
    '\u2060'
    """
    return _JOINER if text.startswith("'", position) else ""


def _swallows(text: str, start: int, end: int) -> bool:
    """Whether a heading or a blank line and then another reference lie between."""
    blank = text.find("\n\n", start, end)
    return blank >= 0 and text.find("<ref", blank, end) >= 0


def _reference(character: re.Match[str]) -> str:
    return f"&#{ord(character[0])};"
