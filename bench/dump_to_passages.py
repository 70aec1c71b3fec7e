"""Claim: a dump becomes passages at 1.5 times the CPU speed of WikiExtractor, in at most 500 MB a process.

Repeats real pages (or invented ones) under titles of their own until the dump is long enough, then runs by turns
`wikiextractor --json --processes 1` (where it is installed: pip install wikiextractor==3.1.0; once as it is, once
without templates) and data_prep/snapshot.py with one and two processes; prints the CPU and wall seconds of each, what
unpacking alone takes, and the greatest resident size of any process on a dump of `memory_mb`.

    python bench/dump_to_passages.py [sample.xml.bz2 or -] [mb] [rounds] [memory_mb]
    python bench/dump_to_passages.py profile [sample.xml.bz2 or -] [mb]
"""

import bz2
import cProfile
import importlib.util
import json
import os
import pstats
import random
import re
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from itertools import count
from pathlib import Path

from situated.corpus.dump import batches
from situated.corpus.parts import Cleaner
from situated.corpus.passages import WordBlocks
from situated.corpus.unpacking import unpacked

RECIPE = Path(__file__).resolve().parents[1] / "data_prep" / "snapshot.py"
HEAD = b"""<mediawiki xml:lang="en">
  <siteinfo>
    <dbname>enwiki</dbname>
    <base>https://en.wikipedia.org/wiki/Main_Page</base>
    <namespaces>
      <namespace key="0" case="first-letter" />
      <namespace key="4" case="first-letter">Wikipedia</namespace>
      <namespace key="10" case="first-letter">Template</namespace>
    </namespaces>
  </siteinfo>
"""
WORDS = ("river", "city", "music", "of", "the", "in", "a", "bridge", "old", "king", "by", "and", "war", "stone", "was")


def real_pages(path: Path) -> list[bytes]:
    """The pages of a dump, as they stand in it."""
    content = b"".join(unpacked(path))
    return re.findall(rb"<page>.*?</page>", content, re.DOTALL)


def invented_pages(number: int = 200) -> list[bytes]:
    """Pages of invented prose with links, templates, references and a table."""
    coin = random.Random(0)  # noqa: S311 (no secret)

    def sentence() -> str:
        words = coin.choices(WORDS, k=20)
        words[3], words[9] = f"[[{words[3]} (place)|{words[3]}]]", f"{{{{convert|{coin.randrange(900)}|km|mi}}}}"
        return " ".join(words).capitalize() + ".&lt;ref name=a&gt;{{cite web|title=b}}&lt;/ref&gt; "

    def page(n: int) -> str:
        prose = "\n\n".join("".join(sentence() for _ in range(6)) for _ in range(coin.randrange(2, 40)))
        text = "{{Infobox\n| a = b\n}}\n" + prose + "\n{| class=c\n| d\n|}\n* '''e''' [[f]]\n[[Category:g]]"
        revision = (f"<id>{n}</id>", "<timestamp>2021-01-01T00:00:00Z</timestamp>", f"<text>{text}</text>")
        lines = (
            "<page>",
            f"<title>Thing {n}</title>",
            "<ns>0</ns>",
            f"<id>{n}</id>",
            "<revision>",
            *revision,
            "</revision>",
        )
        return "\n    ".join(lines) + "\n  </page>"

    return [page(n).encode() for n in range(number)]


def repeated(pages: list[bytes], size: int) -> Iterator[bytes]:
    """Yield a dump of at least so many bytes: rounds of the pages, each under titles and numbers of its own."""
    yield HEAD
    written = 0
    for turn in count():
        for page in pages:
            named = re.sub(rb"</title>", b" %d</title>" % turn, page, count=1)
            named = re.sub(rb"<id>(\d+)</id>", rb"<id>%d\1</id>" % (turn + 1), named, count=1)
            yield b"  " + named + b"\n"
            written += len(named) + 3
        if written >= size:
            break
    yield b"</mediawiki>\n"


def measured(words: list[str]) -> tuple[float, float]:
    """CPU seconds of a command with all its processes, and its wall seconds."""
    before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    done = subprocess.run(words, capture_output=True, text=True, check=False)  # noqa: S603 (our own words)
    wall, after = time.monotonic() - began, resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode:
        sys.exit(f"{' '.join(words)}\n{done.stdout}{done.stderr}")
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, wall


def commands(dump: Path, folder: Path) -> dict[str, list[str]]:
    """Name -> command, by turns."""
    ours = [sys.executable, str(RECIPE), f"corpus.dumps=['{dump}']", f"paths.out={folder}/out", "force=true"]
    made = {f"ours, processes={n}": [*ours, f"processes={n}"] for n in (1, 2)}
    if importlib.util.find_spec("wikiextractor"):
        theirs = [sys.executable, "-m", "wikiextractor.WikiExtractor", "--json", "--processes", "1", "-q"]
        made["wikiextractor"] = [*theirs, "-o", f"{folder}/theirs", str(dump)]
        made["wikiextractor, no templates"] = [*theirs, "--no-templates", "-o", f"{folder}/theirs", str(dump)]
    else:
        print("wikiextractor is not installed: ours alone", file=sys.stderr)
    return made


def profile(dump: Path) -> None:
    """Where the time of one process goes."""
    content = list(batches(dump, unpacked(dump), "en"))
    cleaner, profiler = Cleaner(WordBlocks()), cProfile.Profile()
    with tempfile.TemporaryDirectory() as folder:
        profiler.enable()
        for number, batch in enumerate(content):
            cleaner.write(batch, Path(folder) / str(number))
        profiler.disable()
    pstats.Stats(profiler).sort_stats("tottime").print_stats(18)


def main() -> None:
    """Measure."""
    words = sys.argv[1:]
    if profiling := words[:1] == ["profile"]:
        words = words[1:]
    sample, megabytes, rounds, memory = (*words, *("-", "60", "3", "1000")[len(words) :])
    released = Path(os.environ.get("SITUATED_REALDATA") or ".") / "wikipedia" / "enwiki-2016-sample.xml.bz2"
    path = Path(sample) if sample != "-" else released
    pages = real_pages(path) if path.is_file() else invented_pages()
    with tempfile.TemporaryDirectory() as place:
        folder, dump = Path(place), Path(place) / "dump.xml.bz2"
        dump.write_bytes(bz2.compress(b"".join(repeated(pages, int(megabytes) * 1_000_000))))
        if profiling:
            profile(dump)
            return
        began = time.process_time()
        size = sum(len(block) for block in unpacked(dump))
        unpacking = time.process_time() - began
        times: dict[str, list[tuple[float, float]]] = {}
        for _ in range(int(rounds)):
            for name, command in commands(dump, folder).items():
                times.setdefault(name, []).append(measured(command))
        for name, taken in times.items():
            cpu, wall = (statistics.median(values) for values in zip(*taken, strict=True))
            line = {
                "command": name,
                "cpu_s": round(cpu, 2),
                "wall_s": round(wall, 2),
                "mb_per_cpu_s": round(size / 1e6 / cpu, 2),
            }
            print(json.dumps(line))
        print(
            json.dumps(
                {
                    "mb": round(size / 1e6, 1),
                    "unpacking_cpu_s": round(unpacking, 2),
                    "pages": "real" if path.is_file() else "invented",
                }
            )
        )
        long = folder / "long.xml"
        with long.open("wb") as file:
            file.writelines(repeated(pages, int(memory) * 1_000_000))
        for processes in (1, 2):
            ours = [sys.executable, "-c", PEAK, str(RECIPE), f"corpus.dumps=['{long}']", f"paths.out={folder}/long"]
            words = [*ours, f"processes={processes}", "force=true"]
            done = subprocess.run(words, capture_output=True, text=True, check=True)  # noqa: S603 (our own words)
            kib = json.loads(done.stdout.splitlines()[-1])
            print(
                json.dumps(
                    {
                        "memory_mb": long.stat().st_size // 1_000_000,
                        "processes": processes,
                        "peak_rss_mb": round(kib / 1024),
                    }
                )
            )


# The greatest of this process and all that it waited for, in KiB; what getrusage says of a process itself
# goes back to before its program began, when it was a copy of the bench.
PEAK = """
import re, resource, runpy, sys
from pathlib import Path
if __name__ == "__main__":
    sys.argv = sys.argv[1:]
    try:
        runpy.run_path(sys.argv[0], run_name="__main__")
    finally:
        own = int(re.search("VmHWM:\\\\s*([0-9]+)", Path("/proc/self/status").read_text()).group(1))
        print(max(own, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss))
"""


if __name__ == "__main__":
    main()
