"""data_prep/snapshot.py: from dumps to passages, whatever the processes, kills and faults."""

from __future__ import annotations

import bz2
import gzip
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from situated.corpus.store import PassageStore
from situated.io import read_json

Command = Callable[..., Any]
HEAD = '<mediawiki xml:lang="en"><siteinfo><dbname>enwiki</dbname></siteinfo>\n'
ROOT = Path(__file__).parents[2]


def page(number: int, words: int = 130, title: str = "") -> str:
    text = " ".join(f"word{number}x{n}" for n in range(words))
    return (
        f"<page><title>{title or f'Title {number}'}</title><ns>0</ns><id>{number + 1}</id><revision><id>{number}</id>"
        f"<timestamp>2021-02-20T00:00:00Z</timestamp><text>'''{text}'''.\n* [[a|b]]</text></revision></page>\n"
    )


def dump(*pages: str) -> bytes:
    return (HEAD + "".join(pages) + "</mediawiki>\n").encode()


def words(dumps: str, out: str, *more: str) -> list[str]:
    return ["data_prep/snapshot.py", f"corpus.dumps=[{dumps}]", "corpus.name=w", f"paths.out={out}", *more]


def run_folder(out: Path) -> Path:
    return out / "data_prep/snapshot_w/seed=0"


@pytest.fixture
def results(contents: Callable[[Path], dict[str, bytes]]) -> Callable[[Path], dict[str, bytes]]:
    """What a run has made, without the account of how."""

    def read(out: Path) -> dict[str, bytes]:
        found = contents(run_folder(out))
        return {name: content for name, content in found.items() if name.count("/") == 1}

    return read


def test_packed_anyhow_and_by_any_number_of_processes_the_passages_are_the_same(
    command: Command, tmp_path: Path, results: Callable[[Path], dict[str, bytes]]
) -> None:
    pages = [page(number, 300) for number in range(1400)]  # two batches
    whole = dump(*pages)
    streams = [HEAD, *("".join(pages[at : at + 100]) for at in range(0, 1400, 100)), "</mediawiki>"]
    (tmp_path / "d.xml").write_bytes(whole)
    (tmp_path / "d.xml.gz").write_bytes(gzip.compress(whole, 1))
    (tmp_path / "d.xml.bz2").write_bytes(bz2.compress(whole, 1))
    (tmp_path / "m.xml.bz2").write_bytes(b"".join(bz2.compress(part.encode(), 1) for part in streams))
    made = {}
    for name, processes in (("d.xml", 1), ("d.xml.gz", 1), ("d.xml.bz2", 3), ("m.xml.bz2", 2)):
        done = command(*words(name, f"out-{name}", f"processes={processes}"), cwd=tmp_path)
        assert (done.returncode, done.stderr) == (0, ""), name
        made[name] = results(tmp_path / f"out-{name}")
        store = PassageStore(run_folder(tmp_path / f"out-{name}"))
    assert len(made["d.xml"]) == 10
    for found in made.values():
        changed = {name for name in found if found[name] != made["d.xml"][name]}
        assert changed <= {"passages/collection.json"}  # which names the dump
    assert {len(passage.text.split()) for passage in store} == {100}
    assert [passage.id for passage in store] == [str(n) for n in range(1, 1400 * 4 + 1)]
    assert not (run_folder(tmp_path / "out-d.xml") / "checkpoints").exists()


def test_the_export_and_the_counts(command: Command, tmp_path: Path) -> None:
    (tmp_path / "part10.xml").write_bytes(dump(page(3), page(4, title="Title 1")))
    (tmp_path / "part2.xml").write_bytes(dump(page(1), page(2, 10, "List of words")))
    done = command(*words("'part*.xml'", "out", "export_tsv=x.tsv", "processes=1"), cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    lines = (tmp_path / "x.tsv").read_text().splitlines()
    assert lines[0] == "id\ttext\ttitle"
    assert [line.split("\t")[::2] for line in lines[1:]] == [
        ["1", "Title 1"],
        ["2", "Title 1"],
        ["3", "Title 3"],
        ["4", "Title 3"],
    ]
    manifest = read_json(run_folder(tmp_path / "out") / "manifest.json")
    assert manifest["counts"] == {
        "pages": 4, "articles": 4, "redirects": 0, "disambiguations": 0, "kept": 2, "passages": 4, "skipped/list": 1,
        "skipped/duplicate_title": 1,
    }  # fmt: skip
    assert [Path(entry["path"]).name for entry in manifest["inputs"].values()] == ["part2.xml", "part10.xml"]
    again = command(*words("'part*.xml'", "out", "export_tsv=y.tsv.gz", "processes=2"), cwd=tmp_path)
    assert "Already complete" in again.stdout
    assert gzip.decompress((tmp_path / "y.tsv.gz").read_bytes()) == (tmp_path / "x.tsv").read_bytes()
    taken = command("data_prep/import_passages.py", "input=y.tsv.gz", "paths.out=out", cwd=tmp_path)
    assert (taken.returncode, taken.stderr) == (0, "")
    fingerprints = {PassageStore(folder).fingerprint for folder in (tmp_path / "out/data_prep").glob("*/seed=0")}
    assert len(fingerprints) == 1
    (tmp_path / "x.tsv").write_text("mine\n")
    refused = command(*words("'part*.xml'", "out", "export_tsv=x.tsv"), cwd=tmp_path)
    assert (refused.returncode, (tmp_path / "x.tsv").read_text()) == (2, "mine\n")


def test_two_snapshots_are_compared(command: Command, tmp_path: Path) -> None:
    (tmp_path / "a.xml").write_bytes(dump(page(1), page(2)))
    (tmp_path / "b.xml").write_bytes(dump(page(1), page(2, 131)))
    (tmp_path / "q.jsonl").write_text('{"question": "which", "answer": ["word2x130"]}\n')
    for name in "ab":
        assert command(*words(f"{name}.xml", name, "processes=1"), cwd=tmp_path).returncode == 0
    sides = [f"before={run_folder(Path('a'))}", f"after={run_folder(Path('b'))}"]
    done = command("data_prep/snapshot_diff.py", *sides, "questions=q.jsonl", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    run = tmp_path / "outputs/data_prep/diff/seed=0"
    assert read_json(run / "manifest.json")["counts"] == {
        "articles/same": 1, "articles/changed": 1, "passages/same": 3, "passages/vanished": 1, "passages/appeared": 1,
        "questions/only_after": 1,
    }  # fmt: skip
    assert json.loads((run / "questions.jsonl").read_text())["occurs"] == "only_after"


@pytest.mark.parametrize(
    ("content", "name", "message"),
    [
        (bz2.compress(dump(page(1)))[:-20], "d.xml.bz2", "d.xml.bz2: cannot be read to its end"),
        (dump(page(1), page(2))[:-30], "d.xml", "d.xml: the dump breaks off: no </mediawiki> after the page 'Title 2'"),
        (dump(page(1)).replace(b'"en"', b'"de"'), "d.xml", "d.xml: a dump in the language 'de', not 'en'"),
        (b"nothing", "d.xml", "d.xml: not a MediaWiki XML dump"),
        (None, "d.xml", "d.xml: no such file"),
        (None, "d*.xml", "d*.xml: no file fits this pattern"),
    ],
)
@pytest.mark.parametrize("processes", [1, 2])
def test_a_dump_that_cannot_be_used_is_told_once_and_leaves_its_place_free(
    command: Command, tmp_path: Path, content: bytes | None, name: str, message: str, processes: int
) -> None:
    if content is not None:
        (tmp_path / name).write_bytes(content)
    done = command(*words(f"'{name}'", "out", f"processes={processes}"), cwd=tmp_path)
    assert done.returncode == 2
    assert done.stderr.startswith(f"error: {message}")
    assert done.stderr.count("error") == 1
    assert "Traceback" not in done.stdout + done.stderr
    if content is not None and processes == 1:
        (tmp_path / name).write_bytes((bz2.compress if name.endswith("bz2") else bytes)(dump(page(1))))
        assert command(*words(name, "out", "processes=1"), cwd=tmp_path).returncode == 0


def test_no_dump_is_no_snapshot(command: Command, tmp_path: Path) -> None:
    done = command("data_prep/snapshot.py", cwd=tmp_path)
    assert (done.returncode, done.stderr.startswith("error: corpus.dumps: no dump is named")) == (2, True)
    assert list(tmp_path.iterdir()) == []


def _start(folder: Path, out: str, processes: int) -> subprocess.Popen[bytes]:
    argv = words(str(folder / "d.xml"), str(folder / out), f"processes={processes}")
    return subprocess.Popen(
        [sys.executable, *argv], cwd=ROOT, stdout=subprocess.DEVNULL, env=os.environ | {"OMP_NUM_THREADS": "1"}
    )


OTHERS = [
    pytest.param(by, n, marks=pytest.mark.slow)
    for by in (signal.SIGTERM, signal.SIGUSR1, signal.SIGINT)
    for n in (1, 2)
]


@pytest.mark.parametrize(("by", "processes"), [(signal.SIGKILL, 1), (signal.SIGKILL, 2), *OTHERS])
def test_ended_at_any_moment_it_goes_on_to_the_same_passages(
    tmp_path: Path, by: signal.Signals, processes: int, results: Callable[[Path], dict[str, bytes]]
) -> None:
    (tmp_path / "d.xml").write_bytes(dump(*(page(number, 300) for number in range(3500))))
    assert _start(tmp_path, "whole", 1).wait() == 0
    parts = run_folder(tmp_path / "ended") / "checkpoints"
    process = _start(tmp_path, "ended", processes)
    while not list(parts.glob("[0-9]*.part")):
        assert process.poll() is None
        time.sleep(0.01)
    process.send_signal(by)
    assert process.wait(timeout=60) != 0
    assert list(parts.glob("[0-9]*.part"))
    assert not (run_folder(tmp_path / "ended") / "counts.json").exists()
    assert _start(tmp_path, "ended", processes).wait() == 0
    assert results(tmp_path / "ended") == results(tmp_path / "whole")
    manifest = read_json(run_folder(tmp_path / "ended") / "manifest.json")
    assert (manifest["status"], len(manifest["starts"])) == ("complete", 2)
