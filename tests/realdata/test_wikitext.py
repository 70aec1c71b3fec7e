"""The wikitext scanner on real articles: no markup, the converter's numbers, the paragraphs that other tools return."""

from __future__ import annotations

import importlib.util
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.realdata
TOOLS = ("wikiextractor", "mwparserfromhell", "gensim", "wikitextparser")


@pytest.fixture(scope="module")
def quality(released: Path, tmp_path_factory: pytest.TempPathFactory, command: Callable[..., Any]) -> dict[str, Any]:
    """What bench/wikitext_quality.py measures."""
    dump = released / "wikipedia" / "enwiki-2016-sample.xml.bz2"
    done = command("bench/wikitext_quality.py", dump, cwd=tmp_path_factory.mktemp("quality"))
    assert done.returncode == 0, done.stderr
    measured: dict[str, Any] = json.loads(done.stdout)
    return measured


def test_no_markup_is_left(quality: dict[str, Any]) -> None:
    assert quality["articles"] == 106
    assert quality["words"] > 400_000
    residues = quality["residues_per_1000_words"]
    assert residues.pop("( ,") <= 0.2
    assert len(residues) == 11
    assert not any(residues.values())


def test_numbers_of_convert_are_kept(quality: dict[str, Any]) -> None:
    assert quality["convert"]["templates"] > 300
    assert quality["convert"]["kept"] >= 0.95


@pytest.mark.skipif(not all(map(importlib.util.find_spec, TOOLS)), reason="the tools of the extra bench are not there")
def test_prose_that_three_tools_return_is_kept(quality: dict[str, Any]) -> None:
    assert quality["paragraphs"]["agreed"] > 4_000
    assert quality["paragraphs"]["lost_share"] <= 0.005
