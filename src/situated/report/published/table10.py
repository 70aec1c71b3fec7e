"""Table 10: which data sets the temporal identification questions come from."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from situated.report.audit import SPLITS, Audit
from situated.report.audit_runs import COMMAND, find_audit
from situated.report.paper import printed
from situated.report.table import Block, Label, Missing, Row, Table, count_cell

SOURCES = {
    "nq_table": "NQ-Table",
    "nq_passage": "NQ-Passage",
    "webquestions": "WebQuestions",
    "tydi_qa_en": "TyDi-QA (en)",
    "ms_marco": "MS-MARCO",
    "total": "Total",
}
"""Source, as the paper's tables are keyed -> heading."""

_PRINTED = (
    "The printed columns do not add up to the printed totals: dev has 2,088 beside 2,572, test 2,187 beside 1,962, and "
    "several sources total other than their splits. The train column does add up."
)
_RELEASED = (
    "The release has the paper's train column. With MS MARCO's dev and test figures as the paper prints them (314 and "
    "348 instead of the release's 348 and 314), the release's sources add up to the paper's totals, 2,572 and 1,962."
)


def build(out: Path, *, draws: int, seed: int, known: frozenset[str]) -> Table:
    """Table 10 from the audit of a data folder, ``<out>/data_prep/audit``.

    Raises:
        InputError: The audit cannot be used.
    """
    return from_audit(*find_audit(out))


def from_audit(audit: Audit | None, runs: tuple[str, ...] = ()) -> Table:
    """Table 10 from an audit; the paper's figures alone where there is none."""
    paper = printed("situatedqa", "table10_sources", dict[str, tuple[int | None, ...]])
    ours = _counts(audit)
    comparable = audit is not None and all(audit.is_released(f"id_data/temp.{split}") for split in ours)
    sources = [*paper, *sorted({source for counts in ours.values() for source in counts} - paper.keys())]
    rows = []
    for source in sources:
        figures = [ours[split].get(source) if split in ours else None for split in SPLITS]
        whole = sum(figure or 0 for figure in figures) if len(ours) == len(SPLITS) else None
        theirs = paper.get(source, (None,) * 4)
        cells = (
            count_cell(printed_one, one, comparable=comparable)
            for printed_one, one in zip(theirs, [*figures, whole], strict=True)
        )
        rows.append(Row((Label(SOURCES.get(source, source)),), tuple(cells)))
    other = bool(ours) and not comparable
    return Table(
        name="table10",
        title="Table 10: sources of the temporal questions"
        + (" - other data than the paper's: NOT comparable with it" if other else ""),
        stub=("Source",),
        columns=("Train", "Dev", "Test", "Total"),
        blocks=(Block("temp", tuple(rows)),),
        notes=tuple(_notes(audit, ours, comparable)),
        missing=() if ours else (Missing("ours", COMMAND),),
        runs=runs,
    )


def _counts(audit: Audit | None) -> dict[str, dict[str, int]]:
    """Split -> source -> questions; without splits whose file is absent."""
    if audit is None:
        return {}
    return {
        split: {source: balance.questions for source, balance in labelled.sources.items()}
        | {"total": labelled.questions}
        for split, labelled in audit.identification.get("temp", {}).items()
    }


def _notes(audit: Audit | None, ours: dict[str, dict[str, int]], comparable: bool) -> Iterator[str]:
    if audit is None:
        yield "No audit of a data folder is there: these are the paper's figures alone."
    elif absent := [split for split in SPLITS if split not in ours]:
        yield f"Not in the data folder: {', '.join(f'id_data/temp.{split}' for split in absent)}."
    if ours and not any(source != "total" for counts in ours.values() for source in counts):
        yield "The files do not say where their questions come from (source_dataset)."
    yield _PRINTED
    if comparable:
        yield _RELEASED
