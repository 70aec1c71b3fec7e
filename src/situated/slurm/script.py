"""The script that sbatch is given: a template, filled in for one step."""

from __future__ import annotations

import re
import shlex
import string
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from situated.cluster import Cluster
from situated.errors import InputError
from situated.slurm.chain import Task
from situated.slurm.plan import Plan

TEMPLATE = Path("slurm") / "sbatch.sh"


class _Template(string.Template):
    delimiter = "@@"  # a shell's dollars stay


@dataclass(frozen=True)
class Submission:
    """What the script of one step says beside the plan.

    Attributes:
        root: The project's folder.
        cluster: The cluster's facts.
        name: The job's name.
        log: The log file, with sbatch's patterns.
        dependency: What it waits for, in sbatch's form; "" for nothing.
        commit: The code that it must find when it starts; None: any.
        folder: Where it runs: relative paths in its words mean this folder's.
    """

    root: Path
    cluster: Cluster
    name: str
    log: str
    dependency: str
    commit: str | None
    folder: Path


def write_script(plan: Plan, job: Submission) -> str:
    """The script.

    Raises:
        InputError: The template is missing, or asks for something else than it is given.
    """
    path = job.root / (job.cluster.template or TEMPLATE)
    exports = [*job.cluster.exports]
    if job.commit is not None:
        exports.append(f"export SITUATED_COMMIT={job.commit}  # other code is refused, unless any_commit=true")
    step = plan.step
    shared = plan.missing[0].task.words[: len(plan.missing[0].task.words) - len(step.sweep)]
    parts = {
        "options": "\n".join(_option(name, value) for name, value in _options(plan, job).items()),
        "setup": "\n".join(job.cluster.setup) or "# nothing",
        "exports": "\n".join(exports),
        "words": "\n".join(f"    {shlex.quote(word)}" for word in shared),
        "sweep": _case([examined.task for examined in plan.missing]) if step.sweep else "",
        "program": shlex.join([*job.cluster.interpreter, str(job.root / step.recipe)]),
    }
    try:
        text = _Template(path.read_text(encoding="utf-8")).substitute(parts)
    except (OSError, ValueError, KeyError) as error:
        known = ", ".join(f"@@{{{name}}}" for name in parts)
        raise InputError(path, f"no template of a script ({error})", f"It may hold {known}.") from error
    return re.sub(r"\n{3,}", "\n\n", text)


def _options(plan: Plan, job: Submission) -> dict[str, Any]:
    """Options of sbatch; null ones are left out."""
    step, machines = plan.step, plan.step.resources.of(job.cluster)
    nodes, processes = plan.shape
    own = {
        "job-name": job.name,
        "account": job.cluster.account,
        "partition": machines.partition,
        "qos": machines.qos,
        "constraint": machines.constraint,
        "nodes": nodes,
        "ntasks-per-node": processes,
        "cpus-per-task": machines.cpus,
        "gpus-per-node": machines.gpus * processes or None,
        "mem": f"{machines.mem_gb * processes}G" if machines.mem_gb else None,
        "time": machines.minutes,
        "signal": f"USR1@{job.cluster.signal_s}",
    }
    places = {
        "array": _array([one.task.index for one in plan.missing], step.resources.array_parallelism),
        "dependency": job.dependency or None,
        "kill-on-invalid-dep": "yes" if job.dependency else None,
        "output": job.log,
        "open-mode": "append",
        "chdir": job.folder,
    }
    if not step.sweep:
        places["array"] = None
    merged = own | job.cluster.options(machines) | places
    return {name: value for name, value in merged.items() if value is not None}


def _option(name: str, value: Any) -> str:
    return f"#SBATCH --{name}" if value is True else f"#SBATCH --{name}={shlex.quote(str(value))}"


def _array(indices: Sequence[int], parallelism: int | None) -> str:
    """Numbers as sbatch takes them, neighbours as a range.

    >>> _array([0, 1, 2, 5, 7, 8], 4)
    '0-2,5,7-8%4'
    """
    ranges: list[list[int]] = []
    for index in indices:
        if ranges and ranges[-1][1] == index - 1:
            ranges[-1][1] = index
        else:
            ranges.append([index, index])
    listed = ",".join(str(first) if first == last else f"{first}-{last}" for first, last in ranges)
    return listed if parallelism is None else f"{listed}%{parallelism}"


def _case(tasks: Sequence[Task]) -> str:
    """The words that each task of the array has of its own."""
    lines = [f"{task.index}) words+=({shlex.join(task.own)}) ;;" for task in tasks]
    lines.append('*) echo "error: this array has no task $SLURM_ARRAY_TASK_ID" >&2 && exit 2 ;;')
    return "\n".join(["# The words of this task of the array.", 'case "$SLURM_ARRAY_TASK_ID" in', *lines, "esac"])
