"""Claim: the wikitext scanner leaves no markup, keeps the numbers of ``convert`` and loses no prose that others return.

Reads the articles of a dump and prints, as JSON: markup left per 1,000 words; the share of ``convert`` templates whose
numbers stand in the text; how many paragraphs of 25 words or more, returned by at least three of WikiExtractor,
mwparserfromhell, gensim and wikitextparser, are lost (less than 90% of their word 5-grams stand in ours).
Without those tools (``pip install .[bench]``) the last figure is left out.

    python bench/wikitext_quality.py <dump.xml.bz2> [lost.txt]
"""

import bz2
import importlib.util
import json
import os
import re
import sys
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

from situated.corpus.wikitext import plain_text

SAMPLE = "wikipedia/enwiki-2016-sample.xml.bz2"
RESIDUES = ("{{", "}}", "[[", "]]", "|}", "<ref", "''", "==", "thumb|", "&nbsp;", "()", "( ,")
TOOLS = ("wikiextractor", "mwparserfromhell", "gensim", "wikitextparser")
CONVERT = re.compile(r"\{\{\s*(?:convert|cvt)\s*\|([^{}]*)\}\}", re.IGNORECASE)
DROPPED = re.compile(r"<ref\b[^<>]*/>|<ref\b.*?</ref\s*>|<!--.*?-->|<gallery.*?</gallery>", re.DOTALL | re.IGNORECASE)
_OPENED, _CLOSED = r"^[ \t:*#]*\{\|", r"^[ \t:*#]*\|\}(?!\}(?!\}))"
TABLE = re.compile(rf"{_OPENED}(?:(?!{_OPENED}|{_CLOSED}).)*{_CLOSED}", re.MULTILINE | re.DOTALL)
TEMPLATE = re.compile(r"\{\{[^{}]*\}\}")
WORD = re.compile(r"\w+")
MIN_WORDS, GRAM, KEPT, AGREEING = 25, 5, 0.9, 3


def articles(path: Path) -> Iterator[tuple[str, str]]:
    """Title and wikitext of each page that is no redirect."""
    with bz2.open(path) as stream:
        for _, element in ElementTree.iterparse(stream):  # noqa: S314 (the user's own dump)
            if element.tag.endswith("}page"):
                if element.find("{*}redirect") is None:
                    yield element.findtext("{*}title", ""), element.findtext("{*}revision/{*}text", "")
                element.clear()


def grams(text: str) -> list[tuple[str, ...]]:
    """The word 5-grams of a text."""
    words = WORD.findall(text.lower())
    return list(zip(*(islice(words, start, None) for start in range(GRAM)), strict=False))


def converted(wikitext: str, text: str) -> tuple[int, int]:
    """How many ``convert`` templates there are in running text, and how many have all their values in ours."""
    found = kept = 0
    for line in DROPPED.sub("", wikitext).split("\n"):
        if line[:1] in ("|", "!", "{") or "[[File:" in line or "[[Image:" in line:
            continue
        for match in CONVERT.finditer(line):
            found += 1
            kept += all(number in text for number in values(match[1]))
    return found, kept


def values(arguments: str) -> list[str]:
    """The numbers that a ``convert`` is given, as they are written in text: those before its first unit."""
    numbers = []
    for argument in arguments.split("|"):
        plain = argument.strip().replace(",", "")
        if re.fullmatch(r"[-−]?\d+(?:\.\d+)?", plain):
            whole, point, fraction = plain.partition(".")
            numbers.append(f"{int(whole.replace('−', '-')):,}{point}{fraction}")
        elif argument.strip().lower() not in {"to", "-", "–", "and", "or", "by", "x", "±", "&ndash;"}:
            break
    return numbers


def without(pattern: re.Pattern[str], wikitext: str) -> str:
    """Take out a construct, from the innermost one outwards."""
    count = 1
    while count:
        wikitext, count = pattern.subn("", wikitext)
    return wikitext


def tools() -> dict[str, Callable[[str], str]]:
    """Each tool as a function from wikitext to text."""
    import gensim.corpora.wikicorpus as gensim
    import mwparserfromhell
    import wikitextparser
    from wikiextractor.extract import Extractor

    def extract(text: str) -> str:
        extractor: Any = Extractor("1", "1", "https://en.wikipedia.org", "Title", text.split("\n"))
        return "\n".join(extractor.clean_text(text, html_safe=False))

    return {
        "wikiextractor": extract,
        "mwparserfromhell": lambda text: str(mwparserfromhell.parse(text).strip_code()),
        "gensim": lambda text: str(gensim.filter_wiki(text)),
        "wikitextparser": lambda text: str(wikitextparser.parse(text).plain_text()),
    }


def agreed(wikitext: str, readers: dict[str, Callable[[str], str]]) -> list[str]:
    """The paragraphs that at least three tools return, each once."""
    texts = [reader(wikitext) for reader in readers.values()]
    known = [set(grams(text)) for text in texts]
    kept: list[str] = []
    seen: set[tuple[str, ...]] = set()
    for text in texts:
        for line in text.split("\n"):
            if len(line.split()) < MIN_WORDS or not (own := grams(line)):
                continue
            if share(own, seen) < KEPT and sum(share(own, other) >= KEPT for other in known) >= AGREEING:
                kept.append(line)
                seen.update(own)
    return kept


def share(own: list[tuple[str, ...]], other: set[tuple[str, ...]]) -> float:
    """Which part of some 5-grams stands among others."""
    return sum(gram in other for gram in own) / len(own)


def main() -> None:
    """Measure."""
    path = Path(sys.argv[1] if len(sys.argv) > 1 else Path(os.environ.get("SITUATED_REALDATA", "")) / SAMPLE)
    if not path.is_file():
        print(f"skipped: {path} is no file; name a dump, or the data folder in SITUATED_REALDATA")
        return
    readers = tools() if all(importlib.util.find_spec(name) for name in TOOLS) else {}
    pages = [(title, wikitext, plain_text(wikitext)) for title, wikitext in articles(path)]
    whole = "\n".join(text for _, _, text in pages)
    words = len(whole.split())
    counts = [converted(wikitext, text) for _, wikitext, text in pages]
    found, kept = (sum(column) for column in zip(*counts, strict=True))
    result: dict[str, Any] = {
        "articles": len(pages),
        "words": words,
        "residues_per_1000_words": {mark: round(1000 * whole.count(mark) / words, 4) for mark in RESIDUES},
        "convert": {"templates": found, "kept": round(kept / found, 4) if found else None},
    }
    if readers:
        paragraphs, gaps, lost = 0, 0, []
        for title, wikitext, text in pages:
            wikitext = without(TABLE, wikitext)
            ours = set(grams(text))
            bare = ours | set(grams(plain_text(without(TEMPLATE, wikitext))))
            for paragraph in agreed(wikitext, readers):
                paragraphs += 1
                gaps += share(grams(paragraph), ours) < KEPT
                if share(grams(paragraph), bare) < KEPT:
                    lost.append(f"{title}: {paragraph}")
        part = round(len(lost) / paragraphs, 5)
        result["paragraphs"] = {"agreed": paragraphs, "lost": len(lost), "lost_share": part, "lost_with_gaps": gaps}
        if len(sys.argv) > 2:
            Path(sys.argv[2]).write_text("\n\n".join(lost), encoding="utf-8")
    print(json.dumps(result, ensure_ascii=False, indent=1))


if __name__ == "__main__":
    main()
