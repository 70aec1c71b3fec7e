"""Context-dependence classifiers: predictions of one or several seeds -> scores with intervals."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import msgspec

from situated.errors import InputError, SituatedError
from situated.io import read_json
from situated.metrics import BINARY_METRICS, Estimate, bootstrap_binary_runs
from situated.report.runs import RunRecord, read_by_example

Split = Literal["dev", "test"]
SPLITS: tuple[Split, ...] = ("dev", "test")


@dataclass(frozen=True)
class Judged:
    """A line of ``predictions.jsonl``: an example's gold label and what the classifier said."""

    example_id: str
    split: Split
    label: Literal["yes", "no"]
    prediction: Literal["yes", "no"]


def score(runs: Sequence[RunRecord], draws: int, seed: int) -> dict[Split, dict[str, Estimate]]:
    """Split -> metric -> mean over the runs, for the splits that they hold.

    Of a random classifier, whose predictions are one draw of many, the figures are those that its runs wrote.

    Raises:
        InputError: Metrics or predictions are missing, broken, or given twice for one example.
        SituatedError: The runs are not of the same examples with the same labels; names both folders.
    """
    if all(_averages_draws(run) for run in runs):
        return _joined([_written(run) for run in runs])
    judged = [read_judged(run) for run in runs]
    for run, other in zip(runs[1:], judged[1:], strict=True):
        _check_same_examples(runs[0], judged[0], run, other)
    scores: dict[Split, dict[str, Estimate]] = {}
    for split in SPLITS:
        examples = [key for key, row in judged[0].items() if row.split == split]
        if examples:
            labels = [judged[0][key].label == "yes" for key in examples]
            predictions = [[rows[key].prediction == "yes" for key in examples] for rows in judged]
            scores[split] = bootstrap_binary_runs(labels, predictions, draws, seed)
    return scores


def read_judged(run: RunRecord) -> dict[str, Judged]:
    """Example id -> what the run said of it.

    Raises:
        InputError: The file is missing, changed since the run or broken, or an example occurs twice.
    """
    return read_by_example(run, "predictions.jsonl", Judged, "Make the run again with force=true.")


def _averages_draws(run: RunRecord) -> bool:
    classifier = run.config.get("classifier")
    return isinstance(classifier, dict) and "draws" in classifier


def _joined(runs: list[dict[Split, dict[str, Estimate]]]) -> dict[Split, dict[str, Estimate]]:
    """Mean value and widest interval of each figure over runs that are themselves means over draws."""
    return {
        split: {
            metric: Estimate(
                sum(run[split][metric].value for run in runs) / len(runs),
                runs[0][split][metric].n,
                (min(run[split][metric].ci95[0] for run in runs), max(run[split][metric].ci95[1] for run in runs)),
            )
            for metric in BINARY_METRICS
        }
        for split in runs[0]
    }


def _written(run: RunRecord) -> dict[Split, dict[str, Estimate]]:
    path = run.output("metrics.json")
    try:
        metrics = msgspec.convert(read_json(path), dict[str, Estimate])
        return {
            split: {metric: metrics[f"{split}/{metric}"] for metric in BINARY_METRICS}
            for split in SPLITS
            if f"{split}/f1" in metrics
        }
    except (msgspec.ValidationError, KeyError) as error:
        raise InputError(path, f"not the metrics of a classifier ({error})", "Make the run again.") from error


def _check_same_examples(
    run: RunRecord, judged: dict[str, Judged], other_run: RunRecord, other: dict[str, Judged]
) -> None:
    pair = f"{run.folder} and {other_run.folder}"
    mend = "Seeds are averaged over the same examples only: make one of the runs again with force=true."
    if odd := sorted(judged.keys() ^ other.keys()):
        raise SituatedError(
            f"{pair} do not predict the same examples: {len(odd)} are in one only, such as {odd[0]!r}. {mend}"
        )
    for key, row in judged.items():
        if (row.split, row.label) != (other[key].split, other[key].label):
            raise SituatedError(f"{pair} give {key!r} different splits or labels. {mend}")
