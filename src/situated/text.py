"""Answers as exact match compares them: the normal forms of the reference evaluations, by name."""

from __future__ import annotations

import re
import string
import unicodedata
from collections.abc import Callable, Mapping
from types import MappingProxyType

Normalize = Callable[[str], str]

_WITHOUT_PUNCTUATION = str.maketrans("", "", string.punctuation)
_ARTICLE = re.compile(r"\b(?:a|an|the)\b")


def normalize_squad(text: str) -> str:
    r"""Lower-case, without ASCII punctuation, without the words a/an/the, single spaces.

    Punctuation goes before articles do, so "the-best" is one word and keeps its "the". Unicode punctuation stays.

    Source: SQuAD v1.1 evaluation (Rajpurkar et al. 2016); DPR's reader and BART's closed-book evaluation use the same.

    >>> normalize_squad("The  U.S. Open (a tournament)")
    'us open tournament'
    >>> normalize_squad("the-best"), normalize_squad("Beyonc\u00e9"), normalize_squad("A.")
    ('thebest', 'beyoncé', '')
    """
    return " ".join(_ARTICLE.sub(" ", text.lower().translate(_WITHOUT_PUNCTUATION)).split())


def normalize_situatedqa(text: str) -> str:
    r"""The SQuAD form of the canonically decomposed text (NFD), so that both ways to write an accented letter agree.

    A combining mark ends a word there, as in the reference: "año" loses its "an". Both sides of a comparison lose it.

    Source: SituatedQA's released evaluation (Zhang & Choi 2021), which takes it from DrQA.

    >>> normalize_situatedqa("Beyonc\u00e9") == normalize_situatedqa("Beyonce\u0301")
    True
    >>> normalize_squad("Beyonc\u00e9") == normalize_squad("Beyonce\u0301")
    False
    """
    return normalize_squad(unicodedata.normalize("NFD", text))


NORMAL_FORMS: Mapping[str, Normalize] = MappingProxyType({"squad": normalize_squad, "situatedqa": normalize_situatedqa})
"""Name, as a configuration gives it -> normal form."""
