from collections.abc import Callable
from pathlib import Path

import pytest
from sklearn.metrics import f1_score

from situated.errors import InputError, SituatedError
from situated.io import read_json, write_json
from situated.report.identification import SPLITS, read_judged, score
from situated.report.runs import find_runs

MakeRun = Callable[..., Path]


def _edit(folder: Path, old: str, new: str, count: int = 1) -> None:
    path = folder / "predictions.jsonl"
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new, count))


def test_scores_are_means_over_seeds_on_each_split(out: Path, make_run: MakeRun) -> None:
    for seed in (1, 2, 3):
        make_run("random", seed=seed)
    runs = find_runs(out, "classifier")
    scores = score(runs, draws=200, seed=0)
    for split, n in zip(SPLITS, (40, 30), strict=True):
        f1 = []
        for run in runs:
            rows = [row for row in read_judged(run).values() if row.split == split]
            f1.append(f1_score([r.label for r in rows], [r.prediction for r in rows], pos_label="yes"))
        estimate = scores[split]["f1"]
        assert estimate.value == pytest.approx(sum(f1) / 3)
        assert estimate.n == n
        assert estimate.ci95[0] < estimate.value < estimate.ci95[1]
    assert len(set(f1)) > 1


def test_order_of_lines_is_immaterial(out: Path, make_run: MakeRun) -> None:
    folders = [make_run("random", seed=seed) for seed in (1, 2)]
    before = score(find_runs(out, "classifier"), draws=100, seed=0)
    path = folders[1] / "predictions.jsonl"
    path.write_text("".join(reversed(path.read_text().splitlines(keepends=True))))
    assert score(find_runs(out, "classifier"), draws=100, seed=0) == before


def test_split_without_predictions_has_no_scores(out: Path, make_run: MakeRun) -> None:
    folder = make_run("perfect")
    _edit(folder, '"split":"dev"', '"split":"test"', count=-1)
    scores = score(find_runs(out, "classifier"), draws=10, seed=0)
    assert list(scores) == ["test"]
    assert scores["test"]["f1"].n == 70


def test_other_examples_are_not_averaged(out: Path, make_run: MakeRun) -> None:
    folders = [make_run("perfect", seed=1), make_run("perfect", seed=2)]
    _edit(folders[1], "q.test:30", "q.test:31")
    with pytest.raises(SituatedError, match=r"2 are in one only, such as 'q\.test:30'") as caught:
        score(find_runs(out, "classifier"), draws=10, seed=0)
    assert all(str(folder) in str(caught.value) for folder in folders)


@pytest.mark.parametrize(("old", "new"), [('"label":"no"', '"label":"yes"'), ('"split":"dev"', '"split":"test"')])
def test_other_labels_or_splits_are_not_averaged(out: Path, make_run: MakeRun, old: str, new: str) -> None:
    folders = [make_run("perfect", seed=1), make_run("perfect", seed=2)]
    _edit(folders[1], old, new)
    with pytest.raises(SituatedError, match="different splits or labels") as caught:
        score(find_runs(out, "classifier"), draws=10, seed=0)
    assert all(str(folder) in str(caught.value) for folder in folders)


@pytest.mark.parametrize(
    ("old", "new", "line", "field"),
    [
        ('"label":"yes"', '"label":null', 1, "label"),
        ('"prediction":"no"', '"prediction":"No"', 17, "prediction"),
        ('"split":"test"', '"split":"train"', 41, "split"),
        ("q.dev:2", "q.dev:1", 2, "example_id"),
    ],
)
def test_broken_line_is_named(out: Path, make_run: MakeRun, old: str, new: str, line: int, field: str) -> None:
    folder = make_run("perfect")
    _edit(folder, old, new)
    with pytest.raises(InputError) as caught:
        score(find_runs(out, "classifier"), draws=10, seed=0)
    assert (caught.value.path, caught.value.line, caught.value.field) == (folder / "predictions.jsonl", line, field)


def test_missing_predictions_are_named(out: Path, make_run: MakeRun) -> None:
    (make_run("perfect") / "predictions.jsonl").unlink()
    with pytest.raises(InputError, match=r"predictions\.jsonl: no such file"):
        score(find_runs(out, "classifier"), draws=10, seed=0)


def test_a_random_classifier_counts_with_all_its_draws(make_run: MakeRun, out: Path) -> None:
    """Its predictions are one draw; its metrics are the mean over many."""
    draws = {"classifier": {"draws": 200}}
    for seed, value in ((1, 0.25), (2, 0.75)):
        folder = make_run("random", seed=seed, config=draws)
        metrics = read_json(folder / "metrics.json")
        metrics["dev/f1"] = {"value": value, "n": 40, "ci95": [value - 0.1, value + 0.1]}
        write_json(folder / "metrics.json", metrics)
    estimate = score(find_runs(out, "classifier"), 100, 0)["dev"]["f1"]
    assert (estimate.value, estimate.n) == (0.5, 40)
    assert estimate.ci95 == pytest.approx((0.15, 0.85))
