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
    """The table with a row for each part of the examples and a column for each setting of the systems.

    It is made from the score folders ``<out>/score/<name>/seed=<n>``.

    Raises:
        InputError: A score folder cannot be used.
        SituatedError: Seeds of one name have other settings or examples.
    """
    records = find_scores(out)
    shown = _shown(layout, records, draws, seed, known)
    others = any(experiment.setting not in layout.settings for experiment in shown)
    columns = {**layout.settings, **({OTHER: OTHER} if others else {})}
    blocks = tuple(
        Block(section.heading, tuple(_rows(section, _of(section, shown), columns, layout)))
        for section in layout.sections
    )
    notes = _notes(layout, records, shown, draws, seed)
    return _table(layout, out, shown, ("System", "Examples"), tuple(columns.values()), blocks, notes)


def build_by_setting(layout: Layout, out: Path, *, draws: int, seed: int, known: frozenset[str]) -> Table:
    """The table with a row for each setting of the systems and a column for each part of the examples.

    See ``build_answers``; the layout has one section.
    """
    records = find_scores(out)
    shown = _shown(layout, records, draws, seed, known)
    (section,) = layout.sections
    block = Block(section.heading, tuple(_setting_rows(section, shown, layout)))
    columns = tuple(section.parts.values())
    notes = _notes(layout, records, shown, draws, seed)
    return _table(layout, out, shown, ("System", "Knowledge"), columns, (block,), notes)


def _shown(
    layout: Layout, records: Sequence[RunRecord], draws: int, seed: int, known: frozenset[str]
) -> list[Experiment]:
    kinds = [section.kind for section in layout.sections]
    return [
        experiment
        for experiment in read_experiments(records, layout.metric, draws, seed, known)
        if experiment.kind in kinds and not (layout.only_settings and experiment.setting not in layout.settings)
    ]


def _table(
    layout: Layout,
    out: Path,
    shown: Sequence[Experiment],
    stub: tuple[str, ...],
    columns: tuple[str, ...],
    blocks: tuple[Block, ...],
    notes: Iterator[str],
) -> Table:
    incomparable = bool(shown) and not any(experiment.comparable for experiment in shown)
    return Table(
        name=layout.name,
        title=layout.title + (" - other data than the paper's: NOT comparable with it" if incomparable else ""),
        stub=stub,
        columns=columns,
        blocks=blocks,
        notes=tuple(notes),
        missing=tuple(_missing(layout, shown)),
        runs=tuple(run.folder.relative_to(out).as_posix() for experiment in shown for run in experiment.runs),
    )


def _of(section: Section, experiments: Sequence[Experiment]) -> list[Experiment]:
    """A section's experiments; those that may be compared before others, then by name."""
    of_kind = [experiment for experiment in experiments if experiment.kind == section.kind]
    return sorted(of_kind, key=lambda experiment: (not experiment.comparable, experiment.name))


def _families(section: Section, experiments: Sequence[Experiment]) -> list[str]:
    """The paper's families of systems, then further ones."""
    return [*section.printed, *sorted({experiment.family for experiment in experiments} - section.printed.keys())]


def _groups(experiments: Sequence[Experiment], settings: Mapping[str, str]) -> Iterator[dict[str, Experiment]]:
    """Yield column -> experiment, one group for a row: a further experiment of one system has rows of its own."""
    left = list(experiments)
    while left:
        group: dict[str, Experiment] = {}
        for experiment in left:
            group.setdefault(experiment.setting if experiment.setting in settings else OTHER, experiment)
        yield group
        left = [experiment for experiment in left if experiment not in group.values()]


def _rows(
    section: Section, experiments: Sequence[Experiment], columns: Mapping[str, str], layout: Layout
) -> Iterator[Row]:
    for family in _families(section, experiments):
        own = [experiment for experiment in experiments if experiment.family == family]
        usual = list(_groups([e for e in own if e.setting in layout.settings], layout.settings))
        if not usual and family in section.printed:
            usual = [{}]
        others = _groups([e for e in own if e.setting not in layout.settings], layout.settings)
        for index, group in enumerate([*usual, *others]):
            theirs = section.printed.get(family, {}) if index == 0 else {}
            heading = _heading(family, group, named=index > 0 or OTHER in group)
            for part, words in section.parts.items():
                cells = [
                    _cell(theirs.get(setting, {}).get(part), group.get(setting), f"{layout.metric}/{part}")
                    for setting in columns
                ]
                yield Row((heading, Label(words, counted(section.counts.get(part), cells))), tuple(cells))


def _setting_rows(section: Section, experiments: Sequence[Experiment], layout: Layout) -> Iterator[Row]:
    ordered = _of(section, experiments)
    for family in _families(section, ordered):
        theirs = section.printed.get(family, {})
        own = [experiment for experiment in ordered if experiment.family == family]
        for setting in [*theirs, *sorted({experiment.setting for experiment in own} - theirs.keys())]:
            here = [experiment for experiment in own if experiment.setting == setting]
            for index, experiment in enumerate(here or [None]):
                figures = theirs.get(setting, {}) if index == 0 else {}
                group = {} if experiment is None else {setting: experiment}
                cells = [_cell(figures.get(part), experiment, f"{layout.metric}/{part}") for part in section.parts]
                n = " / ".join(
                    counted(section.counts.get(part), [cell]) for part, cell in zip(section.parts, cells, strict=True)
                )
                heading = _heading(family, group, named=index > 0)
                yield Row((heading, Label(layout.settings.get(setting, setting or OTHER), n)), tuple(cells))


def _heading(family: str, group: Mapping[str, Experiment], *, named: bool) -> Label:
    """The name of rows; with the experiments' own where they do not stand for the paper's system."""
    title = FAMILIES.get(family, family)
    names = sorted({experiment.name for experiment in group.values()} - {title}) if named else []
    details = sorted({experiment.detail for experiment in group.values()})
    return Label(f"{title} ({', '.join(names)})" if names else title, "; ".join(details))


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


def _missing(layout: Layout, shown: Sequence[Experiment]) -> Iterator[Missing]:
    """Yield the paper's systems that no experiment stands for, with the command that scores their answers."""
    made = {(experiment.kind, experiment.system) for experiment in shown}
    for section in layout.sections:
        for family, settings in section.printed.items():
            lacking = [setting for setting in settings if (section.kind, f"{family}/{setting}") not in made]
            if lacking and layout.metric == "em":
                words = f"{FAMILIES[family]}, {section.heading} ({', '.join(lacking)})"
                yield Missing(words, _scoring_command(section, family, lacking[0]))


def _scoring_command(section: Section, family: str, setting: str) -> str:
    """What makes a system's score folder, once its answers are there."""
    gold = f" gold={section.data}" if section.data else ""
    return (
        f"python report/score.py predictions=<answers>.jsonl{gold} system={family}/{setting} "
        f"name={family}_{setting}_{section.kind}"
    )


def _cell(printed: float | None, experiment: Experiment | None, name: str) -> Cell:
    if experiment is None:
        return Cell(printed)
    return percent_cell(printed, experiment.scores.get(name), len(experiment.runs), experiment.comparable)


def _notes(
    layout: Layout, records: Sequence[RunRecord], shown: Sequence[Experiment], draws: int, seed: int
) -> Iterator[str]:
    if shown:
        yield from _notes_on_ours(layout, shown, draws, seed)
    else:
        yield "No complete score folder for this table is there: these are the paper's figures alone."
    if layout.metric != "em" and not shown:
        yield f"No recipe here leaves {layout.metric} in a score folder yet; one that does will stand here."
    yield from layout.notes
    yield from _incomplete(records)


def _notes_on_ours(layout: Layout, shown: Sequence[Experiment], draws: int, seed: int) -> Iterator[str]:
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
            "as the released test file; score with gold=<file of the examples> to be sure."
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
