"""Files: JSON lines (plain, gzip, bzip2, Zstandard), writing that is whole or not at all, content hashes."""

from __future__ import annotations

import bz2
import gzip
import hashlib
import io
import os
import re
import time
import typing
import zlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import IO, Any, TypeVar

import msgspec
import zstandard

from situated.errors import InputError, SituatedError

T = TypeVar("T")

_MAKE_IT = "Check the path, or make the file with the stage before."
_SETTLED_S = 2.0
_BYTE_ORDER_MARK = b"\xef\xbb\xbf"

# "... - at `$.is_dependent`" and "... missing required field `question`", the two forms in which msgspec names a field.
_FIELD = re.compile(r" - at `\$\.?([^`]*)`|field `([^`]+)`")


def open_binary(path: Path) -> IO[bytes]:
    """Open a file for reading, unpacking ``.gz``, ``.bz2`` and ``.zst`` on the way.

    Raises:
        InputError: The file is missing or cannot be opened.
    """
    try:
        if path.suffix == ".gz":
            return typing.cast("IO[bytes]", gzip.open(path, "rb"))
        if path.suffix == ".bz2" and path.stat().st_size:  # bz2 takes an empty file for a torn one
            return typing.cast("IO[bytes]", bz2.open(path, "rb"))
        if path.suffix == ".zst":
            return io.BufferedReader(_ZstdReader(path))
        return path.open("rb")
    except FileNotFoundError as error:
        raise InputError(path, "no such file", _MAKE_IT) from error
    except OSError as error:
        raise InputError(path, f"cannot be read ({error.strerror})", "Check that it is a readable file.") from error


def read_records(path: Path, record: type[T]) -> Iterator[tuple[int, T]]:
    """Yield (line number from 1, record) for every line of a JSON lines file.

    ``record`` is the schema: a ``msgspec.Struct`` class, or ``dict[str, Any]`` for free rows.

    Raises:
        InputError: No line, a blank line, bytes that are not UTF-8, broken JSON, or a row that is not a ``record``.
    """
    decode = msgspec.json.Decoder(record).decode
    line = 0
    with open_binary(path) as file, _unpacking(path):
        for line, raw in enumerate(file, start=1):
            try:
                yield line, decode(raw)
            except (msgspec.MsgspecError, UnicodeDecodeError) as error:
                raise _bad_line(path, line, raw, record, error) from error
    if line == 0:
        raise InputError(path, "the file is empty", "One JSON object a line is expected: download or make it again.")


def write_jsonl(path: Path, rows: Iterable[Any]) -> int:
    """Write rows (dicts, dataclasses or structs) as JSON lines, whole or not at all; return their number.

    JSON knows no infinity and no NaN: they become null.
    """
    encoder = msgspec.json.Encoder()
    count = 0
    with atomic_write(path) as file:
        for row in rows:
            file.write(encoder.encode(row) + b"\n")
            count += 1
    return count


def read_json(path: Path) -> Any:
    """Read one JSON document.

    Raises:
        InputError: The file is missing or holds no JSON.
    """
    with open_binary(path) as file, _unpacking(path):
        try:
            return msgspec.json.decode(file.read())
        except (msgspec.MsgspecError, UnicodeDecodeError) as error:
            raise InputError(path, f"not a JSON document ({error})", "Make it again.") from error


def write_json(path: Path, value: Any) -> None:
    """Write one JSON document, indented and with sorted keys, whole or not at all."""
    document = msgspec.json.format(msgspec.json.encode(value, order="sorted"), indent=2)
    with atomic_write(path) as file:
        file.write(document + b"\n")


def write_text(path: Path, text: str) -> None:
    """Write a UTF-8 text file, whole or not at all."""
    with atomic_write(path) as file:
        file.write(text.encode())


@contextmanager
def atomic_write(path: Path) -> Iterator[IO[bytes]]:
    """Open a temporary file beside ``path`` that takes its name only when the block ends well.

    ``.gz``, ``.bz2`` and ``.zst`` are packed on the way, without time stamps, so that equal rows make equal files.

    Raises:
        SituatedError: The file system refuses (full disk, no permission); what stood at ``path`` is untouched.
    """
    temporary = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with temporary.open("wb") as raw:
            with _packed(raw, path.suffix) as file:
                yield file
            raw.flush()
            os.fsync(raw.fileno())
        temporary.replace(path)
    except OSError as error:
        raise SituatedError(
            f"{path}: cannot be written ({error.strerror or error}). "
            "What stood there before is untouched: free some space or choose another paths.out, then run again."
        ) from error
    finally:
        with suppress(OSError):  # what went wrong has been said already
            temporary.unlink(missing_ok=True)


def stem(path: str) -> str:
    """A file's name without what says how it is written.

    >>> stem("outputs/temp.test.jsonl.gz"), stem("mine.jsonl")
    ('temp.test', 'mine')
    """
    name = Path(path).name
    for suffix in (".gz", ".zst", ".jsonl", ".json", ".tsv"):
        name = name.removesuffix(suffix)
    return name


def sha256(path: Path) -> str:
    """Content hash of a file, or of a folder's files under their relative names (hex, 64 characters)."""
    if path.is_dir():
        tree = hashlib.sha256()
        for file in sorted(p for p in path.rglob("*") if p.is_file()):
            tree.update(f"{file.relative_to(path).as_posix()}\0{sha256(file)}\n".encode())
        return tree.hexdigest()
    try:
        found = path.stat()
        if time.time() - found.st_mtime < _SETTLED_S:  # may change again without a new time stamp
            return _file_sha256(path)
        return _settled_sha256(path, found.st_ino, found.st_mtime_ns, found.st_size)
    except FileNotFoundError as error:
        raise InputError(path, "no such file", _MAKE_IT) from error
    except OSError as error:
        raise InputError(path, f"cannot be read ({error.strerror})", "Check the path.") from error


def _file_sha256(path: Path) -> str:
    with path.open("rb") as opened:
        return hashlib.file_digest(opened, "sha256").hexdigest()


@cache
def _settled_sha256(path: Path, *state: int) -> str:
    """Once for each state of a file: a chain asks for the same input in each of its tasks."""
    return _file_sha256(path)


@contextmanager
def _packed(raw: IO[bytes], suffix: str) -> Iterator[IO[bytes]]:
    if suffix == ".gz":
        with gzip.GzipFile(filename="", fileobj=raw, mode="wb", mtime=0) as file:
            yield typing.cast("IO[bytes]", file)
    elif suffix == ".bz2":
        with bz2.BZ2File(raw, "wb") as packed:
            yield typing.cast("IO[bytes]", packed)
    elif suffix == ".zst":
        with zstandard.ZstdCompressor(write_checksum=True).stream_writer(raw, closefd=False) as file:
            yield typing.cast("IO[bytes]", file)
    else:
        yield raw


@contextmanager
def _unpacking(path: Path) -> Iterator[None]:
    """Say of which file it is that it is torn or no such archive."""
    try:
        yield
    except (OSError, EOFError, zlib.error, zstandard.ZstdError) as error:
        raise InputError(path, f"cannot be read to its end ({error})", "Download or make it again.") from error


class _ZstdReader(io.RawIOBase):
    """The content of a Zstandard file, all frames of it; zstandard's own reader takes a torn file for a whole one."""

    def __init__(self, path: Path):
        self._file = path.open("rb")
        self._frame = zstandard.ZstdDecompressor().decompressobj()
        self._unpacked = memoryview(b"")

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        while not self._unpacked and (packed := self._frame.unused_data or self._file.read(1 << 16)):
            if self._frame.eof:
                self._frame = zstandard.ZstdDecompressor().decompressobj()
            self._unpacked = memoryview(self._frame.decompress(packed))
        if not self._unpacked and not self._frame.eof and self._file.tell():
            raise EOFError("the file ends within a frame")
        count = min(len(self._unpacked), len(buffer))
        buffer[:count], self._unpacked = self._unpacked[:count], self._unpacked[count:]
        return count

    def close(self) -> None:
        self._file.close()
        super().close()


def _bad_line(path: Path, line: int, raw: bytes, record: Any, error: Exception) -> InputError:
    """Say in the file's own terms what msgspec found."""
    try:
        raw.decode()
    except UnicodeDecodeError as not_utf8:
        problem = f"byte {not_utf8.start + 1} of the line is not UTF-8"
        return InputError(path, problem, "Save the file as UTF-8.", line=line)
    if not raw.strip():
        return InputError(path, "the line is blank", "Remove it: one JSON object a line.", line=line)
    if raw.startswith(_BYTE_ORDER_MARK):
        return InputError(path, "it begins with a byte order mark", "Save the file as UTF-8 without one.", line=line)
    message = str(error)
    if not isinstance(error, msgspec.ValidationError):
        return InputError(path, f"broken JSON ({message})", "One JSON object a line is expected.", line=line)
    if not (found := _FIELD.search(message)):
        return InputError(path, message, "One JSON object a line is expected.", line=line)
    field = found.group(1) or found.group(2)
    problem = "missing" if "missing required field" in message else _FIELD.sub("", message)
    value = ""
    if problem != "missing":
        try:
            row = msgspec.json.decode(raw)
        except msgspec.DecodeError as broken:  # after the wrong field
            return InputError(path, f"broken JSON ({broken})", "One JSON object a line is expected.", line=line)
        value = f" (found {row.get(field.split('.')[0].split('[')[0])!r})" if isinstance(row, dict) else ""
    return InputError(path, problem + value, _expected(record, field), line=line, field=field)


def _expected(record: Any, field: str) -> str:
    """The mend for a wrong field: its declared values or type."""
    hint = typing.get_type_hints(record).get(field.split(".")[0].split("[")[0])
    if typing.get_origin(hint) is typing.Literal:
        return "Expected one of " + ", ".join(repr(value) for value in typing.get_args(hint)) + "."
    name = hint.__name__ if isinstance(hint, type) and not typing.get_args(hint) else str(hint)
    return f"Expected {name.replace('typing.', '')}."
