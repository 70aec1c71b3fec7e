"""The frame around every recipe: composing its configuration, skipping what is complete, plain errors.

A recipe's file imports nothing heavy at its top, so ``--help``, a completed run and a signal that comes early cost
no import of torch.
"""

from __future__ import annotations

import logging
import os
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import hydra
from hydra import compose, initialize_config_dir
from hydra.core.global_hydra import GlobalHydra
from hydra.errors import HydraException
from omegaconf import DictConfig
from omegaconf.errors import OmegaConfBaseException
from rich.logging import RichHandler

from situated.config import check_bindings, resolve
from situated.errors import SituatedError
from situated.run import Run

log = logging.getLogger(__name__)


def no_inputs(config: DictConfig) -> dict[str, Path]:
    """For a recipe that reads no file."""
    return {}


@dataclass(frozen=True)
class Recipe:
    """A Hydra program: a primary configuration and the function it configures.

    Attributes:
        config_name: The primary configuration, ``conf/<config_name>.yaml``.
        function: The method itself; it claims the run when its inputs are known to be good.
        inputs: Configuration -> name -> file that the run reads, without importing anything heavy.
        conf: The configuration folder.
        summary: Made anew on each call, since it is cheap and reads whatever is there.
    """

    config_name: str
    function: Callable[[DictConfig, Run], None]
    inputs: Callable[[DictConfig], Mapping[str, Path]]
    conf: Path
    summary: bool = False

    def __call__(self) -> None:
        """Run from the command line; end with exit code 2 and one message for what the user can mend."""
        sys.argv[1:] = [quoted(word) for word in sys.argv[1:]]
        os.environ["HYDRA_FULL_ERROR"] = "1"  # hand exceptions on, so that they are reported here and only here
        program = hydra.main(version_base="1.3", config_path=str(self.conf), config_name=self.config_name)(self.run)
        try:
            program()
        except (SituatedError, HydraException, OmegaConfBaseException) as error:
            sys.exit(_report(error))

    def compose(self, overrides: list[str]) -> DictConfig:
        """The configuration that these command-line words make."""
        hydra_state = GlobalHydra.instance()
        outer, hydra_state.hydra = hydra_state.hydra, None  # a recipe that runs others is a Hydra program itself
        try:
            with initialize_config_dir(str(self.conf), version_base="1.3"):
                return compose(self.config_name, [quoted(word) for word in overrides])
        finally:
            hydra_state.hydra = outer

    def run(self, config: DictConfig) -> Literal["done", "already complete"]:
        """Do the work of one configuration, unless it is done; say which."""
        configure_logging()
        plain = resolve(config)
        run = Run(Path(config.run_dir), plain, self.inputs(config), replace=self.summary)
        if run.is_complete:
            log.info("Already complete: %s (force=true redoes it)", run.folder)
            return "already complete"
        check_bindings(plain)
        if config.get("threads"):
            import torch

            torch.set_num_threads(config.threads)
        self.function(config, run)
        return "done"


def recipe(
    config_name: str, inputs: Callable[[DictConfig], Mapping[str, Path]] = no_inputs, *, summary: bool = False
) -> Callable[[Callable[[DictConfig, Run], None]], Recipe]:
    """Make a function of (configuration, run) a program; ``conf/`` lies beside the recipe's folder."""

    def wrap(function: Callable[[DictConfig, Run], None]) -> Recipe:
        conf = Path(function.__code__.co_filename).resolve().parents[1] / "conf"
        return Recipe(config_name, function, inputs, conf, summary)

    return wrap


def quoted(word: str) -> str:
    """A command-line word with its value in quotes where Hydra's grammar needs them: run folders are named seed=<n>.

    >>> quoted("ckpt=outputs/classifier/minilm_temp/seed=1")
    "ckpt='outputs/classifier/minilm_temp/seed=1'"
    >>> quoted("seed=1,2")
    'seed=1,2'
    """
    key, equals, value = word.partition("=")
    plain = equals and "=" in value and not key.startswith("-") and not set(value) & set("'\",[](){}$")
    return f"{key}='{value}'" if plain else word


def configure_logging() -> None:
    """Send log lines to the terminal once, however many recipes one process runs."""
    root = logging.getLogger()
    if not any(isinstance(handler, RichHandler) for handler in root.handlers):
        root.addHandler(RichHandler(show_path=False, omit_repeated_times=False, log_time_format="%H:%M:%S"))
        root.setLevel(logging.INFO)
        logging.captureWarnings(True)


def _report(error: Exception) -> int:
    cause = error.__cause__
    detail = f" ({cause})" if isinstance(error, HydraException) and cause is not None else ""
    print(f"error: {error}{detail}", file=sys.stderr)
    return 2
