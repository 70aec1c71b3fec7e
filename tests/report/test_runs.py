from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from situated.errors import InputError, SituatedError
from situated.io import read_json, sha256, write_json, write_text
from situated.report.runs import check_same_experiment, find_runs
from situated.run import Run

MakeRun = Callable[..., Path]


def _change_manifest(folder: Path, **changes: Any) -> None:
    write_json(folder / "manifest.json", read_json(folder / "manifest.json") | changes)


def test_runs_are_found_by_name_and_seed_as_a_number(out: Path, make_run: MakeRun) -> None:
    for system, seed in [("random", 10), ("random", 2), ("perfect", 1)]:
        make_run(system, seed=seed)
    assert [(run.name, run.seed) for run in find_runs(out, "classifier")] == [
        ("perfect_temp", 1),
        ("random_temp", 2),
        ("random_temp", 10),
    ]
    assert find_runs(out, "reader") == []


def test_what_a_run_folder_of_the_package_says_is_understood(out: Path, tmp_path: Path) -> None:
    data = tmp_path / "train.jsonl"
    write_text(data, "{}\n")
    config = {"stage": "classifier", "name": "x_temp", "seed": 3, "system": "x", "data": {"context": "temp"}}
    run = Run(out / "classifier" / "x_temp" / "seed=3", config, {"train": data})
    with run.claim():
        run.write_predictions([])
        (meanwhile,) = find_runs(out, "classifier")
        assert not meanwhile.is_complete
        assert "running" in meanwhile.status
    (record,) = find_runs(out, "classifier")
    assert record.is_complete
    assert (record.folder, record.seed, record.setting("data.context")) == (run.folder, 3, "temp")
    assert record.inputs["train"].sha256 == sha256(data)
    assert record.output("predictions.jsonl").read_text() == ""


def test_folder_without_manifest_is_incomplete(out: Path) -> None:
    (out / "classifier" / "x_geo" / "seed=4").mkdir(parents=True)
    (record,) = find_runs(out, "classifier")
    assert (record.name, record.seed, record.is_complete, record.status) == ("x_geo", 4, False, "no manifest.json")


@pytest.mark.parametrize(
    ("changes", "field", "problem"),
    [
        ({"seed": 2}, "seed", "2, but the folder is that of 1"),
        ({"name": "other"}, "name", "'other', but the folder is that of 'perfect_temp'"),
        ({"stage": "reader"}, "stage", "'reader'"),
        ({"inputs": {"train": {"path": "x"}}}, None, "sha256"),
        ({"config": None}, None, "config"),
    ],
)
def test_manifest_that_cannot_be_used_is_named(
    out: Path, make_run: MakeRun, changes: dict[str, Any], field: str | None, problem: str
) -> None:
    folder = make_run("perfect")
    _change_manifest(folder, **changes)
    with pytest.raises(InputError, match=problem) as caught:
        find_runs(out, "classifier")
    assert (caught.value.path, caught.value.field) == (folder / "manifest.json", field)


def test_manifest_that_is_no_json_is_named(out: Path, make_run: MakeRun) -> None:
    path = make_run("perfect") / "manifest.json"
    path.write_text("{")
    with pytest.raises(InputError, match=r"manifest\.json: not a JSON document"):
        find_runs(out, "classifier")


def test_folder_name_without_a_seed_is_refused(out: Path, make_run: MakeRun) -> None:
    folder = make_run("perfect")
    folder.rename(folder.with_name("seed=1.old"))
    with pytest.raises(InputError, match="no number follows"):
        find_runs(out, "classifier")


def test_setting_that_is_missing_is_named(out: Path, make_run: MakeRun) -> None:
    make_run("perfect")
    (record,) = find_runs(out, "classifier")
    with pytest.raises(InputError) as caught:
        record.setting("data.context.name")
    assert caught.value.field == "config.data.context.name"


def test_output_changed_after_the_run_is_refused(out: Path, make_run: MakeRun) -> None:
    folder = make_run("perfect")
    path = folder / "predictions.jsonl"
    _change_manifest(folder, outputs={path.name: {"sha256": sha256(path)}})
    (record,) = find_runs(out, "classifier")
    assert record.output(path.name) == path
    path.write_text(path.read_text().replace('"prediction":"yes"', '"prediction":"no"', 1))
    with pytest.raises(InputError, match="changed after the run was complete"):
        record.output(path.name)


def test_run_reads_only_known_files_if_train_dev_and_test_are_known(
    out: Path, make_run: MakeRun, known: frozenset[str]
) -> None:
    hashes = dict(zip(("dev", "test", "train"), sorted(known), strict=True))
    make_run("perfect", seed=1, inputs=hashes)
    make_run("perfect", seed=2, inputs=hashes | {"encoder": "e" * 64})
    make_run("perfect", seed=3, inputs=hashes | {"test": "e" * 64})
    make_run("perfect", seed=4, inputs={split: hashes[split] for split in ("dev", "test")})
    assert [run.reads_only(known) for run in find_runs(out, "classifier")] == [True, True, False, False]


def test_seeds_and_places_make_no_other_experiment(out: Path, make_run: MakeRun) -> None:
    for seed, place in [(1, "here"), (2, "there")]:
        config = {"paths": {"out": place}, "run_dir": place, "optim": {"lr": 1e-5, "seed": seed}}
        make_run("perfect", seed=seed, config=config, data={"folder": place})
    check_same_experiment(find_runs(out, "classifier"))


def test_other_settings_or_inputs_make_another_experiment(out: Path, make_run: MakeRun, known: frozenset[str]) -> None:
    first = make_run("perfect", seed=1, config={"optim": {"lr": 1e-5}})
    second = make_run("perfect", seed=2, config={"optim": {"lr": 3e-5}}, inputs={"train": "e" * 64})
    with pytest.raises(SituatedError) as caught:
        check_same_experiment(find_runs(out, "classifier"))
    message = str(caught.value)
    assert str(first) in message
    assert str(second) in message
    assert "config.optim.lr, inputs.dev, inputs.test, inputs.train.sha256" in message
