"""Released answers in and out, and NQ-Open's formats."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest

from situated.contexts.geo import Geo
from situated.contexts.none import NoContext
from situated.contexts.protocol import Context
from situated.contexts.temp import Temp
from situated.data.answers import Answers, read_answers, write_answers
from situated.data.nq_open import read_dpr_questions, read_nq_open, write_nq_open
from situated.errors import ConfigError, InputError
from situated.io import write_jsonl, write_text
from situated.schema import Example

BIG = -9203958203595622889  # beyond 2**53
TEMP: dict[str, Any] = {
    "question": "who is president of india", "id": BIG, "edited_question": "who is president of india as of 2014",
    "date": "2014", "date_type": "sampled_year", "answer": ["Pranab", "Pranab"], "any_answer": ["Ram", "Pranab"],
}  # fmt: skip
GEO: dict[str, Any] = {
    "question": "what is the drinking age", "id": 7, "edited_question": "what is the drinking age in peru ",
    "location": "Peru ", "answer": ["18"], "any_answer": ["18", "21"],
}  # fmt: skip


@pytest.mark.parametrize(("row", "context"), [(TEMP, Temp()), (GEO, Geo())])
def test_what_is_read_is_written_back(tmp_path: Path, row: dict[str, Any], context: Context) -> None:
    rows = [row, {**row, "id": 8}, {**row, "id": "q07"}]
    write_jsonl(tmp_path / "a.jsonl", rows)
    examples = list(read_answers(tmp_path / "a.jsonl", context))
    assert [example.example_id for example in examples] == ["a:1", "a:2", "a:3"]
    assert [example.id for example in examples] == [str(row["id"]), "8", "q07"]
    assert write_answers(tmp_path / "b.jsonl", examples, context) == 3
    assert (tmp_path / "b.jsonl").read_bytes() == (tmp_path / "a.jsonl").read_bytes()


def test_an_example_has_all_that_the_row_says(tmp_path: Path) -> None:
    write_jsonl(tmp_path / "temp.dev.jsonl", [TEMP])
    (example,) = read_answers(tmp_path / "temp.dev.jsonl", Temp())
    assert example == Example(
        example_id="temp.dev:1", id=str(BIG), question="who is president of india", context_type="temp",
        context_value="2014", date_type="sampled_year", answers=("Pranab", "Pranab"), any_answers=("Ram", "Pranab"),
    )  # fmt: skip


@pytest.mark.parametrize(
    ("changes", "field", "says"),
    [
        ({"question": " "}, "question", "Give the question"),
        ({"answer": []}, "answer", "at least one answer"),
        ({"date": "soon", "edited_question": "x"}, "date", "neither a year nor a full date"),
        ({"date_type": "guessed"}, "date_type", "'orig', 'sampled_year'"),
        ({"edited_question": "who is president"}, "edited_question", "as of 2014"),
        ({"any_answer": None}, "any_answer", "found None"),
    ],
)
def test_a_bad_row_is_named(tmp_path: Path, changes: dict[str, Any], field: str, says: str) -> None:
    path = tmp_path / "a.jsonl"
    write_jsonl(path, [TEMP, TEMP | changes])
    with pytest.raises(InputError, match=says) as caught:
        list(read_answers(path, Temp()))
    assert (caught.value.path, caught.value.line, caught.value.field) == (path, 2, field)


def test_other_contexts_have_no_rows(tmp_path: Path) -> None:
    write_jsonl(tmp_path / "a.jsonl", [TEMP])
    with pytest.raises(ConfigError, match="not in 'none'"):
        list(read_answers(tmp_path / "a.jsonl", NoContext()))
    unasked = Example(example_id="a:1", id="1", question="q", answers=("a",))
    with pytest.raises(ConfigError, match="example a:1 is in 'none', not in 'temp'"):
        write_answers(tmp_path / "b.jsonl", [unasked], Temp())
    with pytest.raises(ConfigError, match="not for 'none'"):
        write_answers(tmp_path / "b.jsonl", [unasked], NoContext())
    undated = Example(example_id="a:2", id="1", question="q", context_type="temp", context_value="2014")
    with pytest.raises(ConfigError, match="example a:2 has no row"):
        write_answers(tmp_path / "b.jsonl", [undated], Temp())
    assert [path.name for path in tmp_path.iterdir()] == ["a.jsonl"]


def test_the_splits_of_a_folder(tmp_path: Path) -> None:
    for number, split in enumerate(("train", "dev", "test"), start=1):
        write_jsonl(tmp_path / f"geo.{split}.jsonl", [GEO] * number)
    data = Answers(tmp_path, "geo", limit=2)
    assert {split: len(rows) for split, rows in data.read().items()} == {"train": 1, "dev": 2, "test": 2}
    assert data.files()["dev"] == tmp_path / "geo.dev.jsonl"


def test_nq_open_in_and_out(tmp_path: Path) -> None:
    rows = [{"question": "who", "answer": ["a", "b"]}, {"question": "when", "id": BIG, "answer": ["c"]}]
    write_jsonl(tmp_path / "a.jsonl", rows)
    examples = list(read_nq_open(tmp_path / "a.jsonl"))
    assert [(e.id, e.answers, e.context_type) for e in examples] == [
        ("", ("a", "b"), "none"),
        (str(BIG), ("c",), "none"),
    ]
    assert write_nq_open(tmp_path / "b.jsonl", examples) == 2
    assert [msgspec.json.decode(line) for line in (tmp_path / "b.jsonl").read_bytes().splitlines()] == rows


def test_dpr_questions_with_quotes(tmp_path: Path) -> None:
    path = tmp_path / "dev.txt"
    write_text(path, 'who\t[\'a\']\nwhere was it\t"[\'the Museum\', ""Château d\'Amboise""]"\n')
    assert [(e.example_id, e.question, e.answers) for e in read_dpr_questions(path)] == [
        ("dev:1", "who", ("a",)),
        ("dev:2", "where was it", ("the Museum", "Château d'Amboise")),
    ]


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "empty"),
        ("who\t['a']\nwho\n", ":2: 1 columns"),
        ("who\t['a']\nwho\t__import__('os').getcwd()\n", ":2: .* is no list"),
        ("who\t'abc'\n", ":1: .* is no list"),
        ("who\t[1]\n", ":1: .* is no list"),
        ("who\t[]\n", ":1: field 'answer'"),
        (" \t['a']\n", ":1: field 'question'"),
        ("who\t\"['a']\n", "cannot be read"),
    ],
)
def test_a_bad_dpr_row_is_named(tmp_path: Path, text: str, says: str) -> None:
    write_text(tmp_path / "dev.txt", text)
    with pytest.raises(InputError, match=says):
        list(read_dpr_questions(tmp_path / "dev.txt"))
