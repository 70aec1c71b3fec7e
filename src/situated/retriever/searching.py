"""Questions -> passages, block by block, so that a killed search goes on where it was."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from rich.progress import track

from situated.corpus.store import PassageStore
from situated.data.dpr import Result, ResultContext, write_results, write_trec
from situated.io import read_records, write_jsonl
from situated.metrics.estimate import Estimate
from situated.metrics.has_answer import AnswerMatcher
from situated.metrics.retrieval import answer_recall, first_rank
from situated.retriever.protocol import Ranking, Searcher
from situated.run import Run
from situated.schema import Example

BLOCK = 256
"""Questions searched and written together."""

Asked = tuple[Example, str]


class StoppedError(Exception):
    """A signal asked the search to stop; what was found so far is kept."""


@dataclass(frozen=True)
class Search:
    """A search of all questions of a file.

    Attributes:
        store: The passages.
        k: Passages a question.
        text: Write the passages' texts into the results.
        draws: Bootstrap resamples.
        seed: Of the resampling.
    """

    store: PassageStore
    k: int
    text: bool = True
    draws: int = 1_000
    seed: int = 0

    def __call__(
        self, searcher: Searcher, asked: Sequence[Asked], run: Run, stop: Callable[[], object]
    ) -> dict[str, Estimate]:
        """Search, and write ``results.json`` and ``run.trec`` into the run folder; return answer recall.

        Raises:
            StoppedError: ``stop`` said so.
        """
        parts = run.folder / "parts" / run.fingerprint[:16]
        blocks = [asked[start : start + BLOCK] for start in range(0, len(asked), BLOCK)]
        for number, block in enumerate(track(blocks, "searching", transient=True)):
            if stop():
                raise StoppedError
            part = parts / f"{number:06}.jsonl"
            if not part.exists():
                found = searcher.search([query for _, query in block], self.k)
                write_jsonl(part, (self._result(*one, rank) for one, rank in zip(block, found, strict=True)))
        files = [parts / f"{number:06}.jsonl" for number in range(len(blocks))]
        write_results(run.folder / "results.json", _read(files))
        write_trec(run.folder / "run.trec", _read(files), str(run.config["name"]))
        ranks = np.array([first_rank([found.has_answer for found in result.ctxs]) for result in _read(files)])
        run.counts |= {"questions": len(asked), "questions/without_hits": sum(not r.ctxs for r in _read(files))}
        shutil.rmtree(run.folder / "parts")
        questions = [example.id or example.question for example, _ in asked]
        return dict(answer_recall(ranks, questions, self.k, self.draws, self.seed))

    def _result(self, example: Example, query: str, ranking: Ranking) -> Result:
        matcher = AnswerMatcher(example.answers)
        found = []
        for row, score in zip(ranking.rows.tolist(), ranking.scores.tolist(), strict=True):
            passage = self.store[row]
            text = passage.text if self.text else None
            found.append(ResultContext(passage.id, passage.title, f"{score:.6g}", matcher.holds(passage.text), text))
        return Result(query, example.answers, tuple(found), example.example_id, example.id or example.question)


def _read(files: Sequence[Path]) -> Iterator[Result]:
    for file in files:
        for _, result in read_records(file, Result):
            yield result
