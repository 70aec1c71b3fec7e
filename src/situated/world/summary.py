"""A world's account for the terminal, and its progress while it is written."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from rich.console import Console, RenderableType
from rich.progress import BarColumn, MofNCompleteColumn, Progress, ProgressColumn, Task, TextColumn, TimeRemainingColumn
from rich.table import Table
from rich.text import Text

from situated.world.kinds import THINGS_A_BLOCK

_ARTICLES = "articles"


class _Rate(ProgressColumn):
    """Articles a second."""

    def render(self, task: Task) -> Text:
        return Text(f"{(task.speed or 0) * THINGS_A_BLOCK:,.0f} {_ARTICLES}/s")


@contextmanager
def block_progress(blocks: int, console: Console | None = None) -> Iterator[Callable[[], None]]:
    """A progress bar with rate and time left, where there is a terminal; what it gives is called after each block."""
    console = console or Console()
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), _Rate(), TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as progress:
        task = progress.add_task("blocks", total=blocks)
        yield lambda: progress.advance(task)


def account(summary: Mapping[str, Any]) -> list[RenderableType]:
    """What the world has, what can be reached on it, and whether it is what it says."""
    table = Table("test partition", "rows", "ceiling without context", "oracle", "shuffled", "current answer")
    table.title = "What can be reached on the sample world, exact match, %"
    for name, counts in summary["partitions"].items():
        split, _, partition = name.partition("/")
        if split == "test":
            shares = [f"{100 * counts[key] / counts['rows']:.1f}" for key in ("blind", "oracle", "shuffled", "current")]
            if partition.startswith("geo"):  # a place has no current answer
                shares[-1] = ""
            table.add_row(partition, str(counts["rows"]), *shares)
    by_alias = 100 * summary["questions_by_alias"] / summary["questions"]
    counts = (
        f"{summary['articles']:,} articles, {summary['questions']:,} questions ({by_alias:.0f} % by an alias), "
        f"{summary['items']:,} items, {summary['groups']:,} shared names"
    )
    return [
        counts,
        f"fewest contexts of a question that depends on one: {summary['fewest_contexts']}",
        table,
        f"content {summary['content'][:16]}: on any machine, the same seed and scale give the same",
    ]
