"""Table 11: how many annotators' labels call a question temporally dependent, by source; cannot be made."""

from __future__ import annotations

from pathlib import Path

from situated.report.audit import Audit
from situated.report.audit_runs import COMMAND, find_audit
from situated.report.paper import printed
from situated.report.published.table10 import SOURCES
from situated.report.table import Block, Cell, Label, Missing, Row, Table, percent_cell

_WHY = (
    "The table cannot be made: it counts single annotators' labels (no, maybe, yes), which are not in the release. "
    "Released questions have one label each, and those that annotators mostly called 'maybe', or were split on, are "
    "not among them."
)
_OURS = "Ours: share of released training questions with that label, of another kind than the paper's: no difference."


def build(out: Path, *, draws: int, seed: int, known: frozenset[str]) -> Table:
    """The paper's Table 11, with what the release says beside it.

    Raises:
        InputError: The audit cannot be used.
    """
    return from_audit(*find_audit(out))


def from_audit(audit: Audit | None, runs: tuple[str, ...] = ()) -> Table:
    """The paper's figures, and the released labels of an audit."""
    paper = printed("situatedqa", "table11_temporal_volatility", dict[str, tuple[float, float, float]])
    train = audit.identification.get("temp", {}).get("train") if audit else None
    ours = train.sources if train else {}
    rows = []
    for source, (no, maybe, yes) in paper.items():
        label = Label(SOURCES[source], f"n = {ours[source].questions}" if source in ours else "")
        share = ours[source].percent if source in ours else None
        found_no = None if share is None else round(100 - share, 2)
        rows.append(Row((label,), (Cell(no, found_no), percent_cell(maybe), Cell(yes, share))))
    return Table(
        name="table11",
        title="Table 11: temporal dependence by source (percent of labels)",
        stub=("Source",),
        columns=("No", "Maybe", "Yes"),
        blocks=(Block("temp train", tuple(rows)),),
        notes=(_WHY, _OURS) if ours else (_WHY,),
        missing=() if ours else (Missing("what the release says", COMMAND),),
        runs=runs,
    )
