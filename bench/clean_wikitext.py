"""Claim: the wikitext scanner takes at most 1/1.3 of the CPU time of WikiExtractor's library on cleaning alone.

Cleans the same articles with both in turns (each round: ours, then theirs) and prints, as JSON, CPU seconds of the
fastest round, megabytes a second and the ratio. Without the library (``pip install .[bench]``) only our figures.

    python bench/clean_wikitext.py <dump.xml.bz2> [rounds]
"""

import bz2
import importlib.util
import json
import os
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

from situated.corpus.wikitext import plain_text

SAMPLE = "wikipedia/enwiki-2016-sample.xml.bz2"


def articles(path: Path) -> Iterator[str]:
    """The wikitext of each page that is no redirect."""
    with bz2.open(path) as stream:
        for _, element in ElementTree.iterparse(stream):  # noqa: S314 (the user's own dump)
            if element.tag.endswith("}page"):
                if element.find("{*}redirect") is None:
                    yield element.findtext("{*}revision/{*}text", "")
                element.clear()


def wikiextractor() -> Callable[[str], object]:
    """The library's cleaning of one page, as its own command calls it."""
    from wikiextractor.extract import Extractor

    def clean(text: str) -> object:
        extractor: Any = Extractor("1", "1", "https://en.wikipedia.org", "Title", text.split("\n"))
        return extractor.clean_text(text, html_safe=False)

    return clean


def seconds(clean: Callable[[str], object], texts: list[str]) -> float:
    """CPU seconds that a cleaner takes for all texts."""
    began = time.process_time()
    for text in texts:
        clean(text)
    return time.process_time() - began


def main() -> None:
    """Measure."""
    path = Path(sys.argv[1] if len(sys.argv) > 1 else Path(os.environ.get("SITUATED_REALDATA", "")) / SAMPLE)
    if not path.is_file():
        print(f"skipped: {path} is no file; name a dump, or the data folder in SITUATED_REALDATA")
        return
    cleaners: dict[str, Callable[[str], object]] = {"ours": plain_text}
    if importlib.util.find_spec("wikiextractor"):
        cleaners["wikiextractor"] = wikiextractor()
    texts = list(articles(path))
    megabytes = sum(len(text.encode()) for text in texts) / 1e6
    times: dict[str, list[float]] = {name: [] for name in cleaners}
    for _ in range(int(sys.argv[2]) if len(sys.argv) > 2 else 5):
        for name, clean in cleaners.items():
            times[name].append(seconds(clean, texts))
    result: dict[str, Any] = {"articles": len(texts), "megabytes": round(megabytes, 1)}
    for name, taken in times.items():
        result[name] = {"cpu_s": round(min(taken), 3), "mb_per_s": round(megabytes / min(taken), 1)}
    if "wikiextractor" in times:
        pairs = [theirs / own for own, theirs in zip(times["ours"], times["wikiextractor"], strict=True)]
        result["ratio"] = round(min(times["wikiextractor"]) / min(times["ours"]), 2)
        result["ratio_lowest_round"] = round(min(pairs), 2)
    print(json.dumps(result))


if __name__ == "__main__":
    main()
