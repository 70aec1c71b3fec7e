"""Turn a Wikipedia dump into a passage collection: plain text of every article, cut into passages, with its lineage.

Redirects become a table of aliases; disambiguation, list, index and outline pages are left out and counted.
"""

from pathlib import Path

from hydra.utils import instantiate
from omegaconf import DictConfig

from situated.config import Part, Positive
from situated.recipe import recipe
from situated.run import Run


def inputs(config: DictConfig) -> dict[str, Path]:
    """The dumps, and what the splitter reads."""
    files: dict[str, Path] = instantiate(config.corpus).inputs()
    return files


def export(config: DictConfig, run: Run) -> None:
    """Write the passages as DPR's tab-separated file, if that is wanted."""
    from situated.corpus.tsv import export_once

    if config.export_tsv:
        export_once(run.folder, Path(config.export_tsv), config.force)


KEYS = {"corpus": Part, "splitter": Part, "processes": Positive | None, "export_tsv": str | None}


@recipe("data_prep_snapshot", inputs, keys=KEYS, then=export)
def main(config: DictConfig, run: Run) -> None:
    """Read, clean, cut, number; print what became of the pages."""
    from situated.corpus.reading import StoppedError
    from situated.corpus.report import show_counts
    from situated.corpus.tsv import check_replaceable
    from situated.training import signals

    if config.export_tsv:
        check_replaceable(run.folder, Path(config.export_tsv), config.force)
    with run.claim():
        try:
            corpus = instantiate(config.corpus)
            run.counts |= corpus.build(run, config.processes, signals.requested)
        except StoppedError:
            print("Stopped: the same command goes on from here.")
            raise SystemExit(signals.stop()) from None
    show_counts(run.counts)


if __name__ == "__main__":
    main()
