"""From resolved wikitext to paragraphs: tags, quotes, entities, brackets that lost their content, lists."""

from __future__ import annotations

import re
from html.entities import html5

_TAG = re.compile(
    r"<(/?)(abbr|b|bdi|bdo|big|blockquote|br|caption|center|cite|code|data|dd|del|dfn|div|dl|dt|em|font|h[1-6]|hr|i|ins|kbd"
    r"|li|mark|noinclude|nowiki|ol|onlyinclude|includeonly|p|poem|pre|q|ref|references|rp|rt|ruby|s|samp|small|span|strike"
    r"|strong|sub|sup|table|tbody|td|th|thead|time|tr|tt|u|ul|var|wbr|gallery|math|section|source|syntaxhighlight|chem|ce"
    r"|timeline|score|hiero|imagemap|inputbox|includeonly|templatestyles|categorytree|graph|mapframe|maplink|indicator"
    r"|templatedata|style)\b[^<>]*+>",
    re.IGNORECASE,
)
# Patterns begin with a literal, also where they look behind: the regex engine then skips plain text quickly.
_EXPONENT = re.compile(r"<[sS][uU][pP](?<=\d....)\b[^<>]*+>(?=\s*[-−–+]?\d)")  # 10<sup>5</sup> is not 105
_BLOCKS = frozenset("blockquote center dd div dl dt hr ol p poem table td th tr ul h1 h2 h3 h4 h5 h6".split())
_QUOTES = re.compile(r"''(?:'(?:'')?)?")  # five, three or two; of four, one is an apostrophe
_ENTITY = re.compile(r"&(#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[a-zA-Z][a-zA-Z0-9]{1,31});")
_MAGIC = re.compile(r"__[A-Z]{3,25}__")
_INVISIBLE = "\xad\u200b\u200e\u200f\u2060\ufeff"
_SPACES = re.compile(r"[\t\xa0\x00-\x08\x0b-\x1f\x7f\x85\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+")
_RESIDUE = re.compile(
    r"\{\{+|\}\}+|\[\[+|\]\]+|\{\||\|\}|''+|==+|<!--|-->|<(?=/?[rR][eE][fF])|thumb\||Thumb\||&nbsp;|\[\]"
)
_GAPS = tuple(f" {mark}{after}" for mark in ",;)" for after in " \n")
_LONE_STOP = re.compile(r" \.(?<!\. \.)(?=[ \n])(?! \.)")  # not the stops of ". . ."
_UNCLOSED_GAPS = (" )", ",)", ";)", ":)")
# "comma (,)" is a bracket with content
_EMPTY = re.compile(r"\((?![,;:]\))(?:[\s,;:/|]|\b(?:or|and)\b)*+\)")
_NESTED_EMPTY = re.compile(r"(?:\([\s,;:]*+)++(?:\)[\s,;:]*+)++")
_AFTER_BRACKET = re.compile(r"\([ ,;:]++(?!\))")
_BEFORE_BRACKET = re.compile(r"(?<![ ,;:(])[ ,;:]++\)")
_DOUBLED = re.compile(r"([,;])(?<![,; ].)(?: ?[,;])++")


def without_tags(text: str) -> str:
    r"""Drop HTML tags; those of blocks end a paragraph, an exponent keeps its sign.

    >>> without_tags("10<sup>5</sup> m<sup>2</sup><br />or <b>more</b>")
    '10^5 m2 or more'
    """
    if "<" not in text:
        return text
    return _TAG.sub(_instead_of_tag, _EXPONENT.sub("^", text))


def _instead_of_tag(match: re.Match[str]) -> str:
    name = match[2].lower()
    if name == "br":
        return " "
    if name == "li":
        return "\n" if match[1] else "\n* "
    return "\n\n" if name in _BLOCKS else ""


def decoded(text: str) -> str:
    r"""Quotes of bold and italic type dropped, entities decoded once.

    >>> decoded("'''Rome''' &amp; ''its'' 7&nbsp;hills &notanentity; &#8211; AT&T")
    'Rome & its 7\xa0hills &notanentity; – AT&T'
    """
    text = _QUOTES.sub("", text)
    if "__" in text:
        text = _MAGIC.sub("", text)
    return _ENTITY.sub(_character, text) if "&" in text else text


def _character(match: re.Match[str]) -> str:
    """The character that an entity stands for; a name that no standard knows stays as it is written."""
    name = match[1]
    if name[0] != "#":
        return html5.get(name + ";", match[0])
    code = int(name[2:], 16) if name[1] in "xX" else int(name[1:])
    if 0x80 <= code <= 0x9F:  # meant as Windows-1252, as browsers read it
        return bytes([code]).decode("cp1252", "replace")
    return chr(code) if 0x20 <= code <= 0x10FFFF and not 0xD800 <= code <= 0xDFFF else " "


def tidied(text: str) -> str:
    r"""Single spaces; no bracket that lost its content, no comma after an opening one, no markup left.

    >>> tidied("Rome ( , ; Roma) is a city (  ; ) in Italy , and old ( (listen) ).")
    'Rome (Roma) is a city in Italy, and old ((listen)).\n'
    """
    text += "\n"  # the end of a line is told by its newline
    for character in _INVISIBLE:
        text = text.replace(character, "")
    text = _RESIDUE.sub(" ", _single_spaced(_SPACES.sub(" ", text)))
    if "(" in text:
        text = _brackets(text)
    text = _single_spaced(text)
    for gap in _GAPS:
        text = text.replace(gap, gap[1:])
    if " ." in text:
        text = _LONE_STOP.sub(".", text).replace(",. ", ". ").replace(",.\n", ".\n")
    return _single_spaced(_DOUBLED.sub(r"\1", text))


def _single_spaced(text: str) -> str:
    while "  " in text:  # each round halves the longest run
        text = text.replace("  ", " ")
    return text


def _brackets(text: str) -> str:
    for _ in range(4):
        text, count = _EMPTY.subn(" ", text)
        if not count:
            break
    else:  # brackets in brackets in brackets: no sentence, and one more pass for each depth would take too long
        text = _NESTED_EMPTY.sub(" ", text)
    text = _AFTER_BRACKET.sub("(", text)
    if any(gap in text for gap in _UNCLOSED_GAPS):
        text = _BEFORE_BRACKET.sub(")", text)
    return text
