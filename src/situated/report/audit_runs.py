"""The audit of a data folder that tables are made from."""

from __future__ import annotations

from pathlib import Path

from situated.report.audit import Audit, read_audit
from situated.report.runs import find_runs

COMMAND = "python data_prep/audit.py"
"""What makes it."""


def find_audit(out: Path) -> tuple[Audit | None, tuple[str, ...]]:
    """The audit in ``<out>/data_prep/audit/seed=<n>``, of the lowest seed, and its run folder; None if there is none.

    Raises:
        InputError: It was changed since, or is no audit.
    """
    for run in find_runs(out, "data_prep"):
        if run.name == "audit" and run.is_complete:
            return read_audit(run.output("audit.json")), (run.folder.relative_to(out).as_posix(),)
    return None, ()
