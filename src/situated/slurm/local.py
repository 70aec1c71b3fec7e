"""A chain run here, step after step: in this process, so that torch is imported once."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from omegaconf import DictConfig, OmegaConf
from rich.console import Console
from rich.rule import Rule
from rich.table import Table

from situated import job
from situated.cluster import tasks_per_node
from situated.errors import SituatedError
from situated.slurm.chain import Chain, Step, Task, failed, load_recipe, tasks


@dataclass(frozen=True)
class Outcome:
    """What became of a step."""

    step: Step
    state: str
    seconds: float


def run_local(chain: Chain, root: Path) -> list[Outcome]:
    """Run every step in order, the combinations of a sweep one after the other.

    Raises:
        SituatedError: A step failed; the message names it, what it said and the command that repeats it alone.
    """
    outcomes = []
    for step in chain.steps:
        began = time.monotonic()
        states = Counter(_run(task, root) for task in tasks(chain, step))
        counted = ", ".join(f"{count} {state}" for state, count in states.items())
        state = counted if step.sweep else next(iter(states))
        outcomes.append(Outcome(step, state, time.monotonic() - began))
    return outcomes


def summary(outcomes: Sequence[Outcome]) -> Table:
    """Step, state, seconds and share, for the terminal."""
    table = Table("step", "state", "seconds", "of at most", title="Steps")
    for outcome in outcomes:
        share = outcome.step.share_s
        over = share is not None and outcome.seconds > share
        seconds = f"[yellow]{outcome.seconds:.1f}[/yellow]" if over else f"{outcome.seconds:.1f}"
        table.add_row(outcome.step.name, outcome.state, seconds, "" if share is None else f"{share:g}")
    total = sum(outcome.seconds for outcome in outcomes)
    shares = [outcome.step.share_s for outcome in outcomes if outcome.step.share_s is not None]
    table.add_row("total", "", f"{total:.1f}", f"{sum(shares):g}" if shares else "")
    return table


def _run(task: Task, root: Path) -> str:
    Console().print(Rule(f"{task.step.name}: {task.command}", align="left", style="dim"))
    recipe = load_recipe(root / task.step.recipe)
    try:
        config = recipe.compose([*task.words])
        return _apart(task, root) if _starts_processes(config) else recipe.run(config)
    except SituatedError as error:
        raise failed(task, error) from error


def _apart(task: Task, root: Path) -> str:
    """Run the step as its own program: Lightning starts its other processes by repeating the command line."""
    others = {name: value for name, value in os.environ.items() if name != job.START}  # it is a start of its own
    done = subprocess.run([sys.executable, str(root / task.step.recipe), *task.words], env=others, check=False)  # noqa: S603
    if done.returncode:
        raise SituatedError(f"it ended with exit code {done.returncode}; what it said stands above.")
    return "done, in processes of its own"


def _starts_processes(config: DictConfig) -> bool:
    devices, nodes = (OmegaConf.select(config, f"trainer.{key}") for key in ("devices", "num_nodes"))
    several = tasks_per_node(devices) > 1 or str(devices) in ("auto", "-1")
    return several or str(nodes) not in ("None", "1")
