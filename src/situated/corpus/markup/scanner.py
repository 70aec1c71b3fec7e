"""One pass over templates, links and tables with a stack: nesting of any depth, in time linear in the text."""

from __future__ import annotations

import re
from dataclasses import dataclass

from situated.corpus.markup.links import label
from situated.corpus.markup.opaque import apart
from situated.corpus.markup.templates import expansion, is_known

# A link or a template without another inside it is read in one step; others go through the stack.
# Every alternative begins with a literal: the regex engine then skips plain text quickly.
_TOKEN = re.compile(
    r"\[\[(?:[^\[\]{}|<>\n:]*+\|)?([^\[\]{}|\n:]++)\]\]"
    r"|\{\{([^\[\]{}]*+)\}\}"
    r"|\{\{|\[\[|\]\]|\}\}"
    r"|\n[ \t:*#;]*+\{\|[^\[\]{}|<>\n]*+|\n[ \t:*#;]*+\|\}(?!\}(?!\}))"
    r"|</?[tT][aA][bB][lL][eE]\b[^<>]*+>",
)
_DEEPEST = 40  # templates in templates; what is deeper is dropped, as a character is copied once a level

_TEMPLATE, _LINK, _TABLE = "template", "link", "table"
_OPENED = {"{{": _TEMPLATE, "[[": _LINK, "{|": _TABLE, "<t": _TABLE}
_CLOSED = {"}}": _TEMPLATE, "]]": _LINK, "|}": _TABLE, "</": _TABLE}


@dataclass
class _Frame:
    """A construct that was opened: where its content begins among the pieces, how deep the content is nested."""

    kind: str
    start: int
    height: int = 1


class _Scanner:
    """Pieces of plain text, and the constructs that are still open.

    ``work`` counts the pieces touched and the characters copied for constructs that the stack closed.
    """

    def __init__(self) -> None:
        self.pieces: list[str] = []
        self.work = 0
        self._frames: list[_Frame] = []
        self._open = dict.fromkeys((_TEMPLATE, _LINK, _TABLE), 0)

    def token(self, token: str) -> None:
        """Take a token that opens or closes a construct."""
        mark = token.lstrip(" \t\n:*#;")[:2].lower()
        if token[0] == "\n":  # a table begins or ends on a line of its own
            self.pieces.append("\n")
        if kind := _OPENED.get(mark):
            self._frames.append(_Frame(kind, len(self.pieces)))
            self._open[kind] += 1
        elif self._closes(kind := _CLOSED[mark]):
            self._close(kind)

    def _closes(self, kind: str) -> bool:
        """Whether a construct is open that the token may close: a link only where nothing was opened after it."""
        if kind is _LINK:
            return bool(self._frames) and self._frames[-1].kind is _LINK
        return self._open[kind] > 0

    def _close(self, kind: str) -> None:
        """Replace the content of the nearest construct of a kind; what was opened in it and not closed is its text."""
        height = 0
        while True:
            frame = self._frames.pop()
            self._open[frame.kind] -= 1
            height = max(height, frame.height)
            self.work += 1
            if frame.kind is kind:
                break
        content = self.pieces[frame.start :]
        del self.pieces[frame.start :]
        resolved = "\n" if kind is _TABLE else _resolve(kind, content, height)
        self.work += len(content) + len(resolved)
        self.pieces.append(resolved)
        if self._frames:
            self._frames[-1].height = max(self._frames[-1].height, height + 1)


def _resolve(kind: str, content: list[str], height: int) -> str:
    """The text that stands for a link or a template."""
    if height > _DEEPEST or not content:
        return ""
    if kind is _LINK:
        return label("".join(content))
    return expansion("".join(content)) if is_known(content[0]) else ""


def scanned(text: str) -> tuple[str, int]:
    r"""Resolve links and templates and drop tables -> the text, a count of the work (see ``_Scanner``).

    What is opened and never closed, or closed and never opened, loses its brackets and keeps its text.

    >>> scanned("[[Rome|The city]] is {{nowrap|{{convert|1285|km2}}}} large.{{cn}}")[0]
    'The city is 1,285 square kilometres large.'
    >>> scanned("{{broken [[Rome]] ]] stands")[0]
    'broken Rome  stands'
    """
    scanner = _Scanner()
    pieces = scanner.pieces
    position = 0
    text = "\n" + text
    for match in _TOKEN.finditer(text):
        start = match.start()
        if start > position:
            pieces.append(text[position:start])
        position = match.end()
        if match.lastindex == 1:
            pieces.append(match[1])
        elif match.lastindex == 2:
            pieces.append(expansion(match[2]) if is_known(match[2]) else apart(text, position))
        else:
            scanner.token(match[0])
    pieces.append(text[position:])
    return "".join(pieces)[1:], scanner.work + len(pieces)
