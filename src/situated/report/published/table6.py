"""Table 6: are wrong answers those of another context? Exact match with one context's answers, or with any's."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from situated.report.answer_tables import Layout, Section, build_answers
from situated.report.paper import OneOrAny, printed
from situated.report.table import Table

_PARTS = {"total": "One", "any": "Any"}
_MEANING = (
    "One: the answers of the context asked for. Any: those of every annotated context of the question; the difference "
    "is the share of answers from another context."
)


def build(out: Path, *, draws: int, seed: int, known: frozenset[str]) -> Table:
    """Table 6 from score folders; see ``build_answers``."""
    return build_answers(layout(), out, draws=draws, seed=seed, known=known)


def layout() -> Layout:
    """What the paper prints, and where ours stand beside it."""
    paper = printed("situatedqa", "table6_one_vs_any", dict[str, dict[str, OneOrAny]])
    contexts: tuple[Literal["temp", "geo"], ...] = ("temp", "geo")
    sections = [
        Section(
            heading=context,
            kind=context,
            parts=_PARTS,
            printed={
                family: {
                    setting: dict(zip(_PARTS, scores.temp if context == "temp" else scores.geo, strict=True))
                    for setting, scores in settings.items()
                }
                for family, settings in paper.items()
            },
            data=f"<paths.data>/situatedqa/qa_data/{context}.test.jsonl",
        )
        for context in contexts
    ]
    title = "Table 6: answers of the right context or of any (exact match, percent)"
    return Layout("table6", title, "em", tuple(sections), notes=(_MEANING,))
