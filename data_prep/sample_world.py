"""Make the sample world: invented questions whose answers do or do not depend on time or place.

The run folder is laid out as the released data is, so any recipe reads it with paths.data=<run folder>.
"""

from pathlib import Path
from typing import Literal

from omegaconf import DictConfig

from situated.config import Natural
from situated.recipe import recipe
from situated.run import Run


@recipe("data_prep_sample_world", keys={"sizes": dict[Literal["train", "dev", "test"], Natural]})
def main(config: DictConfig, run: Run) -> None:
    """Write the questions of one seed."""
    from situated.world.identification import write_identification

    with run.claim():
        write_identification(Path(run.folder) / "situatedqa" / "id_data", config.seed, config.sizes)


if __name__ == "__main__":
    main()
