"""Claim: report/score.py scores a million predictions in one go within 2 GB of memory.

Writes invented temporal predictions (three contexts a question), scores them in a process of its own, prints rows,
seconds, rows a second and the greatest resident size.

    python bench/score.py [rows] [draws]
"""

import json
import random
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from situated.io import write_jsonl

NAMES = [
    f"{first} {last}"
    for first in ("Ada", "Ben", "Cleo", "Dan", "Eva")
    for last in ("Ito", "Katz", "Lund", "Moss", "Nash")
]
DATE_TYPES = ("orig", "sampled_year", "sampled_date", "start")


def predictions(rows: int) -> Iterator[dict[str, Any]]:
    """Yield invented predictions: a third right, a third from another context, a third half right."""
    coin = random.Random(0)  # noqa: S311 (no secret)
    for number in range(rows):
        answers = [f"{name} of {number // 3}" for name in coin.sample(NAMES, 3)]
        question = f"who was mayor of town number {number // 3}"
        yield {
            "question": question,
            "id": 2**60 + number // 3,
            "edited_question": f"{question} as of {1990 + number % 3}",
            "date": str(1990 + number % 3),
            "date_type": DATE_TYPES[number % 4],
            "answer": [answers[number % 3]],
            "any_answer": answers,
            "pred_answer": coin.choice([answers[number % 3], answers[0], answers[number % 3].split()[0]]),
        }


def main() -> None:
    """Measure."""
    rows, draws = (int(word) for word in (*sys.argv[1:], *("1000000", "10000")[len(sys.argv) - 1 :]))
    recipe = Path(__file__).resolve().parents[1] / "report" / "score.py"
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "predictions.jsonl"
        write_jsonl(path, predictions(rows))
        began = time.monotonic()
        words = [sys.executable, str(recipe), f"predictions={path}", f"paths.out={folder}/out", f"draws={draws}"]
        subprocess.run(words, check=True)  # noqa: S603 (this Python, our own file)
        seconds = time.monotonic() - began
        kib = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    print(json.dumps({"rows": rows, "draws": draws, "seconds": round(seconds, 1), "rows_per_s": round(rows / seconds),
                      "max_rss_gib": round(kib / 2**20, 2)}))  # fmt: skip


if __name__ == "__main__":
    main()
