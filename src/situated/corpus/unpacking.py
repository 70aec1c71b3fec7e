"""The content of a packed dump, in blocks of bounded size; the streams of a multistream bz2 side by side."""

from __future__ import annotations

import bz2
import gzip
import logging
import re
import zlib
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import IO, NamedTuple

from situated.errors import InputError

log = logging.getLogger(__name__)

_BLOCK = 1 << 20  # bytes
_STREAM = re.compile(rb"BZh[1-9](?:1AY&SY|\x17rE8P\x90)")  # a stream's head before its first block, or before its end
_LONGEST_HEAD = 10

Told = Callable[[int], object]


class _Piece(NamedTuple):
    """Packed bytes that seem to begin a stream, or that go on with one."""

    begins: bool
    packed: bytes


def unpacked(path: Path, threads: int = 0, told: Told = lambda at: None) -> Iterator[bytes]:
    """Yield the content of a file, unpacking ``.bz2`` and ``.gz``.

    Args:
        path: The file.
        threads: Of a bz2 file made of many streams, as Wikimedia's multistream dumps are, this many are unpacked at a
            time (Python's bz2 runs outside its interpreter lock); 0 does all in the caller's thread.
        told: Called with the position in the packed file, in bytes.

    Raises:
        InputError: The file is missing, torn, or not packed as its name says.
    """
    try:
        with path.open("rb") as file:
            yield from _content(path, file, threads, told)
    except FileNotFoundError as error:
        raise InputError(path, "no such file", "Check the path, or fetch the dump.") from error
    except (OSError, EOFError, zlib.error) as error:
        mend = "It is torn or not what its name says: compare its size and checksum with the source's, fetch it again."
        raise InputError(path, f"cannot be read to its end ({error})", mend) from error


def _content(path: Path, file: IO[bytes], threads: int, told: Told) -> Iterator[bytes]:
    if path.suffix == ".bz2":
        blocks = _bz2(path, _pieces(file), threads)
    else:
        opened = gzip.GzipFile(fileobj=file) if path.suffix == ".gz" else file
        blocks = iter(lambda: opened.read(_BLOCK), b"")
    for block in blocks:
        told(file.tell())
        yield block


def _pieces(file: IO[bytes]) -> Iterator[_Piece]:
    """Yield a bz2 file in pieces of some blocks at most, cut where streams seem to begin."""
    held, begins = b"", True
    while block := file.read(_BLOCK):
        held += block
        at = 0
        for head in _STREAM.finditer(held, 1):
            yield _Piece(begins, held[at : head.start()])
            at, begins = head.start(), True
        held = held[at:]
        if len(held) > _BLOCK:
            yield _Piece(begins, held[:-_LONGEST_HEAD])
            held, begins = held[-_LONGEST_HEAD:], False
    if held:
        yield _Piece(begins, held)


def _bz2(path: Path, pieces: Iterator[_Piece], threads: int) -> Iterator[bytes]:
    """Yield what the pieces hold, in order; those that begin a stream are unpacked ahead."""
    stream = None
    with ThreadPoolExecutor(max(1, threads)) as pool:
        for piece, ahead in _ahead(pieces, pool, 2 * threads):
            if stream is not None and not stream.eof:
                if ahead is not None:  # the head of a stream within another: those bytes came there by chance
                    ahead.cancel()
                yield from _go_on(stream, piece.packed)
            elif stream is not None and not piece.begins:
                break
            elif ahead is None:
                stream = bz2.BZ2Decompressor()
                yield from _go_on(stream, piece.packed)
            else:
                stream, content = ahead.result()
                yield content
            if stream.eof and stream.unused_data:
                log.warning("%s: its last stream ends %d bytes before the file", path, len(stream.unused_data))
                break
    if stream is None or not stream.eof:
        raise EOFError("the file ends within a bz2 stream")


def _ahead(
    pieces: Iterator[_Piece], pool: ThreadPoolExecutor, depth: int
) -> Iterator[tuple[_Piece, Future[tuple[bz2.BZ2Decompressor, bytes]] | None]]:
    """Yield (piece, its stream and content if that is unpacked ahead)."""
    waiting: deque[tuple[_Piece, Future[tuple[bz2.BZ2Decompressor, bytes]] | None]] = deque()
    for piece in pieces:
        waiting.append((piece, pool.submit(_unpack, piece.packed) if depth and piece.begins else None))
        if len(waiting) > depth:
            yield waiting.popleft()
    yield from waiting


def _unpack(packed: bytes) -> tuple[bz2.BZ2Decompressor, bytes]:
    stream = bz2.BZ2Decompressor()
    return stream, stream.decompress(packed)


def _go_on(stream: bz2.BZ2Decompressor, packed: bytes) -> Iterator[bytes]:
    """Yield what more of a stream unpacks to, a block at a time."""
    yield stream.decompress(packed, _BLOCK)
    while not stream.needs_input and not stream.eof:
        yield stream.decompress(b"", _BLOCK)
