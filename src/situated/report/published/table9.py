"""Table 9: can systems answer with what has changed since their training data was collected?"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from situated.report.answer_tables import Layout, Section, build_by_setting
from situated.report.paper import StableUpdated, printed
from situated.report.table import Table

PARTS = {"stable": "Stable", "updated": "Updated"}
SOURCES = {
    "wiki_2018": "Wikipedia Dec 2018",
    "wiki_2021": "Wikipedia Feb 2021",
    "wiki_2021_finetuned": "Wikipedia Feb 2021, fine-tuned",
    "base": "before Feb 2019",
    "finetuned": "before Feb 2019, fine-tuned",
}
"""Setting of a system, as a configuration calls it -> what it knows."""

_PARTS = (
    "Test questions with a dated current answer; updated: the earliest start of the current answer over the "
    "question's timelines is in 2019 or later. This gives the paper's 267 and 209."
)
_TRAINING = (
    "The paper names no training set for its fine-tuned rows; systems that are to stand beside them train on the "
    "current answers of temp train."
)
NOTES = (_PARTS, _TRAINING)


def build(out: Path, *, draws: int, seed: int, known: frozenset[str]) -> Table:
    """Table 9 from score folders; see ``build_by_setting``."""
    return build_by_setting(layout(), out, draws=draws, seed=seed, known=known)


def layout() -> Layout:
    """What the paper prints, and where ours stand beside it."""
    paper = printed("situatedqa", "table9_stable_updated", StableUpdated)
    families = {"retrieval": paper.retrieval, "closed_book": paper.closed_book}
    section = stable_and_updated(families, paper.counts)
    title = "Table 9: current answers, unchanged or updated since 2018 (exact match, percent)"
    return Layout("table9", title, "em", (section,), SOURCES, notes=NOTES)


def stable_and_updated(families: Mapping[str, Mapping[str, tuple[float, float]]], counts: Mapping[str, int]) -> Section:
    """The questions of Tables 9 and 14 with printed figures for (stable, updated)."""
    printed_parts = {
        family: {setting: dict(zip(PARTS, scores, strict=True)) for setting, scores in settings.items()}
        for family, settings in families.items()
    }
    return Section("stable and updated", "updated", PARTS, printed_parts, counts)
