"""Recipes by the name of their primary configuration, and which of them take a file of a group."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest
from hydra import compose, initialize_config_dir
from omegaconf import DictConfig, OmegaConf

from situated.errors import ConfigError
from situated.recipe import Recipe
from situated.slurm.chain import load_recipe

Reach = Callable[[Path, str, str], dict[str, DictConfig]]


@pytest.fixture(scope="session")
def recipe_files(root: Path) -> list[Path]:
    """Every file of the project that is a recipe."""
    files = sorted(path for path in root.glob("*/*.py") if path.parent.name not in ("src", "tests"))
    return [path for path in files if "import recipe\n" in path.read_text(encoding="utf-8")]


@pytest.fixture(scope="session")
def recipes(recipe_files: list[Path]) -> dict[str, Recipe]:
    """Primary configuration -> recipe."""
    loaded = [load_recipe(path) for path in recipe_files]
    return {recipe.config_name: recipe for recipe in loaded}


@pytest.fixture(scope="session")
def groups_of() -> Callable[[Path, str], frozenset[str]]:
    """The groups that a primary configuration in a folder takes, those of its parts too."""

    @cache
    def find(conf: Path, primary: str) -> frozenset[str]:
        with initialize_config_dir(str(conf), version_base="1.3"):
            return frozenset(compose(primary, return_hydra_config=True).hydra.runtime.choices)

    return find


@pytest.fixture(scope="session")
def reach(recipes: Mapping[str, Recipe], groups_of: Callable[[Path, str], frozenset[str]]) -> Reach:
    """Primary -> configuration, for all recipes that compose with an option of a group; required keys are filled in."""

    @cache
    def compose_all(conf: Path, group: str, option: str) -> dict[str, DictConfig]:
        made = {}
        for name, recipe in recipes.items():
            if group in groups_of(conf, name):
                try:
                    made[name] = compose_filled(recipe, conf, [f"{group}={option}"])
                except ConfigError:  # an option of another recipe's; one of them must take it
                    continue
        return made

    return compose_all


@pytest.fixture(scope="session")
def filled(recipes: Mapping[str, Recipe]) -> Callable[[str], DictConfig]:
    """A primary configuration as it stands, with its required keys filled in."""
    return cache(lambda name: compose_filled(recipes[name], recipes[name].conf, []))


def compose_filled(recipe: Recipe, conf: Path, words: list[str]) -> DictConfig:
    there = replace(recipe, conf=conf)
    config = there.compose(words)
    for key in config:
        if OmegaConf.is_missing(config, key):
            config[key] = "x"
    return config
