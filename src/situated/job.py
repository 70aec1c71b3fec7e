"""The job and the process that this program is: SLURM's names for it, its rank among others, its machine.

Read from the environment alone: nothing here needs torch or a running cluster.
"""

from __future__ import annotations

import os
import platform
import subprocess
import uuid
from pathlib import Path
from typing import Any

START = "SITUATED_START"
"""Names this start of a program to the processes that it starts itself."""

_FACTS = {
    "id": "SLURM_JOB_ID",
    "array_id": "SLURM_ARRAY_JOB_ID",
    "array_task": "SLURM_ARRAY_TASK_ID",
    "name": "SLURM_JOB_NAME",
    "partition": "SLURM_JOB_PARTITION",
    "nodes": "SLURM_JOB_NODELIST",
    "tasks": "SLURM_NTASKS",
    "cpus_per_task": "SLURM_CPUS_PER_TASK",
    "submit_host": "SLURM_SUBMIT_HOST",
}
_NVIDIA = Path("/proc/driver/nvidia")


def rank() -> int:
    """The number of this process among those that train together; 0 owns the run folder.

    Source: the variables that torchrun, Lightning and srun set, in the order in which Lightning reads them.
    """
    for name in ("RANK", "LOCAL_RANK", "SLURM_PROCID"):
        if os.environ.get(name, "").isdecimal():
            return int(os.environ[name])
    return 0


def restarts() -> int:
    """How often SLURM has started this job again."""
    return int(os.environ.get("SLURM_RESTART_COUNT") or 0)


def scontrol_id() -> str | None:
    """The job as ``scontrol requeue`` wants it, a task of an array by its array's number; None outside a job."""
    array, task = os.environ.get("SLURM_ARRAY_JOB_ID"), os.environ.get("SLURM_ARRAY_TASK_ID")
    return f"{array}_{task}" if array and task else os.environ.get("SLURM_JOB_ID")


def start() -> str:
    """One name for this start of the program, the same in all processes that were started together."""
    if START not in os.environ:
        job, step = os.environ.get("SLURM_JOB_ID"), os.environ.get("SLURM_STEP_ID")
        # A step is started once; without one (a batch script, a shell in an allocation) only the process is.
        os.environ[START] = f"{job}.{step}.{restarts()}" if job and step else uuid.uuid4().hex
    return os.environ[START]


def restarted(earlier: str) -> bool:
    """Whether this is the same job as the one of an ``earlier`` start, put back into the queue since."""
    job = os.environ.get("SLURM_JOB_ID")
    return bool(job) and restarts() > 0 and earlier.partition(".")[0] == job and earlier != start()


def facts() -> dict[str, Any]:
    """Host, SLURM job and graphics driver, for the manifest; what does not apply is left out."""
    job: dict[str, Any] = {key: os.environ[name] for key, name in _FACTS.items() if os.environ.get(name)}
    found: dict[str, Any] = {"host": platform.node(), "processor": _processor()}
    if job:
        found["slurm"] = job | {"restarts": restarts(), "version": _slurm_version()}
    if gpus := [_model(path) for path in sorted(_NVIDIA.glob("gpus/*/information"))]:
        found["gpus"] = gpus
        found["visible_gpus"] = os.environ.get("CUDA_VISIBLE_DEVICES")
        found["driver"] = (_NVIDIA / "version").read_text(encoding="utf-8").splitlines()[0]
    return found


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return platform.processor()
    return next((line.partition(":")[2].strip() for line in lines if line.startswith("model name")), "")


def _model(information: Path) -> str:
    lines = information.read_text(encoding="utf-8").splitlines()
    return next((line.partition(":")[2].strip() for line in lines if line.startswith("Model")), "")


def _slurm_version() -> str | None:
    try:
        done = subprocess.run(["sinfo", "--version"], capture_output=True, text=True, check=True, timeout=30)  # noqa: S607 (the user's own)
    except (OSError, subprocess.SubprocessError):  # no client in a container
        return None
    return done.stdout.strip()
