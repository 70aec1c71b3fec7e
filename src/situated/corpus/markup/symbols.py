"""Templates that stand for characters, and the parser functions that need nothing but their argument."""

from __future__ import annotations

from collections.abc import Callable


def grouped(number: str) -> str:
    """A number with thousands separators; anything else as it is.

    >>> grouped("1234567.25"), grouped("-1234"), grouped("1,234"), grouped("many")
    ('1,234,567.25', '-1,234', '1,234', 'many')
    """
    number = number.strip()
    whole, point, fraction = number.partition(".")
    sign, digits = (whole[:1], whole[1:]) if whole[:1] in {"-", "−", "+"} else ("", whole)
    if not (digits.isascii() and digits.isdigit() and len(digits) > 3) or len(digits) > 60:
        return number
    first = len(digits) % 3 or 3
    groups = [digits[:first], *(digits[at : at + 3] for at in range(first, len(digits), 3))]
    return sign + ",".join(groups) + point + fraction


_FUNCTIONS: dict[str, Callable[[str], str]] = {
    "formatnum": grouped,
    "lc": str.lower,
    "uc": str.upper,
    "lcfirst": lambda text: text[:1].lower() + text[1:],
    "ucfirst": lambda text: text[:1].upper() + text[1:],
}


def parser_function(content: str) -> str:
    """What ``formatnum:`` and the functions of letter case show.

    >>> parser_function("formatnum: 1234|R"), parser_function("UC:nato")
    ('1,234', 'NATO')
    """
    name, _, argument = content.partition(":")
    return _FUNCTIONS[name.strip().lower()](argument.partition("|")[0].strip())


_BY_TEXT = {
    " – ": "snd snds spndash spaced_ndash spaced_en_dash spaced_en_dash_space",
    "–": "ndash en_dash endash nbndash",
    "—": "mdash em_dash emdash mdashb",
    " — ": "spaced_mdash spaced_em_dash spaced_emdash",
    " ": "nbsp spaces space thinsp thin_space hair_space hairsp nnbsp spc ensp emsp figure_space non-breaking_space",
    "": "shy wbr zwj zwnj zwnbsp",
    " · ": "· dot middot interpunct",
    " • ": "• bull bullet",
    "&#124;": "pipe vert ! !-",  # entities: in another template's argument they are text, not syntax
    "&#61;": "= equals",
    "*": "asterisk *",
    "#": "number_sign hash",
    "&#39;": "' apostrophe",  # not one more quote of bold or italic type
    '"': '" double_quote',
    "&#39;s": "'s",
    '&#39;"': "'\" '-\"",
    '"&#39;': "\"' \"-'",
    " &#39;": "-'",
    "ʻ": "okina ʻokina",
    "ʼ": "hamza",
    "ʽ": "ayin",
    "°": "degree deg",
    "×": "times",
    "−": "minus",
    "±": "±",
    "⇌": "eqm",
    "→": "rarr",
    "©": "copyright",
    "€": "euro",
    "£": "pound_sign",
    "†": "dagger",
    "½": "half",
    "BC": "bc",
    "BCE": "bce",
    "[...]": "elided",
    "...": "ellipsis",
}
SYMBOLS = {name.replace("_", " "): text for text, names in _BY_TEXT.items() for name in names.split()} | {
    "' \"": '&#39;"',
    "\" '": '"&#39;',
    '-"': '"',
}
