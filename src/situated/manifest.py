"""What a run was made of and by: configuration, inputs, code, versions, machine."""

from __future__ import annotations

import hashlib
import os
import platform
import shlex
import subprocess
import sys
from collections.abc import Mapping
from importlib import metadata
from pathlib import Path
from typing import Any

import msgspec

from situated.io import sha256

# Keys that say where a run reads, writes or reports, not what it computes: moving a folder does not make another run.
PLACE_KEYS = frozenset(
    {"paths", "run_dir", "force", "logger", "callbacks", "threads", "ckpt", "input", "predictions", "gold", "against"}
)

_PACKAGES = (
    "situated", "torch", "pytorch-lightning", "transformers", "tokenizers", "numpy", "scikit-learn", "hydra-core",
    "msgspec", "wandb",
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
        "git": git_state(Path(__file__).parent),
        "versions": {"python": platform.python_version()} | _versions(),
        "command": shlex.join(["python", *sys.orig_argv[1:]]),
        "host": platform.node(),
        "platform": platform.platform(),
        "cpus": os.cpu_count(),
    }


def commit(folder: Path) -> str | None:
    """The code of the checkout that ``folder`` is part of, uncommitted changes too; None outside one.

    ``<revision>``, or ``<revision>+<16 hex digits of the changes' SHA-256>``.
    """
    revision = git_state(folder)["revision"]
    if revision is None:
        return None
    words = ["git", "-C", str(folder), "diff", "HEAD"]
    changes = subprocess.run(words, capture_output=True, check=True, timeout=60).stdout  # noqa: S603
    return f"{revision}+{hashlib.sha256(changes).hexdigest()[:16]}" if changes else str(revision)


def git_state(folder: Path) -> dict[str, Any]:
    """Revision of the checkout that ``folder`` is part of and whether it has uncommitted changes; nulls outside one."""

    def git(*words: str) -> str | None:
        try:
            done = subprocess.run(  # noqa: S603 (fixed words, no shell)
                ["git", "-C", str(folder), *words],  # noqa: S607 (the user's own git)
                capture_output=True, text=True, check=True, timeout=30,
            )  # fmt: skip
        except (OSError, subprocess.SubprocessError):
            return None
        return done.stdout.strip()

    if git("ls-files", "--error-unmatch", ".") is None:  # lies in some checkout, as a virtual environment may
        return {"revision": None, "dirty": None}
    status = git("status", "--porcelain", "--untracked-files=no")
    return {"revision": git("rev-parse", "HEAD"), "dirty": None if status is None else bool(status)}


def _versions() -> dict[str, str]:
    found = {}
    for package in _PACKAGES:
        try:
            found[package] = metadata.version(package)
        except metadata.PackageNotFoundError:
            continue
    return found
