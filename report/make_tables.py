"""Make the papers' tables from the run folders below paths.out: paper, ours, difference, intervals."""

from pathlib import Path
from typing import Annotated

import msgspec
from omegaconf import DictConfig, ListConfig

from situated.config import Positive
from situated.recipe import recipe
from situated.run import Run


def inputs(config: DictConfig) -> dict[str, Path]:
    """The manifests of all runs that tables are made of."""
    out = Path(config.paths.out)
    return {
        str(path.parent.relative_to(out)): path
        for path in sorted(out.glob("*/*/seed=*/manifest.json"))
        if path.parent.parts[-3] != "data_prep"
    }


@recipe(
    "report_make_tables",
    inputs,
    summary=True,
    keys={"table": int | Annotated[list[int], msgspec.Meta(min_length=1)], "draws": Positive},
)
def main(config: DictConfig, run: Run) -> None:
    """Build, show and write."""
    from situated.report.render import show
    from situated.report.tables import build, write

    numbers = list(config.table) if isinstance(config.table, ListConfig) else [config.table]
    tables = build(numbers, Path(config.paths.out), draws=config.draws, seed=config.seed)
    with run.claim():
        for table in tables:
            show(table)
            write(table, run.folder)


if __name__ == "__main__":
    main()
