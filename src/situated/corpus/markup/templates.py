"""Templates that hold a part of a sentence; every other one shows nothing."""

from __future__ import annotations

from collections.abc import Callable

from situated.corpus.markup.arguments import Arguments, normal
from situated.corpus.markup.dates import DATES
from situated.corpus.markup.languages import LANGUAGE_TEMPLATES, language_template
from situated.corpus.markup.measures import MEASURES
from situated.corpus.markup.phrases import PHRASES
from situated.corpus.markup.symbols import SYMBOLS, parser_function

_EXPANSIONS: dict[str, Callable[[Arguments], str]] = {**PHRASES, **LANGUAGE_TEMPLATES, **MEASURES, **DATES}
_PREFIXES = ("lang-", "formatnum:", "lc:", "uc:", "lcfirst:", "ucfirst:")


def is_known(content: str) -> bool:
    r"""Whether a template is expanded, given what follows its opening braces.

    >>> is_known("Convert|3|km"), is_known("infobox person\n| name = X"), is_known("lang-fr|oui")
    (True, False, True)
    """
    name = normal(content.partition("|")[0][:60])
    return name in _EXPANSIONS or name in SYMBOLS or name.startswith(_PREFIXES)


def expansion(content: str) -> str:
    """The text that a known template stands for, given what is between its braces.

    >>> expansion("convert|3|mi|km"), expansion("lang|fr|oui"), expansion("snd"), expansion("formatnum:1234567")
    ('3 miles', 'oui', ' – ', '1,234,567')
    """
    head = normal(content.partition("|")[0])
    if (symbol := SYMBOLS.get(head)) is not None:
        return symbol
    if expand := _EXPANSIONS.get(head):
        return expand(Arguments(content))
    if head.startswith("lang-"):
        return language_template(Arguments(content))
    return parser_function(content)
