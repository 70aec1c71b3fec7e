"""The rules of the house that a linter does not see."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
# Tools keep environments and caches in folders of these names.
FOREIGN = {"build", "dist", "node_modules", "venv"}


def python_files() -> list[Path]:
    def ours(path: Path) -> bool:
        parts = path.relative_to(ROOT).parts
        return not any(part.startswith(".") or part in FOREIGN or part.endswith(".egg-info") for part in parts)

    return sorted(path for path in ROOT.rglob("*.py") if ours(path))


def recipe_folders() -> set[str]:
    return {
        path.parent.name
        for path in ROOT.glob("*/*.py")
        if any(module == "situated.recipe" for module in imported(path.read_text(encoding="utf-8")))
        and path.parent.name not in ("src", "tests")
    }


def imported(source: str) -> Iterator[str]:
    """Yield every module that source names in an import, wherever the import stands."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def recipes_imported(source: str, folders: set[str]) -> set[str]:
    return {module for module in imported(source) if module.partition(".")[0] in folders}


def test_there_are_recipe_folders() -> None:
    assert {"classifier", "data_prep", "report", "slurm"} <= recipe_folders()


@pytest.mark.parametrize(
    "source",
    ["import classifier.train", "from classifier import train", "def f():\n    from data_prep.download import main"],
)
def test_an_import_of_a_recipe_is_seen(source: str) -> None:
    assert recipes_imported(source, {"classifier", "data_prep"})
    assert not recipes_imported("from situated.classifier import baselines\nfrom . import classifier", {"classifier"})


def test_nothing_imports_a_recipe() -> None:
    folders = recipe_folders()
    found = {
        path.relative_to(ROOT): recipes_imported(path.read_text(encoding="utf-8"), folders) for path in python_files()
    }
    assert len(found) > 50
    assert not {path: modules for path, modules in found.items() if modules}


def test_recipe_folders_are_no_packages() -> None:
    assert not [folder for folder in recipe_folders() if (ROOT / folder / "__init__.py").exists()]


def test_every_folder_of_the_package_is_one() -> None:
    folders = {path.parent for path in (ROOT / "src" / "situated").rglob("*.py")}
    assert not [folder for folder in folders if not (folder / "__init__.py").is_file()]


def test_no_module_is_a_drawer_for_anything() -> None:
    drawers = {"utils", "util", "helpers", "common", "misc"}
    assert not [path for path in python_files() if path.stem in drawers or path.parent.name in drawers]


def test_tests_import_no_tests() -> None:
    tests = [path for path in python_files() if path.is_relative_to(ROOT / "tests")]
    assert not [
        path
        for path in tests
        if any(m.partition(".")[0] in ("tests", "conftest") for m in imported(path.read_text(encoding="utf-8")))
    ]


def test_modules_stay_readable() -> None:
    modules = [path for path in python_files() if path.is_relative_to(ROOT / "src")]
    lengths = {path.name: len(path.read_text(encoding="utf-8").splitlines()) for path in modules}
    assert not {name: length for name, length in lengths.items() if length > 300}
