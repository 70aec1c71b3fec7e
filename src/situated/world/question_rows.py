"""A block's questions as rows of the files that ask them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from situated.data.answers import released_id
from situated.data.derived import stable_and_updated
from situated.data.nq_open import AnswerRow
from situated.world.article import Article
from situated.world.asking import DATED_STATIC, Question
from situated.world.checks import Checks
from situated.world.files import GOLD, WorldFiles
from situated.world.released import (
    Asked,
    Timelines,
    answers_then,
    geographical,
    identification,
    raw_geographical,
    raw_temporal,
)
from situated.world.sampling import digest, generator
from situated.world.truth import gold_row

_SOURCES = {"nq_table.open": 85, "nq_passage.open": 15}
# What identification of dependence on place asks beside the stripped questions: percentage of the same with their
# place, and of those on the same subjects that have one answer everywhere.
_PLACED, _CONSTANT_IN_GEO = 70, 40

Snapshots = Sequence[Mapping[str, Article]]
"""For each snapshot, the key of a thing -> its article."""


class QuestionRows:
    """Writes questions; see ``FILES``.

    Args:
        files: Where to.
        seed: Of the world.
        checks: Counts what is written.
    """

    def __init__(self, files: WorldFiles, seed: int, checks: Checks):
        self.files, self.checks, self.seed = files, checks, seed
        self._timelines = Timelines(seed)
        self.asked = self.by_alias = 0

    def add(self, questions: Sequence[Question], snapshots: Snapshots, items: Mapping[str, Any]) -> None:
        """Write the questions of a block, in no order that says anything.

        Args:
            questions: All of them.
            snapshots: The block's articles.
            items: The items that their answers are, by number.
        """
        dated = dict(DATED_STATIC)
        for question in sorted(questions, key=lambda question: digest("order", question.id)):
            if question.kind == "stripped":
                self._geographical(question, snapshots, items)
                continue
            is_static = question.kind == "dated" and dated[question.split] > 0
            dated[question.split] -= is_static
            if is_static or question.kind in ("changing", "constant"):
                self._temporal(question, snapshots, items)
            self._nq(question, snapshots)

    def _temporal(self, question: Question, snapshots: Snapshots, items: Mapping[str, Any]) -> None:
        split = question.split
        timeline = self._timelines.question(question)
        asked = self._timelines.examples(question, timeline)
        rng = generator(self.seed, "source", question.id)
        source = rng.choices([*_SOURCES], weights=[*_SOURCES.values()])[0]
        self.files.row(f"situatedqa/id_data/temp.{split}.jsonl", identification(question, source=source))
        if question.kind == "constant" and rng.randrange(100) < _CONSTANT_IN_GEO and _is_of_topic(question):
            self.files.row(f"situatedqa/id_data/geo.{split}.jsonl", identification(question))
        self.files.row(f"situatedqa/raw_data/temp.{split}.jsonl", raw_temporal(timeline, asked))
        self._examples("temp", question, asked, snapshots, items)
        if split != "test":
            for part, examples in stable_and_updated([timeline], split).items():
                name = f"situatedqa/temp_splits/{'pre' if part == 'stable' else 'post'}_2019.{split}.jsonl"
                for one in examples:
                    row = AnswerRow(question=one.question, id=released_id(one.id), answer=one.answers)
                    self.files.row(name, row)

    def _geographical(self, question: Question, snapshots: Snapshots, items: Mapping[str, Any]) -> None:
        split, placed = question.split, question.placed
        if placed is None:
            raise ValueError(f"{question.text!r} was stripped of no place")
        asked = geographical(question)
        self.files.row(f"situatedqa/id_data/geo.{split}.jsonl", identification(question))
        if generator(self.seed, "placed", question.id).randrange(100) < _PLACED:
            self.files.row(f"situatedqa/id_data/geo.{split}.jsonl", identification(placed))
        self.files.row(f"situatedqa/raw_data/geo.{split}.jsonl", raw_geographical(question, placed, asked))
        self._examples("geo", question, asked, snapshots, items)
        self.asked += 1
        self.by_alias += question.by_alias
        self._nq(placed, snapshots)

    def _examples(
        self, context: str, question: Question, asked: Sequence[Asked], snapshots: Snapshots, items: Mapping[str, Any]
    ) -> None:
        name = f"situatedqa/qa_data/{context}.{question.split}.jsonl"
        for one in asked:
            example_id = self.files.row(name, one.row)
            self._gold(f"qa_data/{example_id}", one.row.edited_question, question, one.spells, snapshots)
        self.checks.add(question.split, question.fact, [one.example for one in asked], items)

    def _nq(self, question: Question, snapshots: Snapshots) -> None:
        self.asked += 1
        self.by_alias += question.by_alias
        number, answers = answers_then(question)
        row = AnswerRow(question=question.text, id=question.id, answer=answers)
        example_id = self.files.row(f"nq_open/NQ-open.{question.split}.jsonl", row)
        self._gold(f"nq_open/{example_id}", question.text, question, (number,), snapshots)

    def _gold(self, example: str, text: str, question: Question, spells: Sequence[int], snapshots: Snapshots) -> None:
        for name, articles in zip(GOLD, snapshots, strict=True):
            row = gold_row(example, text, question.fact, spells, articles, by_alias=question.by_alias)
            if row is not None:
                self.files.row(name, row)


def _is_of_topic(question: Question) -> bool:
    return question.fact.subject.form.group in ("topic", "bird")
