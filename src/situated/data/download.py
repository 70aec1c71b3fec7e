"""Downloading released files: continued after a break, and given their name only when the content hash is right."""

from __future__ import annotations

import os
import re
import time
from collections.abc import Iterable
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import IO

import httpx
from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TimeRemainingColumn, TransferSpeedColumn

from situated.data.sources import SourceFile
from situated.errors import ConfigError, SituatedError
from situated.io import sha256

GITHUB_RAW = "https://raw.githubusercontent.com"

_TIMEOUT = httpx.Timeout(30.0, connect=10.0)  # seconds
_BUSY = frozenset({408, 425, 429})  # like 5xx, answers that may be others in a moment
_MIRROR = "Give one such as https://mirror.example.org/github."
_CONTENT_RANGE = re.compile(r"bytes (\d+)-\d+/(\d+|\*)")


@dataclass(frozen=True)
class DownloadReport:
    """What became of the files: counts."""

    downloaded: int
    present: int
    failed: int


class DownloadError(SituatedError):
    """Some files could not be brought; ``report`` counts those that could, ``failures`` says why others could not."""

    def __init__(self, report: DownloadReport, failures: list[str]):
        self.report, self.failures = report, failures
        total = report.downloaded + report.present + report.failed
        super().__init__(
            f"{report.failed} of {total} files could not be brought:\n"
            + "".join(f"- {failure}\n" for failure in failures)
            + "What is whole is kept, what broke off is continued: run the same command again to fetch the rest."
        )


class _TransientError(SituatedError):
    """The server cannot answer now, but may in a moment."""


class _WrongContentError(SituatedError):
    """What is served, or what an earlier run left behind, is not the file."""


def transfer_progress() -> Progress:
    """A progress bar for `download`: the file, the amount, the rate and the time left."""
    columns = (BarColumn(), DownloadColumn(), TransferSpeedColumn(), TimeRemainingColumn())
    return Progress(TextColumn("{task.description}"), *columns)


def download(
    files: Iterable[SourceFile],
    folder: Path,
    *,
    client: httpx.Client | None = None,
    mirror: str | None = None,
    force: bool = False,
    progress: Progress | None = None,
    attempts: int = 5,
    backoff_s: float = 1.0,
) -> DownloadReport:
    """Bring released files into a data folder.

    A file that stands there with the right content is kept, one with another content is replaced only by ``force``,
    and then only once the new one is whole. ``<target>.part`` holds a broken-off download, which the next call
    continues. One file that fails does not stop the others.

    Args:
        files: What to bring, as `load_sources` lists it.
        folder: The data folder, made if need be.
        client: Connection settings (proxy, certificates, time-outs); environment variables are read if none is given.
        mirror: Address that stands in for ``https://raw.githubusercontent.com``, with the same paths below it.
        force: Replace a file that stands there with another content.
        progress: A running progress bar, see `transfer_progress`; silent if none is given.
        attempts: How often a file is asked for while the connection breaks or the server is busy.
        backoff_s: Wait before the second attempt, in seconds; doubled before each further one.

    Raises:
        ConfigError: ``mirror`` is not an http address, or ``attempts`` is below 1.
        DownloadError: Some files could not be brought; the message lists each with its cause and the way by hand.
    """
    _check_settings(mirror, attempts)
    missing, present, failures = _survey(files, folder, force)
    with ExitStack() as stack:
        client = client or stack.enter_context(httpx.Client(follow_redirects=True, timeout=_TIMEOUT))
        meter = _Meter(progress or Progress(disable=True), missing)
        fetcher = _Fetcher(client, mirror, attempts, backoff_s, meter)
        failed = [failure for file in missing if (failure := fetcher.fetch(file, folder / file.target))]
    failures += failed
    report = DownloadReport(downloaded=len(missing) - len(failed), present=present, failed=len(failures))
    if failures:
        raise DownloadError(report, failures)
    return report


def mirrored(url: str, mirror: str | None) -> str:
    """The address of a file on a mirror of GitHub's raw files; other addresses stay as they are.

    >>> mirrored("https://raw.githubusercontent.com/owner/name/1ef8545/a.jsonl", "http://mirror.example.org/")
    'http://mirror.example.org/owner/name/1ef8545/a.jsonl'
    """
    if mirror is None or not url.startswith(f"{GITHUB_RAW}/"):
        return url
    return mirror.rstrip("/") + url.removeprefix(GITHUB_RAW)


def _check_settings(mirror: str | None, attempts: int) -> None:
    if attempts < 1:
        raise ConfigError(f"attempts={attempts}: at least 1 is needed.")
    try:
        address = httpx.URL(mirror or GITHUB_RAW)
    except httpx.InvalidURL as error:
        raise ConfigError(f"mirror={mirror}: {error}. {_MIRROR}") from error
    if address.scheme not in ("http", "https") or not address.host:
        raise ConfigError(f"mirror={mirror}: not an http address. {_MIRROR}")


def _survey(files: Iterable[SourceFile], folder: Path, force: bool) -> tuple[list[SourceFile], int, list[str]]:
    """Tell what is to be fetched, how many files stand there already, and where another file is in the way."""
    missing: list[SourceFile] = []
    failures: list[str] = []
    present = 0
    for file in files:
        target = folder / file.target
        try:
            found = sha256(target) if target.exists() else None
        except (OSError, SituatedError) as error:
            failures.append(f"{file.target}: {error}")
            continue
        if found == file.sha256:
            present += 1
        elif found is None or force:
            missing.append(file)
        else:
            kept = f"{target} has another content (sha256 {found}) and is kept"
            failures.append(f"{file.target}: {kept}. Move it away, or say force=true to replace it.")
    return missing, present, failures


class _Meter:
    """Shows the bytes of all files as one amount; a file that starts over takes its own back."""

    def __init__(self, progress: Progress, files: list[SourceFile]):
        self._progress = progress
        self._done = 0
        self._total = sum(file.bytes for file in files)
        self._task = progress.add_task("download", total=self._total)

    def show(self, file: SourceFile, received: int) -> None:
        self._progress.update(self._task, description=file.target, completed=self._done + received)

    def finish(self, file: SourceFile, *, arrived: bool) -> None:
        if arrived:
            self._done += file.bytes
        else:
            self._total -= file.bytes
        self._progress.update(self._task, total=self._total, completed=self._done)


class _Fetcher:
    """Fetches one file after another over one client."""

    def __init__(self, client: httpx.Client, mirror: str | None, attempts: int, backoff_s: float, meter: _Meter):
        self._client, self._mirror, self._meter = client, mirror, meter
        self._attempts, self._backoff_s = attempts, backoff_s
        self._out_of_reach: set[str] = set()

    def fetch(self, file: SourceFile, target: Path) -> str | None:
        """Bring one file to ``target``; return what stood in the way, if anything did."""
        url = mirrored(file.url, self._mirror)
        failure: str | None = None
        try:
            self._persist(file, url, target)
        except OSError as error:
            failure = (
                f"{error.filename or target} cannot be written ({error.strerror or error}). "
                f"The file takes {file.bytes:,} bytes: free some space, or choose another folder."
            )
        except httpx.RequestError as error:
            failure = f"{url} is out of reach ({str(error) or type(error).__name__}).\n{_by_hand(file, target)}"
        except SituatedError as error:
            failure = f"{str(error).rstrip('.')}.\n{_by_hand(file, target)}"
        self._meter.finish(file, arrived=failure is None)
        return failure and f"{file.target}: {failure}"

    def _persist(self, file: SourceFile, url: str, target: Path) -> None:
        """Ask again while the fault may pass."""
        host = httpx.URL(url).host
        # Without a network every file would wait in vain: after the first, each further one is asked for once.
        attempts = 1 if host in self._out_of_reach else self._attempts
        for attempt in range(1, attempts + 1):
            try:
                self._bring(file, url, target)
            except (httpx.RequestError, _TransientError) as error:
                if attempt == attempts:
                    if isinstance(error, httpx.ConnectError | httpx.ConnectTimeout):
                        self._out_of_reach.add(host)
                    raise
                time.sleep(self._backoff_s * 2 ** (attempt - 1))
            else:
                return

    def _bring(self, file: SourceFile, url: str, target: Path) -> None:
        """Continue or begin the download, and give the file its name once the hash is right."""
        part = target.with_name(f"{target.name}.part")
        part.parent.mkdir(parents=True, exist_ok=True)
        start = part.stat().st_size if part.exists() else 0
        try:
            if start < file.bytes:
                self._receive(file, url, part, start)
            _check_content(part, file, url)
        except _WrongContentError:
            part.unlink(missing_ok=True)
            if start == 0:
                raise
            # What an earlier run left may be of another version of the file: once more from the first byte.
            self._bring(file, url, target)
        else:
            part.replace(target)

    def _receive(self, file: SourceFile, url: str, part: Path, start: int) -> None:
        """Append to ``part`` from byte ``start``, or write it anew if the server sends the whole file."""
        headers = {"Accept-Encoding": "identity"}  # a range of a packed transfer would count packed bytes
        if file.first_lines:
            headers["Range"] = f"bytes={start}-{file.bytes - 1}"
        elif start:
            headers["Range"] = f"bytes={start}-"
        with self._client.stream("GET", url, headers=headers) as response:
            _check_status(response)
            start = _first_byte(response, file)
            with part.open("ab" if start else "wb") as opened:
                self._write(response, file, opened, start)
                opened.flush()
                os.fsync(opened.fileno())

    def _write(self, response: httpx.Response, file: SourceFile, opened: IO[bytes], received: int) -> None:
        for chunk in response.iter_bytes():  # chunks as they arrive: a break loses none, and memory stays bounded
            wanted = chunk[: file.bytes - received]
            if len(wanted) < len(chunk) and not file.first_lines:
                raise _WrongContentError(f"{response.url} is longer than the {file.bytes:,} bytes expected")
            opened.write(wanted)
            received += len(wanted)
            self._meter.show(file, received)
            if file.first_lines and received == file.bytes:
                return
        if received < file.bytes:
            raise _TransientError(f"{response.url} ends after {received:,} of {file.bytes:,} bytes")


def _check_status(response: httpx.Response) -> None:
    answer = f"{response.url} answers {response.status_code} {response.reason_phrase}"
    if response.status_code == httpx.codes.REQUESTED_RANGE_NOT_SATISFIABLE:
        raise _WrongContentError(f"{answer}: it is shorter than expected")
    if response.status_code in _BUSY or response.is_server_error:
        raise _TransientError(answer)
    if response.status_code not in (httpx.codes.OK, httpx.codes.PARTIAL_CONTENT):
        raise SituatedError(answer)


def _first_byte(response: httpx.Response, file: SourceFile) -> int:
    """Tell at which byte of the file the answer begins, and refuse a file of another size before it is sent."""
    if response.status_code == httpx.codes.OK:  # the whole file, asked for or not
        packed = "Content-Encoding" in response.headers
        first, size = 0, "*" if packed else response.headers.get("Content-Length", "*")
    elif span := _CONTENT_RANGE.match(response.headers.get("Content-Range", "")):
        first, size = int(span[1]), span[2]
    else:
        raise _WrongContentError(f"{response.url} answers with a part of the file without saying which")
    if size not in ("*", str(file.bytes)) and not file.first_lines:
        raise _WrongContentError(f"{response.url} is {int(size):,} bytes long, expected {file.bytes:,}")
    return first


def _check_content(part: Path, file: SourceFile, url: str) -> None:
    if (found := sha256(part)) != file.sha256:
        raise _WrongContentError(f"{url} has another content (sha256 {found}, expected {file.sha256})")


def _by_hand(file: SourceFile, target: Path) -> str:
    what = f"the first {file.first_lines} lines of {file.url}" if file.first_lines else file.url
    return f"  By hand: save {what} as {target} (sha256 {file.sha256})."
