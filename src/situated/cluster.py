"""What a laboratory's cluster wants to be told: one file, ``conf/cluster.yaml``, that git ignores.

Chains read it for their scripts, and ``conf/hydra/launcher/*.yaml`` through ``${cluster:gpu.partition}``.
"""

from __future__ import annotations

import difflib
import os
import re
import shlex
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Annotated, Any, Literal, TypeVar

import msgspec
import yaml
from omegaconf import OmegaConf

from situated.config import Natural, Positive
from situated.errors import InputError

FILE = "SITUATED_CLUSTER"
"""The environment variable that names another file than conf/cluster.yaml."""

Kind = Literal["cpu", "gpu"]
# YAML reads 12:00:00 without quotes as a number of seconds: more minutes than a day's are not taken from a number.
Time = Annotated[int, msgspec.Meta(ge=1, le=1440)] | Annotated[str, msgspec.Meta(pattern=r"^(\d+-)?\d+:\d\d:\d\d$")]
Options = dict[Annotated[str, msgspec.Meta(pattern=r"^[a-z][a-z-]*$")], str | int | float | bool | None]

OWN_OPTIONS = frozenset(
    {"array", "chdir", "dependency", "error", "job-name", "open-mode", "output", "parsable", "wrap"}
)
"""Options of sbatch by which jobs are found again and wait for each other; no file sets them."""

_DEFAULT = Path(__file__).resolve().parents[2] / "conf" / "cluster.yaml"
_WHERE = re.compile(r" - at (?:`key` in )?`\$\.?([^`]*)`")
_UNKNOWN = re.compile(r"unknown field `([^`]+)`")
_T = TypeVar("_T")
_MENDS = {
    "time": "Write minutes (at most 1440), or text in quotes: '12:00:00', '2-00:00:00' (days-hours:minutes:seconds).",
    "sbatch": "Write options without their dashes: sbatch: {exclude: node7, exclusive: true}.",
}


class Mail(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Whom SLURM writes to, and when (sbatch's ``--mail-type``)."""

    user: str
    type: str = "FAIL,INVALID_DEPEND"


class Machines(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What a job of one kind asks for.

    Attributes:
        partition: Name of a partition; null: the cluster's default.
        qos: Quality of service.
        constraint: Features that a node must have.
        gpus: GPUs of each process. A run with trainer.devices=4 is four processes on its node.
        cpus: CPUs of each process.
        mem_gb: Memory for each process, in GB; null: the cluster's default.
        time: Limit, in minutes or as days-hours:minutes:seconds; what is not done by then goes on after a requeue.
        sbatch: Further options of sbatch, by their long names; true for those without a value.
    """

    partition: str | None = None
    qos: str | None = None
    constraint: str | None = None
    gpus: Natural = 0
    cpus: Positive = 2
    mem_gb: Positive | None = None
    time: Time = 60
    sbatch: Options = {}

    @property
    def minutes(self) -> int:
        """The time limit in minutes, rounded up.

        >>> Machines(time="1-02:00:30").minutes, Machines(time=90).minutes
        (1561, 90)
        """
        if isinstance(self.time, int):
            return self.time
        days, _, clock = self.time.rpartition("-")
        hours, minutes, seconds = map(int, clock.split(":"))
        return (int(days or 0) * 24 + hours) * 60 + minutes + (seconds > 0)


class GpuMachines(Machines, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Machines with GPUs."""

    gpus: Natural = 1
    cpus: Positive = 4
    time: Time = "12:00:00"


class Cluster(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The facts of a cluster.

    Attributes:
        account: Whom the time is charged to.
        mail: Whom SLURM writes to.
        setup: Shell lines before everything else (``module load``, ``source activate``).
        container: Words before the interpreter (``apptainer exec --nv x.sif``).
        python: The interpreter; null: the one that submits.
        env: Environment variables, literally; lines of ``setup`` can refer to others.
        signal_s: Seconds between the signal to stop and a job's end: time for one batch and a checkpoint.
        sbatch: Further options of sbatch for every job.
        template: The script of a chain's jobs; null: slurm/sbatch.sh.
        cpu: Jobs without GPU.
        gpu: Jobs with GPUs.
    """

    account: str | None = None
    mail: Mail | None = None
    setup: list[str] = []
    container: list[str] = []
    python: str | None = None
    env: dict[Annotated[str, msgspec.Meta(pattern=r"^[A-Za-z_]\w*$")], str | int] = {}
    signal_s: Annotated[int, msgspec.Meta(ge=30, le=65535)] = 60
    sbatch: Options = {}
    template: str | None = None
    cpu: Machines = Machines()
    gpu: GpuMachines = GpuMachines()

    @property
    def interpreter(self) -> list[str]:
        """The words that start Python."""
        return [*self.container, self.python or sys.executable]

    @property
    def exports(self) -> list[str]:
        """Shell lines that set the environment."""
        return [f"export {name}={shlex.quote(str(value))}" for name, value in self.env.items()]

    @property
    def shell(self) -> list[str]:
        """All shell lines before the program."""
        return [*self.setup, *self.exports]

    def options(self, machines: Machines) -> dict[str, str | int | float | bool]:
        """Options of sbatch that no key of ``machines`` stands for; those of the machines win."""
        mail = {"mail-user": self.mail.user, "mail-type": self.mail.type} if self.mail else {}
        given = {"requeue": True, **mail, **self.sbatch, **machines.sbatch}
        return {name: value for name, value in given.items() if value is not None and value is not False}


def read_cluster(path: Path | None = None) -> Cluster:
    """The cluster's file; without one, the defaults of a cluster that wants to be told nothing.

    Args:
        path: The file; None: the one that SITUATED_CLUSTER names, or conf/cluster.yaml.

    Raises:
        InputError: The file that was asked for is missing or no YAML, or a key does not exist or has another type.
    """
    named = path or (Path(os.environ[FILE]) if os.environ.get(FILE) else None)
    file = named or _DEFAULT
    try:
        text = file.read_text(encoding="utf-8")
    except FileNotFoundError as error:
        if named is None:
            return Cluster()
        raise InputError(file, "no such file", f"Set {FILE} to a file like the one in slurm/README.md.") from error
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(file, f"cannot be read ({error})", "Check that it is a readable UTF-8 file.") from error
    try:
        found = yaml.safe_load(text) or {}
    except yaml.YAMLError as error:
        raise InputError(file, f"no YAML ({' '.join(str(error).split())})", "Mend its form.") from error
    cluster = convert(found, Cluster, lambda key, problem, mend: InputError(file, problem, mend, field=key or None))
    for options in (cluster.sbatch, cluster.cpu.sbatch, cluster.gpu.sbatch):
        if taken := sorted(OWN_OPTIONS & set(options)):
            raise InputError(file, f"{taken[0]} is set for each job by the project", "Leave it out.", field="sbatch")
    return cluster


def convert(found: Any, kind: type[_T], refuse: Any) -> _T:
    """A structure from plain data.

    Args:
        found: What a file holds.
        kind: A ``msgspec.Struct``.
        refuse: Key, problem and mend -> the error to raise.
    """
    try:
        return msgspec.convert(found, kind)
    except msgspec.ValidationError as error:
        said = str(error)
    place = _WHERE.search(said)
    key, problem = place.group(1) if place else "", _WHERE.sub("", said)
    if unknown := _UNKNOWN.search(said):
        names = [field for field, _ in _fields(kind, key)]
        close = difflib.get_close_matches(unknown.group(1), names, n=1)
        mend = f"Did you mean {close[0]!r}?" if close else f"Known: {', '.join(names)}."
        raise refuse(f"{key}.{unknown.group(1)}".strip("."), "there is no such key", mend)
    last = key.rpartition(".")[2].partition("[")[0]
    raise refuse(key, problem, _MENDS.get(last, "See slurm/README.md for the form."))


def tasks_per_node(devices: Any) -> int:
    """The processes that a trainer starts on a node, as far as its configuration says; else 1.

    >>> [tasks_per_node(devices) for devices in (4, "2", [0, 1], "0,1", "auto", -1, None)]
    [4, 2, 2, 2, 1, 1, 1]
    """
    if isinstance(devices, str) and devices.replace(",", "").isdecimal():
        devices = [one for one in devices.split(",") if one] if "," in devices else int(devices)
    if isinstance(devices, int) and not isinstance(devices, bool):
        return max(1, devices)
    return 1 if devices is None or isinstance(devices, str) else max(1, len(devices))


def _fields(kind: Any, key: str) -> Iterable[tuple[str, Any]]:
    """Names and types of the fields of the structure that a key leads to."""
    for name in filter(None, re.sub(r"\[[^]]*\]", "", key).split(".")):
        kind = next((child for field, child in _fields(kind, "") if field == name), None)
        parts = [part for part in getattr(kind, "__args__", [kind]) if hasattr(part, "__struct_fields__")]
        kind = parts[0] if parts else kind
    if not hasattr(kind, "__struct_fields__"):
        return []
    return [(field.encode_name, field.type) for field in msgspec.structs.fields(kind)]


def _value(key: str, times: int = 1) -> Any:
    """``${cluster:gpu.mem_gb,4}``: a fact, times the processes of a node where it is asked for each of them."""
    value: Any = read_cluster()
    for name in key.split("."):
        value = getattr(value, name)
    if isinstance(value, Mapping):
        return dict(value)
    return value * times or None if isinstance(value, int) else value


def _options(kind: Kind) -> dict[str, Any]:
    cluster = read_cluster()
    return cluster.options(getattr(cluster, kind))


OmegaConf.register_new_resolver("cluster", _value, replace=True)
OmegaConf.register_new_resolver("cluster_options", _options, replace=True)
OmegaConf.register_new_resolver("tasks_per_node", tasks_per_node, replace=True)
