"""Audit a data folder: counts, balances, repetitions, overlaps, derived sets, Figure 3, beside what the paper says."""

from pathlib import Path

from omegaconf import DictConfig

from situated.recipe import recipe
from situated.run import Run


def inputs(config: DictConfig) -> dict[str, Path]:
    """The released files that the data folder holds."""
    from situated.report.audit import find_files

    return find_files(Path(config.paths.data))


@recipe("data_prep_audit", inputs, keys={"original_date": str, "collection_date": str})
def main(config: DictConfig, run: Run) -> None:
    """Count, write, and print the tables of the paper that are about the data."""
    from situated.data.sources import known_sha256
    from situated.data.timeline_examples import TimelineExamples
    from situated.io import write_json
    from situated.report.audit import audit
    from situated.report.audit_summary import summary
    from situated.report.figure3 import write_figure
    from situated.report.published import table2, table10, table11
    from situated.report.render import show

    files = inputs(config)
    drawn = TimelineExamples(config.collection_date, config.original_date)
    found = audit(files, {name: run.inputs[name]["sha256"] for name in files}, known_sha256(), drawn)
    with run.claim():
        write_json(run.folder / "audit.json", found)
        if found.figure3:
            write_figure(found.figure3, run.folder)
        run.counts |= {"files": len(found.files), "absent": len(found.absent)}
        for table in (table2.from_audit(found), table10.from_audit(found), table11.from_audit(found), summary(found)):
            show(table)


if __name__ == "__main__":
    main()
