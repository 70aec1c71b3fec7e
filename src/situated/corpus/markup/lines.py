"""Which lines are prose: paragraphs and list items that say something; not headings, bare links, debris of tables."""

from __future__ import annotations

import re

_MARKS = "*#:;"
# A list item of so many words is taken for prose; "* [[Rome]]" is navigation.
_PROSE_WORDS = 6
# In these sections short items are navigation and bibliography, whatever their length suggests.
_REFERENCE_WORDS = 20
_REFERENCE_SECTIONS = frozenset(
    "see also|references|external links|further reading|bibliography|notes|sources|footnotes|notes and references"
    "|citations|references and notes|works cited|literature|links|general references|primary sources|secondary sources"
    "|publications|selected bibliography".split("|")
)
# A note for the reader of the page, written out instead of by a template.
_HATNOTE = re.compile(
    r"['(\[]*(?:main articles?|see also|further information|for other uses|for more|see main)\b", re.IGNORECASE
)
_FILES = ("File:", "Image:")
_WORDY = re.compile(r"[^\W_]")


class _Paragraphs:
    """Lines gathered: those of running text form one paragraph until something else comes."""

    def __init__(self) -> None:
        self.done: list[str] = []
        self._running: list[str] = []
        self._least = _PROSE_WORDS

    def end(self) -> None:
        """Close the running paragraph."""
        if self._running:
            self.done.append(" ".join(self._running))
            self._running.clear()

    def prose(self, line: str) -> None:
        """Go on with the running paragraph."""
        self._running.append(line)

    def other(self, line: str) -> None:
        """Take a line that begins with one of wikitext's marks, or with a file whose link was never closed."""
        mark = line[0]
        if mark in "|FI" or (mark == "!" and ("|" in line or "!!" in line)) or line.startswith("----"):
            self.end()
        elif mark == "=" and line[-1] == "=" and len(line) > 2:
            self.end()
            title = line.strip("= '\t").lower()
            if not line.startswith("===") or title in _REFERENCE_SECTIONS:
                self._least = _REFERENCE_WORDS if title in _REFERENCE_SECTIONS else _PROSE_WORDS
        elif mark in _MARKS:
            self.end()
            item = line.lstrip(_MARKS + " \t")
            if len(item.split(None, self._least)) >= self._least and not _HATNOTE.match(item):
                self.done.append(item)
        else:
            self._running.append(line)


def prose(text: str) -> str:
    r"""Keep the paragraphs, one a line.

    >>> prose("== Past ==\nRome was\nnot built in a day.\n\n* [[Rome]]\n* It burned under Nero in 64 AD.\n| debris")
    'Rome was not built in a day.\nIt burned under Nero in 64 AD.'
    """
    paragraphs = _Paragraphs()
    for raw in text.split("\n"):
        line = raw.strip()
        if not line:
            paragraphs.end()
        elif line[0] in "*#:;=|!-" or line.startswith(_FILES):
            paragraphs.other(line)
        else:
            paragraphs.prose(line)
    paragraphs.end()
    return "\n".join(paragraphs.done)


def wordy(text: str) -> str:
    r"""Leave out lines without a letter or a digit.

    >>> wordy("Rome.\n.\n fell. ")
    'Rome.\nfell.'
    """
    return "\n".join(line.strip() for line in text.split("\n") if _WORDY.search(line))
