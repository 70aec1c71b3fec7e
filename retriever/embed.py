"""Turn a passage collection into vectors, or one shard of it (DPR section 3.1).

Several shards are one job each: -m hydra/launcher=slurm_gpu n_shards=50 'shard=range(0,50)'.
"""

from pathlib import Path
from typing import Literal

from hydra.utils import instantiate
from omegaconf import DictConfig

from situated.config import Natural, Part, Positive
from situated.corpus.store import account_of
from situated.errors import ConfigError
from situated.recipe import recipe
from situated.retriever.dense import Dense
from situated.run import Run


def dense(config: DictConfig) -> Dense:
    """The retriever, which must have encoders."""
    retriever = instantiate(config.retriever)
    if not isinstance(retriever, Dense):
        raise ConfigError(f"retriever: {retriever.name!r} makes no vectors. Choose a dense one: retriever=minilm.")
    return retriever


def inputs(config: DictConfig) -> dict[str, Path]:
    """What names the passages' content, and weights that lie on this machine."""
    return dense(config).files() | {"passages": account_of(Path(config.passages))}


KEYS = {
    "corpus": Part, "splitter": Part, "retriever": Part, "passages": str, "shard": Natural,
    "n_shards": Positive, "dtype": Literal["float16", "float32"], "chunk": Positive, "batch_tokens": Positive,
    "device": Literal["auto", "cpu", "cuda"],
}  # fmt: skip


@recipe("retriever_embed", inputs, keys=KEYS)
def main(config: DictConfig, run: Run) -> None:
    """Load the encoder, embed, write the shard."""
    import torch

    from situated.corpus.store import PassageStore
    from situated.retriever.embedding import Embedding, StoppedError, shard_rows
    from situated.training import signals

    store = PassageStore(Path(config.passages))
    rows = shard_rows(len(store), config.shard, config.n_shards)
    found = "cuda" if torch.cuda.is_available() else "cpu"
    loaded = dense(config).encoders.load(found if config.device == "auto" else config.device)
    embedding = Embedding(store, loaded, config.dtype, config.chunk, config.batch_tokens)
    with run.claim():
        try:
            embedding(run.folder, run.folder / "parts" / run.fingerprint[:16], rows, signals.requested)
        except StoppedError:
            print("Stopped: the same command goes on from here.")
            raise SystemExit(signals.stop()) from None
        run.counts["passages"] = rows[1] - rows[0]


if __name__ == "__main__":
    main()
