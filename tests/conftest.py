"""The project's root, a small sample world, released data, and recipes run as from a shell."""

from __future__ import annotations

import logging
import os
import resource
import shutil
import string
import struct
import subprocess
import sys
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from situated.encoders.pretrained import PretrainedEncoder
from situated.world.identification import write_identification

Command = Callable[..., "subprocess.CompletedProcess[str]"]
SIZES = {"train": 60, "dev": 30, "test": 30}


@pytest.fixture(scope="session")
def root() -> Path:
    """The project's folder: recipes and conf/ lie in it."""
    return Path(__file__).resolve().parents[1]


@pytest.fixture(scope="session")
def world(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder (paths.data) with the questions of a small sample world; to be left as it is."""
    folder = tmp_path_factory.mktemp("world")
    write_identification(folder / "situatedqa" / "id_data", seed=0, sizes=SIZES)
    return folder


@pytest.fixture
def data(world: Path, tmp_path: Path) -> Path:
    """A copy of the sample world, to be spoilt."""
    return shutil.copytree(world, tmp_path / "data")


@pytest.fixture(scope="session")
def command(root: Path) -> Command:
    """Run a Python file of the project, or ``-c`` code, in a folder, with at most ``file_bytes`` in any file."""

    def run(*words: str | Path, cwd: Path, file_bytes: int | None = None) -> subprocess.CompletedProcess[str]:
        script, *others = map(str, words)
        argv = [script if script.startswith("-") else str(root / script), *others]
        limit = None
        if file_bytes is not None:
            limit = partial(resource.setrlimit, resource.RLIMIT_FSIZE, (file_bytes, file_bytes))
        return subprocess.run(
            [sys.executable, *argv],
            cwd=cwd,
            env=os.environ | {"OMP_NUM_THREADS": "1", "HF_HUB_OFFLINE": "1", "COLUMNS": "200"},
            preexec_fn=limit,
            capture_output=True,
            text=True,
            check=False,
            timeout=300,
        )

    return run


@pytest.fixture(scope="session")
def released() -> Path:
    """The folder of released data, for tests marked realdata."""
    folder = os.environ.get("SITUATED_REALDATA")
    if not folder:
        pytest.skip("SITUATED_REALDATA names no folder")
    return Path(folder)


@pytest.fixture(scope="session")
def cluster() -> None:
    """A SLURM cluster with the partitions gpu and preempt, for tests marked slurm."""
    if not all(shutil.which(name) for name in ("sbatch", "scontrol", "sinfo")):
        pytest.skip("there is no SLURM here")
    ping = subprocess.run(["scontrol", "ping"], capture_output=True, text=True, check=False, timeout=60)
    if ping.returncode or "is UP" not in ping.stdout:
        pytest.skip(f"SLURM's controller does not answer: {ping.stdout} {ping.stderr}")
    partitions = subprocess.run(["sinfo", "-h", "-o", "%R"], capture_output=True, text=True, check=True, timeout=60)
    if missing := {"gpu", "preempt"} - set(partitions.stdout.split()):
        pytest.skip(f"the cluster lacks partitions: {', '.join(sorted(missing))}")


@pytest.fixture(scope="session")
def tiny_encoder(tmp_path_factory: pytest.TempPathFactory) -> PretrainedEncoder:
    """A BERT of two small layers with random weights, which knows letters and the word "now"."""
    import torch
    from transformers import BertConfig, BertModel, BertTokenizer

    folder = tmp_path_factory.mktemp("tiny")
    letters = [*string.ascii_lowercase, *string.digits]
    vocabulary = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *letters, *(f"##{one}" for one in letters), "now"]
    tokenizer = BertTokenizer(vocab={word: n for n, word in enumerate(vocabulary)}, do_lower_case=True)
    tokenizer.save_pretrained(folder)
    torch.manual_seed(0)
    config = BertConfig(
        vocab_size=len(vocabulary), hidden_size=32, num_hidden_layers=2, num_attention_heads=2, intermediate_size=64
    )
    BertModel(config).save_pretrained(folder)
    return PretrainedEncoder(name="tiny", pretrained=str(folder))


@pytest.fixture(scope="session")
def contents() -> Callable[[Path], dict[str, bytes]]:
    """Every file below a folder, hidden ones too -> its bytes."""

    def read(folder: Path) -> dict[str, bytes]:
        files = sorted(path for path in folder.rglob("*") if path.is_file())
        return {path.relative_to(folder).as_posix(): path.read_bytes() for path in files}

    return read


@pytest.fixture
def own_logging() -> Iterator[None]:
    """Take back what a recipe that runs in this process does to logging and warnings."""
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    yield
    logging.captureWarnings(False)
    root.handlers, root.level = handlers, level


@pytest.fixture(scope="session")
def offline_rows() -> Callable[[Path], list[dict[str, float]]]:
    """What the one offline Weights & Biases run of a run folder holds, row by row, read from its own file."""
    protocol: Any = pytest.importorskip("wandb.proto.wandb_internal_pb2")

    def read(folder: Path) -> list[dict[str, float]]:
        (file,) = folder.glob("wandb/offline-run-*/run-*.wandb")
        rows = []
        for data in leveldb_records(file.read_bytes()[7:]):
            record = protocol.Record()
            record.ParseFromString(data)
            if record.HasField("history"):
                items = record.history.item
                rows.append({item.key or "/".join(item.nested_key): float(item.value_json) for item in items})
        return rows

    return read


def leveldb_records(log: bytes) -> Iterator[bytes]:
    """The records of a log in LevelDB's form: blocks of 32 KiB (the file's header counts), records cut across them."""
    at, record = 0, b""
    while at + 7 <= len(log):
        left = 32768 - (at + 7) % 32768
        if left < 7:  # too little for a record's head: padding
            at += left
            continue
        length, kind = struct.unpack_from("<HB", log, at + 4)
        record += log[at + 7 : at + 7 + length]
        at += 7 + length
        if kind in (1, 4):  # whole, or the last piece
            yield record
            record = b""
