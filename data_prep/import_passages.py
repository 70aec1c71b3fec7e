"""Take in a passage collection that somebody else made, in the form of DPR's psgs_w100.tsv, as a store of its own."""

from pathlib import Path

from omegaconf import DictConfig

from situated.recipe import recipe
from situated.run import Run


def inputs(config: DictConfig) -> dict[str, Path]:
    """The file."""
    return {"passages": Path(config.input)}


@recipe("data_prep_import_passages", inputs, keys={"input": str})
def main(config: DictConfig, run: Run) -> None:
    """Read the file into a store that has its ids, titles and texts."""
    from situated.corpus.snapshot import sources
    from situated.corpus.tsv import import_tsv

    with run.claim():
        made = import_tsv(Path(config.input), run.folder / "passages", sources(run))
        run.counts["passages"] = made.passages


if __name__ == "__main__":
    main()
