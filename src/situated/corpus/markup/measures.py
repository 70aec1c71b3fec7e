"""Templates that hold quantities: lengths, prices, fractions, powers."""

from __future__ import annotations

import re
from collections.abc import Callable

from situated.corpus.markup.arguments import Arguments
from situated.corpus.markup.symbols import grouped
from situated.corpus.markup.units import NAMES, SYMBOLS

_JOINTS = {
    "-": "–", "–": "–", "&ndash;": "–", "to": " to ", "to(-)": " to ", "to about": " to about ", "and": " and ",
    "&": " and ", "and(-)": " and ", "or": " or ", "x": " × ", "×": " × ", "by": " by ", "xx": " × ", "*": " × ",
    "±": " ± ", "+/-": " ± ", "+": " + ", "/": "/", ",": ", ", ", and": ", and ", ", or": ", or ", "–and": " and ",
    "u": " ∪ ", "then": " then ", "to over": " to over ",
}  # fmt: skip
_NUMBER = re.compile(r"[-+−–]?\s*(?:\d[\d,]*(?:\.\d*)?|\.\d+)(?:e[-+−]?\d+)?(?:\s*\+?\s*\d*\s*//?\s*\d+)?", re.I)
_MOST_PARTS = 24  # of a chain of quantities
_MONEY = {
    "us$": "US$", "usd": "US$", "us dollar": "US$", "$": "$", "a$": "A$", "aud": "A$", "au$": "A$", "c$": "C$",
    "ca$": "C$", "cad": "C$", "nz$": "NZ$", "nzd": "NZ$", "hk$": "HK$", "hkd": "HK$", "s$": "S$", "sgd": "S$",
    "gbp": "£", "£": "£", "pound sterling": "£", "eur": "€", "€": "€", "euro": "€",
    "jpy": "¥", "¥": "¥", "cny": "CN¥",
    "cn¥": "CN¥", "inr": "₹",
    "indian rupee": "₹", "indian rupees": "₹", "inrconvert": "₹", "₹": "₹", "krw": "₩",
    "south korean won": "₩", "rub": "₽", "philippine peso": "₱", "php": "₱", "chf": "CHF ", "sek": "SEK ",
    "nok": "NOK ",
    "dkk": "DKK ", "zar": "R", "nis": "₪", "ils": "₪", "brl": "R$", "mxn": "Mex$",
}  # fmt: skip


def _unit(symbol: str, value: str, arguments: Arguments, *, short: bool) -> str:
    """A unit as it is written after a value: its name where the template asks for it and it is a common one."""
    if symbol not in NAMES or short:
        return SYMBOLS.get(symbol, symbol)
    one, many = NAMES[symbol]
    adjective = arguments.named.get("adj") in {"on", "mid", "pre"}
    name = one if adjective or value.strip("-−+ ") in {"1", "1/2"} else many
    if arguments.named.get("sp", "").lower() == "us":
        name = name.replace("metre", "meter").replace("litre", "liter")
    return name


def _is_number(text: str) -> bool:
    return _NUMBER.fullmatch(text) is not None


def _convert(arguments: Arguments) -> str:
    """The quantity as it was measured: what the converter computes from it is left out.

    >>> _convert(Arguments("convert|1600|km|mi")), _convert(Arguments("convert|40|to|50|cm|in|abbr=on"))
    ('1,600 kilometres', '40 to 50 cm')
    >>> _convert(Arguments("convert|5|ft|11|in|m|2")), _convert(Arguments("cvt|8|by|10|m|ft"))
    ('5 feet 11 inches', '8 by 10 m')
    >>> _convert(Arguments("convert|5|mi|km|0|adj=on"))
    '5-mile'
    """
    values = [value for value in arguments.values if value][:_MOST_PARTS]
    short = arguments.name in _SHORT or arguments.named.get("abbr") in {"on", "in", "values"}
    joint = "-" if arguments.named.get("adj") == "on" and not short else " "
    shown: list[str] = []
    at = 0
    while at < len(values) and _is_number(values[at]):
        at = _one_quantity(values, at, shown, arguments, joint, short=short)
        # A second unit after a second number: feet and inches. A lone number that ends the template is a precision.
        if not (at + 1 < len(values) and _is_number(values[at]) and values[at + 1].lower() in _FINER):
            break
        shown.append(" ")
    return "".join(shown).strip()


_SHORT = frozenset({"cvt", "convinfobox", "convert/2"})
_FINER = frozenset({"in", "ft", "oz", "lb", "yd", "lbs", "chain", "chains", "link", "perch", "rood", "min", "s", "qtr"})


def _one_quantity(
    values: list[str], at: int, shown: list[str], arguments: Arguments, joint: str, *, short: bool
) -> int:  # fmt: skip
    """Append numbers, the words between them and their unit; return what follows."""
    number = values[at]
    shown.append(_figure(number))
    at += 1
    while at + 1 < len(values) and values[at].lower() in _JOINTS and _is_number(values[at + 1]):
        number = values[at + 1]
        shown += (_JOINTS[values[at].lower()], _figure(number))
        at += 2
    if at < len(values) and values[at].lower() in _JOINTS and at + 1 < len(values):  # a joint without a number
        at += 1
    if at < len(values) and not _is_number(values[at]):
        unit = _unit(values[at], number if len(shown) == 1 else "", arguments, short=short)
        shown += (joint, unit)
        at += 1
    return at


def _figure(number: str) -> str:
    """A number as it is shown.

    >>> _figure("1600"), _figure("1+1/2"), _figure("2,942"), _figure("-3")
    ('1,600', '1 1/2', '2,942', '-3')
    """
    number = number.replace("//", "/")
    whole, plus, part = number.partition("+")
    if plus and whole and "/" in part:
        return f"{grouped(whole)} {part.strip()}"
    return grouped(number)


def _value(arguments: Arguments) -> str:
    """A measured value with its uncertainty, power of ten and unit.

    >>> _value(Arguments("val|6.24|e=18")), _value(Arguments("val|1.00794|(7)|u=u")), _value(Arguments("val|5|2|ul=kg"))
    ('6.24×10^18', '1.00794(7) u', '5±2 kg')
    """
    number, *errors = arguments.filled()[:3] or [""]
    text = grouped(number)
    if len(errors) == 2:
        text += f"+{errors[0]}−{errors[1]}"
    elif errors:
        text += errors[0] if errors[0].startswith("(") else f"±{errors[0]}"
    named = arguments.named
    if named.get("e"):
        text += f"×10^{named['e']}"
    unit = named.get("u") or named.get("ul") or ""
    under = named.get("up") or named.get("upl")
    unit = f"{unit}/{under}" if under else unit
    return f"{named.get('p', '')}{text}{named.get('s', '')} {unit}".strip()


def _fraction(arguments: Arguments) -> str:
    """A fraction, with the whole number before it.

    >>> _fraction(Arguments("frac|3")), _fraction(Arguments("frac|3|2")), _fraction(Arguments("frac|1|1|4"))
    ('1/3', '3/2', '1 1/4')
    """
    values = arguments.filled()[:3]
    if len(values) == 1:
        return f"1/{values[0]}"
    return f"{values[0]} {values[1]}/{values[2]}" if len(values) == 3 else "/".join(values)


def _power_of_ten(arguments: Arguments) -> str:
    return f"×10^{arguments.at(1)}" if arguments.at(1) else ""


def _ten_to(arguments: Arguments) -> str:
    return f"10^{arguments.at(1)}" if arguments.at(1) else ""


def _money(arguments: Arguments) -> str:
    """A sum with its currency's sign.

    >>> _money(Arguments("US$|2 billion")), _money(Arguments("INRConvert|5|c"))
    ('US$2 billion', '₹5 crore')
    """
    amount = grouped(arguments.at(1))
    scale = {"c": " crore", "l": " lakh", "k": " thousand", "m": " million", "b": " billion"}.get(arguments.at(2), "")
    return f"{_MONEY[arguments.name]}{amount}{scale}" if amount else ""


def _currency(arguments: Arguments) -> str:
    """A sum and a currency's code.

    >>> _currency(Arguments("currency|1500|GBP"))
    '£1,500'
    """
    amount, code = grouped(arguments.at(1, "amount")), arguments.at(2, "type") or "USD"
    return f"{_MONEY.get(code.lower(), code + ' ')}{amount}" if amount else ""


def _number(arguments: Arguments) -> str:
    return grouped(arguments.at(1))


def _ordinal(arguments: Arguments) -> str:
    """A number's ordinal.

    >>> [_ordinal(Arguments(f"ordinal|{number}")) for number in (1, 2, 11, 23)]
    ['1st', '2nd', '11th', '23rd']
    """
    number = arguments.at(1)
    ending = "th" if number[-2:-1] == "1" else {"1": "st", "2": "nd", "3": "rd"}.get(number[-1:], "th")
    return number + ending if number.isdigit() else number


def _height(arguments: Arguments) -> str:
    """A person's height.

    >>> _height(Arguments("height|ft=5|in=11")), _height(Arguments("height|m=1.80"))
    ('5 ft 11 in', '1.80 m')
    """
    return " ".join(f"{arguments.named[unit]} {unit}" for unit in ("m", "cm", "ft", "in") if arguments.named.get(unit))


def _gauge(arguments: Arguments) -> str:
    """The gauge of a railway.

    >>> _gauge(Arguments("RailGauge|1435mm")), _gauge(Arguments("track gauge|4ft8.5in"))
    ('1,435 mm', '4 ft 8.5 in')
    """
    parts = re.findall(r"([\d.]+)\s*(mm|cm|m|ft|in)", arguments.at(1)[:40].lower())
    return " ".join(f"{grouped(number)} {unit}" for number, unit in parts) or arguments.at(1)


MEASURES: dict[str, Callable[[Arguments], str]] = {
    **dict.fromkeys(("convert", "cvt", "convinfobox", "conv", "convert/2", "convert/spell"), _convert),
    "val": _value,
    **dict.fromkeys(("frac", "fraction", "sfrac", "fract", "tfrac", "gauge fraction"), _fraction),
    **dict.fromkeys(("e", "esp", "x10^", "x10"), _power_of_ten),
    "10^": _ten_to,
    **dict.fromkeys(_MONEY, _money),
    **dict.fromkeys(("currency", "price"), _currency),
    **dict.fromkeys(("nts", "number table sorting", "formatnum", "format price", "num", "ntsh2", "decimals"), _number),
    "ordinal": _ordinal,
    "height": _height,
    **dict.fromkeys(("railgauge", "track gauge", "rail gauge", "rg"), _gauge),
}
