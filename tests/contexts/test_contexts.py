"""The contexts of the paper, and one that a laboratory adds."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest
from hydra import compose, initialize_config_dir
from hydra.utils import instantiate
from hypothesis import given, settings
from hypothesis import strategies as st

from situated.contexts.geo import Geo
from situated.contexts.none import NoContext
from situated.contexts.previous import Previous
from situated.contexts.protocol import Context
from situated.contexts.temp import Moment, Temp
from situated.errors import ConfigError
from situated.io import write_text

CONTEXTS = sorted(path.stem for path in (Path(__file__).resolve().parents[2] / "conf" / "context").glob("*.yaml"))


def from_config(root: Path, *words: str) -> Context:
    with initialize_config_dir(str(root / "conf"), version_base="1.3"):
        made: Context = instantiate(compose("data_prep_timelines", [*words]).context)
        return made


@pytest.mark.parametrize(
    ("name", "value", "asked"),
    [
        ("temp", "2017", "who won as of 2017"),
        ("geo", "Tokyo ", "who won in tokyo "),
        ("previous", "", "previously who won"),
        ("none", "2017", "who won"),
    ],
)
def test_a_question_in_its_context(root: Path, name: str, value: str, asked: str) -> None:
    context = from_config(root, f"context={name}")
    assert context.render("who won", value) == asked
    assert context.type == name


def test_every_context_of_the_configuration_is_tried_here() -> None:
    assert CONTEXTS == ["geo", "none", "previous", "temp"]


def test_case_is_a_setting(root: Path) -> None:
    assert from_config(root, "context=geo", "context.lower_case=false").render("who", "Peru") == "who in Peru"


def test_a_context_is_one_file_and_one_yaml(root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_text(
        tmp_path / "mine" / "audience.py",
        "class Audience:\n"
        "    type = 'audience'\n"
        "    def parse(self, value): return value.strip()\n"
        "    def render(self, question, value): return f'{question}, told to {value}'\n",
    )
    write_text(tmp_path / "conf" / "context" / "audience.yaml", "_target_: audience.Audience\n")
    monkeypatch.syspath_prepend(tmp_path / "mine")
    context = from_config(root, f"hydra.searchpath=[file://{tmp_path / 'conf'}]", "context=audience")
    assert context.render("why is the sky blue", context.parse(" a child ")) == "why is the sky blue, told to a child"


@pytest.mark.parametrize(
    ("value", "normal"),
    [
        ("2014", "2014"), (" 2014 ", "2014"), ("March 06, 2014", "March 06, 2014"), ("march 6, 2014", "March 06, 2014"),
        ("2014-03-06", "March 06, 2014"), ("February 29, 2020", "February 29, 2020"),
    ],
)  # fmt: skip
def test_written_forms_of_a_time(value: str, normal: str) -> None:
    assert Temp().parse(value) == normal


@pytest.mark.parametrize(
    "value", ["", "0", "14th", "Mrach 06, 2014", "March 2014", "February 29, 2021", "2021-02-30", "20140306", "٢٠١٤"]
)
def test_no_time(value: str) -> None:
    with pytest.raises(ConfigError, match="Write a year"):
        Temp().parse(value)


def test_blank_or_superfluous_values() -> None:
    with pytest.raises(ConfigError, match="blank"):
        Geo().parse(" ")
    for context in (NoContext(), Previous()):
        assert context.parse("") == ""
        with pytest.raises(ConfigError, match="has no values"):
            context.parse("2014")


@settings(deadline=None)
@given(st.dates(), st.dates())
def test_dates_compare_and_write_as_the_calendar_has_them(first: date, second: date) -> None:
    moments = [Moment.parse(str(day)) for day in (first, second)]
    assert (moments[0] < moments[1]) == (first < second)
    assert [Moment.parse(str(moment)) for moment in moments] == moments
    assert [moment.granularity for moment in moments] == ["date", "date"]
    assert moments[0].year == first.year


def test_granularities_do_not_compare() -> None:
    year, day = Moment.parse("2014"), Moment.parse("March 06, 2014")
    assert year != day
    assert (year.granularity, day.granularity) == ("year", "date")
    with pytest.raises(ValueError, match="do not compare"):
        assert day >= year
