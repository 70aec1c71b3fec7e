"""Questions with answers in no context: NQ-Open, SituatedQA's ``temp_splits``, and DPR's question files."""

from __future__ import annotations

import ast
import csv
from collections.abc import Iterable, Iterator
from io import TextIOWrapper
from pathlib import Path

import msgspec

from situated.data.answers import released_id
from situated.errors import InputError
from situated.io import open_binary, read_records, write_jsonl
from situated.schema import Example

_LIST_EXPECTED = "Expected a Python list of strings, as in ['1972', 'December 1972']."


class AnswerRow(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A row of NQ-Open; those of ``temp_splits`` have an id too."""

    question: str
    id: int | str | None = None
    answer: tuple[str, ...]


def read_nq_open(path: Path) -> Iterator[Example]:
    """Yield the examples of a file of ``question`` and ``answer`` rows; an id is taken where it stands.

    Raises:
        InputError: A row lacks a key, or has a blank question or no answer.
    """
    for line, row in read_records(path, AnswerRow):
        yield _example(path, line, row.question, row.answer, "" if row.id is None else str(row.id))


def write_nq_open(path: Path, examples: Iterable[Example]) -> int:
    """Write question, id (where there is one) and answer of each example; return the number of rows."""
    rows = (
        AnswerRow(question=example.question, id=released_id(example.id) if example.id else None, answer=example.answers)
        for example in examples
    )
    return write_jsonl(path, rows)


def read_dpr_questions(path: Path) -> Iterator[Example]:
    """Yield the examples of a file as DPR reads it: question, tab, Python list of answers.

    Answers with an apostrophe are written in double quotes, doubled again by the quoting of the table: read without
    that quoting, such a list is one long string.

    Raises:
        InputError: A row is no such pair, or has a blank question or no answer; or the file is empty.
    """
    row: list[str] = []
    with TextIOWrapper(open_binary(path), encoding="utf-8", newline="") as file:
        reader = csv.reader(file, delimiter="\t", strict=True)
        try:
            for row in reader:
                yield _from_table(path, reader.line_num, row)
        except (csv.Error, UnicodeDecodeError) as error:
            mend = "Expected UTF-8 text: question, tab, list of answers."
            raise InputError(path, f"cannot be read ({error})", mend, line=reader.line_num + 1) from error
    if not row:
        raise InputError(path, "the file is empty", "Download it again.")


def _from_table(path: Path, line: int, row: list[str]) -> Example:
    if len(row) != 2:
        raise InputError(path, f"{len(row)} columns", "Expected question, tab, list of answers.", line=line)
    question, written = row
    try:
        answers = msgspec.convert(ast.literal_eval(written.strip()), list[str])
    except (ValueError, SyntaxError, MemoryError, RecursionError, msgspec.ValidationError) as error:
        raise InputError(path, f"{written!r} is no list of answers", _LIST_EXPECTED, line=line) from error
    return _example(path, line, question, tuple(answers), "")


def _example(path: Path, line: int, question: str, answers: tuple[str, ...], source_id: str) -> Example:
    if not question.strip():
        raise InputError(path, "empty", "Give the question or remove the row.", line=line, field="question")
    if not answers:
        raise InputError(path, "empty", "Give at least one answer or remove the row.", line=line, field="answer")
    return Example(example_id=f"{path.stem}:{line}", id=source_id, question=question, answers=answers)
