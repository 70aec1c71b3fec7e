"""A small passage collection."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from situated.corpus.store import PassageStore
from situated.corpus.tsv import import_tsv

TEXTS = (
    "The river Ada flows through the old town",
    "A bridge crosses the river; the river is wide",
    "The mayor of the town was elected in 2017",
    "The mayor of the town was elected in 2019",
    "Nothing of note",
)


@pytest.fixture
def collection(tmp_path: Path) -> Callable[..., PassageStore]:
    """A store of some texts, titled by their numbers."""

    def make(name: str = "passages", texts: Sequence[str] = TEXTS) -> PassageStore:
        source = tmp_path / f"{name}.tsv"
        lines = [f"p{n}\t{text}\tThing {n}" for n, text in enumerate(texts)]
        source.write_text("\n".join(["id\ttext\ttitle", *lines]) + "\n", encoding="utf-8")
        import_tsv(source, tmp_path / name, {})
        return PassageStore(tmp_path / name)

    return make
