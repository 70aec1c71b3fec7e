"""What became of a dump's pages, for the terminal."""

from __future__ import annotations

from collections.abc import Mapping

from rich.console import Console
from rich.table import Table

_MEANING = {
    "pages": "pages in the dumps",
    "redirects": "redirects: those of articles make the alias table",
    "articles": "articles: pages of namespace 0 that are no redirects",
    "disambiguations": "of these, disambiguation pages, left out",
    "kept": "articles with passages",
    "passages": "passages",
}


def show_counts(counts: Mapping[str, int], console: Console | None = None) -> None:
    """Print the counts, those of what was skipped last."""
    table = Table("what", "count")
    names = [*(name for name in _MEANING if name in counts), *sorted(name for name in counts if name not in _MEANING)]
    for name in names:
        table.add_row(_MEANING.get(name, name.replace("_", " ").replace("/", ": ")), f"{counts[name]:,}")
    (console or Console()).print(table)
