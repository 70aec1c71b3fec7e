"""Claim: data_prep/sample_world.py streams: time grows with the world, memory does not.

Makes worlds of growing scale, each in a process of its own, and prints scale, articles, questions, seconds, articles
a second, bytes on disk, and the greatest resident size.

    python bench/world.py [scale ...]
"""

import json
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from situated.io import read_json

MAKE = "import sys; from pathlib import Path; from situated.world.writing import write_world; "
MAKE += "write_world(Path(sys.argv[1]), 1, float(sys.argv[2]))"


def main() -> None:
    """Measure."""
    for scale in sys.argv[1:] or ("1", "10", "100"):
        with tempfile.TemporaryDirectory() as folder:
            began = time.monotonic()
            subprocess.run([sys.executable, "-c", MAKE, folder, scale], check=True)  # noqa: S603 (this Python)
            seconds = time.monotonic() - began
            size = sum(path.stat().st_size for path in Path(folder).rglob("*") if path.is_file())
            summary = read_json(Path(folder) / "truth" / "world.json")
        # Of the largest process so far: scales grow, so it is that of the one just ended or of a smaller one.
        kib = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
        found = {
            "scale": float(scale),
            "articles": summary["articles"],
            "questions": summary["questions"],
            "seconds": round(seconds, 1),
            "articles_per_s": round(summary["articles"] / seconds),
            "mb_on_disk": round(size / 1e6, 1),
            "max_rss_mb": round(kib / 1024),
        }
        print(json.dumps(found), flush=True)


if __name__ == "__main__":
    main()
