"""Figure 3: how long the previous answer to a question had held when the current one came."""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING

import msgspec

from situated.contexts.temp import Granularity
from situated.data.timelines import TemporalQuestion, Timeline, read_timelines
from situated.io import atomic_write, write_text
from situated.report.audit_identification import percent

if TYPE_CHECKING:
    from matplotlib.figure import Figure

DAYS_A_YEAR = 365.2425
LONGEST_BAR = 20  # years; longer durations share the last bar


class Duration(msgspec.Struct, frozen=True, kw_only=True):
    """How long one timeline's previous answer held.

    Attributes:
        previous_from: When it began, as annotated.
        current_from: When the current answer began.
        granularity: "date" if both are full dates; "year" if one is known to the year only, as then is the duration.
        days: Days between full dates; None for years.
        years: Years between them.
    """

    split: str
    id: str
    question: str
    previous_from: str
    current_from: str
    granularity: Granularity
    days: int | None
    years: float


class Durations(msgspec.Struct, frozen=True, kw_only=True):
    """Figure 3 as numbers.

    Attributes:
        questions: Questions with at least one duration; each counts once, shared among its timelines.
        timelines: Durations.
        left_out: Why a timeline gives none -> timelines.
        years: Whole years, rounded; "21+" -> percent of the questions.
        median_years: Of the timelines.
        values: Every duration.
    """

    questions: int
    timelines: int
    left_out: dict[str, int]
    years: dict[str, float]
    median_years: float | None
    values: tuple[Duration, ...]


def measure_durations(timelines: Mapping[str, Path]) -> Durations:
    """Measure every timeline of the splits' files.

    Raises:
        InputError: See ``read_timelines``.
    """
    values: list[Duration] = []
    left_out: Counter[str] = Counter()
    for split, path in timelines.items():
        for question in read_timelines(path):
            for timeline in question.timelines or ():
                found = _duration(split, question, timeline)
                if isinstance(found, str):
                    left_out[found] += 1
                else:
                    values.append(found)
    return Durations(
        questions=len({(value.split, value.id) for value in values}),
        timelines=len(values),
        left_out=dict(sorted(left_out.items())),
        years=_distribution(values),
        median_years=round(median(value.years for value in values), 2) if values else None,
        values=tuple(values),
    )


def write_figure(durations: Durations, folder: Path) -> list[Path]:
    """Write ``figure3.csv``, ``.png`` and ``.svg``; return their paths."""
    paths = [folder / f"figure3.{suffix}" for suffix in ("csv", "png", "svg")]
    write_text(paths[0], csv_lines(durations.values))
    import matplotlib as mpl

    figure = draw(durations)
    with mpl.rc_context({"svg.hashsalt": "figure3", "svg.fonttype": "none"}):  # equal figures make equal files
        for path in paths[1:]:
            with atomic_write(path) as file:
                stamp = {"Date": None} if path.suffix == ".svg" else {"Software": None}
                figure.savefig(file, format=path.suffix[1:], dpi=150, metadata=stamp)
    return paths


def draw(durations: Durations) -> Figure:
    """The bar chart: percent of the questions by whole years."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(7, 3.2), layout="constrained")
    axes = figure.add_subplot()
    axes.bar(list(durations.years), list(durations.years.values()), color="#4c72b0", width=0.8)
    axes.set_xlabel("Years for which the previous answer held (rounded)")
    axes.set_ylabel("Questions (%)")
    axes.set_title(f"{durations.questions:,} questions, {durations.timelines:,} timelines", fontsize=10)
    axes.spines[["top", "right"]].set_visible(False)
    axes.grid(axis="y", alpha=0.3)
    axes.set_axisbelow(True)
    return figure


def csv_lines(durations: Iterable[Duration]) -> str:
    """One line for each duration; days are empty where only years are known."""
    file = io.StringIO()
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(Duration.__struct_fields__)
    writer.writerows(msgspec.structs.astuple(duration) for duration in durations)
    return file.getvalue()


def bar(years: float) -> str:
    """The bar of a duration: whole years, half a year and more rounded up.

    >>> bar(0.4), bar(0.5), bar(1.49), bar(20.5)
    ('0', '1', '1', '21+')
    """
    whole = int(years + 0.5)
    return str(whole) if whole <= LONGEST_BAR else f"{LONGEST_BAR + 1}+"


def _duration(split: str, question: TemporalQuestion, timeline: Timeline) -> Duration | str:
    """The duration, or why there is none."""
    previous, current = timeline.previous_from, timeline.current_from
    if current is None:
        return "no start of the current answer"
    if previous is None:
        return "no start of the previous answer"
    if previous.granularity == current.granularity == "date":
        days: int | None = current.number - previous.number
        years = (current.number - previous.number) / DAYS_A_YEAR
    else:
        days, years = None, float(current.year - previous.year)
    if years < 0:
        return "the current answer began before the previous one"
    return Duration(
        split=split,
        id=str(question.id),
        question=question.question,
        previous_from=str(previous),
        current_from=str(current),
        granularity="year" if days is None else "date",
        days=days,
        years=round(years, 4),
    )


def _distribution(values: Sequence[Duration]) -> dict[str, float]:
    timelines = Counter((value.split, value.id) for value in values)
    weights: dict[str, float] = dict.fromkeys(_bars(), 0.0)
    for value in values:
        weights[bar(value.years)] += 1 / timelines[value.split, value.id]
    return {name: percent(weight, len(timelines)) for name, weight in weights.items()}


def _bars() -> Iterator[str]:
    yield from map(str, range(LONGEST_BAR + 1))
    yield bar(LONGEST_BAR + 1)
