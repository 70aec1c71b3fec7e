"""Writes a world of any size, block after block, into a folder that is laid out as the released data is."""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any, get_args

import msgspec

from situated.io import write_json
from situated.world import pages, truth, wikidata
from situated.world.article import Article, articles
from situated.world.asking import ask
from situated.world.block import Block, make_block
from situated.world.checks import Checks
from situated.world.coining import concepts
from situated.world.files import GROUPS, SUMMARY, WIKIDATA, WIKIPEDIA, WorldFiles
from situated.world.forms import Context
from situated.world.identification import DEFAULT_SIZES, identification_rows
from situated.world.properties import properties
from situated.world.question_rows import QuestionRows
from situated.world.size import n_blocks
from situated.world.values import SNAPSHOTS


def write_world(folder: Path, seed: int, scale: float, advance: Callable[[], None] = lambda: None) -> dict[str, Any]:
    """Write a world; memory does not grow with it.

    Args:
        folder: Where to; see ``situated.world.files``.
        seed: Another seed, another world.
        scale: 1 has about 600 articles and 4,000 questions.
        advance: Called after each block.

    Returns:
        The summary, as it stands in ``truth/world.json``: counts, ceilings, checks, hashes.

    Raises:
        ConfigError: A scale at which there is no world.
    """
    blocks = n_blocks(scale)
    with WorldFiles.open(folder) as files:
        world = _World(files, seed)
        world.begin()
        catalogue = _Catalogue(files, seed, min(scale, 1.0))
        for number in range(blocks):
            world.add(make_block(seed, number))
            catalogue.add(number, blocks)
            advance()
        world.end()
        summary = {"seed": seed, "scale": scale, "blocks": blocks, **world.summary()}
    write_json(folder / SUMMARY, summary)
    return summary


class _World:
    def __init__(self, files: WorldFiles, seed: int):
        self.files, self.seed = files, seed
        self.checks = Checks()
        self.rows = QuestionRows(files, seed, self.checks)
        self.articles = self.items = self.groups = 0
        self._concepts = {thing.qid: wikidata.item(thing, (), seed) for thing in concepts().values()}

    def begin(self) -> None:
        """Write what belongs to no block."""
        for name, day in zip(WIKIPEDIA, SNAPSHOTS, strict=True):
            self.files.write(name, "".join([pages.head(), *pages.common_pages(self.seed, day)]).encode())
        entities = [
            wikidata.property_entity(prop.id, prop.name.replace("_", " "), wikidata.datatype(prop.value))
            for prop in {prop.id: prop for prop in properties()}.values()
        ]
        self.files.write(WIKIDATA, b"[\n")
        self._write_items([*entities, *self._concepts.values()])

    def add(self, block: Block) -> None:
        """Write a block."""
        snapshots: list[Mapping[str, Article]] = []
        for name, day in zip(WIKIPEDIA, SNAPSHOTS, strict=True):
            found = {article.thing.key: article for article in articles(block, self.seed, day)}
            written = [pages.article_page(self.seed, article) for article in found.values()]
            self.files.write(name, "".join([*written, *pages.other_pages(self.seed, block, day)]).encode())
            snapshots.append(found)
        items = {one["id"]: one for one in wikidata.items(block, self.seed)}
        self._write_items([*items.values()])
        for row in truth.whoqa_rows(block, snapshots[-1]):
            self.files.row(GROUPS, row)
        self.rows.add(ask(block, self.seed), snapshots, ChainMap(items, self._concepts))
        self.articles += len(snapshots[-1])
        self.groups += len(block.shared)

    def end(self) -> None:
        """Write what closes the files."""
        for name in WIKIPEDIA:
            self.files.write(name, pages.foot().encode())
        self.files.write(WIKIDATA, b"\n]\n")

    def summary(self) -> dict[str, Any]:
        """Counts, ceilings, checks, hashes."""
        return {
            "articles": self.articles,
            "questions": self.rows.asked,
            "questions_by_alias": self.rows.by_alias,
            "items": self.items,
            "groups": self.groups,
            "rows": self.files.rows,
            "fewest_contexts": self.checks.fewest_contexts,
            "partitions": {f"{split}/{name}": asdict(counts) for (split, name), counts in self.checks},
            "content": self.files.content,
            "sha256": self.files.sha256,
        }

    def _write_items(self, items: Sequence[wikidata.Item]) -> None:
        lines = [msgspec.json.encode(one) for one in items]
        self.files.write(WIKIDATA, (b",\n" if self.items else b"") + b",\n".join(lines))
        self.items += len(lines)


class _Catalogue:
    """Spreads identification's other questions, on things without articles, over the blocks.

    Source: SituatedQA, section 3.1: questions of more collections were labelled than were annotated with answers.
    """

    def __init__(self, files: WorldFiles, seed: int, share: float):
        sizes = {split: round(size * share) for split, size in DEFAULT_SIZES.items()}
        self.files = files
        self._rows = {
            f"situatedqa/id_data/{context}.{split}.jsonl": rows
            for context in get_args(Context)
            for split, rows in identification_rows(context, seed, sizes).items()
        }

    def add(self, block: int, blocks: int) -> None:
        """Write a block's share of them."""
        for name, rows in self._rows.items():
            for row in rows[block * len(rows) // blocks : (block + 1) * len(rows) // blocks]:
                self.files.row(name, row)
