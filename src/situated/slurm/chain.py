"""A chain: recipes in order, some of them swept, each one skipped when its output is complete."""

from __future__ import annotations

import difflib
import importlib.util
import itertools
import re
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec
from hydra.core.hydra_config import HydraConfig
from hydra.core.override_parser.overrides_parser import OverridesParser
from hydra.errors import HydraException

from situated.cluster import OWN_OPTIONS, Cluster, Kind, Machines, Options, Time, convert
from situated.config import Natural, Positive
from situated.errors import ConfigError, SituatedError
from situated.recipe import Recipe

_UNSET = msgspec.UNSET


class Resources(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, omit_defaults=True):
    """What a step's jobs ask for: a kind of machines, and in what they differ from it (see ``Machines``).

    Attributes:
        array_parallelism: Tasks of a sweep that run at the same time; null: as many as there is room for.
    """

    kind: Kind = "cpu"
    array_parallelism: Positive | None = None
    partition: str | msgspec.UnsetType | None = _UNSET
    qos: str | msgspec.UnsetType | None = _UNSET
    constraint: str | msgspec.UnsetType | None = _UNSET
    gpus: Natural | msgspec.UnsetType = _UNSET
    cpus: Positive | msgspec.UnsetType = _UNSET
    mem_gb: Positive | msgspec.UnsetType | None = _UNSET
    time: Time | msgspec.UnsetType = _UNSET
    sbatch: Options = {}

    def of(self, cluster: Cluster) -> Machines:
        """The machines on this cluster."""
        base: Machines = getattr(cluster, self.kind)
        own = {name: value for name in base.__struct_fields__ if (value := getattr(self, name)) is not _UNSET}
        return msgspec.structs.replace(base, **own | {"sbatch": base.sbatch | self.sbatch})


class Step(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One recipe of a chain.

    Attributes:
        name: What it does, for people.
        recipe: The program, relative to the project's root.
        overrides: Its command-line words.
        sweep: Words with several values each (``seed=1,2,3``); the step runs once for each combination.
        after: Names of earlier steps that it waits for; null: the step before.
        resources: What its jobs ask for.
        share_s: Wall time that it should keep to on two cores, in seconds.
    """

    name: str
    recipe: str
    overrides: list[str] = []
    sweep: list[str] = []
    after: list[str] | None = None
    resources: Resources = Resources()
    share_s: float | None = None

    @property
    def slug(self) -> str:
        """The name as files and jobs bear it."""
        return re.sub(r"[^a-z0-9]+", "-", self.name.lower()).strip("-") or "step"


class Chain(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Steps in order, with words that all of them get."""

    name: str
    steps: list[Step]
    overrides: list[str] = []

    def waits_for(self, step: Step) -> list[Step]:
        """The earlier steps that a step names, or the one before it."""
        place = self.steps.index(step)
        if step.after is None:
            return self.steps[max(0, place - 1) : place]
        return [other for other in self.steps[:place] if other.name in step.after]


@dataclass(frozen=True)
class Task:
    """One run of a step: one combination of its sweep.

    Attributes:
        step: The step.
        index: Place among the step's combinations, from 0: the task's number in SLURM's array.
        own: The words that the other combinations do not have.
        words: All command-line words.
    """

    step: Step
    index: int
    own: tuple[str, ...]
    words: tuple[str, ...]

    @property
    def command(self) -> str:
        """The task as one would type it."""
        return shlex.join(["python", self.step.recipe, *self.words])

    @property
    def label(self) -> str:
        """The task's name in tables and messages."""
        return f"{self.step.name} ({' '.join(self.own)})" if self.own else self.step.name


def read_chain(config: Mapping[str, Any], searchpath: Sequence[Path] = (), *, forced: bool = False) -> Chain:
    """The chain that a resolved configuration describes.

    Args:
        config: The ``chain`` of the configuration.
        searchpath: Further folders of configuration files, for all steps (``--config-dir``).
        forced: All steps are done anew.

    Raises:
        ConfigError: A step lacks a key or has an unknown one, a sweep cannot be read, or steps wait for what is not
            there.
    """

    def refuse(key: str, problem: str, mend: str) -> ConfigError:
        mend = mend.replace("slurm/README.md", "conf/chain/demo.yaml and slurm/README.md")
        return ConfigError(f"chain {config.get('name')!r}: {f'{key}: ' if key else ''}{problem}. {mend}")

    chain = convert(config, Chain, refuse)
    if not chain.steps:
        raise refuse("steps", "there is none", "See slurm/README.md for the form.")
    for place, step in enumerate(chain.steps):
        key = f"steps[{place}]"
        if step.slug in [other.slug for other in chain.steps[:place]]:
            raise refuse(key, f"there is another step {step.name!r}", "Give each step a name of its own.")
        for name in step.after or []:
            _check_name(name, [other.name for other in chain.steps[:place]], f"{key}.after", refuse)
        if taken := sorted(OWN_OPTIONS & set(step.resources.sbatch)):
            raise refuse(f"{key}.resources.sbatch", f"{taken[0]} is set for each job by the project", "Leave it out.")
        tasks(chain, step)
    if forced:
        chain = msgspec.structs.replace(chain, overrides=[*chain.overrides, "force=true"])
    if searchpath:
        # As a word of the configuration it reaches a step however that is run.
        folders = ",".join("'file://{}'".format(str(path).replace("'", r"\'")) for path in searchpath)
        return msgspec.structs.replace(chain, overrides=[f"hydra.searchpath=[{folders}]", *chain.overrides])
    return chain


def searchpath() -> list[Path]:
    """The folders of configuration files that this program was given with ``--config-dir``."""
    if not HydraConfig.initialized():
        return []
    sources = HydraConfig.get().runtime.config_sources
    return [Path(source.path) for source in sources if source.provider == "command-line" and source.schema == "file"]


def tasks(chain: Chain, step: Step) -> list[Task]:
    """Every combination of the step's sweep, in the order in which Hydra runs them.

    Raises:
        ConfigError: A word of the sweep cannot be read, or does not list its values (an interval, a glob).
    """
    own = [*itertools.product(*[_values(chain, step, word) for word in step.sweep])]
    if twice := next((words for n, words in enumerate(own) if words in own[:n]), None):
        place = f"chain {chain.name!r}: step {step.name!r}: sweep"
        raise ConfigError(f"{place}: {' '.join(twice)} stands there twice. Leave one out.")
    return [Task(step, n, words, (*chain.overrides, *step.overrides, *words)) for n, words in enumerate(own)]


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


def failed(task: Task, why: Exception | str) -> SituatedError:
    """The error that names a step, what it said and the command that repeats it alone."""
    return SituatedError(f"step {task.label!r} failed: {why}\nAlone: {task.command}")


def _check_name(name: str, known: list[str], key: str, refuse: Any) -> None:
    if name in known:
        return
    close = difflib.get_close_matches(name, known, n=1)
    mend = f"Did you mean {close[0]!r}?" if close else f"Earlier steps: {', '.join(known) or 'none'}."
    raise refuse(key, f"no earlier step is named {name!r}", mend)


def _values(chain: Chain, step: Step, word: str) -> list[str]:
    place = f"chain {chain.name!r}: step {step.name!r}: sweep: {word}"
    mend = "Write key=value,value or key=range(0,50)."
    try:
        override = OverridesParser.create().parse_override(word)
    except HydraException as error:
        raise ConfigError(f"{place}: cannot be read ({' '.join(str(error).split())[:120]}). {mend}") from error
    if not override.is_sweep_override():
        return [word]
    if not override.is_discrete_sweep():  # an interval, a glob
        raise ConfigError(f"{place}: lists no values. {mend}")
    return [f"{override.get_key_element()}={value}" for value in override.sweep_string_iterator()]
