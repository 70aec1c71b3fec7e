import csv
import io
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console

from situated.metrics import Estimate
from situated.report.published.table4 import build
from situated.report.render import csv_lines, latex, markdown, show, terminal
from situated.report.table import Block, Cell, Label, Missing, Row, Table, cell_words, percent_cell

SMALL = Table(
    name="table0",
    title="Table 0: 100% made_up",
    stub=("System", "Split"),
    columns=("EM", "F1"),
    blocks=(
        Block(
            "geo & co",
            (
                Row(
                    (Label("A_B", "2 seeds"), Label("dev", "n = 7")),
                    (Cell(50.0, 48.5, (40.0, 100.0), -1.5, 7, 2), Cell(ours=33.3333, ci95=(0.0, 66.66), n=7, seeds=2)),
                ),
                Row((Label("A_B", "2 seeds"), Label("test")), (Cell(paper=12.0), Cell())),
                Row((Label("[C|D]"), Label("dev")), (Cell(paper=100.0), Cell(paper=0.5))),
            ),
        ),
    ),
    notes=("{braces} & 5 < 7",),
    missing=(Missing("[C|D]", "python x.py seed=1"),),
)


def _latex_is_balanced(text: str) -> bool:
    plain = re.sub(r"\\[{}]", "", text)
    depths = [plain[: i + 1].count("{") - plain[: i + 1].count("}") for i in range(len(plain))]
    return min(depths, default=0) >= 0 and plain.count("{") == plain.count("}")


def _latex_rows(text: str) -> list[list[str]]:
    rows = [line.removesuffix(r" \\") for line in text.splitlines() if line.endswith(r" \\")]
    return [re.split(r"(?<!\\) ?& ?", row) for row in rows]


def test_csv_holds_every_figure() -> None:
    rows = list(csv.DictReader(io.StringIO(csv_lines(SMALL))))
    assert len(rows) == 6
    assert rows[0] == {
        "block": "geo & co", "system": "A_B", "split": "dev", "detail": "2 seeds, n = 7", "column": "EM",
        "paper": "50.0", "ours": "48.5", "low": "40.0", "high": "100.0", "difference": "-1.5", "n": "7", "seeds": "2",
    }  # fmt: skip
    assert (rows[3]["column"], rows[3]["paper"], rows[3]["ours"]) == ("F1", "", "")
    assert (rows[4]["system"], rows[4]["paper"]) == ("[C|D]", "100.0")


def test_markdown_rows_have_all_columns() -> None:
    lines = [line for line in markdown(SMALL).splitlines() if line.startswith("|")]
    cells = [[cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]] for line in lines]
    assert [len(row) for row in cells] == [4] * 5
    assert cells[0] == ["System", "Split", "EM", "F1"]
    assert cells[2] == ["A_B (2 seeds)", "dev (n = 7)", "48.5 [40.0, 100]<br>paper 50.0, -1.5", "33.3 [0.0, 66.7]"]
    assert cells[3] == ["A_B (2 seeds)", "test", "paper 12.0", "—"]
    assert cells[4][0] == r"[C\|D]"
    assert "- To make [C|D]: `python x.py seed=1`" in markdown(SMALL)


def test_latex_rows_have_all_columns_and_nothing_unescaped() -> None:
    text = latex(SMALL)
    assert _latex_is_balanced(text)
    assert text.count(r"\begin{") == text.count(r"\end{") == 2
    assert _latex_rows(text) == [
        ["System", "Split", "EM", "F1"],
        [r"A\_B", "dev", "48.5 {[}40.0, 100{]}", "33.3 {[}0.0, 66.7{]}"],
        [r"{\scriptsize 2 seeds}", r"{\scriptsize n = 7}", r"{\scriptsize paper 50.0, $-$1.5}", ""],
        ["", "test", "paper 12.0", "---"],
        [r"{[}C\textbar{}D{]}", "dev", "paper 100", "paper 0.5"],
    ]
    assert r"\caption{Table 0: 100\% made\_up, geo \& co. \{braces\} \& 5 \textless{} 7}" in text
    assert r"\label{tab:table0-geo-co}" in text
    assert [text.index(rule) for rule in (r"\toprule", r"\midrule", r"\bottomrule")] == sorted(
        text.index(rule) for rule in (r"\toprule", r"\midrule", r"\bottomrule")
    )


@given(st.text(alphabet=st.characters(codec="ascii", exclude_categories=["Cc"]) | st.sampled_from("\\{}&%$#_^~—[]")))
def test_latex_of_any_label_keeps_its_columns(label: str) -> None:
    table = Table("t", label, ("System",), ("EM",), (Block("b", (Row((Label(label),), (Cell(ours=1.0),)),)),))
    text = latex(table)
    assert _latex_is_balanced(text)
    assert [len(row) for row in _latex_rows(text)] == [2, 2]
    assert not re.search(r"(?<!\\)[%#]", text)


def _shown(table: Table, width: int) -> str:
    console = Console(width=width, file=io.StringIO(), color_system=None)
    console.print(terminal(table))
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue()


@pytest.mark.parametrize("width", [100, 120])
def test_terminal_shows_every_figure_whole(
    out: Path, make_run: Callable[..., Path], known: frozenset[str], width: int
) -> None:
    for seed in (1, 2):
        make_run("random", seed=seed)
        make_run("bert_base", "geo", seed=seed)
    make_run("constant", name="an_experiment_with_a_very_long_name_indeed", inputs={})
    table = build(out, draws=100, seed=0, known=known)
    text = _shown(table, width)
    assert "…" not in text
    for block in table.blocks:
        for row in block.rows:
            for cell in row.cells:
                assert all(line in text for line in cell_words(cell))
    assert max(map(len, text.splitlines())) <= width
    assert all(missing.command in text for missing in table.missing)


def test_terminal_names_a_system_once_for_its_splits() -> None:
    text = _shown(SMALL, 100)
    assert text.count("A_B") == 1
    assert text.count("[C|D]") == 2  # its row and the command that makes it


def test_narrow_windows_do_not_cut_figures(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    show(SMALL)
    shown = capsys.readouterr().out
    assert "48.5 [40.0, 100]  33.3 [0.0, 66.7]" in shown


tenths = st.integers(0, 1000).map(lambda value: value / 10)


half_tenths = st.integers(0, 2000).map(lambda value: value / 2000)  # of a percent: where rounding has to choose


@given(tenths, st.floats(0, 1) | half_tenths)
def test_printed_figures_and_difference_add_up(paper: float, value: float) -> None:
    cell = percent_cell(paper, Estimate(value, 9, (0.0, 1.0)), seeds=1)
    assert cell.ours is not None
    assert cell.difference is not None
    assert f"{paper + cell.difference:.1f}" == f"{cell.ours:.1f}"
