"""Score predicted answers: exact match and F1 by partition, as in SituatedQA's Tables 5 to 9, with intervals.

Intervals and tests resample questions with all their examples, since the contexts of a question go together.
"""

from pathlib import Path
from typing import Literal

from omegaconf import DictConfig

from situated.config import Positive
from situated.io import stem, write_json, write_jsonl
from situated.recipe import recipe
from situated.report.predictions import Predictions
from situated.run import Run

KEYS = {
    "predictions": str,
    "gold": str | None,
    "against": str | None,
    "system": str,
    "normal_form": Literal["situatedqa", "squad"],
    "draws": Positive,
}


def inputs(config: DictConfig) -> dict[str, Path]:
    """The predictions, and the files to join and to compare them with."""
    return {key: Path(config[key]) for key in ("predictions", "gold", "against") if config[key] is not None}


@recipe("report_score", inputs, keys=KEYS)
def main(config: DictConfig, run: Run) -> None:
    """Read and check everything once, score, write, compare."""
    from situated.report.score_view import show_comparisons, show_scores, tracked
    from situated.report.scoring import Columns, estimates, scored
    from situated.report.significance import compare
    from situated.report.survey import survey, tell
    from situated.text import NORMAL_FORMS

    files, normalize = inputs(config), NORMAL_FORMS[config.normal_form]
    gold = files.get("gold")
    ours = Predictions(files["predictions"], gold)
    found = survey(ours, normalize, tracked(ours, "checking"))
    other = Predictions(files["against"], gold or ours.path) if "against" in files else None
    others = None if other is None else survey(other, normalize, tracked(other, "checking"))
    with run.claim():
        run.counts.update(tell(found))
        columns = Columns(found.n)
        write_jsonl(run.folder / "scores.jsonl", scored(tracked(ours, "scoring", found.n), found, normalize, columns))
        metrics = estimates(columns, config.draws, config.seed)
        run.write_metrics(metrics)
        show_scores(f"{config.name}: {found.kind}, percent [95% interval over questions]", metrics)
        if other is not None and others is not None:
            against = Columns(others.n)
            for _ in scored(tracked(other, "comparing", others.n), others, normalize, against):
                pass
            compared = compare(columns, against, config.draws, config.seed)
            write_json(run.folder / "paired.json", compared)
            show_comparisons(config.name, stem(config.against), compared)


if __name__ == "__main__":
    main()
