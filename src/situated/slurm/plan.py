"""What of a chain is left to do: judged by the runs' manifests first, then by what is in the queue."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from hydra.errors import InstantiationException
from omegaconf import OmegaConf
from rich.progress import track

from situated.cluster import tasks_per_node
from situated.config import check_bindings, check_keys, resolve
from situated.errors import ConfigError, InputError, SituatedError
from situated.run import Run
from situated.slurm.chain import Chain, Step, Task, failed, load_recipe, tasks

_MANY = 20


@dataclass(frozen=True)
class Examined:
    """A task and what lies on the disk of it.

    Attributes:
        task: The task.
        config: Its resolved configuration.
        complete: Whether its run folder holds the whole result.
        forced: Whether it is to be done anew all the same.
        summary: Whether it reads whatever is there, and so is made anew when something before it runs.
        shape: Nodes, and processes on each.
    """

    task: Task
    config: dict[str, Any]
    complete: bool
    summary: bool
    shape: tuple[int, int] = (1, 1)
    forced: bool = False


@dataclass(frozen=True)
class Active:
    """A job, or a task of an array, that is in the queue or runs.

    Attributes:
        job: Its number, ``123`` or ``123_4``.
        after: The numbers of the jobs that it was told to wait for.
    """

    job: str
    after: tuple[str, ...] = ()

    def waits_for(self, other: Active) -> bool:
        """Whether it was told to wait for another one, or for the array that this is part of."""
        return other.job in self.after or other.job.partition("_")[0] in self.after


@dataclass(frozen=True)
class Plan:
    """What becomes of one step.

    Attributes:
        step: The step.
        complete: Tasks that are left out.
        active: Jobs of tasks that an earlier submission has in the queue.
        missing: Tasks to submit.
        before: Steps with jobs that the missing tasks wait for.
        outdated: Jobs of this step that do not wait for all of these, and that the missing tasks come after.
    """

    step: Step
    complete: list[Task]
    active: list[Active]
    missing: list[Examined]
    before: list[Plan]
    outdated: list[Active] = field(default_factory=list)

    @property
    def has_jobs(self) -> bool:
        """Whether something of the step runs, waits or is to be submitted."""
        return bool(self.active or self.missing)

    @property
    def shape(self) -> tuple[int, int]:
        """Nodes and processes on each, the same for all tasks of an array.

        Raises:
            ConfigError: The tasks differ.
        """
        shapes = {examined.shape for examined in self.missing}
        if len(shapes) > 1:
            raise ConfigError(
                f"step {self.step.name!r}: its sweep changes trainer.devices or trainer.num_nodes, which one array "
                "cannot. Make a step of each."
            )
        return shapes.pop()


def examine(chain: Chain, step: Step, root: Path) -> list[Examined]:
    """Compose every task of a step and look at its run folder.

    Raises:
        SituatedError: A configuration that names what does not exist; the message names the step.
    """
    todo = tasks(chain, step)
    shown = track(todo, description=f"examining {step.name}", transient=True, disable=len(todo) < _MANY)
    return [_examine(task, root) for task in shown]


def make_plans(
    chain: Chain, examined: Mapping[str, Sequence[Examined]], active: Mapping[tuple[str, ...], Active]
) -> list[Plan]:
    """What becomes of each step.

    Args:
        chain: The chain.
        examined: Name of a step -> its tasks.
        active: Recipe and words of a task -> its job that is in the queue.
    """
    plans: dict[str, Plan] = {}
    for step in chain.steps:
        before = [*{plan.step.name: plan for plan in _with_jobs(chain, step, plans)}.values()]
        plan = Plan(step, [], [], [], before)
        for one in examined[step.name]:
            _sort(one, active.get(key(one.task)), plan)
        plans[step.name] = plan
    return [*plans.values()]


def key(task: Task) -> tuple[str, ...]:
    """What makes a task the same in two submissions: its recipe and words, however they spell a path."""
    return (task.step.recipe, *map(_absolute, task.words))


def _absolute(word: str) -> str:
    name, _, value = word.partition("=")
    return f"{name}={Path(value.strip(chr(39))).resolve()}" if name.startswith("paths.") else word


def check_values(plans: Sequence[Plan]) -> None:
    """Check the configurations of what is to be submitted against the code now, not after hours in a queue.

    Raises:
        SituatedError: A value of the wrong type, or a target that cannot be imported; the message names the step.
    """
    for one in (one for plan in plans for one in plan.missing):
        try:
            check_bindings(one.config)
        except SituatedError as error:
            raise failed(one.task, error) from error


def _sort(one: Examined, job: Active | None, plan: Plan) -> None:
    if one.summary and job and not all(_covers(job, other) for other in plan.before):
        plan.outdated.append(job)
        plan.missing.append(one)
    elif job:
        plan.active.append(job)
    elif one.complete and not one.forced and not (one.summary and plan.before):
        plan.complete.append(one.task)
    else:
        plan.missing.append(one)


def _covers(job: Active, plan: Plan) -> bool:
    return not plan.missing and all(job.waits_for(other) for other in plan.active)


def _with_jobs(chain: Chain, step: Step, plans: Mapping[str, Plan]) -> Iterator[Plan]:
    """Yield the steps with jobs before a step; where one has none, those before that: order goes through it."""
    for earlier in chain.waits_for(step):
        if plans[earlier.name].has_jobs:
            yield plans[earlier.name]
        else:
            yield from _with_jobs(chain, earlier, plans)


@cache
def _recipe(path: Path) -> Any:
    return load_recipe(path)


def _examine(task: Task, root: Path) -> Examined:
    try:
        recipe = _recipe(root / task.step.recipe)
        config = recipe.compose([*task.words])
        plain = resolve(config)
        check_keys(plain, recipe.keys, recipe.groups())
        complete = _is_complete(Path(config.run_dir), plain | {"force": False}, lambda: recipe.inputs(config))
    except SituatedError as error:
        raise failed(task, error) from error
    nodes = OmegaConf.select(config, "trainer.num_nodes")
    shape = (nodes if isinstance(nodes, int) else 1, tasks_per_node(OmegaConf.select(config, "trainer.devices")))
    return Examined(task, plain, complete, recipe.summary, shape, bool(plain["force"]))


def _is_complete(folder: Path, config: Mapping[str, Any], inputs: Any) -> bool:
    """Whether a run is whole; one whose inputs are still to be made is not."""
    try:
        return Run(folder, config, inputs()).is_complete
    except InputError:
        return False
    except InstantiationException as error:
        if isinstance(error.__cause__, InputError):
            return False
        if isinstance(error.__cause__, SituatedError):
            raise error.__cause__ from error
        raise
