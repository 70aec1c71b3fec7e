from __future__ import annotations

import io
from typing import Any

from rich.console import Console

from situated.world.summary import account, block_progress


def test_the_account_says_what_can_be_reached(small: Any) -> None:
    out = io.StringIO()
    Console(file=out, width=160).print(*account(small.summary), sep="\n")
    said = out.getvalue()
    rows = {cells[1].strip(): [cell.strip() for cell in cells[2:-1]]
            for line in said.splitlines() if len(cells := line.split("│")) > 5}  # fmt: skip

    assert "144 articles" in said
    assert rows.keys() == {
        "geo/common", "geo/rare", "geo/total", "temp/sampled", "temp/start", "temp/static", "temp/total",
    }  # fmt: skip
    assert {cells[2] for cells in rows.values()} == {"100.0"}
    assert rows["temp/start"][1] == rows["temp/start"][4] == "50.0"
    assert rows["geo/total"][4] == ""
    assert small.summary["content"][:16] in said


def test_progress_shows_blocks_and_rate_on_a_terminal_and_nothing_elsewhere() -> None:
    shown = {}
    for is_terminal in (True, False):
        out = io.StringIO()
        with block_progress(3, Console(file=out, force_terminal=is_terminal, width=120)) as advance:
            for _ in range(3):
                advance()
        shown[is_terminal] = out.getvalue()

    assert "3/3" in shown[True]
    assert "articles/s" in shown[True]
    assert shown[False].strip() == ""
