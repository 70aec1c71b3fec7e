"""Make and write the tables that are asked for."""

from __future__ import annotations

import pkgutil
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path

from situated.errors import ConfigError
from situated.io import write_json, write_text
from situated.report import published
from situated.report.render import csv_lines, latex, markdown
from situated.report.table import Table


def available() -> list[int]:
    """Numbers of the tables that can be made: the modules of ``situated.report.published``.

    >>> 4 in available()
    True
    """
    names = [module.name for module in pkgutil.iter_modules(published.__path__)]
    return sorted(int(name.removeprefix("table")) for name in names if name.startswith("table"))


def build(
    tables: Sequence[int], out: Path, *, draws: int = 10_000, seed: int = 0, known: frozenset[str] | None = None
) -> list[Table]:
    """The tables of these numbers, from the run folders below ``out``.

    Args:
        tables: Their numbers in the SituatedQA paper.
        out: Holds ``<stage>/<name>/seed=<n>``.
        draws: Bootstrap resamples for each interval.
        seed: Of the resampling.
        known: Content hashes of the released data files; by default those of the sources that can be downloaded.
            Runs on other files are not compared with the paper.

    Raises:
        ConfigError: No such table.
        SituatedError: Run folders that cannot be used; see each table's ``build``.
    """
    if unknown := sorted(set(tables) - set(available())):
        listed = ", ".join(map(str, available()))
        raise ConfigError(f"table={unknown}: no such table here. Available: {listed}.")
    hashes = _released() if known is None else known
    made = []
    for number in tables:
        module = import_module(f"{published.__name__}.table{number}")
        table: Table = module.build(out, draws=draws, seed=seed, known=hashes)
        made.append(table)
    return made


def write(table: Table, folder: Path) -> list[Path]:
    """Write a table as Markdown, CSV, LaTeX and JSON, each file whole or not at all; return their paths."""
    texts = {"md": markdown(table), "csv": csv_lines(table), "tex": latex(table)}
    paths = {suffix: folder / f"{table.name}.{suffix}" for suffix in (*texts, "json")}
    for suffix, text in texts.items():
        write_text(paths[suffix], text)
    write_json(paths["json"], table)
    return list(paths.values())


def _released() -> frozenset[str]:
    from situated.data.sources import known_sha256

    return known_sha256()
