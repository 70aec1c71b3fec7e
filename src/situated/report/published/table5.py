"""Table 5: question answering in a context, exact match on each part of the test questions."""

from __future__ import annotations

from pathlib import Path

from situated.report.answer_tables import Layout, Section, build_answers
from situated.report.paper import SituatedAnswers, printed
from situated.report.table import Table

TEMP_PARTS = {"static": "Static", "sampled": "Sampled", "start": "Start", "total": "Total"}
GEO_PARTS = {"common": "Common", "rare": "Rare", "total": "Total"}


def build(out: Path, *, draws: int, seed: int, known: frozenset[str]) -> Table:
    """Table 5 from score folders; see ``build_answers``."""
    return build_answers(layout(), out, draws=draws, seed=seed, known=known)


def layout() -> Layout:
    """What the paper prints, and where ours stand beside it."""
    paper = printed("situatedqa", "table5_situated_qa", SituatedAnswers)
    families = {"retrieval": paper.retrieval, "closed_book": paper.closed_book}
    sections = [
        Section(
            heading=context,
            kind=context,
            parts=parts,
            printed={
                family: {setting: scores.on(context) for setting, scores in settings.items()}
                for family, settings in families.items()
            },
            counts=paper.counts,
            data=f"<paths.data>/situatedqa/qa_data/{context}.test.jsonl",
        )
        for context, parts in (("temp", TEMP_PARTS), ("geo", GEO_PARTS))
    ]
    human = (
        f"Human: {paper.human.temp_total} (temp) and {paper.human.geo_total} (geo) in total; the authors' own answers "
        "to 100 examples of each; no run makes it."
    )
    return Layout("table5", "Table 5: answers in context (exact match, percent)", "em", tuple(sections), notes=(human,))
