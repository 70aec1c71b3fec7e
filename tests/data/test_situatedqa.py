"""The released files are read as they are; a row that is not of their form is refused by line and field."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from situated.data.situatedqa import SPLITS, Identification, read_identification, read_questions
from situated.errors import InputError
from situated.io import write_jsonl
from situated.schema import Example

ROW = {"question": "who is mayor", "is_dependent": "yes", "id": 5, "source_dataset": "webq"}


def write(path: Path, *rows: dict[str, Any]) -> Path:
    write_jsonl(path, rows)
    return path


def without(key: str) -> dict[str, Any]:
    return {name: value for name, value in ROW.items() if name != key}


def test_a_row_becomes_an_example_with_a_key_of_its_own(tmp_path: Path) -> None:
    path = write(tmp_path / "geo.dev.jsonl", without("source_dataset"), ROW | {"is_dependent": "no", "id": -(2**62)})
    assert list(read_identification(path)) == [
        Example(example_id="geo.dev:1", id="5", question="who is mayor", is_dependent=True),
        Example(example_id="geo.dev:2", id="-4611686018427387904", question="who is mayor", is_dependent=False),
    ]


def test_packed_files_are_read_alike(tmp_path: Path) -> None:
    plain = list(read_identification(write(tmp_path / "x.jsonl", ROW, ROW | {"id": 6})))
    packed = list(read_identification(write(tmp_path / "x.jsonl.gz", ROW, ROW | {"id": 6})))
    assert [example.question for example in packed] == [example.question for example in plain]


@pytest.mark.parametrize(
    ("row", "field", "says"),
    [
        (without("question"), "question", "missing"),
        (without("is_dependent"), "is_dependent", "missing. Expected one of 'yes', 'no'."),
        (without("id"), "id", "missing"),
        (ROW | {"is_dependent": "Yes"}, "is_dependent", "(found 'Yes'). Expected one of 'yes', 'no'."),
        (ROW | {"is_dependent": True}, "is_dependent", "found True"),
        (ROW | {"is_dependent": None}, "is_dependent", "found None"),
        (ROW | {"id": 7.225e18}, "id", "found 7.225e+18"),
        (ROW | {"question": 3}, "question", "Expected str."),
        (ROW | {"question": " \t"}, "question", "empty"),
        (ROW | {"id": 1}, "id", "1 was given to line 1 already. Ids are unique within a file: rename one."),
        (ROW | {"id": "1"}, "id", "1 was given to line 1 already"),
    ],
)  # fmt: skip
def test_a_row_of_another_form_is_refused_by_line_and_field(
    row: dict[str, Any], field: str, says: str, tmp_path: Path
) -> None:
    path = write(tmp_path / "temp.dev.jsonl", ROW | {"id": 1}, ROW | {"id": 2}, row, ROW | {"id": 3})
    with pytest.raises(InputError) as caught:
        list(read_identification(path))
    assert str(caught.value).startswith(f"{path}:3: field '{field}': ")
    assert says in str(caught.value)


def test_questions_of_any_file_may_lack_id_and_label(tmp_path: Path) -> None:
    path = write(tmp_path / "nq.jsonl", {"question": "who", "answer": ["x"]}, {"question": "who", "is_dependent": "no"})
    assert list(read_questions(path)) == [
        Example(example_id="nq:1", id="", question="who", is_dependent=None),
        Example(example_id="nq:2", id="", question="who", is_dependent=False),
    ]


def test_questions_are_refused_as_labelled_ones_are(tmp_path: Path) -> None:
    path = write(tmp_path / "nq.jsonl", {"question": "who", "id": "a"}, {"question": "who", "id": "a"})
    with pytest.raises(InputError, match=re.escape(f"{path}:2: field 'id': a was given to line 1 already")):
        list(read_questions(path))
    path = write(tmp_path / "nq.jsonl", {"question": "who", "is_dependent": "perhaps"})
    with pytest.raises(InputError, match=re.escape(f"{path}:1: field 'is_dependent'")):
        list(read_questions(path))


@pytest.mark.parametrize("context", ["temp", "geo"])
def test_a_data_set_is_its_three_splits(context: Any, world: Path) -> None:
    folder = world / "situatedqa" / "id_data"
    data = Identification(folder, context)
    assert data.files() == {split: folder / f"{context}.{split}.jsonl" for split in SPLITS}
    examples = data.read()
    assert {split: len(rows) for split, rows in examples.items()} == {"train": 60, "dev": 30, "test": 30}
    keys = [example.example_id for rows in examples.values() for example in rows]
    assert len(set(keys)) == 120
    assert {example.is_dependent for example in examples["train"]} == {True, False}


def test_a_limit_takes_the_first_of_each_split(world: Path) -> None:
    folder = world / "situatedqa" / "id_data"
    whole, limited = Identification(folder, "geo").read(), Identification(folder, "geo", limit=7).read()
    assert limited == {split: rows[:7] for split, rows in whole.items()}


def test_a_bad_row_beyond_the_limit_is_refused_too(data: Path) -> None:
    folder = data / "situatedqa" / "id_data"
    with (folder / "geo.dev.jsonl").open("ab") as file:
        file.write(b"{}\n")
    with pytest.raises(InputError, match=r"geo\.dev\.jsonl:31"):
        Identification(folder, "geo", limit=3).read()


@pytest.mark.realdata
@pytest.mark.parametrize("context", ["temp", "geo"])
def test_the_released_files_are_read_to_the_last_row(context: Any, released: Path) -> None:
    data = Identification(released / "situatedqa" / "id_data", context)
    for split, rows in data.read().items():
        lines = data.files()[split].read_bytes().splitlines()
        assert len(rows) == len(lines)
        for row, line in zip(rows, lines, strict=True):
            assert f'"id": {row.id}'.encode() in line or f'"id": "{row.id}"'.encode() in line
        labels = Counter(row.is_dependent for row in rows)
        assert labels[True] == sum(b'"is_dependent": "yes"' in line for line in lines) > 0
        assert labels[False] == sum(b'"is_dependent": "no"' in line for line in lines) > 0
