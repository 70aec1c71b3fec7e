"""A complete run on the small sample world, to stand beside runs that fail."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

MAJORITY = ("classifier/train.py", "experiment/classifier=majority_temp", "paths.out=out")


@pytest.fixture(scope="session")
def complete_run(tmp_path_factory: pytest.TempPathFactory, world: Path, command: Callable[..., Any]) -> Path:
    """The output folder (paths.out) of one run of the majority; to be left as it is."""
    folder = tmp_path_factory.mktemp("complete")
    done = command(*MAJORITY, f"paths.data={world}", cwd=folder)
    assert (done.returncode, done.stderr) == (0, "")
    return folder / "out"


@pytest.fixture
def out(complete_run: Path, tmp_path: Path) -> Path:
    """A copy of the complete run's output folder, in the folder that commands run in."""
    return shutil.copytree(complete_run, tmp_path / "out")
