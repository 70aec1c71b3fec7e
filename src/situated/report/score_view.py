"""Scores and comparisons as tables on the terminal, and how far the scoring has come."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TypeVar

from rich import box
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, ProgressColumn, Task, TextColumn, TimeRemainingColumn
from rich.table import Table
from rich.text import Text

from situated.metrics import Estimate
from situated.report.render import TERMINAL_COLUMNS
from situated.report.significance import Comparison

T = TypeVar("T")

_COLUMNS = {"em": "EM", "f1": "F1", "em_lenient": "EM, lenient", "wrong_context": "wrong context"}
_FROM = "wrong_context_from"


def tracked(rows: Iterable[T], words: str, total: int | None = None) -> Iterator[T]:
    """Yield rows, with a bar of their number, rate and the time left on terminals."""
    console = Console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), _Rate(), TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as progress:
        yield from progress.track(rows, total=total, description=words)


def show_scores(title: str, found: Mapping[str, Estimate]) -> None:
    """Print a row for each group: percent with 95% intervals."""
    grid = _grid(title, "group", "n", *_COLUMNS.values())
    for group in dict.fromkeys(name.partition("/")[2] for name in found if not name.startswith(_FROM)):
        of_group = [found.get(f"{metric}/{group}") for metric in _COLUMNS]
        n = next(estimate.n for estimate in of_group if estimate is not None)
        grid.add_row(group, str(n), *("" if one is None else _percent(one.value, one.ci95) for one in of_group))
    _print(grid)
    sources = [f"{name.partition('/')[2]} {_percent(e.value, e.ci95)}" for name, e in found.items() if _FROM in name]
    if sources:
        Console().print(Text(f"Answered with an answer of other contexts: {', '.join(sources)}"), soft_wrap=True)


def show_comparisons(first: str, second: str, found: Mapping[str, Comparison]) -> None:
    """Print a row for each metric and group: percent of both systems, difference, p values."""
    title = f"{first} less {second}; p adjusted over the groups of a metric (Holm)"
    grid = _grid(title, "metric", "n", "first", "second", "difference", "p", "only first", "only second", "McNemar p")
    for name, one in found.items():
        scores = (_percent(one.first), _percent(one.second), _percent(one.difference, one.ci95), _p(one.p_holm))
        test = one.mcnemar
        counts = ("", "", "") if test is None else (str(test.only_first), str(test.only_second), _p(test.p_holm))
        grid.add_row(name, str(one.n), *scores, *counts)
    _print(grid)


class _Rate(ProgressColumn):
    """Rows a second."""

    def render(self, task: Task) -> Text:
        return Text("" if task.speed is None else f"{task.speed:,.0f} rows/s")


def _grid(title: str, stub: str, *columns: str) -> Table:
    grid = Table(title=Text(title), title_justify="left", box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0))
    grid.add_column(stub, no_wrap=True)
    for column in columns:
        grid.add_column(column, justify="right", no_wrap=True)
    return grid


def _print(grid: Table) -> None:
    Console(width=max(Console().width, TERMINAL_COLUMNS)).print(grid)


def _percent(value: float, ci95: tuple[float, float] | None = None) -> str:
    ends = "" if ci95 is None else f" [{100 * ci95[0]:.1f}, {100 * ci95[1]:.1f}]"
    return f"{100 * value:.1f}{ends}"


def _p(value: float) -> str:
    return "<0.001" if value < 0.001 else f"{value:.3f}"
