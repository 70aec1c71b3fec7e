"""Questions of some seeds, and a small world, made once."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import mwxml
import pytest
import wikitextparser

from situated.io import open_binary, read_records
from situated.world.article import Article, articles
from situated.world.asking import Question as WorldQuestion
from situated.world.asking import ask
from situated.world.block import Block, make_block
from situated.world.coining import concepts
from situated.world.files import WIKIPEDIA
from situated.world.forms import Context
from situated.world.identification import DEFAULT_SIZES, Question, draw_questions
from situated.world.values import SNAPSHOTS
from situated.world.wikidata import item
from situated.world.wikidata import items as wikidata_items
from situated.world.writing import write_world

Draw = Callable[[Context, int], dict[str, list[Question]]]

_LINKED_FILE = re.compile(r"\[\[(?:File|Category):(?:[^\[\]]|\[\[[^\]]*\]\])*\]\]")
_REFERENCE = re.compile(r"<ref[^>]*/>|<ref[^>]*>.*?</ref>|<nowiki/>", re.DOTALL)


@dataclass(frozen=True)
class Page:
    """A page as a parser of MediaWiki exports reads it."""

    title: str
    number: int
    namespace: int
    redirect: str | None
    wikitext: str
    timestamp: str


@dataclass(frozen=True)
class Small:
    """A world in a folder, and what its maker says of it."""

    folder: Path
    seed: int
    summary: dict[str, Any]

    def rows(self, name: str) -> list[dict[str, Any]]:
        return [row for _, row in read_records(self.folder / name, dict[str, Any])]


@pytest.fixture(scope="session")
def questions() -> Draw:
    @cache
    def draw(context: Context, seed: int) -> dict[str, list[Question]]:
        return {split: draw_questions(context, split, seed, size) for split, size in DEFAULT_SIZES.items()}

    return draw


@pytest.fixture(scope="session")
def small(tmp_path_factory: pytest.TempPathFactory) -> Small:
    """The world of scale 0.25; to be left as it is."""
    folder = tmp_path_factory.mktemp("small")
    return Small(folder, 1, write_world(folder, 1, 0.25))


@pytest.fixture(scope="session")
def blocks() -> list[Block]:
    """The blocks of that world."""
    return [make_block(1, number) for number in range(3)]


@pytest.fixture(scope="session")
def asked(blocks: list[Block]) -> list[WorldQuestion]:
    """Its questions."""
    return [question for block in blocks for question in ask(block, 1)]


@pytest.fixture(scope="session")
def written(blocks: list[Block]) -> list[list[Article]]:
    """Its articles, for each snapshot."""
    return [[article for block in blocks for article in articles(block, 1, day)] for day in SNAPSHOTS]


@pytest.fixture(scope="session")
def items(blocks: list[Block]) -> dict[str, Any]:
    """Its items on Wikidata, by number."""
    found = [item(thing, (), 1) for thing in concepts().values()]
    return {one["id"]: one for one in (*found, *(one for block in blocks for one in wikidata_items(block, 1)))}


@pytest.fixture(scope="session")
def snapshots(small: Small) -> list[list[Page]]:
    """Its pages, for each snapshot."""
    return [list(read_pages(small.folder / name)) for name in WIKIPEDIA]


@pytest.fixture(scope="session")
def clean() -> Callable[[str], str]:
    """Wikitext -> what a reader sees of it, by somebody else's parser."""

    @cache
    def render(wikitext: str) -> str:
        parsed = wikitextparser.parse(_LINKED_FILE.sub("", _REFERENCE.sub("", wikitext)))
        for table in parsed.tables:
            table.string = ""
        return str(parsed.plain_text())

    return render


def read_pages(path: Path) -> Iterator[Page]:
    with open_binary(path) as file:
        for page in mwxml.Dump.from_file(file):
            (revision,) = page
            yield Page(page.title, page.id, page.namespace, page.redirect, revision.text, str(revision.timestamp))
