"""Make the sample world: two Wikipedia snapshots, a Wikidata dump, and questions in time and place, all invented.

The run folder is laid out as the released data is, so any recipe reads it with paths.data=<run folder>.
"""

from pathlib import Path
from typing import Annotated

import msgspec
from omegaconf import DictConfig

from situated.recipe import recipe
from situated.run import Run


@recipe("data_prep_sample_world", keys={"scale": Annotated[float, msgspec.Meta(gt=0)]})
def main(config: DictConfig, run: Run) -> None:
    """Write the world of one seed."""
    from rich.console import Console

    from situated.world.size import check_space, n_blocks
    from situated.world.summary import account, block_progress
    from situated.world.writing import write_world

    check_space(config.scale, Path(run.folder))
    with run.claim():
        with block_progress(n_blocks(config.scale)) as advance:
            summary = write_world(Path(run.folder), config.seed, config.scale, advance)
        run.counts.update({name: summary[name] for name in ("articles", "questions", "items", "groups")})
    Console().print(*account(summary), sep="\n")


if __name__ == "__main__":
    main()
