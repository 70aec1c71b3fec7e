"""Table 14: does retrieval find what has changed since the retriever's training data was collected?"""

from __future__ import annotations

from pathlib import Path

from situated.report.answer_tables import Layout, build_by_setting
from situated.report.paper import StableUpdated, printed
from situated.report.published.table9 import NOTES, SOURCES, stable_and_updated
from situated.report.published.table13 import METRIC
from situated.report.table import Table


def build(out: Path, *, draws: int, seed: int, known: frozenset[str]) -> Table:
    """Table 14 from score folders; see ``build_by_setting``."""
    return build_by_setting(layout(), out, draws=draws, seed=seed, known=known)


def layout() -> Layout:
    """What the paper prints, and where ours stand beside it."""
    paper = printed("situatedqa", "table14_retrieval_recall_at_50", dict[str, tuple[float, float]])
    counts = printed("situatedqa", "table9_stable_updated", StableUpdated).counts
    section = stable_and_updated({"retrieval": paper}, counts)
    title = "Table 14: retrieval, answers unchanged or updated since 2018 (answer recall within 50 passages, percent)"
    return Layout("table14", title, METRIC, (section,), SOURCES, notes=NOTES)
