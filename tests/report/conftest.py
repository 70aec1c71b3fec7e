"""Run folders of made-up classifiers."""

import random
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from situated.io import write_json, write_jsonl
from situated.metrics import bootstrap_binary
from situated.schema import Decision

HASHES = {"train": "a" * 64, "dev": "b" * 64, "test": "c" * 64}
SIZES = {"dev": (40, 16), "test": (30, 9)}  # questions, of which context-dependent
SYSTEMS: dict[str, Callable[[bool, random.Random], bool]] = {
    "perfect": lambda label, _: label,
    "constant": lambda _, __: True,
    "majority": lambda _, __: False,
    "random": lambda _, coin: coin.random() < 0.4,
}


@pytest.fixture
def known() -> frozenset[str]:
    """Content hashes of the files that made-up runs read, taken for the released ones."""
    return frozenset(HASHES.values())


@pytest.fixture
def out(tmp_path: Path) -> Path:
    return tmp_path / "outputs"


@pytest.fixture
def make_run(out: Path) -> Callable[..., Path]:
    """Write a run folder of the classifier; systems other than the made-up ones are perfect."""

    def make(
        system: str,
        context: str = "temp",
        seed: int = 1,
        *,
        name: str | None = None,
        status: str = "complete",
        config: Mapping[str, Any] | None = None,
        data: Mapping[str, Any] | None = None,
        inputs: Mapping[str, str] | None = None,
        prefix: str = "q",
    ) -> Path:
        name = name or f"{system}_{context}"
        folder = out / "classifier" / name / f"seed={seed}"
        says, coin = SYSTEMS.get(system, SYSTEMS["perfect"]), random.Random(f"{name} {seed}")  # noqa: S311
        rows = []
        for split, (n, n_yes) in SIZES.items():
            for i in range(n):
                label = i < n_yes
                prediction = says(label, coin)
                rows.append(
                    Decision(
                        example_id=f"{prefix}.{split}:{i + 1}",
                        id=str(2**60 + i),
                        split=split,
                        question=f"question {i}",
                        label="yes" if label else "no",
                        prediction="yes" if prediction else "no",
                        score=0.9 if prediction else 0.1,
                    )
                )
        write_jsonl(folder / "predictions.jsonl", rows)
        write_json(
            folder / "metrics.json",
            {
                f"{split}/{metric}": estimate
                for split in SIZES
                for metric, estimate in bootstrap_binary(
                    [row.label == "yes" for row in rows if row.split == split],
                    [row.prediction == "yes" for row in rows if row.split == split],
                ).items()
            },
        )
        settings = {"system": system, "name": name, "seed": seed, "data": {"context": context, **(data or {})}}
        hashes = HASHES if inputs is None else inputs
        write_json(
            folder / "manifest.json",
            {
                "stage": "classifier",
                "name": name,
                "seed": seed,
                "status": status,
                "config": settings | dict(config or {}),
                "inputs": {split: {"path": f"{split}.jsonl", "sha256": digest} for split, digest in hashes.items()},
            },
        )
        return folder

    return make
