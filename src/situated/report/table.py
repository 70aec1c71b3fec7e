"""A published table with our figures beside the printed ones, whatever it is written as."""

from __future__ import annotations

from dataclasses import dataclass

from situated.metrics import Estimate

ABSENT = "—"


@dataclass(frozen=True)
class Cell:
    """One figure as the paper prints it and as we measure it: a percentage, or what the row and column say.

    Attributes:
        ci95: Ends of our 95 % interval.
        difference: Ours less the paper's, both to the printed decimal; None where they must not be compared.
        n: Number of examples behind our figure.
        seeds: Number of runs that it is the mean of.
        digits: Decimals that the paper prints.
    """

    paper: float | None = None
    ours: float | None = None
    ci95: tuple[float, float] | None = None
    difference: float | None = None
    n: int | None = None
    seeds: int = 0
    digits: int = 1


@dataclass(frozen=True)
class Label:
    """A row's heading and, in smaller print, what belongs to it."""

    text: str
    detail: str = ""


@dataclass(frozen=True)
class Row:
    """Figures of one system, or of one system on one split; as many labels and cells as the table has columns."""

    labels: tuple[Label, ...]
    cells: tuple[Cell, ...]


@dataclass(frozen=True)
class Block:
    """Rows under a heading of their own."""

    heading: str
    rows: tuple[Row, ...]


@dataclass(frozen=True)
class Missing:
    """A row without figures of ours, and the command that makes them."""

    row: str
    command: str


@dataclass(frozen=True)
class Table:
    """A table of the paper.

    Attributes:
        name: The stem of its files, such as "table4".
        stub: Headings of the columns that name the rows.
        columns: Headings of the columns of figures.
        notes: Sentences to stand below it.
        runs: The run folders behind our figures.
    """

    name: str
    title: str
    stub: tuple[str, ...]
    columns: tuple[str, ...]
    blocks: tuple[Block, ...]
    notes: tuple[str, ...] = ()
    missing: tuple[Missing, ...] = ()
    runs: tuple[str, ...] = ()


def percent_cell(paper: float | None, ours: Estimate | None = None, seeds: int = 0, comparable: bool = True) -> Cell:
    """Set a score, a fraction, beside a printed percentage.

    >>> percent_cell(91.2, Estimate(0.91649, 879, (0.898, 0.933)), seeds=3)
    Cell(paper=91.2, ours=91.649, ci95=(89.8, 93.3), difference=0.4, n=879, seeds=3, digits=1)
    >>> percent_cell(91.2, Estimate(0.91649, 879, (0.898, 0.933)), seeds=3, comparable=False).difference is None
    True
    """
    if ours is None:
        return Cell(paper)
    value, low, high = (round(100 * fraction, 4) for fraction in (ours.value, *ours.ci95))
    difference = round(round(value, 1) - paper, 1) if comparable and paper is not None else None
    return Cell(paper, value, (low, high), difference, ours.n, seeds)


def count_cell(paper: float | None, ours: float | None = None, digits: int = 0, comparable: bool = True) -> Cell:
    """Set a count, or another figure that has no interval, beside the printed one.

    >>> count_cell(2572, 2606)
    Cell(paper=2572, ours=2606, ci95=None, difference=34, n=None, seeds=0, digits=0)
    """
    difference = None
    if comparable and paper is not None and ours is not None:
        difference = round(round(ours, digits) - paper, digits or None)
    return Cell(paper, ours, difference=difference, digits=digits)


def cell_words(cell: Cell) -> tuple[str, str]:
    """A cell's two lines: our figure with its interval; the paper's with our difference from it.

    >>> cell_words(Cell(paper=91.2, ours=91.649, ci95=(89.8, 100.0), difference=0.4))
    ('91.6 [89.8, 100]', 'paper 91.2, +0.4')
    >>> cell_words(Cell(paper=91.2, ours=91.6)), cell_words(Cell(ours=91.6))
    (('91.6', 'paper 91.2, —'), ('91.6', ''))
    >>> cell_words(Cell(paper=100.0)), cell_words(Cell())
    (('paper 100', ''), ('—', ''))
    >>> cell_words(count_cell(2572, 2606)), cell_words(Cell(paper=0.62, digits=2))
    (('2606', 'paper 2572, +34'), ('paper 0.62', ''))
    """
    digits = cell.digits
    paper = "" if cell.paper is None else f"paper {_decimal(cell.paper, digits)}"
    if cell.ours is None:
        return paper or ABSENT, ""
    ours = _decimal(cell.ours, digits)
    if cell.ci95 is not None:
        ours += f" [{_decimal(cell.ci95[0], digits)}, {_decimal(cell.ci95[1], digits)}]"
    if not paper:
        return ours, ""
    return ours, f"{paper}, " + (ABSENT if cell.difference is None else f"{cell.difference:+.{digits}f}")


def _decimal(value: float, digits: int) -> str:
    """As many decimals as the paper prints, but "100" percent as it does, which also keeps columns narrow."""
    return "100" if digits == 1 and f"{value:.1f}" == "100.0" else f"{value:.{digits}f}"
