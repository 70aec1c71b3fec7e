"""DPR's format of retrieval results: a JSON list, here with one question a line; and runs as TREC's tools read them."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import msgspec

from situated.io import atomic_write


class ResultContext(msgspec.Struct, frozen=True, omit_defaults=True):
    """A passage that was found.

    Attributes:
        score: Written as text, as DPR does.
        text: None where the results are kept short.
        has_answer: Whether the text holds an answer of the question.
    """

    id: str
    title: str
    score: str
    has_answer: bool
    text: str | None = None


class Result(msgspec.Struct, frozen=True):
    """A question and the passages found for it, best first.

    Attributes:
        question: What was searched for: the question, with its context where that was put into it.
        answers: Gold answers.
        ctxs: The passages.
        example_id: Of the example.
        question_id: The release's id of the question, or the question itself.
    """

    question: str
    answers: tuple[str, ...]
    ctxs: tuple[ResultContext, ...]
    example_id: str
    question_id: str


def write_results(path: Path, results: Iterable[Result]) -> int:
    """Write a JSON list, one result a line, whole or not at all; return their number."""
    encoder = msgspec.json.Encoder()
    count = 0
    with atomic_write(path) as file:
        for result in results:
            file.write((b",\n" if count else b"[\n") + encoder.encode(result))
            count += 1
        file.write(b"\n]\n" if count else b"[]\n")
    return count


def write_trec(path: Path, results: Iterable[Result], tag: str) -> None:
    """Write a run: example, "Q0", passage, rank from 1, score, tag; whole or not at all."""
    with atomic_write(path) as file:
        for result in results:
            for rank, found in enumerate(result.ctxs, start=1):
                line = f"{result.example_id} Q0 {found.id} {rank} {found.score} {tag}\n"
                file.write(line.encode())
