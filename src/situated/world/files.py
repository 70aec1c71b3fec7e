"""The files of a world, all open at once: a block is written into each of them, and then forgotten."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import IO, Any

import msgspec

from situated.io import atomic_write
from situated.world.properties import SPLITS
from situated.world.values import SNAPSHOTS

WIKIPEDIA = tuple(f"wikipedia/enwiki-{day:%Y%m%d}-pages-articles.xml.bz2" for day in SNAPSHOTS)
"""The two snapshots."""
WIKIDATA = f"wikidata/wikidata-{SNAPSHOTS[1]:%Y%m%d}-all.json.gz"
"""The dump."""
GOLD = tuple(f"truth/gold.{day.isoformat()}.jsonl" for day in SNAPSHOTS)
"""For each snapshot, the pages and sentences that answer the questions."""
GROUPS = "truth/whoqa.jsonl"
"""Groups of entities that share a name and a property."""
SUMMARY = "truth/world.json"
"""Counts, ceilings, checks; the only file that is written at the end."""

FILES = (
    *WIKIPEDIA,
    WIKIDATA,
    *(f"situatedqa/{task}_data/{context}.{split}.jsonl" for task in ("id", "qa", "raw") for context in ("temp", "geo")
      for split in SPLITS),
    *(f"situatedqa/temp_splits/{era}_2019.{split}.jsonl" for era in ("pre", "post") for split in ("train", "dev")),
    *(f"nq_open/NQ-open.{split}.jsonl" for split in SPLITS),
    *GOLD,
    GROUPS,
)  # fmt: skip
"""All files of a world but the summary."""


class WorldFiles:
    """The open files: how many lines each has, and the hash of its content before it is packed.

    What is packed may differ between machines, whose zlib are of several makes; the content does not.
    """

    def __init__(self, handles: Mapping[str, IO[bytes]]):
        self._handles = handles
        self._hashes = {name: hashlib.sha256() for name in handles}
        self._stems = {name: Path(name).stem for name in handles}
        self._encode = msgspec.json.Encoder().encode
        self.rows = dict.fromkeys((name for name in handles if name.endswith(".jsonl")), 0)

    @classmethod
    @contextmanager
    def open(cls, folder: Path) -> Iterator[WorldFiles]:
        """Open all of them; none stands there before all are whole."""
        with ExitStack() as stack:
            yield cls({name: stack.enter_context(atomic_write(folder / name)) for name in FILES})

    def write(self, name: str, content: bytes) -> None:
        """Write bytes."""
        self._handles[name].write(content)
        self._hashes[name].update(content)

    def row(self, name: str, row: Any) -> str:
        """Write a row; return its example id, as whoever reads the file gives it."""
        self.write(name, self._encode(row) + b"\n")
        self.rows[name] += 1
        return f"{self._stems[name]}:{self.rows[name]}"

    @property
    def content(self) -> str:
        """One hash of everything: the same seed and scale give the same on any machine."""
        return hashlib.sha256("\n".join(self.sha256.values()).encode()).hexdigest()

    @property
    def sha256(self) -> dict[str, str]:
        """File -> hash of its content, unpacked."""
        return {name: found.hexdigest() for name, found in self._hashes.items()}
