"""Packed dumps: one stream or many, whatever the threads, and torn ones."""

from __future__ import annotations

import bz2
import gzip
import random
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from situated.corpus.unpacking import unpacked
from situated.errors import InputError

CONTENT = random.Random(0).randbytes(1_300_000)  # noqa: S311 (does not pack: many blocks)


@pytest.mark.parametrize("threads", [0, 3])
@pytest.mark.parametrize("streams", [1, 2, 40])
def test_streams_come_in_order(tmp_path: Path, threads: int, streams: int) -> None:
    size = -(-len(CONTENT) // streams)
    parts = [CONTENT[at : at + size] for at in range(0, len(CONTENT), size)]
    path = tmp_path / "d.bz2"
    path.write_bytes(b"".join(map(bz2.compress, parts)))
    positions: list[int] = []
    assert b"".join(unpacked(path, threads, positions.append)) == CONTENT
    assert positions == sorted(positions)
    assert positions[-1] == path.stat().st_size


@settings(max_examples=30, deadline=None)
@given(st.lists(st.binary(max_size=300), min_size=1, max_size=6), st.integers(0, 2))
def test_small_and_empty_streams(tmp_path_factory: pytest.TempPathFactory, parts: list[bytes], threads: int) -> None:
    path = tmp_path_factory.mktemp("small") / "d.bz2"
    path.write_bytes(b"".join(map(bz2.compress, parts)))
    assert b"".join(unpacked(path, threads)) == b"".join(parts)


@pytest.mark.parametrize("threads", [0, 2])
def test_what_looks_like_a_streams_head_within_one_is_content(tmp_path: Path, threads: int) -> None:
    """Stored uncompressed it cannot be, so the pieces are cut there by hand."""
    from situated.corpus import unpacking

    packed = bz2.compress(CONTENT)
    pieces = [unpacking._Piece(True, packed[:1000]), unpacking._Piece(True, packed[1000:])]
    assert b"".join(unpacking._bz2(tmp_path, iter(pieces), threads)) == CONTENT


def test_gzip_and_plain(tmp_path: Path) -> None:
    (tmp_path / "d.gz").write_bytes(gzip.compress(CONTENT[:9000]) + gzip.compress(CONTENT[9000:]))
    (tmp_path / "d.xml").write_bytes(CONTENT)
    assert b"".join(unpacked(tmp_path / "d.gz")) == b"".join(unpacked(tmp_path / "d.xml")) == CONTENT


@pytest.mark.parametrize("threads", [0, 2])
@pytest.mark.parametrize("suffix", [".bz2", ".gz"])
@pytest.mark.parametrize("how", ["torn", "empty", "not packed", "spoilt"])
def test_a_bad_file_is_named(tmp_path: Path, suffix: str, how: str, threads: int) -> None:
    packed = (bz2 if suffix == ".bz2" else gzip).compress(CONTENT)
    spoilt = packed[:200_000] + bytes(100) + packed[200_100:]
    contents = {"torn": packed[:-1000], "empty": b"", "not packed": CONTENT, "spoilt": spoilt}
    path = tmp_path / f"d{suffix}"
    path.write_bytes(contents[how])
    if how == "empty" and suffix == ".gz":  # an empty gzip file has no member and no content: the dump says so
        assert b"".join(unpacked(path)) == b""
        return
    with pytest.raises(InputError, match=r"d\.\w+: cannot be read to its end \("):
        list(unpacked(path, threads))


def test_bytes_after_the_end_are_told(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    path = tmp_path / "d.bz2"
    path.write_bytes(bz2.compress(b"x" * 100) + b"\0" * 50)
    assert b"".join(unpacked(path)) == b"x" * 100
    assert "its last stream ends 50 bytes before the file" in caplog.text


def test_a_missing_file(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such file"):
        list(unpacked(tmp_path / "d.bz2"))
