"""A table as Markdown, CSV, LaTeX and on the terminal; JSON is the table itself."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Iterator

from rich import box
from rich.console import Console, Group, RenderableType
from rich.table import Table as RichTable
from rich.text import Text

from situated.report.table import ABSENT, Block, Cell, Label, Row, Table, cell_words

# Brackets are wrapped because a line break (two backslashes) takes a bracket after it for its own argument.
_LATEX = str.maketrans(
    {
        "\\": r"\textbackslash{}", "&": r"\&", "%": r"\%", "$": r"\$", "#": r"\#", "_": r"\_", "{": r"\{",
        "}": r"\}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "<": r"\textless{}",
        ">": r"\textgreater{}", "|": r"\textbar{}", '"': "''", "[": "{[}", "]": "{]}", ABSENT: "---",
    }
)  # fmt: skip
TERMINAL_COLUMNS = 100
_MINUS = re.compile(r"(?<!\S)-(?=\d)")


def show(table: Table) -> None:
    """Print the table, never narrower than its figures need: a pipe or a small window must not cut them."""
    Console(width=max(Console().width, TERMINAL_COLUMNS)).print(terminal(table))


def terminal(table: Table) -> RenderableType:
    """The table for a ``rich`` console: ours above, the paper's below; needs ``TERMINAL_COLUMNS``."""
    grid = RichTable(box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0), header_style="bold")
    for heading in table.stub:
        grid.add_column(heading, overflow="fold")
    for heading in table.columns:
        grid.add_column(heading, no_wrap=True)
    for block in table.blocks:
        grid.add_row(Text(block.heading, style="bold cyan"))
        for last, row, labels in _without_repeats(block.rows):
            lines = [(label.text, label.detail) for label in labels] + [cell_words(cell) for cell in row.cells]
            grid.add_row(*(_two_lines(upper, lower) for upper, lower in lines), end_section=last)
    below = RichTable.grid(padding=(0, 1))
    for note in table.notes:
        below.add_row("*", Text(note))
    for missing in table.missing:
        below.add_row(">", Text.assemble(f"To make {missing.row}: ", (missing.command, "green")))
    return Group(Text(table.title, style="bold"), grid, below)


def markdown(table: Table) -> str:
    """The table in GitHub's Markdown, a section for each block."""
    lines = [f"# {table.title}"]
    for block in table.blocks:
        lines += ["", f"## {block.heading}", "", _pipes((*table.stub, *table.columns))]
        lines.append(_pipes(["---"] * (len(table.stub) + len(table.columns))))
        lines += [_pipes([*map(_label_words, row.labels), *map(_markdown_cell, row.cells)]) for row in block.rows]
    lines += ["", *(f"- {note}" for note in table.notes)]
    lines += [f"- To make {missing.row}: `{missing.command}`" for missing in table.missing]
    return "\n".join(lines) + "\n"


def csv_lines(table: Table) -> str:
    """One line for each figure; an empty field where there is none. ``detail`` is the labels' smaller print."""
    file = io.StringIO()
    writer = csv.writer(file, lineterminator="\n")
    stub = [heading.lower() for heading in table.stub]
    figures = ["paper", "ours", "low", "high", "difference", "n", "seeds"]
    writer.writerow(["block", *stub, "detail", "column", *figures])
    for block in table.blocks:
        for row in block.rows:
            labels = [label.text for label in row.labels]
            detail = ", ".join(label.detail for label in row.labels if label.detail)
            for column, cell in zip(table.columns, row.cells, strict=True):
                low, high = cell.ci95 or (None, None)
                values = [cell.paper, cell.ours, low, high, cell.difference, cell.n, cell.seeds]
                writer.writerow([block.heading, *labels, detail, column, *values])
    return file.getvalue()


def latex(table: Table) -> str:
    r"""The table in LaTeX, a float for each block, the notes below the last; needs ``\usepackage{booktabs}``."""
    floats = []
    for block in table.blocks:
        notes = table.notes if block is table.blocks[-1] else ()
        caption = " ".join([f"{table.title}, {block.heading}.", *notes])
        lines = [r"\begin{table*}", r"\centering\footnotesize\setlength{\tabcolsep}{4pt}"]
        lines += [rf"\begin{{tabular}}{{{'l' * (len(table.stub) + len(table.columns))}}}", r"\toprule"]
        lines += [_ampersands(map(_escaped, (*table.stub, *table.columns))), r"\midrule", *_latex_rows(block)]
        lines += [r"\bottomrule", r"\end{tabular}", rf"\caption{{{_escaped(caption)}}}"]
        lines += [rf"\label{{tab:{table.name}-{re.sub('[^a-z0-9]+', '-', block.heading.lower())}}}", r"\end{table*}"]
        floats.append("\n".join(lines) + "\n")
    return "\n".join(floats)


def _latex_rows(block: Block) -> Iterator[str]:
    for last, row, labels in _without_repeats(block.rows):
        lines = [(label.text, label.detail) for label in labels] + [cell_words(cell) for cell in row.cells]
        yield _ampersands(_escaped(upper) for upper, _ in lines)
        if any(lower for _, lower in lines):
            yield _ampersands(rf"{{\scriptsize {_escaped(lower)}}}" if lower else "" for _, lower in lines)
        if last and row is not block.rows[-1]:
            yield r"\addlinespace"


def _without_repeats(rows: tuple[Row, ...]) -> Iterator[tuple[bool, Row, list[Label]]]:
    """Yield (is the last of its system, row, labels), the first label blank where it only repeats the row above."""
    for i, row in enumerate(rows):
        repeats = i > 0 and rows[i - 1].labels[0] == row.labels[0]
        last = i + 1 == len(rows) or rows[i + 1].labels[0] != row.labels[0]
        yield last, row, [Label("") if repeats else row.labels[0], *row.labels[1:]]


def _two_lines(upper: str, lower: str) -> Text:
    return Text.assemble(upper, ("\n" + lower, "dim")) if lower else Text(upper)


def _label_words(label: Label) -> str:
    return f"{label.text} ({label.detail})" if label.detail else label.text


def _markdown_cell(cell: Cell) -> str:
    return "<br>".join(line for line in cell_words(cell) if line)


def _pipes(cells: Iterable[str]) -> str:
    return "| " + " | ".join(cell.replace("|", r"\|") for cell in cells) + " |"


def _ampersands(cells: Iterable[str]) -> str:
    return " & ".join(cells) + r" \\"


def _escaped(text: str) -> str:
    return _MINUS.sub("$-$", text.translate(_LATEX))
