"""Files of predicted answers: which format they have, and the examples that they belong to."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

import msgspec

from situated.errors import InputError
from situated.io import read_records
from situated.schema import Example

Kind = Literal["temp", "geo", "open"]

_ABSENT = "\0"  # compared by identity: what a row leaves out keeps its type, so that a wrong value is named with it
_NO_LIST: tuple[str, ...] = (_ABSENT,)
_REQUIRED = {
    "temp": ("question", "id", "edited_question", "date", "date_type", "answer", "any_answer"),
    "geo": ("question", "id", "edited_question", "location", "answer", "any_answer"),
    "open": ("question", "answer"),
}
_DATE_TYPES = ("orig", "sampled_year", "sampled_date", "start")
_RESERVED = ("total", "any")  # groups of all examples
_NAMED = 3  # examples that a message names


class Row(msgspec.Struct, frozen=True):
    """A line of a file of predictions, or of gold examples: the keys of all formats, each with its type.

    ``group`` puts an example of open questions into a group that is scored by itself ("current", "stable", ...).
    """

    question: str = _ABSENT
    id: int | str = _ABSENT
    edited_question: str = _ABSENT
    date: str = _ABSENT
    date_type: str = _ABSENT
    location: str = _ABSENT
    answer: tuple[str, ...] = _NO_LIST
    any_answer: tuple[str, ...] = _NO_LIST
    group: str = _ABSENT
    pred_answer: str = _ABSENT
    prediction: str = _ABSENT
    example_id: str = _ABSENT


@dataclass(frozen=True, slots=True)
class Answered:
    """An example and what a system answers.

    Attributes:
        line: Where the example stands in the file that gives the gold answers.
        kind: What its question is asked in.
        group: A group that the file itself puts it into; empty if none.
    """

    line: int
    kind: Kind
    example: Example
    prediction: str
    group: str = ""


@dataclass(frozen=True, slots=True)
class _Given:
    line: int
    prediction: str
    key: bytes | None  # of the example that the row shows; None if it names one only


@dataclass
class Predictions:
    """The predictions of one file with their examples, in the order of the file that gives the gold answers.

    Iterating streams them and checks every row; it can be done again.

    Args:
        path: JSON lines. Released rows with ``pred_answer`` (temporal or geographical), or rows with ``question``,
            ``answer`` and ``prediction``; with ``gold`` also rows with ``example_id`` and ``prediction``.
        gold: JSON lines with the examples, joined by ``example_id`` (``<file stem>:<line>``), or by all that a row
            shows of its example: id, context, question and answers. None: the rows of ``path`` bring their own.

    Raises:
        InputError: A row that cannot be used; predictions that are missing, given twice, or of no example.
    """

    path: Path
    gold: Path | None = None
    kind: Kind | None = field(default=None, init=False)

    @property
    def source(self) -> Path:
        """The file that gives the gold answers."""
        return self.path if self.gold is None else self.gold

    def __post_init__(self) -> None:
        """Read the predictions that are to be joined."""
        self._stem = self.source.stem
        self._given = None if self.gold is None else self._read_given()

    def __iter__(self) -> Iterator[Answered]:
        """Yield every example with its prediction."""
        self.kind = None
        if self.gold is None or self._given is None:
            for line, row in read_records(self.path, Row):
                if row.example_id is not _ABSENT and row.answer is _NO_LIST:
                    mend = "Name the file of the examples that they belong to: gold=<released file>."
                    raise InputError(self.path, "predictions by example_id alone", mend, line=line)
                yield self._answered(self.path, line, row, _prediction(self.path, line, row))
        else:
            yield from self._joined(self.gold, self._given)

    def _read_given(self) -> dict[str | bytes, list[_Given]]:
        given: dict[str | bytes, list[_Given]] = {}
        by_id: bool | None = None
        for line, row in read_records(self.path, Row):
            has_id = row.example_id is not _ABSENT
            if by_id not in (None, has_id):
                problem = "a mix of predictions with and without example_id"
                raise InputError(self.path, problem, "Give it in every row or in none.", line=line)
            by_id = has_id
            shown = key_of(row, self._checked_kind(self.path, line, row)) if _shows_example(row, has_id) else None
            key = row.example_id if has_id or shown is None else shown
            given.setdefault(key, []).append(_Given(line, _prediction(self.path, line, row), shown))
        return given

    def _joined(self, gold: Path, given: dict[str | bytes, list[_Given]]) -> Iterator[Answered]:
        by_id = isinstance(next(iter(given)), str)
        taken: Counter[str | bytes] = Counter()
        missing: list[str] = []
        n_missing = 0
        for line, row in read_records(gold, Row):
            key = key_of(row, self._checked_kind(gold, line, row))
            name: str | bytes = f"{self._stem}:{line}" if by_id else key
            rows = given.get(name, [])
            if taken[name] >= len(rows):
                n_missing += 1
                missing += [f"{self._stem}:{line}"] if len(missing) < _NAMED else []
                continue
            found = rows[taken[name]]
            taken[name] += 1
            if found.key not in (None, key):
                problem = f"the row shows another example than {name!r} in {gold}"
                raise InputError(self.path, problem, "Give it the example's own id.", line=found.line)
            yield self._answered(gold, line, row, found.prediction)
        self._check_complete(gold, given, taken, missing, n_missing)

    def _check_complete(
        self, gold: Path, given: dict[str | bytes, list[_Given]], taken: Counter[str | bytes], missing: list[str],
        n_missing: int,
    ) -> None:  # fmt: skip
        extra = [row.line for name, rows in given.items() if not taken[name] for row in rows]
        twice = [row.line for name, rows in given.items() if taken[name] for row in rows[taken[name] :]]
        problems = [_counted(n_missing, "examples without prediction", missing)] if n_missing else []
        problems += [_counted(len(extra), "predictions for no example", _lines(extra))] if extra else []
        problems += [_counted(len(twice), "predictions given twice", _lines(twice))] if twice else []
        if problems:
            mend = f"Exactly one prediction is needed for each of the {sum(taken.values()) + n_missing} examples."
            raise InputError(self.path, f"not the predictions of {gold}: {'; '.join(problems)}", mend)

    def _answered(self, path: Path, line: int, row: Row, prediction: str) -> Answered:
        kind = self._checked_kind(path, line, row)
        example = Example(
            example_id=f"{self._stem}:{line}",
            id="" if row.id is _ABSENT else str(row.id),
            question=row.question,
            context_type="none" if kind == "open" else kind,
            context_value={"temp": row.date, "geo": row.location, "open": ""}[kind],
            date_type=row.date_type if kind == "temp" else "",
            answers=row.answer,
            any_answers=() if row.any_answer is _NO_LIST else row.any_answer,
        )
        return Answered(line, kind, example, prediction, "" if row.group is _ABSENT else row.group)

    def _checked_kind(self, path: Path, line: int, row: Row) -> Kind:
        kind = kind_of(path, line, row)
        if self.kind is None:
            self.kind = kind
        elif self.kind != kind:
            problem = f"a row of kind {kind!r} among rows of kind {self.kind!r}"
            raise InputError(
                path, problem, "Score temporal, geographical and open questions each by itself.", line=line
            )
        return kind


def kind_of(path: Path, line: int, row: Row) -> Kind:
    """What a row's question is asked in, by the keys that it has.

    Raises:
        InputError: It has keys of both contexts, or lacks one of its kind.
    """
    dated, placed = row.date is not _ABSENT or row.date_type is not _ABSENT, row.location is not _ABSENT
    if dated and placed:
        raise InputError(path, "both a date and a location", "A row is asked in one context.", line=line)
    kind: Kind = "temp" if dated else "geo" if placed else "open"
    for name in _REQUIRED[kind]:
        value = getattr(row, name)
        if value is _ABSENT or value is _NO_LIST:
            mend = f"Rows of kind {kind!r} need {', '.join(_REQUIRED[kind])}."
            raise InputError(path, "missing", mend, line=line, field=name)
    if row.group in _RESERVED or "/" in row.group:
        raise InputError(path, f"cannot be {row.group!r}", "Choose another word.", line=line, field="group")
    if dated and row.date_type not in _DATE_TYPES:
        mend = f"Expected one of {', '.join(map(repr, _DATE_TYPES))}."
        raise InputError(path, f"unknown (found {row.date_type!r})", mend, line=line, field="date_type")
    return kind


def key_of(row: Row, kind: Kind) -> bytes:
    """What tells a row's example from others: id, context, question and answers; the order of answers does not matter.

    Released ids with a context occur more than once, with other answers.
    """
    context = {"temp": row.date, "geo": row.location, "open": ""}[kind]
    question = row.question if row.edited_question is _ABSENT else row.edited_question
    shown: list[Any] = [str(row.id), context, question, sorted(row.answer)]
    return hashlib.blake2b(msgspec.json.encode(shown), digest_size=16).digest()


def _shows_example(row: Row, has_id: bool) -> bool:
    return not has_id or row.answer is not _NO_LIST


def _prediction(path: Path, line: int, row: Row) -> str:
    given = [text for text in (row.pred_answer, row.prediction) if text is not _ABSENT]
    if len(given) == 1:
        return given[0]
    if given:
        raise InputError(path, "both pred_answer and prediction", "Give one of them.", line=line)
    mend = "Give the system's answer, '' where it has none, as pred_answer or prediction."
    raise InputError(path, "missing", mend, line=line, field="pred_answer")


def _lines(lines: Sequence[int]) -> list[str]:
    return [f"line {line}" for line in sorted(lines)[:_NAMED]]


def _counted(n: int, what: str, named: Sequence[str]) -> str:
    return f"{n} {what} ({', '.join(named)}{', ...' if n > len(named) else ''})"
