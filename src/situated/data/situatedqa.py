"""SituatedQA's released files, read as they are (Zhang & Choi 2021)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Annotated, Literal

import msgspec

from situated.errors import InputError
from situated.io import read_records
from situated.schema import Example

Context = Literal["temp", "geo"]
Limit = Annotated[int, msgspec.Meta(ge=1)]
SPLITS = ("train", "dev", "test")


class IdentificationRow(msgspec.Struct, frozen=True):
    """A row of ``id_data``; ``source_dataset`` stands in the temporal files only."""

    question: str
    is_dependent: Literal["yes", "no"]
    id: int | str
    source_dataset: str | None = None


class QuestionRow(msgspec.Struct, frozen=True):
    """A row of any file of questions: ``id_data``, NQ-Open and others; further keys are left alone."""

    question: str
    is_dependent: Literal["yes", "no"] | None = None
    id: int | str = ""


class Identification:
    """Context-dependence identification: is the question's answer dependent on time, or on place?

    Source: SituatedQA, sections 2.3 and 3.1; Table 2 counts the questions.

    Args:
        folder: Holds ``{temp,geo}.{train,dev,test}.jsonl``.
        context: Which dependence is asked about.
        limit: Use only the first ``limit`` questions of each split (a look at the machinery, not a result).
    """

    def __init__(self, folder: str | Path, context: Context, limit: Limit | None = None):
        self.folder, self.context, self.limit = Path(folder), context, limit

    def files(self) -> dict[str, Path]:
        """Split -> file."""
        return {split: self.folder / f"{self.context}.{split}.jsonl" for split in SPLITS}

    def read(self) -> dict[str, list[Example]]:
        """Split -> examples, in file order.

        Raises:
            InputError: A file is missing or empty, or a row lacks a key, has an unknown label or a repeated id.
        """
        return {split: list(read_identification(path))[: self.limit] for split, path in self.files().items()}


def read_identification(path: Path) -> Iterator[Example]:
    """Yield the labelled examples of one ``id_data`` file.

    Raises:
        InputError: See ``Identification.read``.
    """
    return _examples(path, read_records(path, IdentificationRow))


def read_questions(path: Path) -> Iterator[Example]:
    """Yield the examples of any JSON lines file with a ``question``; id and label are taken where they stand.

    Raises:
        InputError: As ``read_identification``, but for what may be absent here.
    """
    return _examples(path, read_records(path, QuestionRow))


def _examples(path: Path, rows: Iterable[tuple[int, IdentificationRow | QuestionRow]]) -> Iterator[Example]:
    first_line: dict[str, int] = {}
    for line, row in rows:
        if not row.question.strip():
            raise InputError(path, "empty", "Give the question or remove the row.", line=line, field="question")
        source_id = str(row.id)
        if source_id and (before := first_line.setdefault(source_id, line)) != line:
            problem = f"{source_id} was given to line {before} already"
            raise InputError(path, problem, "Ids are unique within a file: rename one.", line=line, field="id")
        yield Example(
            example_id=f"{path.stem}:{line}",
            id=source_id,
            question=row.question,
            is_dependent=None if row.is_dependent is None else row.is_dependent == "yes",
        )
