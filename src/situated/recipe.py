"""The frame around every recipe: composing its configuration, skipping what is complete, plain errors.

A recipe's file imports nothing heavy at its top, so ``--help``, a completed run and a signal that comes early cost
no import of torch.
"""

from __future__ import annotations

import logging
import os
import platform
import re
import signal
import sys
import traceback
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

import hydra
from hydra import compose, initialize_config_dir
from hydra.core.global_hydra import GlobalHydra
from hydra.core.hydra_config import HydraConfig
from hydra.errors import InstantiationException
from hydra.types import RunMode
from omegaconf import DictConfig, OmegaConf
from rich.logging import RichHandler

from situated import (
    cluster,  # noqa: F401 (what conf/ refers to as ${cluster:...})
    manifest,
)
from situated import job as process
from situated.config import COMPOSITION_ERRORS, check_bindings, check_keys, explained, resolve
from situated.errors import InputError, SituatedError
from situated.io import stem
from situated.run import Run
from situated.training import signals

log = logging.getLogger(__name__)

_TERMINAL = "situated"
# In Hydra's quotes a quote is escaped, and so are the backslashes before it or before the closing quote.
_ESCAPED = re.compile(r"(\\*)('|$)")

OmegaConf.register_new_resolver("stem", stem, replace=True)  # names a run after the file that it reads
# Names a run after one of its parts: situated.contexts.temp.Temp is "temp".
OmegaConf.register_new_resolver("module", lambda target: target.split(".")[-2], replace=True)


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
        keys: Key -> type of what it reads of the configuration, beside what every recipe has.
        then: What follows once the run is complete, now or since long, such as a copy of its result elsewhere.
    """

    config_name: str
    function: Callable[[DictConfig, Run], None]
    inputs: Callable[[DictConfig], Mapping[str, Path]]
    conf: Path
    summary: bool = False
    keys: Mapping[str, Any] = field(default_factory=dict)
    then: Callable[[DictConfig, Run], None] | None = None

    def __call__(self) -> None:
        """Run from the command line; end with exit code 2 and one message for what the user can mend."""
        signals.install()  # before torch is imported, which takes long enough for a signal to come
        sys.argv[1:] = [quoted(word) for word in sys.argv[1:]]
        os.environ.setdefault("OMP_WAIT_POLICY", "passive")  # spinning threads cost much where cores are shared
        if {"-m", "--multirun"} & {*sys.argv} and (commit := manifest.commit()):
            os.environ.setdefault(manifest.COMMIT, commit)  # a launcher's jobs start later
        os.environ["HYDRA_FULL_ERROR"] = "1"  # hand exceptions on, so that they are reported here and only here
        failures: list[Exception] = []
        program = hydra.main(version_base="1.3", config_path=str(self.conf), config_name=self.config_name)
        try:
            program(self.job(failures))()
        except COMPOSITION_ERRORS as error:
            failures.append(explained(error, self.groups()))
        except KeyboardInterrupt:
            print("Stopped: the same command goes on from here.", file=sys.stderr)
            sys.exit(128 + signal.SIGINT)
        except Exception as error:
            failures.append(_of_launcher(error))
        if failures:
            sys.exit(max([_report(error) for error in failures]))

    def job(self, failures: list[Exception]) -> Callable[[DictConfig], None]:
        """The task that Hydra runs: what fails is kept, so that Hydra adds no line and a sweep goes on."""
        home = os.getpid(), platform.node()

        def job(config: DictConfig) -> None:
            elsewhere = (os.getpid(), platform.node()) != home
            if elsewhere:
                signals.install()  # a launcher's worker did not come by the command line
            try:
                self.run(config)
            except Exception as error:
                if elsewhere:  # a launcher's job, which must be seen to fail
                    raise
                if HydraConfig.get().mode is RunMode.MULTIRUN:
                    error.add_note(f"in {' '.join(HydraConfig.get().overrides.task)}")
                failures.append(error)

        return job

    def groups(self) -> list[str]:
        """The configuration groups that the primary configuration takes."""
        defaults = OmegaConf.load(self.conf / f"{self.config_name}.yaml").defaults
        keys = [str(key) for item in defaults if isinstance(item, DictConfig) for key in item]
        return [key for key in keys if not key.startswith("override ")]

    def compose(self, overrides: list[str]) -> DictConfig:
        """The configuration that these command-line words make.

        Raises:
            ConfigError: They name a key, group or option that does not exist, or cannot be read.
        """
        hydra_state = GlobalHydra.instance()
        outer, hydra_state.hydra = hydra_state.hydra, None  # a recipe that runs others is a Hydra program itself
        try:
            with initialize_config_dir(str(self.conf), version_base="1.3"):
                return compose(self.config_name, [quoted(word) for word in overrides])
        except COMPOSITION_ERRORS as error:
            raise explained(error, self.groups()) from error
        finally:
            hydra_state.hydra = outer

    def run(self, config: DictConfig) -> Literal["done", "already complete"]:
        """Do the work of one configuration, unless it is done; say which.

        Raises:
            SituatedError: What the user can mend.
        """
        configure_logging()
        manifest.check_commit()
        plain = resolve(config)
        check_keys(plain, self.keys, self.groups())
        try:
            run = Run(Path(config.run_dir), plain, self.inputs(config), replace=self.summary)
            if run.is_complete:
                log.info("Already complete: %s (force=true redoes it)", run.folder)
                self._follow(config, run)
                return "already complete"
            check_bindings(plain)
            if config.get("threads"):
                import torch

                torch.set_num_threads(config.threads)
            self.function(config, run)
            self._follow(config, run)
        except InstantiationException as error:
            check_bindings(plain)
            if isinstance(error.__cause__, SituatedError):
                raise error.__cause__ from error
            raise
        except InputError:
            check_bindings(plain)  # a misfit there explains a missing file better than its name does
            raise
        return "done"

    def _follow(self, config: DictConfig, run: Run) -> None:
        if self.then is not None:
            self.then(config, run)


def recipe(
    config_name: str,
    inputs: Callable[[DictConfig], Mapping[str, Path]] = no_inputs,
    *,
    summary: bool = False,
    keys: Mapping[str, Any] | None = None,
    then: Callable[[DictConfig, Run], None] | None = None,
) -> Callable[[Callable[[DictConfig, Run], None]], Recipe]:
    """Make a function of (configuration, run) a program; ``conf/`` lies beside the recipe's folder."""

    def wrap(function: Callable[[DictConfig, Run], None]) -> Recipe:
        conf = Path(function.__code__.co_filename).resolve().parents[1] / "conf"
        return Recipe(config_name, function, inputs, conf, summary, keys or {}, then)

    return wrap


def quoted(word: str) -> str:
    r"""A command-line word with its value in quotes where Hydra's grammar needs them: run folders are named seed=<n>.

    >>> quoted("ckpt=outputs/classifier/minilm_temp/seed=1")
    "ckpt='outputs/classifier/minilm_temp/seed=1'"
    >>> quoted("seed=1,2")
    'seed=1,2'
    >>> quoted("paths.out=it's {here}")
    "paths.out='it\\'s {here}'"
    >>> quoted("corpus.dumps=[outputs/seed=0/a.xml,b.xml]")
    "corpus.dumps=['outputs/seed=0/a.xml','b.xml']"
    """
    key, equals, value = word.partition("=")
    if key.startswith("paths.") and value[:1] not in ("'", '"') and "${" not in value:  # one path, whatever is in it
        return f"{key}='{_ESCAPED.sub(_escape, value)}'"
    if "=" in value and value[:1] == "[" and value[-1:] == "]" and not set(value[1:-1]) & set("'\"[](){}$"):
        return f"{key}=[{','.join(_in_quotes(item) for item in value[1:-1].split(','))}]"
    plain = equals and "=" in value and not key.startswith("-") and not set(value) & set("'\",[](){}$")
    return f"{key}='{value}'" if plain else word


def _in_quotes(item: str) -> str:
    return f"'{item.strip()}'"


def _escape(match: re.Match[str]) -> str:
    return match[1] * 2 + (r"\'" if match[2] else "")


def configure_logging() -> None:
    """Send log lines to the terminal once, however many recipes one process runs; unwrapped where there is none."""
    root = logging.getLogger()
    if any(handler.get_name() == _TERMINAL for handler in root.handlers):
        return
    handler: logging.Handler = RichHandler(show_path=False, omit_repeated_times=False, log_time_format="%H:%M:%S")
    if not sys.stdout.isatty():  # a job's log, a pipe
        handler = logging.StreamHandler(sys.stdout)
        handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)-8s %(message)s", "%Y-%m-%d %H:%M:%S"))
    handler.set_name(_TERMINAL)
    root.addHandler(handler)
    root.setLevel(logging.INFO if process.rank() == 0 else logging.WARNING)
    logging.captureWarnings(True)


def _of_launcher(error: Exception) -> Exception:
    """What a launcher's errors (SLURM refused a job, a job was killed) say, without the way that they came."""
    if not type(error).__module__.startswith("submitit."):
        return error
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    told = next((line for line in lines if "error:" in line), " ".join(lines[:2]))
    mend = "Runs that are whole stay: the same command makes the rest. The launcher's logs lie in slurm/submitit/."
    return SituatedError(f"hydra/launcher: {told} {mend}")


def _report(error: Exception) -> int:
    """Tell the terminal; return the exit code."""
    if not isinstance(error, SituatedError):
        traceback.print_exception(error)
        return 1
    print(f"error: {error}", *getattr(error, "__notes__", []), sep="\n  ", file=sys.stderr)
    return 2
