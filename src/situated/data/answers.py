"""SituatedQA's answers in contexts: the released ``qa_data`` files, in and out without loss (Zhang & Choi 2021)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, ClassVar, Literal

import msgspec

from situated.contexts.geo import Geo
from situated.contexts.protocol import Context
from situated.contexts.temp import Temp
from situated.data.situatedqa import SPLITS, Limit
from situated.errors import ConfigError, InputError
from situated.io import read_records, write_jsonl
from situated.schema import ContextType, Example

DateType = Literal["orig", "sampled_year", "sampled_date", "start"]


class TemporalRow(msgspec.Struct, frozen=True, kw_only=True):
    """A row of ``qa_data/temp.*.jsonl``, its keys in the released order."""

    question: str
    id: int | str
    edited_question: str
    date: str
    date_type: DateType
    answer: tuple[str, ...]
    any_answer: tuple[str, ...]

    value_field: ClassVar[str] = "date"


class GeographicalRow(msgspec.Struct, frozen=True, kw_only=True):
    """A row of ``qa_data/geo.*.jsonl``, its keys in the released order."""

    question: str
    id: int | str
    edited_question: str
    location: str
    answer: tuple[str, ...]
    any_answer: tuple[str, ...]

    value_field: ClassVar[str] = "location"


Row = TemporalRow | GeographicalRow
_CONTEXTS: Mapping[str, Context] = {"temp": Temp(), "geo": Geo()}


class Answers:
    """Question answering in contexts.

    Source: SituatedQA, sections 2.2 and 3.2; Table 2 counts the examples.

    Args:
        folder: Holds ``{temp,geo}.{train,dev,test}.jsonl``.
        context: Which context the questions are asked in.
        limit: Use only the first ``limit`` examples of each split (a look at the machinery, not a result).
    """

    def __init__(self, folder: str | Path, context: Literal["temp", "geo"], limit: Limit | None = None):
        self.folder, self.context, self.limit = Path(folder), context, limit

    def files(self) -> dict[str, Path]:
        """Split -> file."""
        return {split: self.folder / f"{self.context}.{split}.jsonl" for split in SPLITS}

    def read(self) -> dict[str, list[Example]]:
        """Split -> examples, in file order.

        Raises:
            InputError: See ``read_answers``.
        """
        context = _CONTEXTS[self.context]
        return {split: list(read_answers(path, context))[: self.limit] for split, path in self.files().items()}


def read_answers(path: Path, context: Context) -> Iterator[Example]:
    """Yield the examples of one ``qa_data`` file; keys beyond the released ones are left alone.

    Args:
        path: The file.
        context: Reads the values and says them in questions; of type "temp" or "geo".

    Raises:
        InputError: A row lacks a key, has a blank question, no answer or a value that the context does not know, or
            its edited question is another than the context makes.
        ConfigError: There are no answers in such a context.
    """
    if context.type == "temp":
        for line, row in read_records(path, TemporalRow):
            _check(path, line, row, row.date, context)
            yield _example(path, line, row, "temp", row.date, row.date_type)
    elif context.type == "geo":
        for line, place in read_records(path, GeographicalRow):
            _check(path, line, place, place.location, context)
            yield _example(path, line, place, "geo", place.location, "")
    else:
        raise ConfigError(f"context: released answers are given in 'temp' or 'geo', not in {context.type!r}.")


def write_answers(path: Path, examples: Iterable[Example], context: Context) -> int:
    """Write examples in the released format, whole or not at all; return their number.

    Ids go back to the integers that they were, where they are written as one.

    Raises:
        ConfigError: An example is in another context than ``context``.
    """
    return write_jsonl(path, (to_row(example, context) for example in examples))


def to_row(example: Example, context: Context) -> Row:
    """The row of ``qa_data`` that an example stands in.

    Raises:
        ConfigError: The example is in another context than ``context``, or has no row there.

    >>> example = Example(example_id="a:1", id="-7", question="who won", context_type="geo", context_value="Peru")
    >>> to_row(example, Geo()).edited_question, to_row(example, Geo()).id
    ('who won in peru', -7)
    """
    if example.context_type != context.type:
        raise ConfigError(
            f"context: example {example.example_id} is in {example.context_type!r}, not in {context.type!r}."
        )
    common: dict[str, Any] = {
        "question": example.question,
        "id": released_id(example.id),
        "edited_question": context.render(example.question, example.context_value),
        "answer": example.answers,
        "any_answer": example.any_answers,
    }
    if context.type == "temp":
        dated = common | {"date": example.context_value, "date_type": example.date_type}
        try:
            return msgspec.convert(dated, TemporalRow)
        except msgspec.ValidationError as error:
            raise ConfigError(f"example {example.example_id} has no row in the released format ({error}).") from error
    if context.type == "geo":
        return GeographicalRow(location=example.context_value, **common)
    raise ConfigError(f"context: the released format has rows for 'temp' and 'geo', not for {context.type!r}.")


def released_id(text: str) -> int | str:
    """An id as the release writes it: an integer, where the text is one.

    >>> released_id("-7924170207595297549"), released_id("q07"), released_id("007")
    (-7924170207595297549, 'q07', '007')
    """
    try:
        number = int(text)
    except ValueError:
        return text
    return number if str(number) == text else text


def _check(path: Path, line: int, row: Row, value: str, context: Context) -> None:
    if not row.question.strip():
        raise InputError(path, "empty", "Give the question or remove the row.", line=line, field="question")
    if not row.answer:
        raise InputError(path, "empty", "Give at least one answer or remove the row.", line=line, field="answer")
    try:
        context.parse(value)
    except ConfigError as error:
        problem, _, mend = str(error).partition(". ")
        raise InputError(path, problem, mend, line=line, field=row.value_field) from error
    expected = context.render(row.question, value)
    if row.edited_question != expected:
        problem = f"{row.edited_question!r} is not the question in its context"
        raise InputError(path, problem, f"Expected {expected!r}.", line=line, field="edited_question")


def _example(path: Path, line: int, row: Row, context_type: ContextType, value: str, date_type: str) -> Example:
    return Example(
        example_id=f"{path.stem}:{line}",
        id=str(row.id),
        question=row.question,
        context_type=context_type,
        context_value=value,
        date_type=date_type,
        answers=row.answer,
        any_answers=row.any_answer,
    )
