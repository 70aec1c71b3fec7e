"""Table 7: which place do systems assume when they are not told? Exact match of unmodified systems by location."""

from __future__ import annotations

from pathlib import Path

from situated.report.answer_tables import Layout, Section, build_answers
from situated.report.paper import AssumedLocation, printed
from situated.report.table import Table

_PARTS = {"us": "US", "india": "India", "other": "Other common", "rare": "Rare"}
_RELEASED = (
    "Ours counts as US the one location 'united states': 43 examples of the released test file, 42 in the paper, whose "
    "common locations add up to 265 where the file has 266. Other spellings of it are locations of their own there."
)


def build(out: Path, *, draws: int, seed: int, known: frozenset[str]) -> Table:
    """Table 7 from the score folders of unmodified systems; see ``build_answers``."""
    return build_answers(layout(), out, draws=draws, seed=seed, known=known)


def layout() -> Layout:
    """What the paper prints, and where ours stand beside it."""
    paper = printed("situatedqa", "table7_assumed_location", AssumedLocation)
    section = Section(
        heading="geo",
        kind="geo",
        parts=_PARTS,
        printed={"retrieval": {"unmodified": paper.retrieval}, "closed_book": {"unmodified": paper.closed_book}},
        counts=paper.counts,
        data="<paths.data>/situatedqa/qa_data/geo.test.jsonl",
    )
    title = "Table 7: the assumed location (exact match, percent)"
    settings = {"unmodified": "Unmodified"}
    return Layout("table7", title, "em", (section,), settings, only_settings=True, notes=(_RELEASED,))
