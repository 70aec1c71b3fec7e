"""Run a chain of recipes, here or as SLURM jobs; what is complete is left out."""

import sys
from pathlib import Path
from typing import Literal

from omegaconf import DictConfig
from rich.console import Console

from situated.config import resolve
from situated.errors import ConfigError
from situated.recipe import recipe
from situated.run import Run
from situated.slurm.chain import read_chain, searchpath, tasks
from situated.slurm.local import run_local, summary
from situated.slurm.status import cancel, next_steps, reasons, status, table
from situated.slurm.submit import jobs_folder, place, scripts, submit

ROOT = Path(__file__).resolve().parents[1]
KEYS = {
    "launcher": Literal["local", "slurm"],
    "action": Literal["run", "status", "cancel"],
    "dry_run": bool,
    "any_commit": bool,
}


@recipe("slurm_chain", summary=True, keys=KEYS)
def main(config: DictConfig, run: Run) -> None:
    """Run the steps in this process, submit them, print them, or say how they stand."""
    chain = read_chain(resolve(config)["chain"], searchpath(), forced=config.force)
    if config.seed:
        raise ConfigError("seed: the steps of a chain have seeds of their own. Write them there (overrides, sweep).")
    out = Path(config.paths.out)
    if config.action == "status":
        standings = status(chain, ROOT, jobs_folder(chain, out))
        Console().print(table(standings))
        for line in reasons(standings):
            print(line)
        sys.exit(any(one.bad for one in standings))
    elif config.action == "cancel":
        cancelled = cancel(jobs_folder(chain, out))
        print("Cancelled:", *(cancelled or ["nothing: this chain has no job in the queue"]), sep="\n  ")
    elif config.launcher == "slurm":
        where = place(chain, ROOT, out, any_commit=config.any_commit)
        if config.dry_run:
            print("\n".join(scripts(chain, where)))
        else:
            Console().print(submit(chain, where))
            print(next_steps(where.folder, sys.argv))
    elif config.dry_run:
        print(*(task.command for step in chain.steps for task in tasks(chain, step)), sep="\n")
    else:
        Console().print(summary(run_local(chain, ROOT)))
        print(f"All of it lies below {out}; tables in {out / 'report' / 'tables'}")


if __name__ == "__main__":
    main()
