import csv
from pathlib import Path

import pytest
from matplotlib.patches import Rectangle

from situated.io import write_jsonl
from situated.report.audit import Audit
from situated.report.figure3 import Durations, draw, measure_durations, write_figure


@pytest.fixture
def durations(small_audit: Audit) -> Durations:
    assert small_audit.figure3 is not None
    return small_audit.figure3


def test_durations_follow_the_annotated_granularity(durations: Durations) -> None:
    found = {value.id: (value.days, value.years, value.granularity) for value in durations.values}
    assert found == {"1": (None, 4.0, "year"), "3": (365, 0.9993, "date"), "4": (None, 30.0, "year")}
    assert durations.left_out == {"no start of the previous answer": 1}
    assert (durations.questions, durations.timelines, durations.median_years) == (3, 3, 4.0)


def test_bars_add_up_to_all_questions(durations: Durations) -> None:
    assert {name: share for name, share in durations.years.items() if share} == {"1": 33.33, "4": 33.33, "21+": 33.33}
    assert list(durations.years) == [*map(str, range(21)), "21+"]


def test_a_question_counts_once_however_many_timelines_it_has(tmp_path: Path) -> None:
    def line(since: int) -> dict[str, object]:
        start = {"month": None, "date": None}
        return {
            "cur_answers": ["b"], "cur_start": {"year": since} | start,
            "prev_answers": ["a"], "prev_start": {"year": 2000} | start,
        }  # fmt: skip

    common = {"nq_answers": [], "cur_answers": ["b"], "prev_answers": ["a"], "is_dependent": True}
    rows = [
        {"question": "q", "id": 1, "timelines": [line(2001), line(2003)]} | common,
        {"question": "r", "id": 2, "timelines": [line(2001), line(1999)]} | common,
    ]
    write_jsonl(tmp_path / "temp.dev.jsonl", rows)
    found = measure_durations({"dev": tmp_path / "temp.dev.jsonl"})
    assert {name: share for name, share in found.years.items() if share} == {"1": 75.0, "3": 25.0}
    assert found.left_out == {"the current answer began before the previous one": 1}


def test_the_plot_shows_the_bars(durations: Durations) -> None:
    (axes,) = draw(durations).axes
    bars = [bar for bar in axes.patches if isinstance(bar, Rectangle)]
    assert [round(bar.get_height(), 2) for bar in bars] == list(durations.years.values())
    assert axes.get_title() == "3 questions, 3 timelines"


def test_equal_durations_make_equal_files(durations: Durations, tmp_path: Path) -> None:
    first, again = (write_figure(durations, tmp_path / name) for name in ("first", "again"))
    assert [path.name for path in first] == ["figure3.csv", "figure3.png", "figure3.svg"]
    assert [path.read_bytes() for path in first] == [path.read_bytes() for path in again]
    assert first[1].read_bytes().startswith(b"\x89PNG")
    rows = list(csv.DictReader(first[0].read_text(encoding="utf-8").splitlines()))
    assert [row["days"] for row in rows] == ["365", "", ""]
    assert [row["previous_from"] for row in rows] == ["March 06, 2017", "1990", "2015"]
