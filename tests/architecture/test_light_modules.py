"""What runs before the work, or without it, imports no heavy library."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

ROOT = Path(__file__).resolve().parents[2]
HEAVY = ["torch", "transformers", "pytorch_lightning", "sklearn", "wandb", "faiss", "scipy", "pandas"]
MODULES = [
    "situated", "situated.errors", "situated.schema", "situated.io", "situated.text", "situated.metrics",
    "situated.manifest", "situated.run", "situated.config", "situated.recipe", "situated.data.situatedqa",
    "situated.data.sources", "situated.data.download", "situated.world.identification", "situated.world.writing",
    "situated.world.summary",
    "situated.encoders.pretrained", "situated.training", "situated.classifier.baselines", "situated.slurm.chain",
    "situated.report.tables", "situated.cluster", "situated.slurm.local", "situated.slurm.status",
    "situated.slurm.sweeps", "situated.corpus.snapshot", "situated.corpus.store", "situated.corpus.diff",
]  # fmt: skip
RECIPES = sorted(
    path.relative_to(ROOT).as_posix()
    for path in ROOT.glob("*/*.py")
    if path.parent.name != "tests" and "from situated.recipe import" in path.read_text(encoding="utf-8")
)
# One process for all: a heavy library is the fault of the first module after which it is there.
IMPORT_EACH = """
import importlib, json, runpy, sys
names, heavy = map(json.loads, sys.argv[1:])
found = {}
for name in names:
    runpy.run_path(name, run_name="recipe") if name.endswith(".py") else importlib.import_module(name)
    found[name] = sorted(library for library in heavy if library in sys.modules)
print(json.dumps(found))
"""
HELP = """
import runpy, sys
sys.argv = [sys.argv[1], "--help"]
try:
    runpy.run_path(sys.argv[0], run_name="__main__")
finally:
    print("imported:", *sorted(sys.modules))
"""


@pytest.fixture(scope="module")
def imports(command: Callable[..., Any]) -> Callable[[list[str]], dict[str, list[str]]]:
    """Module or recipe -> the heavy libraries that are there once it is imported, after all before it."""

    def find(names: list[str]) -> dict[str, list[str]]:
        words = [msgspec.json.encode(value).decode() for value in (names, HEAVY)]
        done = command("-c", IMPORT_EACH, *words, cwd=ROOT)
        assert (done.returncode, done.stderr) == (0, "")
        found: dict[str, list[str]] = msgspec.json.decode(done.stdout)
        return found

    return find


def test_light_modules_and_recipes_import_nothing_heavy(imports: Callable[[list[str]], dict[str, list[str]]]) -> None:
    assert len(RECIPES) >= 5
    found = imports([*MODULES, *RECIPES])
    assert found == {name: [] for name in [*MODULES, *RECIPES]}


def test_a_heavy_import_is_seen(imports: Callable[[list[str]], dict[str, list[str]]]) -> None:
    found = imports(["situated.io", "sklearn"])
    assert found["situated.io"] == []
    assert {"scipy", "sklearn"} <= set(found["sklearn"])


def test_help_comes_without_a_heavy_import(command: Callable[..., Any]) -> None:
    done = command("-c", HELP, ROOT / "classifier" / "train.py", cwd=ROOT)
    assert done.returncode == 0
    text, _, modules = done.stdout.partition("imported: ")
    assert "Choose a part of a group with group=option" in text
    assert "situated.recipe" in modules.split()
    assert not set(HEAVY) & set(modules.split())
