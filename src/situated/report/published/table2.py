"""Table 2: how many questions there are, and how many depend on their context."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from situated.report.audit import SPLITS, Audit
from situated.report.audit_runs import COMMAND, find_audit
from situated.report.paper import Statistics, printed
from situated.report.table import Block, Cell, Label, Missing, Row, Table, count_cell

_KAPPA = "κ: Fleiss' kappa of the annotators; their single labels are not in the release, so there is none of ours."
_SWAPPED = (
    "temp, questions: the release has 34 more than the paper in dev and 34 fewer in test. They are MS MARCO's, with "
    "348 questions in dev and 314 in test where the paper's Table 10 prints 314 and 348."
)
_ONE_MORE = (
    "geo, examples: the released test file has 506, the paper 505; the one more is at a common location (266, of which "
    "43 in the United States, where Tables 5 and 7 print 265 and 42)."
)


def build(out: Path, *, draws: int, seed: int, known: frozenset[str]) -> Table:
    """Table 2 from the audit of a data folder, ``<out>/data_prep/audit``.

    Raises:
        InputError: The audit cannot be used.
    """
    return from_audit(*find_audit(out))


def from_audit(audit: Audit | None, runs: tuple[str, ...] = ()) -> Table:
    """Table 2 from an audit; the paper's figures alone where there is none."""
    paper = printed("situatedqa", "table2_statistics", dict[str, Statistics])
    names = [f"{task}/{context}.{split}" for task in ("id_data", "qa_data") for context in paper for split in SPLITS]
    present = [name for name in names if audit and name in audit.files]
    other = bool(present) and not any(audit and audit.is_released(name) for name in present)
    return Table(
        name="table2",
        title="Table 2: statistics" + (" - other data than the paper's: NOT comparable with it" if other else ""),
        stub=("Context", "Split"),
        columns=("Questions", "Dependent, %", "Examples"),
        blocks=tuple(Block(context, tuple(_rows(context, row, audit))) for context, row in paper.items()),
        notes=tuple(_notes(audit, names)),
        missing=() if present else (Missing("ours", COMMAND),),
        runs=runs,
    )


def _rows(context: str, paper: Statistics, audit: Audit | None) -> Iterator[Row]:
    for split in SPLITS:
        questions, percent = getattr(paper, split)
        labelled = audit.identification.get(context, {}).get(split) if audit else None
        answers = audit.answers.get(context, {}).get(split) if audit else None
        is_same, asked_same = (
            audit is not None and audit.is_released(f"{task}/{context}.{split}") for task in ("id_data", "qa_data")
        )
        cells = (
            count_cell(questions, labelled.questions if labelled else None, comparable=is_same),
            count_cell(percent, labelled.percent if labelled else None, comparable=is_same),
            count_cell(getattr(paper, f"qa_{split}"), answers.examples if answers else None, comparable=asked_same),
        )
        yield Row((Label(context), Label(split)), cells)
    kappas = (Cell(paper.id_kappa, digits=2), Cell(digits=2), Cell(paper.qa_kappa, digits=2))
    yield Row((Label(context), Label("κ")), kappas)


def _notes(audit: Audit | None, names: list[str]) -> Iterator[str]:
    if audit is None:
        yield "No audit of a data folder is there: these are the paper's figures alone."
    else:
        if absent := [name for name in names if name in audit.absent]:
            yield f"Not in the data folder: {', '.join(absent)}."
        if any(name in audit.files and not audit.is_released(name) for name in names):
            yield "No difference is given for files that are not the released ones."
        if audit.is_released("id_data/temp.dev") or audit.is_released("id_data/temp.test"):
            yield _SWAPPED
        if audit.is_released("qa_data/geo.test"):
            yield _ONE_MORE
    yield _KAPPA
