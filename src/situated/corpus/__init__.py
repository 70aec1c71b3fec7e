"""Wikipedia snapshots: from a dump to a collection of passages that retrieval runs over."""
