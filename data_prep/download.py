"""Download the released data sets by name into paths.data, in the layout that every recipe reads."""

from pathlib import Path

from omegaconf import DictConfig
from rich.console import Console
from rich.table import Column, Table

from situated.recipe import recipe
from situated.run import Run


@recipe(
    "data_prep_download",
    summary=True,
    keys={"sources": str | list[str], "mirror": str | None, "dry_run": bool},
)
def main(config: DictConfig, run: Run) -> None:
    """List the files of the chosen sources, then bring what is not there yet."""
    from situated.data.download import download, transfer_progress
    from situated.data.sources import choose_sources

    chosen = choose_sources(config.sources)
    table = Table("source", "files", "MB", "licence", Column("homepage", overflow="fold"))
    for source in chosen:
        size = sum(file.bytes for file in source.files)
        table.add_row(source.name, str(len(source.files)), f"{size / 1e6:.1f}", source.licence, source.homepage)
    Console().print(table)
    if config.dry_run:
        return
    with run.claim(), transfer_progress() as progress:
        files = [file for source in chosen for file in source.files]
        report = download(files, Path(config.paths.data), mirror=config.mirror, force=config.force, progress=progress)
        run.counts |= {"downloaded": report.downloaded, "present": report.present}
    Console().print(f"{report.downloaded} files downloaded, {report.present} present already: {config.paths.data}")


if __name__ == "__main__":
    main()
