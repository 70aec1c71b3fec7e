"""Small dumps, and snapshots made of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape

import pytest

from situated.corpus.merging import merge
from situated.corpus.parts import Cleaner
from situated.corpus.passages import Splitter, WordBlocks
from situated.corpus.store import Collection, PassageStore, write_account

HEAD = '<mediawiki xml:lang="en"><siteinfo><dbname>enwiki</dbname></siteinfo>\n'


@pytest.fixture(scope="session")
def page() -> Callable[..., str]:
    """A page's XML."""

    def make(title: str, text: str = "", **given: Any) -> str:
        ns, number, revision = given.get("ns", 0), given.get("id", 1), given.get("revision", 10)
        redirect = f'<redirect title="{escape(given["redirect"])}" />' if "redirect" in given else ""
        return (
            f"  <page><title>{escape(title)}</title><ns>{ns}</ns><id>{number}</id>{redirect}\n"
            f"    <revision><id>{revision}</id><timestamp>2018-12-20T00:00:0{number % 10}Z</timestamp>"
            f'<text xml:space="preserve">{escape(text)}</text></revision></page>\n'
        )

    return make


@pytest.fixture(scope="session")
def dump() -> Callable[..., bytes]:
    """A whole dump of pages."""

    def make(*pages: str, head: str = HEAD) -> bytes:
        return (head + "".join(pages) + "</mediawiki>\n").encode()

    return make


@pytest.fixture
def snapshot(tmp_path: Path) -> Callable[..., Path]:
    """A run folder's tables out of batches of pages; the counts are left out."""

    def make(name: str, batches: Sequence[str], splitter: Splitter | None = None) -> Path:
        cleaner, folder = Cleaner(splitter or WordBlocks(5)), tmp_path / name
        paths = [folder / f"{number}.part" for number in range(len(batches))]
        for path, batch in zip(paths, batches, strict=True):
            cleaner.write(batch.encode(), path)
        counts, content = merge(paths, folder)
        write_account(folder / "passages", Collection(content, counts["passages"], {}))
        return folder

    return make


@pytest.fixture
def store(snapshot: Callable[..., Path], page: Callable[..., str]) -> PassageStore:
    """Some passages of three articles."""
    prose = "ein \"zwei\" drei vier fünf sechs 'sieben' acht neun zehn elf zwölf"
    batches = [
        page("Ada", prose, id=1) + page("Bär", "short text", id=2),
        page("Cleo & Co", f"first paragraph\n\n{prose}", id=3),
    ]
    return PassageStore(snapshot("store", batches))
