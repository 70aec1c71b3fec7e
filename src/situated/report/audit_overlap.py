"""Questions that two files share, by id and by their words."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations
from pathlib import Path

import msgspec

from situated.data.situatedqa import QuestionRow
from situated.io import read_records
from situated.text import normalize_squad

_TASKS = ("id_data", "qa_data")


class Overlap(msgspec.Struct, frozen=True, kw_only=True):
    """Two files with common questions.

    Attributes:
        first: Name of a file.
        second: Name of the other.
        ids: Ids in both.
        questions: Normal forms of questions in both.
    """

    first: str
    second: str
    ids: int
    questions: int

    @property
    def leaks(self) -> bool:
        """Whether the files are of different splits, so that training or choosing sees what is tested."""
        return self.first.rpartition(".")[2] != self.second.rpartition(".")[2]


def find_overlaps(files: Mapping[str, Path]) -> tuple[Overlap, ...]:
    """Every pair of files of ``id_data`` and ``qa_data`` with common questions.

    Raises:
        InputError: A row is no question.
    """
    asked = {name: _asked(path) for name, path in files.items() if name.startswith(_TASKS)}
    pairs = (
        Overlap(first=a, second=b, ids=len(asked[a][0] & asked[b][0]), questions=len(asked[a][1] & asked[b][1]))
        for a, b in combinations(asked, 2)
    )
    return tuple(pair for pair in pairs if pair.ids or pair.questions)


def _asked(path: Path) -> tuple[set[str], set[str]]:
    """Ids and questions of a file."""
    rows = [row for _, row in read_records(path, QuestionRow)]
    return {str(row.id) for row in rows if row.id != ""}, {normalize_squad(row.question) for row in rows}
