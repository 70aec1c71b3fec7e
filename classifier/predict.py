"""Decide whether the answers to any questions depend on time or place, with a trained classifier.

So SituatedQA's section 3.2 picks the questions of its geographical training set out of NQ-Open. Where the questions
carry labels, the decisions are measured too.
"""

from pathlib import Path

from omegaconf import DictConfig

from situated.recipe import recipe
from situated.run import Run


def inputs(config: DictConfig) -> dict[str, Path]:
    """The model's folder and the questions."""
    folder = Path(config.ckpt)
    model = folder / "model"
    return {"model": model if model.is_dir() else folder, "questions": Path(config.input)}


@recipe("classifier_predict", inputs, keys={"ckpt": str, "input": str})
def main(config: DictConfig, run: Run) -> None:
    """Read, decide, write; measure where there are labels."""
    from situated.classifier.decisions import measure, to_predictions
    from situated.classifier.trained import TrainedClassifier
    from situated.data.situatedqa import read_questions

    files = inputs(config)
    examples = list(read_questions(files["questions"]))
    classifier = TrainedClassifier(files["model"])
    with run.claim():
        decisions = classifier.decide(examples)
        split = files["questions"].stem
        run.write_predictions(to_predictions(split, examples, decisions))
        labelled = all(example.is_dependent is not None for example in examples)
        run.write_metrics(measure(split, examples, decisions) if labelled else {})
        run.counts["dependent"] = int(decisions.yes[0].sum())


if __name__ == "__main__":
    main()
