"""Chains of small runs, as configurations."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from situated.slurm.chain import Chain, read_chain

TRAIN = {"recipe": "classifier/train.py", "overrides": ["experiment/classifier=majority_temp"]}


@pytest.fixture
def chain_of(tmp_path: Path, world: Path) -> Callable[..., Chain]:
    """A chain of steps whose outputs lie in ``out``; what a step does not say is the majority's training."""

    def make(*steps: dict[str, Any]) -> Chain:
        words = [f"paths.out={tmp_path / 'out'}", f"paths.data={world}"]
        named = [{"name": f"step {place}"} | TRAIN | step for place, step in enumerate(steps)]
        return read_chain({"name": "mine", "overrides": words, "steps": named})

    return make
