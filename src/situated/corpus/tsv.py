"""DPR's ``psgs_w100.tsv``: a header, then id, text and title of a passage in each line, quoted as csv does."""

from __future__ import annotations

import csv
import io
import logging
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from situated.corpus.store import Collection, PassageStore, write_account
from situated.corpus.tables import PASSAGES, ContentHash, TableWriter, text_hashes
from situated.errors import InputError, SituatedError
from situated.io import atomic_write, open_binary, read_json, write_json

log = logging.getLogger(__name__)

HEADER = ["id", "text", "title"]
EXPORTS = "exports.json"
"""In a run folder: the files that were exported from it."""

_BATCH = 10_000  # passages
_LONGEST_FIELD = 1 << 24  # characters
_MEND = "A header id<TAB>text<TAB>title and three fields a line are expected, as in DPR's psgs_w100.tsv."


def export_tsv(store: PassageStore, path: Path) -> None:
    """Write a collection, whole or not at all; packed where the name ends in ``.gz`` or ``.zst``."""
    with atomic_write(path) as packed:
        file = io.TextIOWrapper(packed, encoding="utf-8", newline="", write_through=True)
        writer = csv.writer(file, delimiter="\t", lineterminator="\n")
        writer.writerow(HEADER)
        for batch in store.batches(_BATCH):
            writer.writerows(zip(*(batch.column(name).to_pylist() for name in HEADER), strict=True))
        file.flush()
        file.detach()


def export_once(run_folder: Path, path: Path, force: bool) -> None:
    """Write a run's collection to a file, unless it was written there before and nobody touched it since.

    Raises:
        SituatedError: See ``check_replaceable``.
    """
    store = PassageStore(run_folder)
    if not force and _is_ours(run_folder, path):
        log.info("Already exported: %s", path)
        return
    check_replaceable(run_folder, path, force)
    export_tsv(store, path)
    record = run_folder / EXPORTS
    known = read_json(record) if record.is_file() else {}
    write_json(record, known | {str(path.resolve()): _state(path)})
    log.info("Exported %s passages: %s", f"{len(store):,}", path)


def check_replaceable(run_folder: Path, path: Path, force: bool) -> None:
    """Refuse to write over a file that this run did not write: it may be another collection of many gigabytes.

    Raises:
        SituatedError: It is something else, and force is off; or a folder.
    """
    if path.is_dir():
        raise SituatedError(f"export_tsv: {path} is a folder. Name a file.")
    if path.exists() and not force and not _is_ours(run_folder, path):
        raise SituatedError(f"export_tsv: {path} is there, and this run did not write it. force=true replaces it.")


def _is_ours(run_folder: Path, path: Path) -> bool:
    record = run_folder / EXPORTS
    return path.is_file() and record.is_file() and read_json(record).get(str(path.resolve())) == _state(path)


def _state(path: Path) -> list[int]:
    """What tells whether somebody has written to a file: its size and time stamp."""
    found = path.stat()
    return [found.st_size, found.st_mtime_ns]


def import_tsv(path: Path, folder: Path, source: dict[str, Any]) -> Collection:
    """Read such a file into a collection below a folder, as an export of equal passages would come back.

    Raises:
        InputError: A line is no passage, or an id comes twice.
    """
    content, ids, ordered = ContentHash(("id", "title", "text")), list[np.ndarray[tuple[int], np.dtype[np.uint64]]](), 0
    with TableWriter(folder, PASSAGES) as table:
        for batch in _batches(path):
            content.update(batch)
            named = batch.column("id")
            numbers = pa.array(np.arange(table.rows + 1, table.rows + 1 + len(named))).cast(pa.string())
            ordered += len(named) if named.equals(numbers) else 0
            ids.append(text_hashes(named))
            table.write(batch)
    if not table.rows:
        raise InputError(path, "it holds no passage", _MEND)
    if ordered != table.rows and len(np.unique(np.concatenate(ids))) < table.rows:
        raise InputError(path, "some id comes twice", "Give each passage an id of its own.")
    made = Collection(content.hexdigest(), table.rows, source)
    write_account(folder, made)
    return made


def _batches(path: Path) -> Iterator[pa.RecordBatch]:
    rows: list[list[str]] = []
    for row in _rows(path):
        rows.append(row)
        if len(rows) == _BATCH:
            yield _batch(rows)
            rows = []
    if rows:
        yield _batch(rows)


def _batch(rows: list[list[str]]) -> pa.RecordBatch:
    given = dict(zip(HEADER, zip(*rows, strict=True), strict=True))
    arrays = [
        pa.array(given[field.name], field.type) if field.name in given else pa.nulls(len(rows), field.type)
        for field in PASSAGES
    ]
    return pa.record_batch(arrays, schema=PASSAGES)


def _rows(path: Path) -> Iterator[list[str]]:
    """Yield [id, text, title]."""
    usual = csv.field_size_limit(_LONGEST_FIELD)
    with open_binary(path) as packed:
        began = 1
        reader = csv.reader(io.TextIOWrapper(packed, encoding="utf-8", newline=""), delimiter="\t", strict=True)
        try:
            if (header := next(reader, None)) != HEADER:
                raise InputError(path, f"its first line is {header}", _MEND, line=1)
            began = reader.line_num + 1
            for row in reader:
                if len(row) != len(HEADER) or not row[0]:
                    raise InputError(path, f"{len(row)} fields", _MEND, line=reader.line_num)
                if not row[1].strip():
                    raise InputError(path, "empty", "Give the passage or remove its line.", line=began, field="text")
                yield row
                began = reader.line_num + 1
        except (csv.Error, UnicodeDecodeError, EOFError, OSError) as error:
            raise InputError(path, f"cannot be read on ({error})", _MEND, line=began) from error
        finally:
            csv.field_size_limit(usual)
