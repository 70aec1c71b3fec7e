"""Table 8: the current answer to a question and the one before it."""

from __future__ import annotations

from pathlib import Path

from situated.report.answer_tables import Layout, Section, build_answers
from situated.report.paper import CurrentPrevious, printed
from situated.report.table import Table

_PARTS = {"current": "Current", "previous": "Previous", "total": "Total"}
_TRAINING = (
    "The paper fine-tunes readers and closed-book models on current and previous answers; of the retriever it says "
    "nothing."
)


def build(out: Path, *, draws: int, seed: int, known: frozenset[str]) -> Table:
    """Table 8 from score folders; see ``build_answers``."""
    return build_answers(layout(), out, draws=draws, seed=seed, known=known)


def layout() -> Layout:
    """What the paper prints, and where ours stand beside it."""
    paper = printed("situatedqa", "table8_current_previous", CurrentPrevious)
    section = Section(
        heading="current and previous",
        kind="previous",
        parts=_PARTS,
        printed={
            family: {setting: dict(zip(_PARTS, scores, strict=True)) for setting, scores in settings.items()}
            for family, settings in (("retrieval", paper.retrieval), ("closed_book", paper.closed_book))
        },
        counts=paper.counts,
    )
    human = f"Human: {paper.human['total']} in total; the authors' own answers to 100 examples; no run makes it."
    title = "Table 8: current and previous answers (exact match, percent)"
    return Layout("table8", title, "em", (section,), notes=(human, _TRAINING))
