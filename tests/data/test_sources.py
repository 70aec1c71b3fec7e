from __future__ import annotations

import hashlib
from collections.abc import Callable
from pathlib import Path

import pytest

from situated.data.sources import SourceFile, known_sha256, load_sources
from situated.errors import InputError

COMMIT = "1ef854512fe0f692ca55f92ff2feedf3d7612eda"
HASH = "ab" * 32

ENTRY = f"""
- name: toy
  description: Two questions
  homepage: https://example.org/toy
  licence: MIT
  commit: "{COMMIT}"
  files:
    - target: toy/a.jsonl
      url: https://example.org/toy/{COMMIT}/a.jsonl
      sha256: {HASH}
      bytes: 12
"""

# Files of the data folder that no address serves as they are, and why.
NOT_DOWNLOADABLE = {
    "SOURCES.md": "written for the folder",
    "ambignq/dev_light.json": "upstream serves it only inside a zip archive",
    "wikidata/oxford-amsterdam.dump.json.gz": "put together from 163 single files of upstream",
}


@pytest.fixture
def sources_file(tmp_path: Path) -> Callable[[str], Path]:
    def write(text: str) -> Path:
        path = tmp_path / "sources.yaml"
        path.write_text(text, encoding="utf-8")
        return path

    return write


def test_every_source_of_the_package_is_described_and_pinned() -> None:
    sources = load_sources()

    assert {"situatedqa", "nq_open", "webquestions", "ramdocs"} <= set(sources)
    assert all(name == source.name for name, source in sources.items())
    targets = [file.target for source in sources.values() for file in source.files]
    assert len(targets) == len(set(targets))
    assert "situatedqa/id_data/temp.train.jsonl" in targets


def test_known_hashes_are_those_of_all_files() -> None:
    files = [file for source in load_sources().values() for file in source.files]

    assert known_sha256() == {file.sha256 for file in files}
    assert len(known_sha256()) == len(files)


def test_a_list_of_ones_own_is_read(sources_file: Callable[[str], Path]) -> None:
    sources = load_sources(sources_file(ENTRY))

    assert sources["toy"].licence == "MIT"
    assert sources["toy"].files == (
        SourceFile(target="toy/a.jsonl", url=f"https://example.org/toy/{COMMIT}/a.jsonl", sha256=HASH, bytes=12),
    )


@pytest.mark.parametrize(
    ("old", "new", "complaint"),
    [
        (f"sha256: {HASH}", "sha256: ABC", r"'toy\.files\[0\]\.sha256'"),
        (f"      sha256: {HASH}\n", "", r"'toy\.files\[0\]'.*missing required field `sha256`"),
        ("bytes: 12", "bytes: 0", r"'toy\.files\[0\]\.bytes'"),
        ("bytes: 12", "byte: 12", r"'toy\.files\[0\]'"),
        ("bytes: 12", "bytes: 12\n      first_line: 3", r"unknown field `first_line`"),
        ("licence: MIT", "license: MIT", r"'toy'.*unknown field `license`"),
        ("- name: toy", "- title: toy", r"'source 1'"),
        ("target: toy/a.jsonl", "target: ../a.jsonl", "leaves the data folder"),
        ("target: toy/a.jsonl", "target: /toy/a.jsonl", "leaves the data folder"),
        ("target: toy/a.jsonl", "target: C:/toy/a.jsonl", "leaves the data folder"),
        ("target: toy/a.jsonl", "target: toy\\..\\a.jsonl", "leaves the data folder"),
        ("url: https://", "url: file://", r"'toy\.files\[0\]\.url'"),
        (f"toy/{COMMIT}/a", "toy/master/a", "not pinned to commit 1ef8545"),
        (f'commit: "{COMMIT}"', "commit: master", r"'toy\.commit'"),
    ],
)
def test_a_bad_entry_is_named(sources_file: Callable[[str], Path], old: str, new: str, complaint: str) -> None:
    assert old in ENTRY
    path = sources_file(ENTRY.replace(old, new))

    with pytest.raises(InputError, match=complaint) as caught:
        load_sources(path)
    assert str(path) in str(caught.value)


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "not a list of sources"),
        ("toy: 1", "not a list of sources"),
        ("- just words", "'source 1'"),
        ("- [unclosed", "not a YAML document"),
        (ENTRY + ENTRY, "field 'name': toy occurs more than once"),
        (ENTRY + ENTRY.replace("name: toy", "name: other"), r"field 'target': toy/a\.jsonl occurs more than once"),
        (
            ENTRY + ENTRY.replace("name: toy", "name: other").replace("target: toy/a", "target: toy/A"),
            r"field 'target': toy/a\.jsonl occurs more than once",
        ),
    ],
)
def test_a_bad_list_is_refused(sources_file: Callable[[str], Path], text: str, complaint: str) -> None:
    with pytest.raises(InputError, match=complaint):
        load_sources(sources_file(text))


def test_a_missing_list_is_an_input_error(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="No such file"):
        load_sources(tmp_path / "none.yaml")


@pytest.mark.realdata
def test_released_files_have_the_listed_size_and_content(released: Path) -> None:
    files = [file for source in load_sources().values() for file in source.files]
    there = [(file, (released / file.target).read_bytes()) for file in files if (released / file.target).exists()]

    assert there
    assert {file.target: (len(content), hashlib.sha256(content).hexdigest()) for file, content in there} == {
        file.target: (file.bytes, file.sha256) for file, _ in there
    }
    assert {file.target: content.count(b"\n") for file, content in there if file.first_lines} == {
        file.target: file.first_lines for file, _ in there if file.first_lines
    }


@pytest.mark.realdata
def test_every_released_file_is_listed_or_known_to_be_not_downloadable(released: Path) -> None:
    listed = {file.target for source in load_sources().values() for file in source.files}
    there = {path.relative_to(released).as_posix() for path in released.rglob("*") if path.is_file()}

    assert there - listed <= set(NOT_DOWNLOADABLE)
