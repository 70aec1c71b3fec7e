"""Wikipedia snapshots: from a dump to passages."""
