"""What a data folder holds, file by file, for comparison with what the paper says of it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec

from situated.data.timeline_examples import TimelineExamples
from situated.errors import InputError
from situated.io import read_json
from situated.report.audit_answers import AnswerCounts, audit_answers
from situated.report.audit_identification import Labelled, audit_identification
from situated.report.audit_overlap import Overlap, find_overlaps
from situated.report.audit_timelines import TimelineAudit, audit_timelines
from situated.report.figure3 import Durations, measure_durations

SPLITS = ("train", "dev", "test")
FILES: tuple[str, ...] = (
    *(f"{task}/{context}.{split}" for task in ("id_data", "qa_data", "raw_data") for context in ("temp", "geo")
      for split in SPLITS),
    *(f"temp_splits/{era}_2019.{split}" for era in ("pre", "post") for split in ("train", "dev")),
)  # fmt: skip
"""The released files of SituatedQA, below ``situatedqa/`` and without their suffix."""

Contexts = dict[str, dict[str, Any]]


class File(msgspec.Struct, frozen=True, kw_only=True):
    """A file that was read: its content hash, and whether that is the released file's."""

    sha256: str
    is_released: bool


class Audit(msgspec.Struct, frozen=True, kw_only=True):
    """All that is known of a data folder.

    Attributes:
        files: Name, as in ``FILES`` -> the file.
        absent: Released files that the folder lacks; what rests on them is left out below.
        identification: Context -> split -> the questions labelled as dependent or not.
        answers: Context -> split -> the questions in contexts.
        overlaps: Pairs of files with common questions.
        timelines: The annotated timelines; None where there are none.
        figure3: How long previous answers held; None where there are no timelines.
    """

    files: dict[str, File]
    absent: tuple[str, ...]
    identification: dict[str, dict[str, Labelled]]
    answers: dict[str, dict[str, AnswerCounts]]
    overlaps: tuple[Overlap, ...]
    timelines: TimelineAudit | None = None
    figure3: Durations | None = None

    def is_released(self, name: str) -> bool:
        """Whether a file is there and has the released content."""
        return name in self.files and self.files[name].is_released


def find_files(data: Path) -> dict[str, Path]:
    """Name, as in ``FILES`` -> path, of the released files that a data folder holds.

    Raises:
        InputError: It holds none.
    """
    folder = data / "situatedqa"
    paths = {name: folder / f"{name}.jsonl" for name in FILES}
    found = {name: path for name, path in paths.items() if path.is_file()}
    if not found:
        mend = "Download it (python data_prep/download.py sources=[situatedqa]) or name another folder: paths.data=..."
        raise InputError(folder, "holds no file of SituatedQA, such as id_data/temp.train.jsonl", mend)
    return found


def audit(
    files: Mapping[str, Path], hashes: Mapping[str, str], known: frozenset[str], drawn: TimelineExamples
) -> Audit:
    """Read every file and count.

    Args:
        files: As ``find_files`` gives them.
        hashes: Name -> content hash of each.
        known: Content hashes of the released files.
        drawn: How examples are drawn from timelines, to be compared with the released ones.

    Raises:
        InputError: A row of a file is not as released files have it.
    """
    timelines = {split: files[f"raw_data/temp.{split}"] for split in SPLITS if f"raw_data/temp.{split}" in files}
    return Audit(
        files={name: File(sha256=hashes[name], is_released=hashes[name] in known) for name in files},
        absent=tuple(name for name in FILES if name not in files),
        identification=_by_context(files, "id_data", audit_identification),
        answers=_by_context(files, "qa_data", audit_answers),
        overlaps=find_overlaps(files),
        timelines=audit_timelines(timelines, files, drawn) if timelines else None,
        figure3=measure_durations(timelines) if timelines else None,
    )


def read_audit(path: Path) -> Audit:
    """Read an ``audit.json``.

    Raises:
        InputError: It is missing or no audit.
    """
    try:
        return msgspec.convert(read_json(path), Audit)
    except msgspec.ValidationError as error:
        raise InputError(path, f"not an audit ({error})", "Make it again: python data_prep/audit.py") from error


def _by_context(files: Mapping[str, Path], task: str, count: Any) -> Contexts:
    found: Contexts = {}
    for context in ("temp", "geo"):
        for split in SPLITS:
            if path := files.get(f"{task}/{context}.{split}"):
                found.setdefault(context, {})[split] = count(path, context)
    return found
