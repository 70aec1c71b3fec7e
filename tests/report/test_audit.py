from pathlib import Path

import msgspec
import pytest

from situated.errors import InputError
from situated.io import write_json, write_text
from situated.report.audit import FILES, Audit, find_files, read_audit
from situated.report.audit_answers import has_time_expression
from situated.report.audit_identification import Balance
from situated.report.audit_overlap import Overlap
from situated.report.audit_summary import summary
from situated.report.render import markdown


def test_absent_files_are_listed(small_audit: Audit) -> None:
    assert len(FILES) == 22
    assert set(small_audit.files) | set(small_audit.absent) == set(FILES)
    assert len(small_audit.files) == 7
    assert "raw_data/geo.test" in small_audit.absent


def test_a_folder_without_any_file_is_one_error(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"holds no file of SituatedQA.*data_prep/download\.py"):
        find_files(tmp_path)


def test_identification(small_audit: Audit) -> None:
    train = small_audit.identification["temp"]["train"]
    assert (train.questions, train.dependent, train.percent, train.repeated_questions) == (4, 2, 50.0, 1)
    assert train.sources == {
        "ms_marco": Balance(questions=1, dependent=0, percent=0.0),
        "nq_table": Balance(questions=3, dependent=2, percent=66.67),
    }


def test_temporal_answers(small_audit: Audit) -> None:
    found = small_audit.answers["temp"]["test"]
    assert (found.examples, found.questions, found.distinct) == (7, 2, 7)
    assert found.partitions == {"static": 2, "sampled": 3, "start": 2}
    assert found.date_types == {"orig": 2, "sampled_year": 3, "start": 2}
    assert found.granularities == {"year": 7}
    assert [(one.example_id, one.answer) for one in found.unmatchable] == [("temp.test:7", ")")]
    (repeated,) = found.repeated
    assert (repeated.id, repeated.example_ids, repeated.is_conflicting) == ("2", ("temp.test:6", "temp.test:7"), True)


def test_locations_are_one_in_normal_form(small_audit: Audit) -> None:
    found = small_audit.answers["geo"]["test"]
    assert found.locations is not None
    assert found.locations.listed == {"united states": 5}
    assert (found.locations.common, found.locations.rare) == (5, 3)
    assert (found.locations.united_states, found.locations.india, found.locations.other) == (5, 1, 0)
    (repeated,) = found.repeated
    assert (repeated.id, repeated.context, repeated.is_conflicting) == ("10", "united states", True)


def test_shares_of_answers(small_audit: Audit) -> None:
    found = small_audit.answers["geo"]["test"]
    assert (found.time_expressions, found.time_expressions_percent, found.digits_percent) == (2, 25.0, 37.5)


@pytest.mark.parametrize(
    "answer",
    ["1959", "the 1990s", "July 5, 1945", "5 July", "in may 2010", "31st of March", "Sunday", "19th century", "8 pm",
     "at 20:15", "Sept"],
)  # fmt: skip
def test_time_expressions(answer: str) -> None:
    assert has_time_expression(answer)


@pytest.mark.parametrize(
    "answer", ["Theresa May", "march on Rome", "10 goals", "3,500", "18 years", "12345", "Julia", "$0.50"]
)
def test_no_time_expressions(answer: str) -> None:
    assert not has_time_expression(answer)


def test_questions_of_two_splits_are_found(small_audit: Audit) -> None:
    assert small_audit.overlaps == (
        Overlap(first="id_data/temp.train", second="qa_data/temp.test", ids=1, questions=1),
    )
    assert small_audit.overlaps[0].leaks


def test_derived_sets_are_counted(small_audit: Audit) -> None:
    assert small_audit.timelines is not None
    test, dev = small_audit.timelines.splits["test"], small_audit.timelines.splits["dev"]
    assert msgspec.structs.astuple(test) == (2, 1, 1, 1, 1, 0, 1)
    assert msgspec.structs.astuple(dev) == (2, 2, 3, 2, 2, 1, 1)


def test_split_files_are_compared_row_by_row(small_audit: Audit) -> None:
    assert small_audit.timelines is not None
    assert small_audit.timelines.temp_splits == {"temp_splits/pre_2019.dev": True, "temp_splits/post_2019.dev": False}


def test_released_examples_are_compared_with_the_timelines(small_audit: Audit) -> None:
    assert small_audit.timelines is not None
    assert list(small_audit.timelines.redrawn) == ["test"]  # the dev file of examples is absent
    redrawn = small_audit.timelines.redrawn["test"]
    assert redrawn.agreeing == {"sampled_year": 3, "start": 2, "orig": 1}
    assert redrawn.differing == {"orig": 1}
    (difference,) = redrawn.differences
    assert (difference.example_id, difference.explanation) == ("temp.test:7", "the answers are not NQ-Open's")


def test_agreement_with_nq(small_audit: Audit) -> None:
    assert small_audit.timelines is not None
    found = small_audit.timelines.agreement
    assert msgspec.structs.astuple(found["test"]) == (1, 1, 100.0, 1, 1, 100.0)
    assert msgspec.structs.astuple(found["dev"]) == (4, 2, 50.0, 2, 1, 50.0)
    assert msgspec.structs.astuple(found["all"]) == (5, 3, 60.0, 3, 2, 66.67)


def test_an_audit_is_read_as_it_was_written(small_audit: Audit, tmp_path: Path) -> None:
    write_json(tmp_path / "audit.json", small_audit)
    assert read_audit(tmp_path / "audit.json") == small_audit


def test_another_file_is_no_audit(tmp_path: Path) -> None:
    write_text(tmp_path / "audit.json", "[]")
    with pytest.raises(InputError, match=r"audit\.json: not an audit"):
        read_audit(tmp_path / "audit.json")


def test_the_summary_shows_the_facts_beside_the_paper(small_audit: Audit) -> None:
    table = summary(small_audit)
    rows = {tuple(label.text for label in row.labels): row.cells for block in table.blocks for row in block.rows}
    sampled = rows["temp", "sampled"][2]
    assert (sampled.paper, sampled.ours, sampled.difference) == (1472, 3, -1469)
    assert rows["temp", "such questions with conflicting answers"][2].ours == 1
    assert rows["temp", "others"][2].ours == 1
    agreement = rows["temp", "answers of 2018 that NQ has"][3]
    assert (agreement.paper, agreement.ours, agreement.difference) == (40, 60, None)
    notes = " ".join(table.notes)
    assert "The timelines do NOT give: temp_splits/post_2019.dev." in notes
    assert "Common locations of geo test: united states 5." in notes
    assert "1 left out, no start of the previous answer" in notes
    assert "| temp | stable |" in markdown(table)


def test_the_summary_of_labels_alone_is_short(small_audit: Audit) -> None:
    alone = msgspec.structs.replace(small_audit, answers={}, timelines=None, figure3=None)
    (block,) = summary(alone).blocks
    assert [row.cells[0].ours for row in block.rows] == [1]
