"""Questions to ask a retriever, whichever format they come in."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from situated.contexts.geo import Geo
from situated.contexts.protocol import Context
from situated.contexts.temp import Temp
from situated.data.answers import read_answers
from situated.data.nq_open import read_dpr_questions
from situated.errors import ConfigError, InputError
from situated.io import read_records
from situated.schema import Example

_TABLES = (".csv", ".tsv", ".txt")


class OpenRow(msgspec.Struct, frozen=True):
    """A question and what answers it: a text, or several of which each is right."""

    question: str
    answer: str | tuple[str, ...]
    id: int | str | None = None


def read_to_ask(path: Path, context: Context) -> Iterator[tuple[Example, str]]:
    """Yield each example of a file with the words to search for.

    Rows with a ``date`` or a ``location`` are SituatedQA's; others are JSON lines with ``question`` and ``answer`` (a
    text or a list), or DPR's tables of question and answers.

    Args:
        path: The file.
        context: Puts an example's context into its question; of type "none", which leaves it out.

    Raises:
        InputError: A row lacks a key, or has a blank question or no answer.
        ConfigError: The rows have no values of the context.
    """
    examples, has = _examples(path)
    if context.type in ("temp", "geo") and has != context.type:
        asked = {"temp": "date", "geo": "location"}[context.type]
        raise ConfigError(f"context: the rows of {path} have no {asked} to ask {context.type!r} questions with.")
    for example in examples:
        yield example, context.render(example.question, example.context_value)


def _examples(path: Path) -> tuple[Iterator[Example], str]:
    """The examples of a file, and the type of their contexts."""
    if path.suffix in _TABLES:
        return read_dpr_questions(path), "none"
    _, first = next(read_records(path, dict[str, Any]))
    if "date" in first:
        return read_answers(path, Temp()), "temp"
    if "location" in first:
        return read_answers(path, Geo()), "geo"
    return _open_examples(path), "none"


def _open_examples(path: Path) -> Iterator[Example]:
    for line, row in read_records(path, OpenRow):
        answers = (row.answer,) if isinstance(row.answer, str) else row.answer
        if not row.question.strip():
            raise InputError(path, "empty", "Give the question or remove the row.", line=line, field="question")
        if not answers:
            raise InputError(path, "empty", "Give at least one answer or remove the row.", line=line, field="answer")
        yield Example(
            example_id=f"{path.stem}:{line}",
            id="" if row.id is None else str(row.id),
            question=row.question,
            answers=answers,
        )
