"""Table 13: do the first 50 passages hold an answer? Retrieval on each part of the test questions."""

from __future__ import annotations

from pathlib import Path

from situated.report.answer_tables import Layout, Section, build_answers
from situated.report.paper import SituatedAnswers, SituatedScores, printed
from situated.report.published.table5 import GEO_PARTS, TEMP_PARTS
from situated.report.table import Table

METRIC = "recall@50"
_REPEATED = (
    "The paper prints the same geo figures for the modified query and for the fine-tuned system; one of the two rows "
    "may be a misprint."
)


def build(out: Path, *, draws: int, seed: int, known: frozenset[str]) -> Table:
    """Table 13 from score folders; see ``build_answers``."""
    return build_answers(layout(), out, draws=draws, seed=seed, known=known)


def layout() -> Layout:
    """What the paper prints, and where ours stand beside it."""
    paper = printed("situatedqa", "table13_retrieval_recall_at_50", dict[str, SituatedScores])
    counts = printed("situatedqa", "table5_situated_qa", SituatedAnswers).counts
    sections = [
        Section(
            heading=context,
            kind=context,
            parts=parts | {"any": "Any"},
            printed={"retrieval": {setting: scores.on(context) for setting, scores in paper.items()}},
            counts=counts,
            data=f"<paths.data>/situatedqa/qa_data/{context}.test.jsonl",
        )
        for context, parts in (("temp", TEMP_PARTS), ("geo", GEO_PARTS))
    ]
    title = "Table 13: retrieval in context (answer recall within 50 passages, percent)"
    return Layout("table13", title, METRIC, tuple(sections), notes=(_REPEATED,))
