"""Templates around text in other languages: the text stays, its pronunciation goes."""

from __future__ import annotations

from collections.abc import Callable

from situated.corpus.markup.arguments import Arguments

_NAMES = dict(
    pair.split(":")
    for pair in (
        "af:Afrikaans ang:Old_English ar:Arabic arc:Aramaic az:Azerbaijani be:Belarusian bg:Bulgarian bn:Bengali"
        " bo:Tibetan bs:Bosnian ca:Catalan cs:Czech cy:Welsh da:Danish de:German el:Greek en:English eo:Esperanto"
        " es:Spanish et:Estonian eu:Basque fa:Persian fi:Finnish fr:French fy:West_Frisian ga:Irish gd:Scottish_Gaelic"
        " gl:Galician grc:Ancient_Greek gu:Gujarati haw:Hawaiian he:Hebrew hi:Hindi hr:Croatian hu:Hungarian"
        " hy:Armenian"
        " id:Indonesian is:Icelandic it:Italian ja:Japanese jv:Javanese ka:Georgian kk:Kazakh km:Khmer kn:Kannada"
        " ko:Korean ku:Kurdish ky:Kyrgyz la:Latin lb:Luxembourgish lo:Lao lt:Lithuanian lv:Latvian mi:Māori"
        " mk:Macedonian ml:Malayalam mn:Mongolian mr:Marathi ms:Malay mt:Maltese my:Burmese nah:Nahuatl ne:Nepali"
        " nl:Dutch no:Norwegian non:Old_Norse oc:Occitan pa:Punjabi pl:Polish ps:Pashto pt:Portuguese ro:Romanian"
        " ru:Russian rus:Russian sa:Sanskrit sh:Serbo-Croatian si:Sinhala sk:Slovak sl:Slovene so:Somali sq:Albanian"
        " sr:Serbian sv:Swedish sw:Swahili ta:Tamil te:Telugu tg:Tajik th:Thai tl:Tagalog tr:Turkish tt:Tatar"
        " uk:Ukrainian ur:Urdu uz:Uzbek vi:Vietnamese yi:Yiddish zh:Chinese zu:Zulu"
    ).split()
)
_NIHONGO = ("romaji", "extra", "extra2")
_CHINESE = {
    "t": "traditional Chinese", "s": "simplified Chinese", "c": "Chinese", "p": "pinyin", "w": "Wade–Giles",
    "j": "Jyutping", "hp": "Hanyu Pinyin", "l": "lit. ",
}  # fmt: skip


def language_template(arguments: Arguments) -> str:
    """``lang-xx``: the text, after the language's name where it is one of the common ones.

    >>> language_template(Arguments("lang-ru|link=no|Москва|Moskva"))
    'Russian: Москва, Moskva'
    """
    code = arguments.name.removeprefix("lang-")
    text = ", ".join(arguments.filled()[:2])
    name = _NAMES.get(code) or _NAMES.get(code.partition("-")[0])
    if not text or not name or arguments.named.get("label", "") in {"none", "no"}:
        return text
    return f"{name.replace('_', ' ')}: {text}"


def _langx(arguments: Arguments) -> str:
    code, *texts = arguments.filled() or [""]
    return language_template(Arguments("|".join((f"lang-{code.lower()}", *texts))))


def _nihongo(arguments: Arguments) -> str:
    """English first, in brackets the Japanese text and its transcription.

    >>> _nihongo(Arguments("nihongo|bayonet|銃剣|jūken"))
    'bayonet (銃剣, jūken)'
    """
    english, *others = arguments.values or [""]
    notes = [value for value in (*others, *(arguments.named.get(name, "") for name in _NIHONGO)) if value]
    if not english:
        english, notes = (notes[-1], notes[:-1]) if notes else ("", [])
    return f"{english} ({', '.join(notes)})" if notes else english


def _chinese(arguments: Arguments) -> str:
    """Forms and transcriptions of a Chinese name.

    >>> _chinese(Arguments("zh|s=北京|p=Běijīng"))
    'simplified Chinese: 北京; pinyin: Běijīng'
    """
    forms = [f"{name}: {arguments.named[key]}" for key, name in _CHINESE.items() if arguments.named.get(key)]
    return "; ".join(forms or arguments.filled()[:1]).replace("lit. :", "lit.")


def _second(arguments: Arguments) -> str:
    return arguments.at(2) or arguments.at(1)


def _last(arguments: Arguments) -> str:
    return arguments.filled()[-1] if arguments.filled() else ""


def _joined(arguments: Arguments) -> str:
    return "".join(arguments.filled())


def _first(arguments: Arguments) -> str:
    return arguments.at(1)


LANGUAGE_TEMPLATES: dict[str, Callable[[Arguments], str]] = {
    **dict.fromkeys(("lang", "rtl-lang", "native name", "native phrase", "script", "wikt-lang", "nativename"), _second),
    **dict.fromkeys(("transl", "transliteration", "translit", "iso 639 name"), _last),
    **dict.fromkeys(
        (
            "iast", "iast3", "nastaliq", "script/arabic", "script/hebrew", "hebrew", "unicode", "polytonic",
            "script/cyrillic", "naskh", "rtl", "transl2", "okinawan", "gr", "wikt", "lang-en-gb",
        ),
        _first,
    ),
    **dict.fromkeys(("langx", "lang-x"), _langx),
    **dict.fromkeys(("nihongo", "nihongo2", "nihongo3", "nihongo foot", "nihongo krt"), _nihongo),
    **dict.fromkeys(("zh", "zh-full", "chinese", "lang-zh"), _chinese),
    "linktext": _joined,
    "korean": lambda arguments: arguments.at(1, "hangul"),
}  # fmt: skip
