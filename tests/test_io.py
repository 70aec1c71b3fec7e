"""Files are read whole or refused by file, line and field, and written whole or not at all."""

from __future__ import annotations

import bz2
import gzip
import hashlib
import io
import os
import re
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Literal

import msgspec
import pytest
import zstandard
from hypothesis import given, settings
from hypothesis import strategies as st

from situated.errors import InputError, SituatedError
from situated.io import atomic_write, open_binary, read_json, read_records, sha256, write_json, write_jsonl, write_text

SUFFIXES = (".jsonl", ".jsonl.gz", ".jsonl.bz2", ".jsonl.zst")
JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**63), 2**63 - 1)
    | st.text()
    | st.floats(allow_nan=False, allow_infinity=False),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=5,
)
# More than the buffers that files are read and unpacked by, and hard to pack, so that archives hold many blocks.
MANY = [{"n": n, "word": f"{n * 2654435761 % 2**32:x}" * 20} for n in range(3000)]


class Row(msgspec.Struct):
    question: str
    is_dependent: Literal["yes", "no"]
    id: int | str


GOOD = {"question": "who is mayor", "is_dependent": "yes", "id": 1}


def rows_of(path: Path) -> list[dict[str, Any]]:
    return [row for _, row in read_records(path, dict[str, Any])]


def complaint(path: Path) -> InputError:
    with pytest.raises(InputError) as caught:
        list(read_records(path, Row))
    return caught.value


@settings(max_examples=25)
@given(rows=st.lists(st.dictionaries(st.text(), JSON, max_size=4), min_size=1, max_size=5))
@pytest.mark.parametrize("suffix", SUFFIXES)
def test_rows_survive_writing_and_reading(
    rows: list[dict[str, Any]], suffix: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    path = tmp_path_factory.getbasetemp() / f"round_trip{suffix}"
    assert write_jsonl(path, rows) == len(rows)
    assert rows_of(path) == rows


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_many_rows_come_back_in_order_with_their_line_numbers(suffix: str, tmp_path: Path) -> None:
    path = tmp_path / f"many{suffix}"
    write_jsonl(path, MANY)
    assert list(read_records(path, dict)) == list(enumerate(MANY, start=1))


def test_archives_are_archives(tmp_path: Path) -> None:
    for suffix in SUFFIXES:
        write_jsonl(tmp_path / f"x{suffix}", MANY)
    plain = (tmp_path / "x.jsonl").read_bytes()
    assert gzip.decompress((tmp_path / "x.jsonl.gz").read_bytes()) == plain
    assert bz2.decompress((tmp_path / "x.jsonl.bz2").read_bytes()) == plain
    with zstandard.open(tmp_path / "x.jsonl.zst", "rb") as file:
        assert file.read() == plain


@pytest.mark.parametrize("suffix", [".jsonl.gz", ".jsonl.bz2", ".jsonl.zst"])
def test_an_archive_of_several_parts_is_read_to_its_end(suffix: str, tmp_path: Path) -> None:
    parts = [tmp_path / f"{name}{suffix}" for name in "abc"]
    for number, part in enumerate(parts):
        write_jsonl(part, MANY[number::3])
    whole = tmp_path / f"whole{suffix}"
    whole.write_bytes(b"".join(part.read_bytes() for part in parts))
    assert rows_of(whole) == MANY[0::3] + MANY[1::3] + MANY[2::3]


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_equal_rows_make_equal_files_whatever_their_name_and_time(
    suffix: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_jsonl(tmp_path / f"a{suffix}", MANY)
    monkeypatch.setattr("time.time", lambda: 1e9)
    write_jsonl(tmp_path / "elsewhere" / f"b{suffix}", MANY)
    assert (tmp_path / f"a{suffix}").read_bytes() == (tmp_path / "elsewhere" / f"b{suffix}").read_bytes()


def test_ids_beyond_two_to_the_53_survive(tmp_path: Path) -> None:
    ids = [2**53 + 1, -(2**63), 2**63 - 1, 7225266026462394501]
    path = tmp_path / "ids.jsonl"
    path.write_text("".join(f'{{"question": "q", "is_dependent": "no", "id": {n}}}\n' for n in ids), encoding="utf-8")
    assert [row.id for _, row in read_records(path, Row)] == ids


def test_a_last_line_without_its_end_counts(tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl"
    path.write_bytes(b'{"a": 1}\n{"a": 2}')
    assert rows_of(path) == [{"a": 1}, {"a": 2}]


BAD_LINES: dict[str, tuple[bytes, str | None, str]] = {
    "missing key": (b'{"question": "q", "id": 1}', "is_dependent", "missing. Expected one of 'yes', 'no'."),
    "unknown label": (b'{"question": "q", "is_dependent": "maybe", "id": 1}', "is_dependent",
                      "(found 'maybe'). Expected one of 'yes', 'no'."),
    "label of another kind": (b'{"question": "q", "is_dependent": true, "id": 1}', "is_dependent", "found True"),
    "wrong type": (b'{"question": ["q"], "is_dependent": "no", "id": 1}', "question", "Expected str."),
    "float id": (b'{"question": "q", "is_dependent": "no", "id": 7.2e18}', "id", "Expected int | str."),
    "null": (b'{"question": null, "is_dependent": "no", "id": 1}', "question", "found None"),
    "broken JSON": (b'{"question": "q", "is_dep', None, "broken JSON"),
    "two objects": (b'{"question": "q", "is_dependent": "no", "id": 1} {}', None, "broken JSON"),
    "no object": (b'["q", "no", 1]', None, "Expected `object`, got `array`"),
    "blank line": (b"   ", None, "the line is blank. Remove it"),
    "not UTF-8": ('{"question": "qué", "is_dependent": "no", "id": 1}'.encode("latin-1"), None,
                  "byte 17 of the line is not UTF-8. Save the file as UTF-8."),
    "byte order mark": (b'\xef\xbb\xbf{"question": "q", "is_dependent": "no", "id": 1}', None, "byte order mark"),
}  # fmt: skip


@pytest.mark.parametrize("suffix", SUFFIXES)
@pytest.mark.parametrize(("line", "field", "says"), BAD_LINES.values(), ids=BAD_LINES)
def test_a_bad_line_is_named_by_file_line_and_field(
    line: bytes, field: str | None, says: str, suffix: str, tmp_path: Path
) -> None:
    path = tmp_path / f"bad{suffix}"
    good = msgspec.json.encode(GOOD)
    with atomic_write(path) as file:
        file.write(b"\n".join([good, good, line, good]) + b"\n")
    error = complaint(path)
    assert (error.path, error.line, error.field) == (path, 3, field)
    assert str(error).startswith(f"{path}:3: " + (f"field {field!r}: " if field else ""))
    assert says in str(error)


def test_rows_before_a_bad_line_are_handed_out_first(tmp_path: Path) -> None:
    path = tmp_path / "bad.jsonl"
    path.write_bytes(msgspec.json.encode(GOOD) + b"\n{\n")
    records = read_records(path, Row)
    assert next(records) == (1, msgspec.convert(GOOD, Row))
    with pytest.raises(InputError):
        next(records)


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_an_empty_file_is_no_data_set(suffix: str, tmp_path: Path) -> None:
    path = tmp_path / f"empty{suffix}"
    path.write_bytes(b"")
    assert "the file is empty" in str(complaint(path))
    write_jsonl(path, [])
    assert "the file is empty" in str(complaint(path))


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_a_missing_file_and_a_folder_are_named(suffix: str, tmp_path: Path) -> None:
    (tmp_path / f"folder{suffix}").mkdir()
    assert "no such file. Check the path" in str(complaint(tmp_path / f"gone{suffix}"))
    assert str(complaint(tmp_path / f"folder{suffix}")).startswith(f"{tmp_path / f'folder{suffix}'}: cannot be read")
    with pytest.raises(InputError, match="no such file"):
        sha256(tmp_path / "gone")


def torn(archive: bytes, suffix: str) -> Iterator[bytes]:
    """The archive, cut off anywhere; of the cuts some fall between two rows."""
    yield from (archive[:cut] for cut in (1, 5, len(archive) // 3, len(archive) // 2, len(archive) - 1))
    if suffix == ".jsonl.zst":
        flushed = io.BytesIO()
        with zstandard.ZstdCompressor().stream_writer(flushed, closefd=False) as packer:
            packer.write(msgspec.json.encode(GOOD) + b"\n")
            packer.flush(zstandard.FLUSH_BLOCK)
            between_rows = flushed.tell()
            packer.write(msgspec.json.encode(GOOD) + b"\n")
        yield flushed.getvalue()[:between_rows]


@pytest.mark.parametrize("suffix", [".jsonl.gz", ".jsonl.bz2", ".jsonl.zst"])
def test_a_torn_archive_is_never_taken_for_a_whole_one(suffix: str, tmp_path: Path) -> None:
    path = tmp_path / f"torn{suffix}"
    write_jsonl(path, [GOOD] * 500)
    for piece in torn(path.read_bytes(), suffix):
        path.write_bytes(piece)
        message = str(complaint(path))
        assert message.startswith(f"{path}: cannot be read to its end")
        assert message.endswith("Download or make it again.")


@pytest.mark.parametrize("suffix", [".jsonl.gz", ".jsonl.bz2", ".jsonl.zst"])
def test_what_is_no_archive_or_a_spoilt_one_is_refused(suffix: str, tmp_path: Path) -> None:
    path = tmp_path / f"spoilt{suffix}"
    path.write_bytes(msgspec.json.encode(GOOD) + b"\n")
    assert "cannot be read to its end" in str(complaint(path))
    write_jsonl(path, [GOOD | {"id": n} for n in range(3000)])
    archive = path.read_bytes()
    for place in range(20, len(archive), len(archive) // 40):
        path.write_bytes(archive[:place] + bytes([archive[place] ^ 0x55]) + archive[place + 1 :])
        assert complaint(path).path == path


def test_json_documents(tmp_path: Path) -> None:
    path = tmp_path / "x.json"
    write_json(path, {"b": [2**60 + 1], "a": "é"})
    assert read_json(path) == {"a": "é", "b": [2**60 + 1]}
    assert path.read_text(encoding="utf-8").index('"a"') < path.read_text(encoding="utf-8").index('"b"')
    path.write_text("{", encoding="utf-8")
    with pytest.raises(InputError, match=re.escape(f"{path}: not a JSON document")):
        read_json(path)
    with atomic_write(tmp_path / "y.json.gz") as file:
        file.write(b"{}" * 1000)
    (tmp_path / "y.json.gz").write_bytes((tmp_path / "y.json.gz").read_bytes()[:-4])
    with pytest.raises(InputError, match="cannot be read to its end"):
        read_json(tmp_path / "y.json.gz")


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_a_block_that_fails_leaves_the_old_file_and_nothing_else(suffix: str, tmp_path: Path) -> None:
    path = tmp_path / f"x{suffix}"
    write_jsonl(path, [GOOD])
    before = path.read_bytes()

    def rows() -> Iterator[dict[str, Any]]:
        yield from MANY
        raise KeyError("no more")

    with pytest.raises(KeyError, match="no more"):
        write_jsonl(path, rows())
    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]


def test_an_error_of_the_users_in_the_block_keeps_its_own_words(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"gone\.jsonl: no such file"):
        write_jsonl(tmp_path / "x.jsonl", (row for _, row in read_records(tmp_path / "gone.jsonl", dict)))
    assert not list(tmp_path.iterdir())


def test_a_killed_writer_leaves_the_old_file(
    tmp_path: Path, command: Callable[..., Any], contents: Callable[[Path], dict[str, bytes]]
) -> None:
    path = tmp_path / "x.jsonl"
    path.write_bytes(b"old")
    code = """
import os, sys
from pathlib import Path
from situated.io import atomic_write
with atomic_write(Path(sys.argv[1])) as file:
    file.write(b"new" * 1000)
    file.flush()
    os._exit(9)
"""
    assert command("-c", code, path, cwd=tmp_path).returncode == 9
    left = contents(tmp_path)
    assert left.pop("x.jsonl") == b"old"
    [(name, content)] = left.items()  # the kill came when there was something to leave
    assert content == b"new" * 1000
    assert name.startswith(".")
    assert not list(tmp_path.glob("x*.jsonl*"))[1:]
    write_text(path, "newer")
    assert path.read_bytes() == b"newer"


@pytest.mark.parametrize("name", ["x.jsonl", "x.jsonl.gz", "x.jsonl.zst"])
def test_a_full_disk_leaves_the_old_file_and_says_so(name: str, tmp_path: Path, command: Callable[..., Any]) -> None:
    path = tmp_path / name
    path.write_bytes(b"old")
    code = """
import os, sys
from pathlib import Path
from situated.errors import SituatedError
from situated.io import write_jsonl
try:
    write_jsonl(Path(sys.argv[1]), ({"noise": os.urandom(50).hex()} for _ in range(1000)))
except SituatedError as error:
    sys.exit(str(error))
"""
    done = command("-c", code, path, cwd=tmp_path, file_bytes=4096)
    assert done.stderr.startswith(f"{path}: cannot be written (File too large).")
    assert "Traceback" not in done.stderr
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]
    assert command("-c", code, path, cwd=tmp_path).returncode == 0
    assert len(rows_of(path)) == 1000


def test_a_place_that_cannot_be_written_to_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"x")
    with pytest.raises(SituatedError, match=re.escape(f"{tmp_path / 'file' / 'x.json'}: cannot be written")):
        write_json(tmp_path / "file" / "x.json", {})
    with pytest.raises(SituatedError, match="cannot be written"):
        write_json(tmp_path, {})
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


def test_the_hash_of_a_folder_is_that_of_its_files_and_their_names(tmp_path: Path) -> None:
    for name in ("a", "b", "c"):
        write_text(tmp_path / name / "sub" / "x", "one")
        write_text(tmp_path / name / "y", "two")
    assert sha256(tmp_path / "a") == sha256(tmp_path / "b")
    (tmp_path / "b" / "y").rename(tmp_path / "b" / "z")
    write_text(tmp_path / "c" / "y", "2")
    assert len({sha256(tmp_path / name) for name in ("a", "b", "c")}) == 3
    assert sha256(tmp_path / "a" / "y") == sha256(tmp_path / "b" / "z") != sha256(tmp_path / "c" / "y")


def test_an_opened_archive_is_closed_with_its_file(tmp_path: Path) -> None:
    write_jsonl(tmp_path / "x.jsonl.zst", MANY)
    with open_binary(tmp_path / "x.jsonl.zst") as file:
        assert file.read(9) == b'{"n":0,"w'
    assert file.closed


def test_a_wrong_field_before_broken_json_is_broken_json(tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl"
    path.write_bytes(b'{"question": 5, "id": 3, "is_dep')
    with pytest.raises(InputError, match=r"x\.jsonl:1: broken JSON"):
        list(read_records(path, Row))


def test_a_hash_is_that_of_now(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "f"
    hashes = []
    for text, age in [("one", 0), ("two", 0), ("six", 100), ("ten", 50)]:  # of equal size
        path.write_text(text, encoding="utf-8")
        os.utime(path, (time.time() - age, time.time() - age))
        hashes.append(sha256(path))
        assert hashes[-1] == hashlib.sha256(text.encode()).hexdigest()
    monkeypatch.setattr(hashlib, "file_digest", None)
    assert sha256(path) == hashes[-1], "read once"
