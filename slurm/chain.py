"""Run a chain of recipes; what is complete is left out."""

from pathlib import Path

from omegaconf import DictConfig
from rich.console import Console

from situated.config import resolve
from situated.recipe import recipe
from situated.run import Run
from situated.slurm.chain import command, read_chain, run_local, summary


@recipe("slurm_chain", summary=True, keys={"dry_run": bool})
def main(config: DictConfig, run: Run) -> None:
    """Run the steps in this process, or print them."""
    chain = read_chain(resolve(config)["chain"])
    if config.dry_run:
        for step in chain.steps:
            print(command(chain, step))
        return
    outcomes = run_local(chain, Path(__file__).resolve().parents[1])
    Console().print(summary(outcomes))
    print(f"All of it lies below {config.paths.out}; tables in {Path(config.paths.out) / 'report' / 'tables'}")


if __name__ == "__main__":
    main()
