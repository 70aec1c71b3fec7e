"""Search a passage collection for questions, in their contexts or without (SituatedQA section 4.2).

A question is asked as it is (context=none) or with its time or place put into it; each passage found is marked by
whether it holds an answer, and answer recall is measured.
"""

from pathlib import Path

from hydra.utils import instantiate
from omegaconf import DictConfig

from situated.config import Part, Positive
from situated.recipe import recipe
from situated.run import Run


def inputs(config: DictConfig) -> dict[str, Path]:
    """What names the passages' content, the questions, and weights where they lie on this machine."""
    from situated.corpus.store import account_of

    files: dict[str, Path] = instantiate(config.retriever).files()
    return files | {"passages": account_of(Path(config.passages)), "questions": Path(config.questions)}


KEYS = {
    "corpus": Part, "splitter": Part, "retriever": Part, "context": Part, "passages": str, "index_dir": str,
    "questions": str, "k": Positive, "text": bool, "draws": Positive,
}  # fmt: skip


@recipe("retriever_search", inputs, keys=KEYS)
def main(config: DictConfig, run: Run) -> None:
    """Read the questions, open or make the index, search, measure."""
    from situated.corpus.store import PassageStore
    from situated.data.questions import read_to_ask
    from situated.retriever.searching import Search, StoppedError
    from situated.training import signals

    store = PassageStore(Path(config.passages))
    asked = list(read_to_ask(Path(config.questions), instantiate(config.context)))
    retriever = instantiate(config.retriever)
    with run.claim():
        search = Search(store, config.k, config.text, config.draws, config.seed)
        try:
            metrics = search(retriever.open(store, Path(config.index_dir)), asked, run, signals.requested)
        except StoppedError:
            print("Stopped: the same command goes on from here.")
            raise SystemExit(signals.stop()) from None
        run.write_metrics(metrics)
    for name, estimate in metrics.items():
        low, high = estimate.ci95
        print(f"{name} {100 * estimate.value:.1f} [{100 * low:.1f}, {100 * high:.1f}] n={estimate.n}")


if __name__ == "__main__":
    main()
