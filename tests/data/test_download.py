from __future__ import annotations

import gzip
import hashlib
import io
import random
import socket
import tracemalloc
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import httpx
import pytest
from rich.console import Console
from rich.progress import Progress

from situated.data.download import DownloadError, DownloadReport, download, mirrored, transfer_progress
from situated.data.sources import SourceFile
from situated.errors import ConfigError, SituatedError


@dataclass
class Served:
    """What the server holds under one path and how it behaves there."""

    content: bytes
    ranges: bool = True
    statuses: list[int] = field(default_factory=list)  # answered before the content, one a request
    cuts: list[int] = field(default_factory=list)  # bytes after which the connection drops, one a request
    length: bool = True
    wrong_range: bool = False
    packed: bool = False


@dataclass
class Upstream:
    address: str
    files: dict[str, Served] = field(default_factory=dict)
    requests: list[tuple[str, str | None]] = field(default_factory=list)

    def serve(self, target: str, content: bytes, expected: bytes | None = None, **behaviour: Any) -> SourceFile:
        """Put a file on the server; its list entry expects other bytes if ``expected`` is given."""
        self.files[f"/{target}"] = Served(content, **behaviour)
        return self.entry(target, content if expected is None else expected)

    def entry(self, target: str, content: bytes) -> SourceFile:
        url = f"https://raw.githubusercontent.com/{target}"
        return SourceFile(target=target, url=url, sha256=hashlib.sha256(content).hexdigest(), bytes=len(content))


class Server(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.upstream = Upstream(f"http://127.0.0.1:{self.server_address[1]}")

    def handle_error(self, request: object, client_address: object) -> None:
        """A client that hangs up, as it may once it has the lines it wants, is no fault."""


class Handler(BaseHTTPRequestHandler):
    server: Server

    def do_GET(self) -> None:
        asked = self.headers.get("Range")
        self.server.upstream.requests.append((self.path, asked))
        served = self.server.upstream.files.get(self.path)
        if served is None:
            self.send_error(404)
        elif served.statuses:
            self.send_error(served.statuses.pop(0))
        elif asked and served.ranges:
            self.send_part(served, asked)
        else:
            self.send(served, served.content, 200)

    def send_part(self, served: Served, asked: str) -> None:
        size = len(served.content)
        begin, end = asked.removeprefix("bytes=").split("-")
        first, last = int(begin), min(int(end or size), size - 1)
        if first >= size:
            self.send_error(416)
            return
        first += served.wrong_range
        content_range = f"bytes {first}-{last}/{size}"
        self.send(served, served.content[first : last + 1], 206, {"Content-Range": content_range})

    def send(self, served: Served, body: bytes, status: int, headers: Mapping[str, str] | None = None) -> None:
        headers = dict(headers or {})
        if served.packed:
            body = gzip.compress(body)
            headers["Content-Encoding"] = "gzip"
        if served.length:
            headers["Content-Length"] = str(len(body))
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body[: served.cuts.pop(0)] if served.cuts else body)

    def log_message(self, format: str, *args: object) -> None:
        """Keep the test output clean."""


@pytest.fixture
def upstream() -> Iterator[Upstream]:
    with Server() as server:
        thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield server.upstream
        server.shutdown()
        thread.join()


@pytest.fixture(scope="module")
def client() -> Iterator[httpx.Client]:
    with httpx.Client(trust_env=False, timeout=5.0) as client:
        yield client


@pytest.fixture
def bring(upstream: Upstream, client: httpx.Client, tmp_path: Path) -> Callable[..., DownloadReport]:
    """Download from the test server, which stands in for GitHub, without waiting between attempts."""

    def bring(*files: SourceFile, **settings: Any) -> DownloadReport:
        options: dict[str, Any] = {"client": client, "mirror": upstream.address, "backoff_s": 0.0, **settings}
        return download(files, tmp_path, **options)

    return bring


@pytest.fixture
def closed_port() -> str:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        return f"http://127.0.0.1:{unused.getsockname()[1]}"


CONTENT = random.Random(0).randbytes(200_000)  # noqa: S311 (reproducible filling, not a secret)


def test_files_arrive_whole_under_their_names(
    upstream: Upstream, bring: Callable[..., DownloadReport], tmp_path: Path
) -> None:
    files = [upstream.serve("owner/name/1ef8545/a.jsonl", CONTENT), upstream.serve("b.txt", b"one\n")]

    assert bring(*files) == DownloadReport(downloaded=2, present=0, failed=0)
    assert (tmp_path / "owner/name/1ef8545/a.jsonl").read_bytes() == CONTENT
    assert (tmp_path / "b.txt").read_bytes() == b"one\n"
    assert not list(tmp_path.rglob("*.part"))


def test_a_file_that_stands_there_is_not_asked_for(
    upstream: Upstream, bring: Callable[..., DownloadReport], tmp_path: Path
) -> None:
    file = upstream.serve("a.txt", CONTENT)
    (tmp_path / "a.txt").write_bytes(CONTENT)

    assert bring(file, force=True) == DownloadReport(downloaded=0, present=1, failed=0)
    assert upstream.requests == []


def test_a_broken_connection_is_continued_where_it_broke(
    upstream: Upstream, bring: Callable[..., DownloadReport], tmp_path: Path
) -> None:
    file = upstream.serve("a.txt", CONTENT, cuts=[120_000])

    assert bring(file).downloaded == 1
    assert (tmp_path / "a.txt").read_bytes() == CONTENT
    assert upstream.requests == [("/a.txt", None), ("/a.txt", "bytes=120000-")]


def test_what_an_earlier_run_left_is_continued(
    upstream: Upstream, bring: Callable[..., DownloadReport], tmp_path: Path
) -> None:
    file = upstream.serve("a.txt", CONTENT, cuts=[50_000])
    with pytest.raises(DownloadError, match="out of reach"):
        bring(file, attempts=1)
    assert (tmp_path / "a.txt.part").stat().st_size == 50_000
    assert not (tmp_path / "a.txt").exists()

    assert bring(file, attempts=1).downloaded == 1
    assert (tmp_path / "a.txt").read_bytes() == CONTENT
    assert upstream.requests == [("/a.txt", None), ("/a.txt", "bytes=50000-")]


def test_an_end_without_announced_length_is_taken_for_a_break(
    upstream: Upstream, bring: Callable[..., DownloadReport], tmp_path: Path
) -> None:
    file = upstream.serve("a.txt", CONTENT, cuts=[70_000], length=False)

    assert bring(file).downloaded == 1
    assert (tmp_path / "a.txt").read_bytes() == CONTENT
    assert upstream.requests[1:] == [("/a.txt", "bytes=70000-")]


def test_a_server_that_packs_unasked_is_understood(
    upstream: Upstream, bring: Callable[..., DownloadReport], tmp_path: Path
) -> None:
    text = b"one and the same line\n" * 1000

    assert bring(upstream.serve("a.txt", text, packed=True), attempts=1).downloaded == 1
    assert (tmp_path / "a.txt").read_bytes() == text


def test_a_whole_part_file_is_only_renamed(
    upstream: Upstream, bring: Callable[..., DownloadReport], tmp_path: Path
) -> None:
    file = upstream.serve("a.txt", CONTENT)
    (tmp_path / "a.txt.part").write_bytes(CONTENT)

    assert bring(file).downloaded == 1
    assert (tmp_path / "a.txt").read_bytes() == CONTENT
    assert upstream.requests == []


@pytest.mark.parametrize(
    ("left", "behaviour", "n_requests"),
    [
        (CONTENT[:1000], {"ranges": False}, 1),
        (CONTENT[:1000], {"wrong_range": True}, 2),
        (b"x" * 1000, {}, 2),
        (b"x" * len(CONTENT), {}, 1),
        (b"x" * (len(CONTENT) + 1), {}, 1),
    ],
    ids=["server ignores ranges", "server sends another range", "other beginning", "other content", "too long"],
)
def test_a_part_file_that_cannot_be_continued_is_begun_anew(
    upstream: Upstream,
    bring: Callable[..., DownloadReport],
    tmp_path: Path,
    left: bytes,
    behaviour: dict[str, Any],
    n_requests: int,
) -> None:
    file = upstream.serve("a.txt", CONTENT, **behaviour)
    (tmp_path / "a.txt.part").write_bytes(left)

    assert bring(file, attempts=1).downloaded == 1
    assert (tmp_path / "a.txt").read_bytes() == CONTENT
    assert not (tmp_path / "a.txt.part").exists()
    assert len(upstream.requests) == n_requests


@pytest.mark.parametrize("served", [CONTENT[:900], CONTENT + b"x"], ids=["shorter than the part (416)", "longer"])
def test_a_file_that_changed_upstream_while_broken_off_is_refused(
    upstream: Upstream, bring: Callable[..., DownloadReport], tmp_path: Path, served: bytes
) -> None:
    file = upstream.serve("a.txt", served, expected=CONTENT)
    (tmp_path / "a.txt.part").write_bytes(CONTENT[:1000])

    with pytest.raises(DownloadError, match=f"is {len(served):,} bytes long, expected 200,000"):
        bring(file)
    assert upstream.requests == [("/a.txt", "bytes=1000-"), ("/a.txt", None)]
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("served", "behaviour", "complaint"),
    [
        (b"x" * len(CONTENT), {}, "has another content"),
        (CONTENT[:-1], {}, "199,999 bytes long, expected 200,000"),
        (CONTENT + b"x", {"length": False}, "longer than the 200,000 bytes expected"),
    ],
    ids=["other bytes", "shorter", "longer, length unknown"],
)
def test_wrong_content_never_takes_the_name(
    upstream: Upstream,
    bring: Callable[..., DownloadReport],
    tmp_path: Path,
    served: bytes,
    behaviour: dict[str, Any],
    complaint: str,
) -> None:
    file = upstream.serve("a.txt", served, expected=CONTENT, **behaviour)

    with pytest.raises(DownloadError, match=complaint):
        bring(file)
    assert list(tmp_path.iterdir()) == []
    assert len(upstream.requests) == 1


def test_a_short_file_of_unknown_length_ends_in_an_error(
    upstream: Upstream, bring: Callable[..., DownloadReport], tmp_path: Path
) -> None:
    file = upstream.serve("a.txt", CONTENT[:900], expected=CONTENT, length=False)

    with pytest.raises(DownloadError, match="ends after 900 of 200,000 bytes"):
        bring(file, attempts=3)
    assert not (tmp_path / "a.txt").exists()


def test_another_file_under_the_name_is_kept_without_force(
    upstream: Upstream, bring: Callable[..., DownloadReport], tmp_path: Path
) -> None:
    file = upstream.serve("a.txt", CONTENT)
    (tmp_path / "a.txt").write_bytes(b"my notes")

    with pytest.raises(DownloadError, match="force=true"):
        bring(file)
    assert (tmp_path / "a.txt").read_bytes() == b"my notes"
    assert upstream.requests == []

    assert bring(file, force=True).downloaded == 1
    assert (tmp_path / "a.txt").read_bytes() == CONTENT


def test_force_keeps_the_old_file_until_the_new_one_is_whole(
    upstream: Upstream, bring: Callable[..., DownloadReport], tmp_path: Path
) -> None:
    file = upstream.serve("a.txt", b"x" * len(CONTENT), expected=CONTENT)
    (tmp_path / "a.txt").write_bytes(b"my notes")

    with pytest.raises(DownloadError):
        bring(file, force=True)
    assert (tmp_path / "a.txt").read_bytes() == b"my notes"


@pytest.mark.parametrize("status", [429, 500, 503])
def test_a_busy_server_is_asked_again(
    upstream: Upstream, bring: Callable[..., DownloadReport], tmp_path: Path, status: int
) -> None:
    file = upstream.serve("a.txt", CONTENT, statuses=[status])

    assert bring(file).downloaded == 1
    assert len(upstream.requests) == 2


def test_waits_double(
    upstream: Upstream, bring: Callable[..., DownloadReport], monkeypatch: pytest.MonkeyPatch
) -> None:
    waits: list[float] = []
    monkeypatch.setattr("time.sleep", waits.append)
    file = upstream.serve("a.txt", CONTENT, statuses=[503, 503, 503])

    bring(file, attempts=4, backoff_s=0.5)
    assert waits == [0.5, 1.0, 2.0]


def test_one_failure_does_not_stop_the_others(
    upstream: Upstream, bring: Callable[..., DownloadReport], tmp_path: Path
) -> None:
    absent = upstream.entry("absent.txt", b"absent")
    busy = upstream.serve("busy.txt", CONTENT, statuses=[503] * 5)
    good = upstream.serve("good.txt", CONTENT)
    there = upstream.serve("there.txt", b"there")
    (tmp_path / "there.txt").write_bytes(b"there")

    with pytest.raises(DownloadError) as caught:
        bring(absent, busy, good, there)
    assert isinstance(caught.value, SituatedError)
    assert caught.value.report == DownloadReport(downloaded=1, present=1, failed=2)
    assert "2 of 4 files" in str(caught.value)
    assert "good.txt" not in str(caught.value)
    assert "absent.txt answers 404" in str(caught.value)
    assert "busy.txt answers 503" in str(caught.value)
    assert (tmp_path / "good.txt").read_bytes() == CONTENT
    assert [path for path, _ in upstream.requests].count("/absent.txt") == 1


def test_without_network_the_message_says_how_to_do_it_by_hand(
    upstream: Upstream, closed_port: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NO_PROXY", "*")
    waits: list[float] = []
    monkeypatch.setattr("time.sleep", waits.append)
    files = [upstream.entry("a.txt", b"a"), upstream.entry("b.txt", b"b")]

    with pytest.raises(DownloadError) as caught:
        download(files, tmp_path, mirror=closed_port, attempts=3)
    message = str(caught.value)
    assert f"{closed_port}/a.txt is out of reach" in message
    assert f"save {files[0].url} as {tmp_path / 'a.txt'} (sha256 {files[0].sha256})" in message
    assert f"save {files[1].url} as {tmp_path / 'b.txt'} (sha256 {files[1].sha256})" in message
    assert waits == [1.0, 2.0], "only the first file waits for a network that is not there"


def test_only_the_first_lines_are_taken(
    upstream: Upstream, bring: Callable[..., DownloadReport], tmp_path: Path
) -> None:
    upstream.serve("long.jsonl", b"1\n2\n3\n4\n" + CONTENT)
    url, first_three = "https://raw.githubusercontent.com/long.jsonl", b"1\n2\n3\n"
    digest = hashlib.sha256(first_three).hexdigest()
    file = SourceFile(target="first3.jsonl", url=url, sha256=digest, bytes=6, first_lines=3)
    (tmp_path / "first3.jsonl.part").write_bytes(b"1\n2")

    assert bring(file).downloaded == 1
    assert (tmp_path / "first3.jsonl").read_bytes() == first_three
    assert upstream.requests == [("/long.jsonl", "bytes=3-5")]


def test_the_first_lines_are_cut_from_a_server_that_ignores_ranges(
    upstream: Upstream, bring: Callable[..., DownloadReport], tmp_path: Path
) -> None:
    upstream.serve("long.jsonl", b"1\n2\n3\n4\n" + CONTENT, ranges=False, cuts=[100])
    url, first_three = "https://raw.githubusercontent.com/long.jsonl", b"1\n2\n3\n"
    digest = hashlib.sha256(first_three).hexdigest()
    file = SourceFile(target="first3.jsonl", url=url, sha256=digest, bytes=6, first_lines=3)

    # The break after 100 bytes goes unnoticed: nothing beyond the lines is waited for.
    assert bring(file, attempts=1).downloaded == 1
    assert (tmp_path / "first3.jsonl").read_bytes() == first_three


def test_by_hand_tells_of_the_first_lines(upstream: Upstream, bring: Callable[..., DownloadReport]) -> None:
    url = "https://raw.githubusercontent.com/absent.jsonl"
    file = SourceFile(target="first3.jsonl", url=url, sha256="0" * 64, bytes=6, first_lines=3)

    with pytest.raises(DownloadError, match=f"save the first 3 lines of {url} as"):
        bring(file)


def test_a_full_disk_is_named(upstream: Upstream, bring: Callable[..., DownloadReport], tmp_path: Path) -> None:
    if not Path("/dev/full").exists():
        pytest.skip("no /dev/full here")
    file = upstream.serve("a.txt", CONTENT)
    (tmp_path / "a.txt.part").symlink_to("/dev/full")

    with pytest.raises(DownloadError, match=r"No space left on device.*200,000 bytes: free some space"):
        bring(file)
    assert not (tmp_path / "a.txt").exists()


def test_names_that_the_file_system_refuses_do_not_stop_the_others(
    upstream: Upstream, bring: Callable[..., DownloadReport], tmp_path: Path
) -> None:
    (tmp_path / "file").write_bytes(b"")
    good = upstream.serve("good.txt", CONTENT)
    names = ["long" * 100, "file/below.txt"]

    with pytest.raises(DownloadError) as caught:
        bring(*(upstream.serve(name, CONTENT) for name in names), good)
    assert caught.value.report == DownloadReport(downloaded=1, present=0, failed=2)


def test_progress_counts_every_byte_once(upstream: Upstream, bring: Callable[..., DownloadReport]) -> None:
    files = [
        upstream.serve("cut.txt", CONTENT, cuts=[100]),
        upstream.serve("plain.txt", CONTENT[:500]),
        upstream.entry("absent.txt", CONTENT),
    ]
    progress = Progress(console=Console(file=io.StringIO()))

    with progress, pytest.raises(DownloadError):
        bring(*files, progress=progress)
    (task,) = progress.tasks
    assert (task.completed, task.total) == (200_500, 200_500)


def test_the_progress_bar_shows_rate_and_time_left() -> None:
    progress = transfer_progress()
    progress.add_task("a.txt", total=2_000_000, completed=1_000_000)
    shown = io.StringIO()

    Console(file=shown, width=120).print(progress)
    assert "a.txt" in shown.getvalue()
    assert "1.0/2.0 MB" in shown.getvalue()
    assert "/s" in shown.getvalue() or "?" in shown.getvalue()
    assert "-:--:--" in shown.getvalue()


def test_memory_stays_bounded(upstream: Upstream, bring: Callable[..., DownloadReport]) -> None:
    file = upstream.serve("big.bin", bytes(16_000_000))

    tracemalloc.start()
    try:
        bring(file)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 4_000_000


@pytest.mark.parametrize("mirror", ["mirror.example.org", "ftp://mirror.example.org", "http://", "http://[::1"])
def test_a_mirror_that_is_no_http_address_is_refused(mirror: str, tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="mirror="):
        download([], tmp_path, mirror=mirror)


def test_less_than_one_attempt_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="attempts=0"):
        download([], tmp_path, attempts=0)


def test_addresses_outside_github_keep_their_host() -> None:
    assert mirrored("https://example.org/a", "http://mirror") == "https://example.org/a"
    assert mirrored("https://raw.githubusercontent.com.evil.org/a", "http://mirror").startswith("https://raw")
    assert mirrored("https://raw.githubusercontent.com/a", None) == "https://raw.githubusercontent.com/a"
