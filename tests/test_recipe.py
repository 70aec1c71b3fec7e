"""The frame around recipes: one message for what the user can mend, a traceback for what the user cannot."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from situated.errors import ConfigError, SituatedError
from situated.io import read_json, write_text
from situated.recipe import Recipe
from situated.slurm.chain import load_recipe

RECIPE = '''
"""A recipe whose sizes 13 and 14 fail, the one for a reason and the other by a mistake in it."""
from pathlib import Path
from hydra.utils import instantiate
from situated.config import Positive
from situated.errors import SituatedError
from situated.recipe import recipe

def inputs(config):
    files = {} if config.file is None else {"file": Path(config.file)}
    return files | ({"text": instantiate(config.text)} if "text" in config else {})

@recipe("toy_run", inputs, keys={"size": Positive, "file": str | None, "ratio": float})
def main(config, run):
    if config.size == 13:
        raise SituatedError("13 is no size. Take 12.")
    if config.size == 14:
        raise KeyError("not the user's fault")
    with run.claim():
        run.write_metrics({"size": config.size})
'''
CONFIG = """
defaults:
  - _self_
  - text: null
  - override hydra/job_logging: none
  - override hydra/hydra_logging: none
hydra:
  run: {dir: .}
  sweep: {dir: ., subdir: .}
  output_subdir: null
seed: 0
force: false
threads: null
stage: toy
name: n${size}
run_dir: ${paths.out}/${stage}/${name}/seed=${seed}
paths: {data: data, out: out}
size: 1
file: null
ratio: 0.5
"""


@pytest.fixture
def toy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, own_logging: None) -> Recipe:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HYDRA_FULL_ERROR", "0")
    monkeypatch.setenv("SITUATED_COMMIT", "any")
    write_text(tmp_path / "project" / "toy" / "run.py", RECIPE)
    write_text(tmp_path / "project" / "conf" / "toy_run.yaml", CONFIG)
    write_text(tmp_path / "project" / "conf" / "text" / "title.yaml", "_target_: string.capwords\ns: a b\n")
    return load_recipe(tmp_path / "project" / "toy" / "run.py")


@pytest.fixture
def shell(
    toy: Recipe, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> Callable[..., tuple[int, str]]:
    """Call the recipe with command-line words; return its exit code and what it wrote to stderr."""

    def call(*words: str) -> tuple[int, str]:
        monkeypatch.setattr(sys, "argv", ["toy/run.py", *words])
        code = 0
        try:
            toy()
        except SystemExit as end:
            code = int(end.code or 0)
        return code, capfd.readouterr().err

    return call


def test_a_run_leaves_its_folder_and_nothing_else(shell: Callable[..., tuple[int, str]]) -> None:
    assert shell("size=3") == (0, "")
    assert sorted(path.name for path in Path().iterdir()) == ["out", "project"]
    assert [path.as_posix() for path in Path("out").glob("*/*/*")] == ["out/toy/n3/seed=0"]
    assert read_json(Path("out/toy/n3/seed=0/metrics.json")) == {"size": 3}


def test_the_second_time_it_is_complete_already(toy: Recipe) -> None:
    assert toy.run(toy.compose(["size=3"])) == "done"
    assert toy.run(toy.compose(["size=3"])) == "already complete"
    assert toy.run(toy.compose(["size=3", "force=true"])) == "done"
    assert toy.run(toy.compose(["size=3", "seed=1"])) == "done"


def test_what_the_user_can_mend_is_one_message_and_exit_code_2(shell: Callable[..., tuple[int, str]]) -> None:
    assert shell("size=13") == (2, "error: 13 is no size. Take 12.\n")
    assert not Path("out").exists()


def test_a_mistake_of_ours_shows_where_it_is(shell: Callable[..., tuple[int, str]]) -> None:
    code, err = shell("size=14")
    assert code == 1
    assert err.startswith("Traceback")
    assert err.rstrip().endswith('KeyError: "not the user\'s fault"')


@pytest.mark.parametrize(
    ("word", "message"),
    [
        ("sise=3", "sise: there is no such key. Did you mean 'size'?"),
        ("size=many", "size: Expected `int`, got `str` (found 'many')."),
        ("size=0", "size: Expected `int` >= 1 (found 0)."),
        ("+zzz=1", "zzz: this recipe has no such key. Known: seed, force, threads, stage, name, run_dir, paths,"),
        ("seed=[1", "seed=[1: cannot be read"),
        ("seed=1,2", "configuration: Ambiguous value for argument 'seed=1,2' 1. To use it as a list"),
        ("name=???", "required but not given: name. Add name=..."),
        ("name=${nmae}", "name: Interpolation key 'nmae' not found."),
        ("text=titel", "text=titel: there is no such option. Did you mean 'title'?"),
        ("text=null", "configuration: Config group override must be a string or a list. Got NoneType."),
        ("experiment/other=x", "experiment/other: this recipe has no such group."),
        ("file=gone.jsonl", "gone.jsonl: no such file. Check the path"),
        ("paths.out=project/toy/run.py", "project/toy/run.py/toy/n1/seed=0: cannot be written"),
    ],
)
def test_a_word_that_cannot_be_followed_is_one_line(
    word: str, message: str, shell: Callable[..., tuple[int, str]]
) -> None:
    code, err = shell(word)
    assert code == 2
    assert err.startswith(f"error: {message}")
    assert err.count("\n") == 1
    assert not Path("out").exists()


def test_a_part_that_cannot_be_made_is_explained_by_its_arguments(shell: Callable[..., tuple[int, str]]) -> None:
    message = "error: text.ss: string.capwords has no such argument. Did you mean 's'?\n"
    assert shell("text=title", "+text.ss=x") == (2, message)


def test_a_missing_file_is_explained_by_a_wrong_value_where_there_is_one(
    toy: Recipe, shell: Callable[..., tuple[int, str]]
) -> None:
    node = "_target_: situated.data.situatedqa.Identification\nfolder: x\ncontext: tmp\n"
    write_text(toy.conf / "text" / "spoilt.yaml", node)
    code, err = shell("text=spoilt", "file=gone.jsonl")
    assert (code, err.startswith("error: text.context: Invalid enum value 'tmp'")) == (2, True)


def test_a_broken_yaml_is_named_by_file_and_line(toy: Recipe, shell: Callable[..., tuple[int, str]]) -> None:
    write_text(toy.conf / "text" / "broken.yaml", "_target_: x\ns: [1\n")
    code, err = shell("text=broken")
    assert code == 2
    assert f'{toy.conf / "text" / "broken.yaml"}", line 2' in err
    assert "Traceback" not in err


def test_a_sweep_goes_on_after_a_failure_and_tells_which_failed(shell: Callable[..., tuple[int, str]]) -> None:
    code, err = shell("-m", "size=1,13,2")
    assert code == 2
    assert err == "error: 13 is no size. Take 12.\n  in size=13\n"
    assert sorted(path.name for path in Path("out/toy").iterdir()) == ["n1", "n2"]


def test_a_job_that_a_launcher_runs_elsewhere_is_seen_to_fail(toy: Recipe, monkeypatch: pytest.MonkeyPatch) -> None:
    failures: list[Exception] = []
    job = toy.job(failures)
    monkeypatch.setattr(os, "getpid", lambda: -1)
    with pytest.raises(SituatedError, match="13 is no size"):
        job(toy.compose(["size=13"]))
    assert not failures


def test_a_job_refuses_other_code_than_it_was_submitted_with(
    shell: Callable[..., tuple[int, str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SITUATED_COMMIT", "0" * 40)
    code, err = shell("size=3")
    assert code == 2
    assert err.startswith(f"error: This job was submitted from commit {'0' * 40}, but the code is at ")
    assert not Path("out").exists()


def test_a_sweep_s_jobs_are_told_the_commit(
    toy: Recipe, shell: Callable[..., tuple[int, str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("SITUATED_COMMIT")
    monkeypatch.setattr("situated.manifest.commit", lambda: "abc")
    assert shell("size=1")[0] == 0
    assert "SITUATED_COMMIT" not in os.environ
    assert shell("-m", "size=1,2")[0] == 0
    assert os.environ["SITUATED_COMMIT"] == "abc"


@pytest.mark.parametrize("folder", ["runs/a/seed=1", "runs/a b/seed=1", "/x/seed=1/model", "~/é/seed=1", "a=b=c"])
def test_folders_that_are_named_as_runs_need_no_quotes(folder: str, toy: Recipe) -> None:
    assert toy.compose([f"file={folder}"]).file == folder


def test_words_that_hydra_reads_are_left_to_it(toy: Recipe) -> None:
    config = toy.compose(["paths={data: a, out: b}", "file='x=y'", "++paths.more=[1,2]", "size=2"])
    assert (config.paths.data, config.paths.out, config.file, config.paths.more, config.size) == (
        "a", "b", "x=y", [1, 2], 2,
    )  # fmt: skip


def test_composing_refuses_in_the_same_words(toy: Recipe) -> None:
    with pytest.raises(ConfigError, match=r"^sise: there is no such key\. Did you mean 'size'\?$"):
        toy.compose(["sise=3"])


@pytest.mark.parametrize(
    "folder", ["x,y", "o{1}", "it's", "ünï", "o#1", "o$HOME", "a\\", "a\\'b", " o", "[x]", 'q"q', "a b"]
)
def test_an_output_folder_may_have_any_name(folder: str, toy: Recipe) -> None:
    assert toy.compose([f"paths.out={folder}"]).paths.out == folder
