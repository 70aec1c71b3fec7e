"""Score folders of made-up systems, on as many examples as the released test files have."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from situated.io import write_json, write_jsonl

GROUPS: dict[str, dict[str, tuple[str, ...]]] = {
    "temp": {"static": ("static",), "sampled": ("sampled",), "start": ("start",)},
    "geo": {"us": ("common", "us"), "india": ("common", "india"), "other": ("common", "other"), "rare": ("rare",)},
    "previous": {"current": ("current",), "previous": ("previous",)},
    "updated": {"stable": ("stable",), "updated": ("updated",)},
    "open": {"": ()},
}
SIZES = {
    "static": 400, "sampled": 1482, "start": 913, "us": 43, "india": 20, "other": 203, "rare": 240,
    "current": 529, "previous": 373, "stable": 267, "updated": 209, "": 10,
}  # fmt: skip


@pytest.fixture
def make_scores(out: Path) -> Callable[..., Path]:
    """Write a score folder of a system that answers the examples of some groups rightly, and none of the others."""

    def make(
        system: str,
        kind: str,
        right: frozenset[str] | set[str],
        *,
        any_right: bool | None = None,
        seed: int = 1,
        name: str | None = None,
        metric: str = "em",
        sizes: Mapping[str, int] = SIZES,
        gold: str | None = "c" * 64,
        status: str = "complete",
        config: Mapping[str, Any] | None = None,
        prefix: str = "test",
    ) -> Path:
        name = name or f"{system.replace('/', '_')}_{kind}"
        folder = out / "score" / name / f"seed={seed}"
        rows: list[dict[str, Any]] = []
        for part, groups in GROUPS[kind].items():
            for _ in range(sizes[part]):
                one = part in right
                number = len(rows)
                rows.append(
                    {
                        "example_id": f"{prefix}:{number + 1}",
                        "question_id": f"q{number // 3}",
                        "groups": ["total", "any", *groups],
                        metric: one,
                        "any" if metric == "em" else f"{metric}_any": one if any_right is None else any_right,
                    }
                )
        write_jsonl(folder / "scores.jsonl", rows)
        names = {group for row in rows for group in row["groups"]}
        write_json(folder / "metrics.json", {f"{metric}/{group}": _mean(rows, metric, group) for group in names})
        inputs = {"predictions": {"sha256": f"{seed:064d}"}} | ({"gold": {"sha256": gold}} if gold else {})
        write_json(
            folder / "manifest.json",
            {
                "stage": "score",
                "name": name,
                "seed": seed,
                "status": status,
                "config": {"system": system, "name": name, "seed": seed, "predictions": f"seed={seed}.jsonl"}
                | dict(config or {}),
                "inputs": inputs,
            },
        )
        return folder

    return make


def _mean(rows: list[dict[str, Any]], metric: str, group: str) -> dict[str, Any]:
    every = "any" if metric == "em" else f"{metric}_any"
    values = [row[every if group == "any" else metric] for row in rows if group in row["groups"]]
    value = sum(values) / len(values)
    return {"value": value, "n": len(values), "ci95": [max(0.0, value - 0.01), min(1.0, value + 0.01)]}
