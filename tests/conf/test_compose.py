"""Every file of conf/ is reached by a recipe, composes, and fits the code that it names."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
from omegaconf import DictConfig, OmegaConf

from situated.config import check_bindings, check_keys, resolve
from situated.errors import ConfigError
from situated.io import write_text
from situated.recipe import Recipe

CONF = Path(__file__).resolve().parents[2] / "conf"
# What every recipe shares, and a laboratory's own settings, are no commands.
PRIMARIES = sorted(path.stem for path in CONF.glob("*.yaml") if path.stem not in ("common", "cluster"))
OPTIONS = sorted((path.parent.relative_to(CONF).as_posix(), path.stem) for path in CONF.glob("*/**/*.yaml"))
LONGEST_RECIPE = 80  # lines

Reach = Callable[[Path, str, str], dict[str, DictConfig]]


def check(config: DictConfig, recipe: Recipe) -> None:
    plain = resolve(config)
    check_keys(plain, recipe.keys, recipe.groups())
    check_bindings(plain)


@pytest.mark.parametrize("name", PRIMARIES)
def test_a_primary_configuration_composes_and_binds(
    name: str, recipes: Mapping[str, Recipe], filled: Callable[[str], DictConfig]
) -> None:
    check(filled(name), recipes[name])


@pytest.mark.parametrize(("group", "option"), OPTIONS, ids=["/".join(option) for option in OPTIONS])
def test_an_option_composes_and_binds(group: str, option: str, reach: Reach, recipes: Mapping[str, Recipe]) -> None:
    made = reach(CONF, group, option)
    assert made, f"no recipe takes {group}={option}"
    for name, config in made.items():
        check(config, recipes[name])


def test_a_file_that_no_recipe_takes_is_found(reach: Reach, tmp_path: Path) -> None:
    conf = shutil.copytree(CONF, tmp_path / "conf")
    write_text(conf / "stray" / "x.yaml", "a: 1\n")
    write_text(conf / "experiment" / "retriever" / "x.yaml", "a: 1\n")
    write_text(conf / "model" / "broken.yaml", "defaults: [no_such_file]\n")
    write_text(conf / "model" / "sound.yaml", "_target_: x\nname: sound\n")
    assert not reach(conf, "stray", "x")
    assert not reach(conf, "experiment/retriever", "x")
    assert not reach(conf, "model", "broken")
    assert list(reach(conf, "model", "sound")) == ["classifier_train"]


def test_every_command_has_a_recipe_of_its_name_and_every_recipe_a_configuration(recipe_files: list[Path]) -> None:
    assert sorted(f"{path.parent.name}_{path.stem}" for path in recipe_files) == PRIMARIES


def test_a_recipe_takes_the_configuration_of_its_name(recipe_files: list[Path], recipes: Mapping[str, Recipe]) -> None:
    assert set(recipes) == {f"{path.parent.name}_{path.stem}" for path in recipe_files}


def test_a_recipe_reads_like_a_paragraph(recipe_files: list[Path]) -> None:
    lengths = {path.name: len(path.read_text(encoding="utf-8").splitlines()) for path in recipe_files}
    assert len(lengths) >= 5
    assert not {name: length for name, length in lengths.items() if length > LONGEST_RECIPE}


@pytest.mark.parametrize(("group", "option"), [pair for pair in OPTIONS if pair[0].startswith("experiment/")])
def test_a_preset_is_one_of_its_stage_and_names_its_run_by_itself(
    group: str, option: str, reach: Reach, recipes: Mapping[str, Recipe]
) -> None:
    for config in reach(CONF, group, option).values():
        assert config.stage == group.removeprefix("experiment/")
        assert config.name == option


def test_no_name_or_folder_of_a_run_depends_on_the_machine(filled: Callable[[str], DictConfig]) -> None:
    for name in PRIMARIES:
        paths = OmegaConf.to_container(filled(name).paths)
        assert paths == {"data": "data", "out": "outputs"}


@pytest.mark.parametrize("name", ["tfidf", "random", "majority", "finetune"])
def test_a_classifier_brings_its_own_row_in_the_tables(recipes: dict[str, Recipe], name: str) -> None:
    """Else words alone would stand in the table under the default encoder's name."""
    config = recipes["classifier_train"].compose([f"classifier={name}", "model=bert_base"])
    system = "bert_base" if name == "finetune" else name
    assert (config.system, config.name) == (system, f"{system}_temp")


@pytest.mark.parametrize("word", ["paths.out=", "name=a/../b", "name=..", "name="])
def test_a_run_stays_below_its_output_folder(recipes: dict[str, Recipe], word: str) -> None:
    recipe = recipes["classifier_train"]
    with pytest.raises(ConfigError, match=word.split("=")[0].split(".")[0]):
        recipe.run(recipe.compose(["experiment/classifier=majority_temp", word]))
