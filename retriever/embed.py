"""Turn a passage collection into vectors, or one shard of it (DPR section 3.1).

Several shards are one job each: -m hydra/launcher=slurm_gpu n_shards=50 'shard=range(0,50)'.
"""

from pathlib import Path
from typing import Literal

from hydra.utils import instantiate
from omegaconf import DictConfig

from situated.config import Natural, Part, Positive
from situated.encoders.biencoder import BiEncoder
from situated.recipe import recipe
from situated.run import Run


def encoders(config: DictConfig) -> BiEncoder:
    """The trained ones under ``ckpt``, or the retriever's own."""
    if config.ckpt:
        return BiEncoder.from_folder(Path(config.ckpt))
    chosen: BiEncoder = instantiate(config.retriever.biencoder)
    return chosen


def inputs(config: DictConfig) -> dict[str, Path]:
    """What names the passages' content, and weights that lie on this machine."""
    from situated.corpus.store import ACCOUNT, PassageStore

    account = PassageStore(Path(config.passages)).folder / ACCOUNT
    return encoders(config).files() | {"passages": account}


KEYS = {
    "corpus": Part, "splitter": Part, "retriever": Part, "passages": str, "ckpt": str | None, "shard": Natural,
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
    loaded = encoders(config).load(found if config.device == "auto" else config.device)
    embedding = Embedding(store, loaded, config.dtype, config.chunk, config.batch_tokens)
    with run.claim():
        try:
            embedding(run.folder, run.folder / "parts" / run.fingerprint[:16], rows, signals.requested)
        except StoppedError:
            raise SystemExit(signals.stop()) from None
        run.counts["passages"] = rows[1] - rows[0]


if __name__ == "__main__":
    main()
