"""Table 12: agreement of the annotators; cannot be made."""

from __future__ import annotations

from pathlib import Path

from situated.report.paper import printed
from situated.report.published.table10 import SOURCES
from situated.report.table import Block, Cell, Label, Row, Table

_WHY = (
    "The table cannot be made: Fleiss' kappa needs each annotator's label of each question, and the release has one "
    "label a question. Figures are the paper's alone."
)


def build(out: Path, *, draws: int, seed: int, known: frozenset[str]) -> Table:
    """The paper's Table 12."""
    paper = printed("situatedqa", "table12_kappa", dict[str, tuple[float, float]])
    rows = [
        Row((Label(SOURCES.get(source, source)),), tuple(Cell(kappa, digits=2) for kappa in kappas))
        for source, kappas in paper.items()
    ]
    return Table(
        name="table12",
        title="Table 12: agreement of the annotators on context dependence (Fleiss' kappa)",
        stub=("Questions",),
        columns=("yes or no", "yes, no or maybe"),
        blocks=(Block("identification", tuple(rows)),),
        notes=(_WHY,),
    )
