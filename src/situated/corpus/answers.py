"""Which answers occur anywhere in a passage collection, by the rule of answer recall."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from situated.corpus.store import PassageStore
from situated.errors import InputError
from situated.io import read_records
from situated.metrics.has_answer import answer_tokens

Tokens = tuple[str, ...]


def read_questions(path: Path) -> Iterator[tuple[str, list[str]]]:
    """Yield (question, answers) of a JSON lines file whose ``answer`` is a text or a list of texts.

    Raises:
        InputError: A row has no question or no answer.
    """
    for line, row in read_records(path, dict[str, Any]):
        question, answer = row.get("question"), row.get("answer")
        answers = [answer] if isinstance(answer, str) else answer
        for field, fits in (("question", isinstance(question, str)), ("answer", _texts(answers))):
            if not fits:
                mend = "Each row needs a question (text) and an answer (a text, or a list of texts)."
                raise InputError(path, f"found {row.get(field)!r}", mend, line=line, field=field)
        yield str(question), list(answers or [])


def _texts(answers: object) -> bool:
    return isinstance(answers, list) and bool(answers) and all(isinstance(answer, str) for answer in answers)


def first_occurrences(store: PassageStore, answers: Iterable[Tokens]) -> dict[Tokens, str]:
    """Answer -> id of the first passage that holds it, of those that some passage does.

    An answer is looked for only where its longest token is, and no more once it is found.
    """
    wanted = defaultdict[str, set[Tokens]](set)
    for answer in answers:
        if answer:
            wanted[max(answer, key=len)].add(answer)
    found: dict[Tokens, str] = {}
    for batch in store.batches():
        for name, text in zip(batch.column("id").to_pylist(), batch.column("text").to_pylist(), strict=True):
            words = answer_tokens(text)
            for key in wanted.keys() & set(words):
                here = {answer for answer in wanted[key] if _holds(words, answer)}
                found |= dict.fromkeys(here, name)
                wanted[key] -= here
                if not wanted[key]:
                    del wanted[key]
        if not wanted:
            break
    return found


def _holds(words: Tokens, answer: Tokens) -> bool:
    return f" {' '.join(answer)} " in f" {' '.join(words)} "


def compare_answers(
    questions: Iterable[tuple[str, list[str]]], before: Mapping[Tokens, str], after: Mapping[Tokens, str]
) -> Iterator[dict[str, Any]]:
    """Yield a line for each question: where its answers first occur, and whether any does in each snapshot."""
    for question, answers in questions:
        rows = [
            {"answer": answer, "before": before.get(answer_tokens(answer)), "after": after.get(answer_tokens(answer))}
            for answer in answers
        ]
        sides = any(row["before"] for row in rows), any(row["after"] for row in rows)
        kind = {(True, True): "both", (True, False): "only_before", (False, True): "only_after"}.get(sides, "neither")
        yield {"question": question, "occurs": kind, "answers": rows}
