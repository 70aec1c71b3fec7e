"""Answers that ``report/score.py`` has scored: score folders -> experiments, their seeds averaged, with intervals."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path

import msgspec
import numpy as np
import numpy.typing as npt

from situated.errors import InputError, SituatedError
from situated.io import read_json
from situated.metrics import Estimate
from situated.metrics.estimate import check_draws
from situated.report.runs import RunRecord, check_same_experiment, find_runs, read_by_example

STAGE = "score"
KINDS: Mapping[str, frozenset[str]] = {
    "temp": frozenset({"static", "sampled", "start"}),
    "geo": frozenset({"common", "rare"}),
    "previous": frozenset({"current", "previous"}),
    "updated": frozenset({"stable", "updated"}),
}
"""What the examples ask for -> groups of examples that only such a file has."""

RELEASED: Mapping[str, Mapping[str, int]] = {
    "temp": {"static": 400, "sampled": 1482, "start": 913},
    "geo": {"common": 266, "rare": 240},
    "previous": {"current": 529, "previous": 373},
    "updated": {"stable": 267, "updated": 209},
}
"""Kind -> examples of each group in the released test files."""

_BLOCK = 250  # bootstrap draws held in memory at once
_Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Experiment:
    """One system's answers to one file of questions, over its seeds.

    Attributes:
        system: "<family>/<setting>", as the runs say.
        kind: What its examples ask for, a key of ``KINDS``; "open" for plain questions.
        scores: Metric -> mean over the seeds.
        caveat: What must be known before the figures are compared with the paper's; empty if nothing.
        comparable: Whether they may be.
    """

    runs: tuple[RunRecord, ...]
    system: str
    kind: str
    scores: Mapping[str, Estimate]
    caveat: str
    comparable: bool

    @property
    def name(self) -> str:
        """Name of its score folders."""
        return self.runs[0].name

    @property
    def family(self) -> str:
        """Family of the system; the whole name where it names no setting."""
        return self.system.partition("/")[0]

    @property
    def setting(self) -> str:
        """Setting of the system; empty where it names none."""
        return self.system.partition("/")[2]

    @property
    def detail(self) -> str:
        """What the figures rest on."""
        seeds = f"{len(self.runs)} seed" + "s" * (len(self.runs) > 1)
        return f"{seeds}, {self.caveat}" if self.caveat else seeds


class ScoreRow(msgspec.Struct, frozen=True):
    """What averaging needs of a line of ``scores.jsonl``: an example, its question, its groups, its scores.

    Attributes:
        question_id: What the intervals resample.
        em: Whether the answer is right; ``any``: whether it is in any annotated context.
        recall: Whether the first 50 passages hold an answer; ``recall_any`` likewise. Of retrieval only.
    """

    example_id: str
    question_id: str
    groups: tuple[str, ...] = ()
    em: float | bool | None = None
    any: float | bool | None = None
    recall: float | bool | None = msgspec.field(name="recall@50", default=None)
    recall_any: float | bool | None = msgspec.field(name="recall@50_any", default=None)

    def is_in(self, group: str) -> bool:
        """Whether the example counts in a group; all do in "total" and "any"."""
        return group in ("total", "any") or group in self.groups

    def score(self, metric: str, group: str) -> float | bool | None:
        """The example's part of a metric's mean over a group."""
        one, every = {"em": (self.em, self.any), "recall@50": (self.recall, self.recall_any)}[metric]
        return every if group == "any" else one


def read_experiments(
    records: Sequence[RunRecord], prefix: str, draws: int, seed: int, known: frozenset[str]
) -> list[Experiment]:
    """The experiments of the complete score folders, by name.

    Args:
        records: Score folders.
        prefix: Of the metrics that are wanted, such as "em".
        draws: Bootstrap resamples for each interval over several seeds; one seed's are those that it wrote itself.
        seed: Of the resampling.
        known: Content hashes of the released files.

    Raises:
        InputError: Metrics or scores are missing, broken or changed since the run.
        SituatedError: Seeds of one name have other settings or examples.
    """
    complete = [record for record in records if record.is_complete]
    found = []
    for _, runs in groupby(complete, key=lambda record: record.name):
        if experiment := _experiment(tuple(runs), f"{prefix}/", draws, seed, known):
            found.append(experiment)
    return found


def find_scores(out: Path) -> list[RunRecord]:
    """Every score folder below ``out``, incomplete ones too."""
    return find_runs(out, STAGE)


def bootstrap_question_means(
    values: _Floats, questions: Sequence[str], draws: int, seed: int
) -> tuple[float, tuple[float, float]]:
    """Mean over runs and examples, and its 95% percentile interval over resampled runs and questions.

    A question is drawn with all its examples, since answers to one question in several contexts go together; for all
    runs alike. With few runs the interval covers little of the variance between seeds.

    Source: cluster bootstrap, Field & Welsh 2007; runs as in Sellam et al. 2022, "The MultiBERTs".

    >>> bootstrap_question_means(np.array([[1.0, 0.0], [1.0, 0.0]]), ["a", "a"], draws=100, seed=0)
    (0.5, (0.5, 0.5))

    Args:
        values: Score of each example in each run, (n_runs, n_examples).
        questions: The question of each example; their order does not matter.
        draws: Number of resamples.
        seed: Of the resampling.

    Raises:
        ConfigError: ``draws`` is not positive.
    """
    check_draws(draws)
    _, cluster = np.unique(np.asarray(questions), return_inverse=True)
    counts = np.bincount(cluster).astype(np.float64)
    sums: _Floats = np.stack([np.bincount(cluster, weights=run).astype(np.float64) for run in values])
    generator = np.random.default_rng(seed)
    means = np.concatenate([*_resampled(sums, counts, draws, generator)])
    low, high = np.quantile(means, [0.025, 0.975])
    return float(values.mean()), (float(low), float(high))


def _resampled(sums: _Floats, counts: _Floats, draws: int, generator: np.random.Generator) -> Iterator[_Floats]:
    n_runs, n_questions = sums.shape
    for start in range(0, draws, _BLOCK):
        block = min(_BLOCK, draws - start)
        questions = generator.multinomial(n_questions, np.full(n_questions, 1 / n_questions), size=block)
        runs = generator.multinomial(n_runs, np.full(n_runs, 1 / n_runs), size=block) / n_runs
        drawn = questions.astype(np.float64)
        yield np.einsum("br,br->b", drawn @ sums.T, runs) / (drawn @ counts)


def _experiment(
    runs: tuple[RunRecord, ...], prefix: str, draws: int, seed: int, known: frozenset[str]
) -> Experiment | None:
    """None where the folders hold no metric of the prefix."""
    check_same_experiment(runs, but_for="predictions")
    written = [_metrics(run) for run in runs]
    names = [name for name in written[0] if name.startswith(prefix)]
    if not names:
        return None
    scores = {name: written[0][name] for name in names} if len(runs) == 1 else _averaged(runs, names, draws, seed)
    groups = {name.removeprefix(prefix): scores[name].n for name in names}
    kind = next((kind for kind, own in KINDS.items() if own & groups.keys()), "open")
    caveat, comparable = _caveat(runs[0], kind, groups, known)
    return Experiment(runs, runs[0].setting("system"), kind, scores, caveat, comparable)


def _metrics(run: RunRecord) -> dict[str, Estimate]:
    path = run.output("metrics.json")
    try:
        return msgspec.convert(read_json(path), dict[str, Estimate])
    except msgspec.ValidationError as error:
        raise InputError(path, f"not the metrics of scored answers ({error})", "Score them again.") from error


def _caveat(run: RunRecord, kind: str, groups: Mapping[str, int], known: frozenset[str]) -> tuple[str, bool]:
    """Whether the examples are those of the released test file, as far as the folder tells."""
    of_kind = {name: n for name, n in groups.items() if name in KINDS.get(kind, ())}
    if of_kind != RELEASED.get(kind):
        return "other data", False
    if "gold" not in run.inputs:
        return "own gold", True
    # Current and previous, stable and updated are made from the released timelines: their files have no known content.
    is_derived = kind in ("previous", "updated")
    return ("", True) if is_derived or run.inputs["gold"].sha256 in known else ("other data", False)


def _averaged(runs: Sequence[RunRecord], names: Sequence[str], draws: int, seed: int) -> dict[str, Estimate]:
    first, *others = (_rows(run) for run in runs)
    for run, other in zip(runs[1:], others, strict=True):
        _check_same_examples(runs[0], first, run, other)
    return {name: _average(runs[0], [first, *others], name, draws, seed) for name in names}


def _average(run: RunRecord, seeds: Sequence[Mapping[str, ScoreRow]], name: str, draws: int, seed: int) -> Estimate:
    metric, group = name.split("/")
    keys = [key for key, row in seeds[0].items() if row.is_in(group)]
    scores = [[rows[key].score(metric, group) for key in keys] for rows in seeds]
    if not keys or any(score is None for row in scores for score in row):
        problem = f"holds no example, or not the score of each, for {name!r} of metrics.json"
        raise InputError(run.folder / "scores.jsonl", problem, "Score all seeds again with force=true.")
    questions = [seeds[0][key].question_id for key in keys]
    mean, ends = bootstrap_question_means(np.array(scores, dtype=np.float64), questions, draws, seed)
    return Estimate(mean, len(keys), ends)


def _rows(run: RunRecord) -> dict[str, ScoreRow]:
    return read_by_example(run, "scores.jsonl", ScoreRow, "Score the answers again with force=true.")


def _check_same_examples(
    run: RunRecord, rows: Mapping[str, ScoreRow], other_run: RunRecord, other: Mapping[str, ScoreRow]
) -> None:
    pair = f"{run.folder} and {other_run.folder}"
    mend = "Seeds are averaged over the same examples only: score each with gold=<file of the examples>."
    if odd := sorted(rows.keys() ^ other.keys()):
        raise SituatedError(f"{pair} score other examples: {len(odd)} are in one only, such as {odd[0]!r}. {mend}")
    for key, row in rows.items():
        if (row.question_id, row.groups) != (other[key].question_id, other[key].groups):
            raise SituatedError(f"{pair} give {key!r} different questions or groups. {mend}")
