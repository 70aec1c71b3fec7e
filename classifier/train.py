"""Train a context-dependence classifier (SituatedQA section 4.1).

Each question is read by an encoder and called dependent or not from its first token's vector; the epoch is picked on
dev, and both dev and test are decided by its weights. Baselines run in the same frame.
"""

from pathlib import Path
from typing import Any

from hydra.utils import instantiate
from omegaconf import DictConfig

from situated.config import Part
from situated.recipe import recipe
from situated.run import Run


def inputs(config: DictConfig) -> dict[str, Path]:
    """The three splits, and the pretrained weights where they lie on this machine."""
    files: dict[str, Path] = instantiate(config.data).files()
    if "model" in config:
        files |= instantiate(config.model).files()
    return files


@recipe("classifier_train", inputs, keys={"system": str, "data": Part, "classifier": Part, "model": Part | None})
def main(config: DictConfig, run: Run) -> None:
    """Read, train, decide, measure."""
    from situated.classifier.decisions import labels, measure, to_predictions

    examples = instantiate(config.data).read()
    for rows in examples.values():
        labels(rows)
    classifier = instantiate(config.classifier)
    with run.claim():
        run.counts |= {split: len(rows) for split, rows in examples.items()}
        run.counts |= classifier.fit(examples["train"], examples["dev"], run.folder, config.seed)
        predictions, metrics = [], dict[str, Any]()
        for split in ("dev", "test"):
            decisions = classifier.decide(examples[split])
            predictions += to_predictions(split, examples[split], decisions)
            metrics |= measure(split, examples[split], decisions)
        run.write_predictions(predictions)
        run.write_metrics(metrics)


if __name__ == "__main__":
    main()
