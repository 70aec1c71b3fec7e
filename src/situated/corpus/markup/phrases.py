"""Templates around words: type faces, boxes around a quotation, names of ships, red links to other Wikipedias."""

from __future__ import annotations

from collections.abc import Callable

from situated.corpus.markup.arguments import Arguments
from situated.corpus.markup.symbols import grouped


def _first(arguments: Arguments) -> str:
    return arguments.at(1, "text")


def _second(arguments: Arguments) -> str:
    return arguments.at(2, "text") or arguments.at(1)


def _in_columns(arguments: Arguments) -> str:
    return f"\n\n{_first(arguments)}\n\n"


def _joined(arguments: Arguments) -> str:
    return "".join(arguments.filled())


def _listed(arguments: Arguments) -> str:
    return ", ".join(" ".join(value.split()) for value in arguments.filled())


def _quoted(arguments: Arguments) -> str:
    r"""A quotation is a paragraph of its own; who said it stands with it where the page says so.

    >>> _quoted(Arguments("quote|text=I came.|author=Caesar"))
    '\n\nI came.\n— Caesar\n\n'
    """
    text = arguments.at(1, "text", "quote", "content")
    author, work = arguments.at(2, "author", "sign", "by", "cite"), arguments.at(3, "source", "title")
    source = ", ".join(filter(None, (author, work)))
    return f"\n\n{text}\n— {source}\n\n" if text and source else f"\n\n{text}\n\n"


def _linked_abroad(arguments: Arguments) -> str:
    """A link to an article that only another Wikipedia has; older pages put the language first.

    >>> _linked_abroad(Arguments("ill|Old Court|de|Alter Hof")), _linked_abroad(Arguments("ill|de|Haus|Hof"))
    ('Old Court', 'Haus')
    """
    if shown := arguments.named.get("lt"):
        return shown
    first = arguments.at(1)
    return arguments.at(2) if len(first) == 2 and first.islower() and arguments.at(2) else first


def _ship(arguments: Arguments) -> str:
    """A ship's prefix, name and hull number as the page asks for them.

    >>> _ship(Arguments("USS|Hornet|CV-12|6")), _ship(Arguments("USS|Hornet|CV-12")), _ship(Arguments("HMS|Ajax|22|2"))
    ('USS Hornet', 'USS Hornet (CV-12)', 'Ajax')
    """
    prefix, values = arguments.name.upper(), arguments.values
    if prefix == "SHIP":
        prefix, values = arguments.at(1), arguments.values[1:]
    name, number, style = (*values, "", "", "")[:3]
    if style in {"2", "3"}:
        return name
    full = f"{prefix} {name}".strip()
    return f"{full} ({number})" if number and style in {"", "1"} else full


def _nuclide(arguments: Arguments) -> str:
    """An isotope by name.

    >>> _nuclide(Arguments("SimpleNuclide2|lithium|7"))
    'lithium-7'
    """
    return "-".join(arguments.filled()[:2])


def _formula(arguments: Arguments) -> str:
    """A chemical formula on one line.

    >>> _formula(Arguments("chem|Cs|3|O|2"))
    'Cs3O2'
    """
    return "".join(arguments.values).replace("''", "").replace("_", "").replace("<sub>", "")


def _verse(arguments: Arguments) -> str:
    book, *places = arguments.filled()[:2] or [""]
    return f"{book} {places[0]}" if places else book


def _marriage(arguments: Arguments) -> str:
    """Whom and when.

    >>> _marriage(Arguments("marriage|Frank O'Connor|1929|1979|end=d."))
    "Frank O'Connor (m. 1929; d. 1979)"
    """
    name, start, end = arguments.at(1), arguments.at(2), arguments.at(3)
    ended = arguments.named.get("end") or arguments.named.get("reason") or "div."
    notes = "; ".join(filter(None, (start and f"m. {start}", end and f"{ended} {end}")))
    return f"{name} ({notes})" if notes else name


def _sic(arguments: Arguments) -> str:
    text = " ".join(arguments.filled()[:2])
    return text if arguments.yes("hide") or not text else f"{text} [sic]"


def _accidental(arguments: Arguments) -> str:
    return {"flat": "♭", "b": "♭", "sharp": "♯", "#": "♯", "natural": "♮"}.get(arguments.at(1).lower(), "")


def _in_angles(arguments: Arguments) -> str:
    return f"⟨{arguments.at(1)}⟩"


def _name(arguments: Arguments) -> str:
    return " ".join(arguments.filled()[:2])


_FIRST = (
    "nowrap|nobr|nobreak|no wrap|nowrap2|nobold|noitalic|normal|small|smaller|big|bigger|large|larger|huge|"
    "midsize|sc|smallcaps|small caps|smallcaps2|sc2|allcaps|caps|strong|em|bold|italic|i|b|u|underline|strike|"
    "monospace|tt|kbd|key|keypress|key press|button|samp|var|mvar|math|bigmath|abbr|abbrlink|abbrv|tooltip|"
    "define|vanchor|visible anchor|not a typo|typo|proper name|as written|sup|sub|su|longitem|plainlist|flatlist|"
    "indent|block indent|center|centre|left|right|align|flag|flagu|flagcountry|flag country|noflag|country|"
    "quote without source|term|dfn|defn|no italic|highlight|black|notatypo|title case|red|blue|green|gray|grey|"
    "serif|sans-serif|cursive|citation needed span|dubious span|clarify span|cn span|disputed span|baseball year|"
    "mlb year|nfl year|nba year|nhl year|nfly|nbay|mlby|nhly|cfb year|afl year"
).split("|")
_SECOND = ("resize|color|colour|font color|font colour|font size|sort|hover title|colored link|background color").split(
    "|"
)
_BLOCKS = (
    "quote|blockquote|quotation|cquote|bquote|block quote|quote frame|poemquote|poem quote|rquote|"
    "centered pull quote|verse translation"
).split("|")
_SHIPS = ("uss|hms|hmas|hmcs|hmnzs|ss|mv|rms|usns|uscgc|ins|sms|rfa|ms|rv|usat|ship").split("|")

PHRASES: dict[str, Callable[[Arguments], str]] = {
    **dict.fromkeys(_FIRST, _first),
    **dict.fromkeys(_SECOND, _second),
    **dict.fromkeys(_BLOCKS, _quoted),
    **dict.fromkeys(_SHIPS, _ship),
    **dict.fromkeys(("hlist", "unbulleted list", "ubl", "ublist", "vunblist", "plain list", "enum"), _listed),
    **dict.fromkeys(("gaps", "nobr2", "nowrap begin"), _joined),
    **dict.fromkeys(("ill", "ill2", "interlanguage link", "interlanguage link multi"), _linked_abroad),
    **dict.fromkeys(("simplenuclide", "simplenuclide2", "nuclide", "nuclide2"), _nuclide),
    **dict.fromkeys(("chem", "chem2", "chemf", "ce"), _formula),
    **dict.fromkeys(("bibleref", "bibleverse", "bibleref2", "bible", "bibleverse-nb"), _verse),
    **dict.fromkeys(("angbr", "angle bracket", "vr", "angbr ipa", "grapheme"), _in_angles),
    **dict.fromkeys(("sortname", "hs name"), _name),
    **dict.fromkeys(("columns-list", "columns list"), _in_columns),
    "us patent": lambda arguments: f"U.S. Patent {grouped(arguments.at(1))}".strip(),
    "sic": _sic,
    "marriage": _marriage,
    "music": _accidental,
}
