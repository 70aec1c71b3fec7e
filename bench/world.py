"""Claim: data_prep/sample_world.py streams: time grows with the world, memory does not.

Makes worlds of growing scale, each in a process of its own, and prints scale, articles, questions, seconds on the clock
and of the processor, articles a second of the processor, bytes on disk, and the greatest resident size.

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


def processor_s() -> float:
    """Seconds that the processes ended so far have had of a processor."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def main() -> None:
    """Measure."""
    for scale in sys.argv[1:] or ("1", "10", "100"):
        with tempfile.TemporaryDirectory() as folder:
            began, used = time.monotonic(), processor_s()
            subprocess.run([sys.executable, "-c", MAKE, folder, scale], check=True)  # noqa: S603 (this Python)
            seconds, used = time.monotonic() - began, processor_s() - used
            size = sum(path.stat().st_size for path in Path(folder).rglob("*") if path.is_file())
            summary = read_json(Path(folder) / "truth" / "world.json")
        # Of the largest process so far: scales grow, so it is that of the one just ended or of a smaller one.
        kib = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
        found = {
            "scale": float(scale),
            "articles": summary["articles"],
            "questions": summary["questions"],
            "seconds": round(seconds, 1),
            "processor_s": round(used, 1),
            "articles_per_processor_s": round(summary["articles"] / used),
            "mb_on_disk": round(size / 1e6, 1),
            "max_rss_mb": round(kib / 1024),
        }
        print(json.dumps(found), flush=True)


if __name__ == "__main__":
    main()
