"""Tables of scored answers: the paper's systems and ours, a row for each part of the test questions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from situated.report.runs import RunRecord
from situated.report.scored import RELEASED, Experiment, find_scores, read_experiments
from situated.report.table import Block, Cell, Label, Missing, Row, Table, percent_cell

FAMILIES: Mapping[str, str] = {"retrieval": "Retrieval (DPR)", "closed_book": "Closed book (BART)"}
"""Family of systems, as a configuration calls it -> heading, in the paper's order."""

SETTINGS: Mapping[str, str] = {"unmodified": "Unmodified", "modified": "Modified query", "finetuned": "Fine-tuned"}
"""Setting -> heading."""

OTHER = "Other"

Printed = Mapping[str, Mapping[str, Mapping[str, float]]]
"""Family -> setting -> part -> percent."""


@dataclass(frozen=True)
class Section:
    """Test questions of one kind.

    Attributes:
        heading: Of the block.
        kind: Of the experiments, a key of ``scored.KINDS``.
        parts: Group of examples, as the metrics call it -> heading.
        printed: What the paper prints.
        counts: Part -> number of examples that the paper prints.
        data: The file that a system answers, in words for a command line.
    """

    heading: str
    kind: str
    parts: Mapping[str, str]
    printed: Printed
    counts: Mapping[str, int] = field(default_factory=dict)
    data: str = ""


@dataclass(frozen=True)
class Layout:
    """A table of scored answers.

    Attributes:
        metric: "em" or "recall@50": the part of a metric's name before the group.
        settings: Setting -> column heading; a setting that no column shows gets the column ``OTHER``.
        only_settings: Leave other settings out instead.
    """

    name: str
    title: str
    metric: str
    sections: tuple[Section, ...]
    settings: Mapping[str, str] = field(default_factory=lambda: SETTINGS)
    only_settings: bool = False
    notes: tuple[str, ...] = ()


def build_answers(layout: Layout, out: Path, *, draws: int, seed: int, known: frozenset[str]) -> Table:
    """The table, from the score folders ``<out>/score/<name>/seed=<n>``.

    Raises:
        InputError: A score folder cannot be used.
        SituatedError: Seeds of one name have other settings or examples.
    """
    records = find_scores(out)
    kinds = [section.kind for section in layout.sections]
    shown = [
        experiment
        for experiment in read_experiments(records, layout.metric, draws, seed, known)
        if experiment.kind in kinds and not (layout.only_settings and experiment.setting not in layout.settings)
    ]
    others = any(experiment.setting not in layout.settings for experiment in shown)
    columns = {**layout.settings, **({OTHER: OTHER} if others else {})}
    incomparable = bool(shown) and not any(experiment.comparable for experiment in shown)
    return Table(
        name=layout.name,
        title=layout.title + (" - other data than the paper's: NOT comparable with it" if incomparable else ""),
        stub=("System", "Examples"),
        columns=tuple(columns.values()),
        blocks=tuple(
            Block(section.heading, tuple(_rows(section, [e for e in shown if e.kind == section.kind], columns, layout)))
            for section in layout.sections
        ),
        notes=(*_notes(layout, shown, draws, seed), *layout.notes, *_incomplete(records)),
        missing=tuple(missing(layout, shown)),
        runs=tuple(run.folder.relative_to(out).as_posix() for experiment in shown for run in experiment.runs),
    )


def placed(
    experiments: Sequence[Experiment], families: Sequence[str], settings: Sequence[str]
) -> Iterator[tuple[str, dict[str, Experiment]]]:
    """Yield (family, setting -> experiment) for each group of rows, the paper's families first.

    A cell holds one experiment: one that may be compared before others, then by name. Further ones of the same system
    have rows of their own.
    """
    ordered = sorted(experiments, key=lambda experiment: (not experiment.comparable, experiment.name))
    further = sorted({experiment.family for experiment in ordered} - {*families})
    for family in [*families, *further]:
        left = [experiment for experiment in ordered if experiment.family == family]
        first = True
        while left or (first and family in families):
            group: dict[str, Experiment] = {}
            for experiment in left:
                group.setdefault(experiment.setting if experiment.setting in settings else OTHER, experiment)
            left = [experiment for experiment in left if experiment not in group.values()]
            yield family, group
            first = False


def _rows(
    section: Section, experiments: Sequence[Experiment], columns: Mapping[str, str], layout: Layout
) -> Iterator[Row]:
    seen: set[str] = set()
    for family, group in placed(experiments, [*section.printed], [*layout.settings]):
        theirs = section.printed.get(family, {}) if family not in seen else {}
        heading = row_heading(family, group, again=family in seen)
        seen.add(family)
        for part, words in section.parts.items():
            name = f"{layout.metric}/{part}"
            cells = [_cell(theirs.get(setting, {}).get(part), group.get(setting), name) for setting in columns]
            yield Row((heading, Label(words, counted(section.counts.get(part), cells))), tuple(cells))


def row_heading(family: str, group: Mapping[str, Experiment], *, again: bool) -> Label:
    """The name of a group of rows; with the experiments' names where the paper's systems are not alone."""
    title = FAMILIES.get(family, family)
    names = sorted({experiment.name for key, experiment in group.items() if again or key == OTHER})
    return Label(
        f"{title} ({', '.join(names)})" if names and names != [title] else title,
        "; ".join(sorted({experiment.detail for experiment in group.values()})),
    )


def counted(printed: int | None, cells: Sequence[Cell]) -> str:
    """The number of examples of a row, with the paper's where that is another.

    >>> counted(1472, [Cell(n=1482), Cell(n=1482)]), counted(400, [Cell(n=400)]), counted(400, [Cell()])
    ('n = 1482, paper 1472', 'n = 400', 'paper n = 400')
    """
    ours = sorted({cell.n for cell in cells if cell.n is not None})
    if not ours:
        return "" if printed is None else f"paper n = {printed}"
    said = "n = " + " or ".join(map(str, ours))
    return said if printed is None or ours == [printed] else f"{said}, paper {printed}"


def missing(layout: Layout, shown: Sequence[Experiment]) -> Iterator[Missing]:
    """Yield the paper's systems that no experiment stands for, with the command that scores their answers."""
    made = {(experiment.kind, experiment.system) for experiment in shown}
    for section in layout.sections:
        for family, settings in section.printed.items():
            for setting in settings:
                if (section.kind, f"{family}/{setting}") not in made:
                    words = f"{FAMILIES[family]}, {layout.settings.get(setting, setting)}, {section.heading}"
                    yield Missing(words, scoring_command(layout.metric, section, family, setting))


def scoring_command(metric: str, section: Section, family: str, setting: str) -> str:
    """What makes a system's score folder, once its answers are there."""
    gold = f" gold={section.data}" if section.data else ""
    name = f"{family}_{setting}_{section.kind}" + ("" if metric == "em" else "_retrieval")
    return f"python report/score.py predictions=<{metric} input>.jsonl{gold} system={family}/{setting} name={name}"


def _cell(printed: float | None, experiment: Experiment | None, name: str) -> Cell:
    if experiment is None:
        return Cell(printed)
    return percent_cell(printed, experiment.scores.get(name), len(experiment.runs), experiment.comparable)


def _notes(layout: Layout, shown: Sequence[Experiment], draws: int, seed: int) -> Iterator[str]:
    if not shown:
        yield "No complete score folder for this table is there: these are the paper's figures alone."
        return
    yield "[low, high]: 95% percentile bootstrap over questions, each with all its examples."
    if any(len(experiment.runs) > 1 for experiment in shown):
        yield (
            f"Several seeds: the mean of their scores; the interval resamples questions and seeds together ({draws} "
            f"draws, seed {seed}). With few seeds it covers little of the variance between them."
        )
    caveats = {experiment.caveat for experiment in shown}
    if "other data" in caveats:
        yield "Not comparable with the paper, so no difference is given: 'other data' than the released test file."
    if "own gold" in caveats:
        yield (
            "'own gold': scored against the answers in the predictions file, which has as many examples of each group "
            "as the released test file; score with gold=<released file> to be sure."
        )
    yield from _other_counts(layout)


def _other_counts(layout: Layout) -> Iterator[str]:
    """Say where the released files hold another number of examples than the paper prints."""
    for section in layout.sections:
        released = RELEASED.get(section.kind, {})
        differing = [
            f"{words.lower()} {released[part]} (paper {section.counts[part]})"
            for part, words in section.parts.items()
            if part in released and section.counts.get(part, released[part]) != released[part]
        ]
        if differing:
            yield f"{section.heading}: the released test file has other counts than the paper: {', '.join(differing)}."


def _incomplete(records: Sequence[RunRecord]) -> Iterator[str]:
    for record in records:
        if not record.is_complete:
            yield f"Not counted: {record.stage}/{record.name}/seed={record.seed} is incomplete ({record.status})."
