"""Questions in every format that a retriever is asked in."""

from __future__ import annotations

from pathlib import Path

import pytest

from situated.contexts.geo import Geo
from situated.contexts.none import NoContext
from situated.contexts.temp import Temp
from situated.data.questions import read_to_ask
from situated.errors import ConfigError, InputError

TEMP = (
    '{"question": "who won", "id": 9007199254740993, "edited_question": "who won as of 2017", "date": "2017", '
    '"date_type": "start", "answer": ["Ada"], "any_answer": ["Ada", "Bo"]}\n'
)


def write(folder: Path, text: str, name: str = "q.jsonl") -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def test_a_context_is_put_into_the_question_or_left_out(tmp_path: Path) -> None:
    path = write(tmp_path, TEMP)
    for context, query in ((NoContext(), "who won"), (Temp(), "who won as of 2017")):
        ((example, asked),) = read_to_ask(path, context)
        assert (asked, example.id, example.answers) == (query, "9007199254740993", ("Ada",))
    with pytest.raises(ConfigError, match="no location"):
        list(read_to_ask(path, Geo()))


def test_an_answer_is_a_text_or_a_list(tmp_path: Path) -> None:
    path = write(tmp_path, '{"question": "a", "answer": "x"}\n{"question": "b", "answer": ["y", "z"], "id": "7"}\n')
    found = [(example.example_id, example.id, example.answers) for example, _ in read_to_ask(path, NoContext())]
    assert found == [("q:1", "", ("x",)), ("q:2", "7", ("y", "z"))]


def test_a_table_of_dpr_is_read(tmp_path: Path) -> None:
    path = write(tmp_path, "who won\t['Ada']\n", "q.csv")
    ((example, asked),) = read_to_ask(path, NoContext())
    assert (asked, example.answers) == ("who won", ("Ada",))


@pytest.mark.parametrize(
    ("row", "problem"),
    [
        ('{"question": " ", "answer": "x"}', "q.jsonl:1: field 'question': empty"),
        ('{"question": "a", "answer": []}', "q.jsonl:1: field 'answer': empty"),
        ('{"question": "a"}', "answer"),
        ("", "empty"),
    ],
)
def test_a_row_that_cannot_be_asked_is_refused(tmp_path: Path, row: str, problem: str) -> None:
    with pytest.raises(InputError, match=problem):
        list(read_to_ask(write(tmp_path, f"{row}\n" if row else ""), NoContext()))
