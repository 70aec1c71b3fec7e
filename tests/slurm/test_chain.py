"""A chain runs its recipes in order, leaves out what is complete, and says which step failed and why."""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
import yaml
from msgspec import structs
from omegaconf import OmegaConf

from situated.cluster import Machines, read_cluster
from situated.config import resolve
from situated.errors import ConfigError, SituatedError
from situated.io import read_json, write_text
from situated.slurm.chain import Chain, Step, load_recipe, read_chain, tasks
from situated.slurm.local import Outcome, run_local, summary

CHEAP = """
name: cheap
overrides: ["paths.out=${paths.out}", "paths.data=${paths.out}/data_prep/sample_world/seed=0"]
steps:
  - {name: sample world, recipe: data_prep/sample_world.py, share_s: 60,
     overrides: [scale=0.1]}
  - {name: majority, recipe: classifier/train.py, overrides: [experiment/classifier=majority_temp], share_s: 1}
"""

A = {"name": "a b", "recipe": "a.py"}
B = {"name": "b", "recipe": "b.py"}
COMMAND = "python classifier/train.py 'paths.out=my runs' experiment/classifier=a 'a=[4]'"


def chain_of(*steps: dict[str, Any], out: Path) -> Chain:
    defaults = {"name": "a step", "overrides": [], "share_s": 1}
    return read_chain({"name": "c", "overrides": [f"paths.out={out}"], "steps": [defaults | step for step in steps]})


def demo(root: Path) -> Chain:
    recipe = load_recipe(root / "slurm" / "chain.py")
    return read_chain(resolve(recipe.compose(["chain=demo"]))["chain"])


@pytest.mark.parametrize(
    ("config", "message"),
    [
        ({"steps": [{"recip": "x"}]}, "chain 'c': steps[0].recip: there is no such key. Did you mean 'recipe'?"),
        ({"steps": [{"name": "x"}]}, "chain 'c': steps[0]: Object missing required field `recipe`. See conf/chain"),
        ({"steps": [], "step": []}, "chain 'c': step: there is no such key. Did you mean 'steps'?"),
        ({}, "chain 'c': Object missing required field `steps`. See conf/chain/demo.yaml and slurm/README.md"),
        ({"steps": "x"}, "chain 'c': steps: Expected `array`, got `str`. See conf/chain/demo.yaml and slurm/README.md"),
        ({"steps": [A, A]}, "chain 'c': steps[1]: there is another step 'a b'. Give each step a name of its own."),
        ({"steps": [A, A | {"name": "A, b"}]}, "chain 'c': steps[1]: there is another step 'A, b'."),
        ({"steps": [A, B | {"after": ["a c"]}]}, "steps[1].after: no earlier step is named 'a c'. Did you mean 'a b'?"),
        (
            {"steps": [B | {"after": ["a b"]}, A]},
            "steps[0].after: no earlier step is named 'a b'. Earlier steps: n",
        ),
        (
            {"steps": [A | {"sweep": ["seed=interval(0,1)"]}]},
            "step 'a b': sweep: seed=interval(0,1): lists no values. ",
        ),
        ({"steps": [A | {"sweep": ["seed=range(0"]}]}, "step 'a b': sweep: seed=range(0: cannot be read ("),
        (
            {"steps": [A | {"resources": {"gpu": 1}}]},
            "steps[0].resources.gpu: there is no such key. Did you mean 'gp",
        ),
        ({"steps": [A | {"resources": {"time": 43200}}]}, "resources.time: Expected `int` <= 1440. Write minutes (at"),
        ({"steps": [A | {"resources": {"time": "2 days"}}]}, "text in quotes: '12:00:00', '2-00:00:00' (days-hours"),
        ({"steps": [A | {"resources": {"kind": "tpu"}}]}, "steps[0].resources.kind: Invalid enum value 'tpu'"),
        ({"steps": [A | {"resources": {"sbatch": {"--hold": 1}}}]}, "Write options without their dashes: sbatch: {"),
        ({"steps": [A | {"resources": {"sbatch": {"array": 1}}}]}, "array is set for each job by the project."),
    ],
)
def test_a_chain_of_another_form_is_refused(config: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigError, match=re.escape(message)):
        read_chain({"name": "c", "overrides": []} | config)


def test_a_chain_without_steps_is_refused() -> None:
    with pytest.raises(ConfigError, match="chain 'c': steps: there is none"):
        read_chain({"name": "c", "steps": []})


def test_a_sweep_with_a_value_twice_is_refused() -> None:
    step = {"name": "x", "recipe": "classifier/train.py", "sweep": ["seed=1,2,1"]}
    with pytest.raises(ConfigError, match="step 'x': sweep: seed=1 stands there twice"):
        read_chain({"name": "c", "steps": [step]})


def test_a_chain_that_is_forced_forces_its_steps() -> None:
    step = {"name": "x", "recipe": "classifier/train.py", "overrides": ["a=1"]}
    chain = read_chain({"name": "c", "steps": [step]}, forced=True)
    assert [task.words for task in tasks(chain, chain.steps[0])] == [("force=true", "a=1")]


def test_a_step_is_shown_as_one_would_type_it() -> None:
    step = Step(name="x", recipe="classifier/train.py", overrides=["experiment/classifier=a", "a=[4]"], share_s=1)
    chain = Chain(name="c", overrides=["paths.out=my runs"], steps=[step])
    assert [task.command for task in tasks(chain, step)] == [COMMAND]


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
        run_local(structs.replace(chain, overrides=[*chain.overrides, f"paths.data={world}"]), root)
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
        shares[step.recipe] = shares.get(step.recipe, 0) + (step.share_s or 0)
    world = sum(shares[f"data_prep/{name}.py"] for name in ("sample_world", "audit", "snapshot"))
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


def test_a_sweep_runs_once_for_each_combination(chain_of: Callable[..., Chain], root: Path, tmp_path: Path) -> None:
    chain = chain_of({"sweep": ["seed=1,2", "name=a,b"]})
    assert [task.own for task in tasks(chain, chain.steps[0])] == [
        ("seed=1", "name=a"), ("seed=1", "name=b"), ("seed=2", "name=a"), ("seed=2", "name=b"),
    ]  # fmt: skip
    assert [outcome.state for outcome in run_local(chain, root)] == ["4 done"]
    made = {path.relative_to(tmp_path / "out").as_posix() for path in (tmp_path / "out").glob("*/*/seed=*")}
    assert made == {f"classifier/{name}/seed={seed}" for name in "ab" for seed in (1, 2)}
    more = chain_of({"sweep": ["seed=1,2,3", "name=a"]})
    assert [outcome.state for outcome in run_local(more, root)] == ["2 already complete, 1 done"]
    cells = [list(column.cells) for column in summary(run_local(more, root)).columns]
    assert cells[3] == ["", ""]


def test_the_readmes_chain_and_cluster_can_be_read(root: Path, tmp_path: Path) -> None:
    blocks = re.findall(r"```yaml\n(.*?)```", (root / "slurm" / "README.md").read_text(encoding="utf-8"), re.DOTALL)
    chain, cluster = blocks
    write_text(tmp_path / "chain" / "mine.yaml", chain)
    config = load_recipe(root / "slurm" / "chain.py").compose([f"hydra.searchpath=[{tmp_path}]", "chain=mine"])
    assert [len(tasks(found, step)) for found in [read_chain(resolve(config)["chain"])] for step in found.steps] == [
        6,
        1,
    ]
    write_text(tmp_path / "cluster.yaml", cluster)
    found = read_cluster(tmp_path / "cluster.yaml")
    assert {key for key, value in msgspec.to_builtins(found).items()} == set(yaml.safe_load(cluster))
    assert set(yaml.safe_load(cluster)["cpu"]) == set(yaml.safe_load(cluster)["gpu"]) == set(Machines.__struct_fields__)
    assert found.cpu == Machines()


def test_a_combination_that_fails_is_named(chain_of: Callable[..., Chain], root: Path) -> None:
    chain = chain_of({"sweep": ["seed=1,-2,3"]})
    with pytest.raises(SituatedError, match=r"step 'step 0 \(seed=-2\)' failed: seed: Expected(.|\n)* seed=-2$"):
        run_local(chain, root)


def test_a_step_with_several_devices_is_a_program_of_its_own(
    chain_of: Callable[..., Chain], root: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    words = ["experiment/classifier=minilm_temp", "trainer=cpu", "trainer.devices=2", "seed=-1"]
    with pytest.raises(SituatedError, match="it ended with exit code 2; what it said stands above"):
        run_local(chain_of({"overrides": words}), root)
    assert "error: seed: Expected `int` >= 0" in capfd.readouterr().err


def test_steps_see_the_configuration_folder_that_the_chain_was_given(
    root: Path, tmp_path: Path, world: Path, command: Callable[..., Any]
) -> None:
    mine = tmp_path / "it's mine"
    preset = (root / "conf" / "experiment" / "classifier" / "majority_temp.yaml").read_text(encoding="utf-8")
    write_text(mine / "experiment" / "classifier" / "most.yaml", preset)
    step = "{name: a, recipe: classifier/train.py, overrides: [experiment/classifier=most]}"
    text = f"name: c\noverrides: [paths.out=out, 'paths.data={world}']\nsteps: [{step}]\n"
    write_text(mine / "chain" / "c.yaml", text)
    words = ["--config-dir", "it's mine", "chain=c", "paths.out=out"]
    done = command("slurm/chain.py", *words, cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    shown = command("slurm/chain.py", *words, "dry_run=true", cwd=tmp_path).stdout.strip()
    alone = shlex.split(shown)
    again = command(*alone[1:], cwd=tmp_path)
    assert "Already complete: out/classifier/majority_temp/seed=0" in again.stdout
