"""A chain runs its recipes in order, leaves out what is complete, and says which step failed and why."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from omegaconf import OmegaConf

from situated.config import resolve
from situated.errors import ConfigError, SituatedError
from situated.io import read_json, write_text
from situated.slurm.chain import Chain, Outcome, Step, command, load_recipe, read_chain, run_local, summary

CHEAP = """
name: cheap
overrides: ["paths.out=${paths.out}", "paths.data=${paths.out}/data_prep/sample_world/seed=0"]
steps:
  - {name: sample world, recipe: data_prep/sample_world.py, share_s: 60,
     overrides: [scale=0.1]}
  - {name: majority, recipe: classifier/train.py, overrides: [experiment/classifier=majority_temp], share_s: 1}
"""


def chain_of(*steps: dict[str, Any], out: Path) -> Chain:
    defaults = {"name": "a step", "overrides": [], "share_s": 1}
    return read_chain({"name": "c", "overrides": [f"paths.out={out}"], "steps": [defaults | step for step in steps]})


def demo(root: Path) -> Chain:
    recipe = load_recipe(root / "slurm" / "chain.py")
    return read_chain(resolve(recipe.compose(["chain=demo"]))["chain"])


@pytest.mark.parametrize(
    ("config", "message"),
    [
        ({"steps": [{"recip": "x"}]}, "chain 'c': Object contains unknown field `recip` - at `$.steps[0]`."),
        ({"steps": [{"name": "x"}]}, "chain 'c': Object missing required field `recipe` - at `$.steps[0]`."),
        ({"steps": [], "step": []}, "chain 'c': Object contains unknown field `step`."),
        ({}, "chain 'c': Object missing required field `steps`."),
        ({"steps": "x"}, "chain 'c': Expected `array`, got `str` - at `$.steps`."),
    ],
)
def test_a_chain_of_another_form_is_refused(config: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigError, match=re.escape(message)):
        read_chain({"name": "c", "overrides": []} | config)


def test_a_step_is_shown_as_one_would_type_it() -> None:
    step = Step(name="x", recipe="classifier/train.py", overrides=["experiment/classifier=a", "a=[4]"], share_s=1)
    chain = Chain(name="c", overrides=["paths.out=my runs"], steps=[step])
    assert command(chain, step) == "python classifier/train.py 'paths.out=my runs' experiment/classifier=a 'a=[4]'"


@pytest.mark.usefixtures("own_logging")
@pytest.mark.parametrize(
    ("overrides", "reason"),
    [
        (["experiment/classifier=majority_temp", "paths.data=nowhere"], "temp.train.jsonl: no such file"),
        (["experiment/classifier=majority_tmp"], "Did you mean 'majority_temp'"),
        (["sed=1"], "Did you mean 'seed'"),
        (["experiment/classifier=random_temp", "classifier.draws=0"], "classifier.draws: Expected `int` >= 1"),
    ],
)
def test_a_step_that_fails_names_itself(overrides: list[str], reason: str, root: Path, tmp_path: Path) -> None:
    step = {"name": "my step", "recipe": "classifier/train.py", "overrides": overrides}
    with pytest.raises(SituatedError) as caught:
        run_local(chain_of(step, out=tmp_path / "out"), root)
    said = str(caught.value)
    assert said.startswith("step 'my step' failed: ")
    assert reason in said
    assert said.endswith(f"Alone: python classifier/train.py paths.out={tmp_path / 'out'} {' '.join(overrides)}")


@pytest.mark.parametrize("text", ["x = 1\n", "main = 3\n", None])
def test_a_file_without_a_recipe_is_refused(text: str | None, tmp_path: Path) -> None:
    if text is not None:
        write_text(tmp_path / "x.py", text)
    with pytest.raises(ConfigError, match=re.escape(str(tmp_path / "x.py"))):
        load_recipe(tmp_path / "x.py")


@pytest.mark.usefixtures("own_logging")
def test_steps_after_one_that_fails_are_not_run(root: Path, tmp_path: Path, world: Path) -> None:
    good = {"name": "good", "recipe": "classifier/train.py", "overrides": ["experiment/classifier=majority_temp"]}
    bad = good | {"name": "bad", "overrides": ["sed=1"]}
    chain = chain_of(bad, good, out=tmp_path / "out")
    with pytest.raises(SituatedError, match="step 'bad'"):
        run_local(Chain(chain.name, [*chain.overrides, f"paths.data={world}"], chain.steps), root)
    assert not (tmp_path / "out").exists()


def test_the_summary_gives_seconds_and_marks_what_took_longer_than_its_share() -> None:
    steps = [Step(name=name, recipe="x", overrides=[], share_s=2) for name in ("quick", "slow")]
    table = summary([Outcome(steps[0], "done", 1.25), Outcome(steps[1], "already complete", 3)])
    cells = [list(column.cells) for column in table.columns]
    assert cells[0] == ["quick", "slow", "total"]
    assert cells[1] == ["done", "already complete", ""]
    assert cells[2] == ["1.2", "[yellow]3.0[/yellow]", "4.2"]
    assert cells[3] == ["2", "2", "4"]


def test_the_demonstration_keeps_to_its_shares(root: Path) -> None:
    shares: dict[str, float] = {}
    for step in demo(root).steps:
        shares[step.recipe] = shares.get(step.recipe, 0) + step.share_s
    world = shares["data_prep/sample_world.py"] + shares["data_prep/audit.py"]
    assert shares["classifier/train.py"] <= 60
    assert world <= 60
    assert shares["report/make_tables.py"] <= 30


def test_the_demonstration_names_recipes_presets_and_places_that_exist(root: Path) -> None:
    chain = demo(root)
    world = f"{chain.overrides[0].removeprefix('paths.out=')}/data_prep/sample_world/seed=0"
    assert chain.overrides[1] == f"paths.data={world}"
    for step in chain.steps:
        composed = load_recipe(root / step.recipe).compose([*chain.overrides, *step.overrides])
        if step.recipe == "data_prep/sample_world.py":
            assert composed.run_dir == world
        assert OmegaConf.select(composed, "paths.data") == world


def test_a_dry_run_prints_every_command_and_does_nothing(
    root: Path, tmp_path: Path, command: Callable[..., Any]
) -> None:
    done = command("slurm/chain.py", "chain=demo", "dry_run=true", "paths.out=here", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    lines = done.stdout.splitlines()
    assert len(lines) == len(demo(root).steps)
    assert all(line.startswith("python ") and " paths.out=here " in line for line in lines)
    assert "experiment/classifier=tfidf_temp" in done.stdout
    assert not list(tmp_path.iterdir())


def test_the_second_call_finds_every_step_complete_and_imports_nothing_heavy(
    root: Path, tmp_path: Path, command: Callable[..., Any]
) -> None:
    write_text(tmp_path / "my" / "chain" / "cheap.yaml", CHEAP)
    words = ["--config-dir", "my", "chain=cheap", "paths.out=runs"]
    first = command("slurm/chain.py", *words, cwd=tmp_path)
    assert (first.returncode, first.stderr) == (0, "")
    made = [tmp_path / "runs" / name / "seed=0" for name in ("data_prep/sample_world", "classifier/majority_temp")]
    assert all(read_json(folder / "manifest.json")["status"] == "complete" for folder in made)
    assert first.stdout.count("Complete: ") == 2
    assert re.search(r"majority\s+│ done", first.stdout)

    again = command("-X", "importtime", root / "slurm" / "chain.py", *words, cwd=tmp_path)
    assert again.returncode == 0
    assert again.stdout.count("Already complete: ") == 2
    assert re.search(r"majority\s+│ already complete", again.stdout)
    imported = set(re.findall(r"\|\s+([\w.]+)$", again.stderr, flags=re.MULTILINE))
    assert "situated.slurm.chain" in imported
    assert not imported & {"torch", "transformers", "pytorch_lightning", "sklearn", "wandb", "faiss"}
