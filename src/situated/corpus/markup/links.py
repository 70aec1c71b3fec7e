"""What a link shows: internal ones by name space, external ones by their label."""

from __future__ import annotations

import re

_DROPPED = frozenset({"category", "file", "image", "media", "special", "template", "user", "talk", "wikipedia talk"})
_SISTERS = frozenset(
    "b c commons d m meta mw n q s simple species v voy w wikibooks wikinews wikipedia wikiquote wikisource wikispecies"
    " wikiversity wikivoyage wikt wiktionary".split()
)
_LANGUAGE = re.compile(r"[a-z]{2,3}(?:-[a-z]{2,})*")
_EXTERNAL = re.compile(
    r"\[(?:(?:https?:|ftps?:|ircs?:)?//|mailto:|news:)[^\s\[\]<>]*+[ \t\xa0]*+([^\[\]\n]*+)\]", re.IGNORECASE
)


def label(content: str) -> str:
    """The text of a link, given what stands between its brackets.

    >>> label("Rome|the city"), label("Star Trek: Voyager"), label(":fr:Rome"), label("wikt:rome|rome")
    ('the city', 'Star Trek: Voyager', 'Rome', 'rome')
    >>> label("File:Rome.jpg|thumb|The city at night"), label("Category:Cities"), label("fr:Rome")
    ('', '', '')
    """
    target, pipe, shown = content.partition("|")
    space, colon, rest = target.partition(":")
    if colon:
        name = space.strip().lower()
        if name in _DROPPED:
            return ""
        if name in _SISTERS or not name:
            target = rest.rpartition(":")[2]
        elif _LANGUAGE.fullmatch(space.strip()) and not rest.startswith(" "):
            return ""
    if not pipe:
        return target.strip() if colon else target
    return shown.replace("|", " ") or re.sub(r"\s*\([^()]*\)$|,.*$", "", target.strip())


def without_external(text: str) -> str:
    """Leave of external links their labels; one without a label shows nothing.

    >>> without_external("See [http://example.org/a?b the site] and [https://example.org].")
    'See the site and .'
    """
    return _EXTERNAL.sub(r"\1", text) if "[" in text else text
