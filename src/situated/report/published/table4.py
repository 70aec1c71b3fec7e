"""Table 4: is the answer to a question context-dependent? Accuracy, precision, recall and F1 of classifiers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path

from situated.metrics import BINARY_METRICS, Estimate
from situated.report.identification import SPLITS, Split, score
from situated.report.paper import IdentificationScores, Statistics, printed
from situated.report.runs import RunRecord, check_same_experiment, find_runs
from situated.report.table import Block, Cell, Label, Missing, Row, Table, percent_cell

TITLES = {
    "random": "Random",
    "majority": "Majority",
    "tfidf": "TF-IDF + LR",
    "minilm": "MiniLM-L6",
    "bert_base": "BERT-base",
    "bert_large": "BERT-large",
    "human": "Human",
}
"""System, as a configuration calls it -> row heading, in the order of the rows; other systems stand before the last."""

COLUMNS = {"accuracy": "Accuracy", "precision": "Precision", "recall": "Recall", "f1": "F1"}

_RANDOM = (
    "Random: the paper's row recalls 54 to 65%, which fits guessing 'yes' with the probability of 'no' (64% of the "
    "temp and 54% of the geo training questions), not with that of 'yes'. Ours says 'yes' as often as the training "
    "questions do: the two rows differ by design."
)
_HUMAN = "Human: the paper's own estimate on 50 questions of each context; no run makes it."
_CAVEAT = (
    "Not comparable with the paper, so no difference is given: rows marked 'other data' (trained or evaluated on "
    "files that are not the released ones) or 'first <n>' (a part of each split)."
)


@dataclass(frozen=True)
class Result:
    """The scores of one experiment over its seeds.

    Attributes:
        caveat: Why they must not be compared with the paper; empty where they may.
    """

    context: str
    system: str
    runs: tuple[RunRecord, ...]
    scores: dict[Split, dict[str, Estimate]]
    caveat: str

    @property
    def title(self) -> str:
        """Row heading; with the experiment's name where it is not the preset's."""
        title = TITLES.get(self.system, self.system)
        return title if self.is_preset else f"{title} ({self.runs[0].name})"

    @property
    def is_preset(self) -> bool:
        """Whether the experiment bears the name of the preset that reproduces the paper's row."""
        return self.runs[0].name == f"{self.system}_{self.context}"

    @property
    def detail(self) -> str:
        """What the figures rest on."""
        seeds = f"{len(self.runs)} seed" + "s" * (len(self.runs) > 1)
        return f"{seeds}, {self.caveat}" if self.caveat else seeds


def build(out: Path, *, draws: int, seed: int, known: frozenset[str]) -> Table:
    """Table 4 from the run folders ``<out>/classifier/<name>/seed=<n>``.

    The seeds of one name are averaged; two experiments with the same system have a row each.

    Raises:
        InputError: A run folder cannot be used.
        SituatedError: Seeds of one name have different configurations, inputs or examples.
    """
    records = find_runs(out, "classifier")
    complete = [record for record in records if record.is_complete]
    results = [
        _result(tuple(seeds), draws, seed, known) for _, seeds in groupby(complete, key=lambda record: record.name)
    ]
    paper = printed("situatedqa", "table4_identification", dict[str, dict[str, IdentificationScores]])
    contexts = [*paper, *sorted({result.context for result in results} - paper.keys())]
    other_data = bool(results) and all(result.caveat for result in results)
    return Table(
        name="table4",
        title="Table 4: context-dependent question identification (percent)"
        + (" - other data than the paper's: NOT comparable with it" if other_data else ""),
        stub=("System", "Split"),
        columns=tuple(COLUMNS[metric] for metric in BINARY_METRICS),
        blocks=tuple(Block(context, tuple(_rows(context, paper.get(context, {}), results))) for context in contexts),
        notes=tuple(_notes(records, results, draws, seed)),
        missing=tuple(_missing(paper, results)),
        runs=tuple(record.folder.relative_to(out).as_posix() for record in complete),
    )


def _result(runs: tuple[RunRecord, ...], draws: int, seed: int, known: frozenset[str]) -> Result:
    check_same_experiment(runs)
    context, system = runs[0].setting("data.context"), runs[0].setting("system")
    limit = runs[0].config["data"].get("limit")
    caveats = [] if runs[0].reads_only(known) else ["other data"]
    caveats += [f"first {limit}"] if limit is not None else []
    return Result(context, system, runs, score(runs, draws, seed), ", ".join(caveats))


def _rows(context: str, paper: dict[str, IdentificationScores], results: list[Result]) -> Iterator[Row]:
    here = [result for result in results if result.context == context]
    *usual, last = TITLES
    systems = {*paper, *(result.system for result in here)}
    for system in [*usual, *sorted(systems - TITLES.keys()), last]:
        ours: list[Result | None] = [result for result in here if result.system == system]
        if system in paper and not ours:
            ours = [None]
        for result in ours:
            for split in SPLITS:
                yield _row(system, split, paper.get(system), result)


def _row(system: str, split: Split, paper: IdentificationScores | None, result: Result | None) -> Row:
    theirs = paper.on(split) if paper else {}
    if result is None or split not in result.scores:
        title = Label(TITLES.get(system, system)) if result is None else Label(result.title, result.detail)
        return Row((title, Label(split)), tuple(Cell(theirs.get(metric)) for metric in BINARY_METRICS))
    scores = result.scores[split]
    cells = (
        percent_cell(theirs.get(metric), scores[metric], len(result.runs), comparable=not result.caveat)
        for metric in BINARY_METRICS
    )
    return Row((Label(result.title, result.detail), Label(split, f"n = {scores['f1'].n}")), tuple(cells))


def _missing(paper: dict[str, dict[str, IdentificationScores]], results: list[Result]) -> Iterator[Missing]:
    made = {(result.context, result.system) for result in results if result.is_preset}
    for context, systems in paper.items():
        for system in systems:
            if system != "human" and (context, system) not in made:
                command = f"python classifier/train.py experiment/classifier={system}_{context} seed=1"
                yield Missing(f"{TITLES[system]}, {context}", command)


def _notes(records: list[RunRecord], results: list[Result], draws: int, seed: int) -> Iterator[str]:
    if results:
        yield f"[low, high]: 95% percentile bootstrap over examples and seeds ({draws} draws, seed {seed})."
    else:
        yield "No complete run of the classifier is there: these are the paper's figures alone."
    if any(result.caveat for result in results):
        yield _CAVEAT
    yield from _other_counts(results)
    yield _RANDOM
    yield _HUMAN
    for record in records:
        if not record.is_complete:
            yield f"Not counted: {record.stage}/{record.name}/seed={record.seed} is incomplete ({record.status})."


def _other_counts(results: list[Result]) -> Iterator[str]:
    """Say where the released files hold another number of questions than the paper's Table 2."""
    statistics = printed("situatedqa", "table2_statistics", dict[str, Statistics])
    seen = {
        (result.context, split, result.scores[split]["f1"].n, getattr(statistics[result.context], split)[0])
        for result in results
        if not result.caveat and result.context in statistics
        for split in result.scores
    }
    for context, split, released, in_paper in sorted(seen):
        if released != in_paper:
            yield f"{context} {split}: {released} questions in the released file, {in_paper} in the paper's Table 2."
