"""A chain: recipes in order, each one skipped when its output is complete.

Locally all run in this process, so that torch is imported once.
"""

from __future__ import annotations

import importlib.util
import shlex
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec
from rich.console import Console
from rich.rule import Rule
from rich.table import Table

from situated.errors import ConfigError, SituatedError
from situated.recipe import Recipe


class Step(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One recipe of a chain.

    Attributes:
        name: What it does, for people.
        recipe: The program, relative to the project's root.
        overrides: Its command-line words.
        share_s: Wall time that it should keep to on two cores, in seconds.
    """

    name: str
    recipe: str
    overrides: list[str]
    share_s: float


class Chain(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Steps in order, with words that all of them get."""

    name: str
    overrides: list[str]
    steps: list[Step]


@dataclass(frozen=True)
class Outcome:
    """What became of a step."""

    step: Step
    state: str
    seconds: float


def read_chain(config: Mapping[str, Any]) -> Chain:
    """The chain that a resolved configuration describes.

    Raises:
        ConfigError: A step lacks a key or has an unknown one.
    """
    try:
        return msgspec.convert(config, Chain)
    except msgspec.ValidationError as error:
        raise ConfigError(f"chain {config.get('name')!r}: {error}. See conf/chain/demo.yaml for the form.") from error


def command(chain: Chain, step: Step) -> str:
    """The step as one would type it."""
    return shlex.join(["python", step.recipe, *chain.overrides, *step.overrides])


def run_local(chain: Chain, root: Path) -> list[Outcome]:
    """Run every step in this process, in order.

    Raises:
        SituatedError: A step failed; the message names it, what it said and the command that repeats it alone.
    """
    outcomes = []
    for step in chain.steps:
        Console().print(Rule(f"{step.name}: {command(chain, step)}", align="left", style="dim"))
        began = time.monotonic()
        recipe = load_recipe(root / step.recipe)
        try:
            state = recipe.run(recipe.compose([*chain.overrides, *step.overrides]))
        except SituatedError as error:
            raise SituatedError(f"step {step.name!r} failed: {error}\nAlone: {command(chain, step)}") from error
        outcomes.append(Outcome(step, state, time.monotonic() - began))
    return outcomes


def load_recipe(path: Path) -> Recipe:
    """The program in a recipe's file.

    Raises:
        ConfigError: There is no such file, or no recipe named ``main`` in it.
    """
    spec = importlib.util.spec_from_file_location(f"recipe_{path.parent.name}_{path.stem}", path)
    if spec is None or spec.loader is None or not path.is_file():
        raise ConfigError(f"chain: there is no recipe {path}.")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    program = getattr(module, "main", None)
    if not isinstance(program, Recipe):
        raise ConfigError(f"chain: {path} holds no recipe named main.")
    return program


def summary(outcomes: Sequence[Outcome]) -> Table:
    """Step, state, seconds and share, for the terminal."""
    table = Table("step", "state", "seconds", "of at most", title="Steps")
    for outcome in outcomes:
        over = outcome.seconds > outcome.step.share_s
        seconds = f"[yellow]{outcome.seconds:.1f}[/yellow]" if over else f"{outcome.seconds:.1f}"
        table.add_row(outcome.step.name, outcome.state, seconds, f"{outcome.step.share_s:g}")
    total = sum(outcome.seconds for outcome in outcomes)
    table.add_row("total", "", f"{total:.1f}", f"{sum(o.step.share_s for o in outcomes):g}")
    return table
