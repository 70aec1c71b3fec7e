"""What a run was made of and by: configuration, inputs, code, versions, machine."""

from __future__ import annotations

import hashlib
import logging
import os
import platform
import shlex
import subprocess
import sys
import typing
from collections.abc import Mapping
from importlib import metadata
from pathlib import Path
from typing import Any

import msgspec

from situated import job
from situated.errors import SituatedError
from situated.io import sha256

log = logging.getLogger(__name__)

COMMIT = "SITUATED_COMMIT"
"""The commit that a job was submitted from, as ``commit`` gives it; "any" allows every other."""

_HERE = Path(__file__).parent
_CODE = (".", ":(exclude)*.md", ":(exclude)tests")

# Keys that say where a run reads, writes or reports, not what it computes: moving a folder does not make another run.
PLACE_KEYS = frozenset(
    {
        "paths",
        "run_dir",
        "force",
        "logger",
        "callbacks",
        "threads",
        "ckpt",
        "input",
        "predictions",
        "gold",
        "against",
        "dumps",
        "processes",
        "export_tsv",
        "questions",
        "passages",
        "index_dir",
    }
)

_PACKAGES = (
    "situated", "torch", "pytorch-lightning", "transformers", "tokenizers", "numpy", "scikit-learn", "hydra-core",
    "msgspec", "wandb", "bm25s",
)  # fmt: skip


def identity(config: Mapping[str, Any]) -> dict[str, Any]:
    """The part of a resolved configuration that decides the result: all but places and reporting.

    >>> identity({"seed": 1, "paths": {"out": "x"}, "data": {"context": "temp", "folder": "y"}})
    {'seed': 1, 'data': {'context': 'temp'}}
    """

    def strip(value: Any) -> Any:
        if isinstance(value, Mapping):
            return {k: strip(v) for k, v in value.items() if k not in PLACE_KEYS and k not in ("folder", "loggers")}
        return [strip(item) for item in value] if isinstance(value, list) else value

    return {key: strip(value) for key, value in config.items() if key not in PLACE_KEYS}


def describe_files(files: Mapping[str, Path]) -> dict[str, dict[str, Any]]:
    """Path, size in bytes and content hash of every file or folder.

    Raises:
        InputError: One is missing.
    """
    described = {}
    for name, path in files.items():
        digest = sha256(path)
        described[name] = {"path": str(path), "sha256": digest, "bytes": size(path)}
    return described


def size(path: Path) -> int:
    """Bytes of a file, or of all files in a folder; 0 where there is nothing."""
    parts = path.rglob("*") if path.is_dir() else [path]
    return sum(part.stat().st_size for part in parts if part.is_file())


def fingerprint(config: Mapping[str, Any], inputs: Mapping[str, Mapping[str, Any]]) -> str:
    """One hash for "the same configuration and the same inputs" (hex, 64 characters)."""
    key = [identity(config), {name: entry["sha256"] for name, entry in inputs.items()}]
    return hashlib.sha256(msgspec.json.encode(key, order="sorted")).hexdigest()


def environment() -> dict[str, Any]:
    """Code revision, package versions, command and machine of this process."""
    return {
        "git": git_state(_HERE),
        "versions": {"python": platform.python_version()} | _versions(),
        "command": shlex.join(["python", *sys.orig_argv[1:]]),
        "submitted_at": os.environ.get(COMMIT),
        "platform": platform.platform(),
        "cpus": os.cpu_count(),
    } | job.facts()


def git_state(folder: Path) -> dict[str, Any]:
    """Revision of the checkout that ``folder`` is part of and whether it has uncommitted changes; nulls outside one."""
    if _git(folder, "ls-files", "--error-unmatch", ".") is None:  # lies in some checkout, as a virtual environment may
        return {"revision": None, "dirty": None}
    status = _git(folder, "status", "--porcelain", "--untracked-files=no")
    return {"revision": _git(folder, "rev-parse", "HEAD"), "dirty": None if status is None else bool(status)}


def commit(folder: Path = _HERE) -> str | None:
    """The code of a checkout in one word: its revision, and a hash of what is not committed; None outside one.

    Files that git does not know count as well, since a new part of the code is one; texts and tests do not.
    """
    revision = git_state(folder)["revision"]
    top = _git(folder, "rev-parse", "--show-toplevel")
    if revision is None or top is None:
        return None
    changes = _git(Path(top), "diff", "HEAD", "--", *_CODE) or ""
    unknown = (_git(Path(top), "ls-files", "--others", "--exclude-standard", "--", *_CODE) or "").splitlines()
    hashes = "".join(f"\n{name} {sha256(Path(top) / name)}" for name in unknown)
    if not (changes or hashes):
        return typing.cast("str", revision)
    return f"{revision}+{hashlib.sha256((changes + hashes).encode()).hexdigest()[:16]}"


def check_commit() -> None:
    """Refuse to start a job with other code than it was submitted with.

    Raises:
        SituatedError: The checkout has changed since.
    """
    submitted = os.environ.get(COMMIT, "any")
    if submitted == "any" or submitted == (now := commit()):
        return
    if now is None:
        log.warning("Submitted from commit %s; what runs here cannot be told: no checkout, or no git", submitted)
        return
    raise SituatedError(
        f"This job was submitted from commit {submitted}, but the code is at {now} now (after a + stands the hash of "
        "code and conf/ that are not committed). Check that out again, or submit anew: with any_commit=true, or "
        f"{COMMIT}=any in the environment, any code may run."
    )


def _git(folder: Path, *words: str) -> str | None:
    try:
        done = subprocess.run(  # noqa: S603 (fixed words, no shell)
            ["git", "-C", str(folder), *words],  # noqa: S607 (the user's own git)
            capture_output=True, text=True, check=True, timeout=30,
        )  # fmt: skip
    except (OSError, subprocess.SubprocessError):
        return None
    return done.stdout.strip()


def _versions() -> dict[str, str]:
    found = {}
    for package in _PACKAGES:
        try:
            found[package] = metadata.version(package)
        except metadata.PackageNotFoundError:
            continue
    return found
