"""The audit of the released files: the counts that the paper's tables rest on."""

from __future__ import annotations

from pathlib import Path

import pytest

from situated.data.sources import known_sha256
from situated.data.timeline_examples import TimelineExamples
from situated.io import sha256
from situated.report.audit import Audit, audit, find_files
from situated.report.published import table2, table10

pytestmark = pytest.mark.realdata


@pytest.fixture(scope="module")
def found(released: Path) -> Audit:
    files = find_files(released)
    hashes = {name: sha256(path) for name, path in files.items()}
    return audit(files, hashes, known_sha256(), TimelineExamples("2021-03-30", "2018-01-01"))


def test_partitions_of_the_test_files(found: Audit) -> None:
    assert found.answers["temp"]["test"].partitions == {"static": 400, "sampled": 1482, "start": 913}
    places = found.answers["geo"]["test"].locations
    assert places is not None
    assert (places.common, places.rare, len(places.listed)) == (266, 240, 28)
    assert (places.united_states, places.india) == (43, 20)


def test_repeated_rows(found: Audit) -> None:
    def repeating(context: str) -> int:
        splits = [found.answers[context][split] for split in ("dev", "test")]
        return sum(len(same.example_ids) - 1 for split in splits for same in split.repeated)

    assert (repeating("temp"), repeating("geo")) == (22, 17)
    (unmatchable,) = found.answers["temp"]["test"].unmatchable
    assert unmatchable.answer == ")"


def test_sets_made_from_the_timelines(found: Audit) -> None:
    assert found.timelines is not None
    test = found.timelines.splits["test"]
    assert (test.stable, test.updated, test.current, test.previous) == (267, 209, 529, 373)
    assert list(found.timelines.temp_splits.values()) == [True] * 4


def test_released_examples_are_what_the_timelines_give(found: Audit) -> None:
    assert found.timelines is not None
    redrawn = found.timelines.redrawn
    assert {split: sum(one.agreeing.values()) for split, one in redrawn.items()} == {
        "train": 6009, "dev": 3423, "test": 2795,
    }  # fmt: skip
    assert not [difference for one in redrawn.values() for difference in one.differences]


def test_agreement_and_durations_are_near_the_papers(found: Audit) -> None:
    assert found.timelines is not None
    assert found.figure3 is not None
    assert found.timelines.agreement["all"].percent == pytest.approx(40, abs=8)
    assert max(found.figure3.years, key=lambda name: found.figure3.years[name] if found.figure3 else 0) == "1"


def test_tables_differ_from_the_paper_where_they_are_known_to(found: Audit) -> None:
    def differences(table: object) -> set[float]:
        assert hasattr(table, "blocks")
        return {cell.difference for block in table.blocks for row in block.rows for cell in row.cells} - {None, 0}

    assert differences(table2.from_audit(found)) == {34, -34, 1}
    total = table10.from_audit(found).blocks[0].rows[-1]
    assert [cell.difference for cell in total.cells] == [0, 34, -34, 0]
