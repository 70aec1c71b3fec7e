"""Rows of context-dependence identification about the sample world, in the released format.

Labels follow from what is asked: see ``Relation.depends_on_time`` and ``Relation.depends_on_place``. Development and
test questions name entities, and are made from phrasings, that training lacks, some of them from relations that it
lacks: words alone do not solve the task.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, get_args

from situated.errors import ConfigError
from situated.io import write_jsonl
from situated.world.entities import World, build_world
from situated.world.forms import Context, Novelty, Pool, form_pool
from situated.world.phrasing import fill
from situated.world.sampling import digest, generator

DEFAULT_SIZES: Mapping[str, int] = {"train": 600, "dev": 300, "test": 300}

# Percentage of dependent questions. Source: SituatedQA, Table 2.
DEPENDENT_SHARE: Mapping[str, Mapping[str, int]] = {
    "temp": {"train": 36, "dev": 32, "test": 28},
    "geo": {"train": 46, "dev": 42, "test": 37},
}

# Of 100 rows of dev and test, how many are from relations that training has not; the rest are new phrasings of its own.
_NEW_RELATIONS = 30
# Percentage of rows by the collection they are said to come from, for dependent and for other questions.
_SOURCES: Mapping[bool, Mapping[str, int]] = {
    True: {"nq_table.open": 75, "nq_passage.open": 5, "webq": 8, "tydi": 7, "marco": 5},
    False: {"nq_table.open": 55, "nq_passage.open": 15, "webq": 10, "tydi": 10, "marco": 10},
}
_OPENINGS = ("do you know", "tell me", "can anyone tell me", "i want to know", "please tell me", "any idea")
_QUESTION_WORDS = ("who ", "what ", "when ", "where ", "how ", "which ", "why ")
_TRIES = 3000


@dataclass(frozen=True)
class Question:
    """A question, its label, and where both come from.

    Args:
        text: The question as it is asked; names keep their capitals.
        core: The same without opening words and contractions, in lower case: no two questions of a context share it.
        dependent: Whether the answer depends on the context.
        relation: Name of the relation.
        template: Template that it was made from.
        novelty: What of it is held out of training.
    """

    text: str
    core: str
    dependent: bool
    relation: str
    template: str
    novelty: Novelty


def identification_rows(context: Context, seed: int, sizes: Mapping[str, int]) -> dict[str, list[dict[str, Any]]]:
    """Make the rows of every split in ``sizes`` ("train", "dev", "test").

    A split does not depend on the sizes of the others, and a smaller split is the beginning of a larger one.

    Raises:
        ConfigError: An unknown context or split, a negative size, or one beyond what the world has to ask.

    >>> identification_rows("geo", seed=1, sizes={"dev": 1})["dev"]  # doctest: +ELLIPSIS
    [{'question': 'who did nanifousk beat in the final of the 2010 berunnirv league', 'is_dependent': 'no', ...}]
    """
    return {
        split: [_row(question, context, seed) for question in draw_questions(context, split, seed, size)]
        for split, size in sizes.items()
    }


def write_identification(folder: Path, seed: int, sizes: Mapping[str, int] = DEFAULT_SIZES) -> None:
    """Write ``<context>.<split>.jsonl`` for both contexts and every split in ``sizes``.

    Raises:
        ConfigError: As ``identification_rows``; nothing is written then.
    """
    rows = {context: identification_rows(context, seed, sizes) for context in get_args(Context)}
    for context, splits in rows.items():
        for split, split_rows in splits.items():
            write_jsonl(folder / f"{context}.{split}.jsonl", split_rows)


def draw_questions(context: Context, split: str, seed: int, size: int) -> list[Question]:
    """Draw the first ``size`` questions of a split.

    Raises:
        ConfigError: As ``identification_rows``.
    """
    if split not in DEPENDENT_SHARE.get(context, {}) or size < 0:
        raise ConfigError(
            f"cannot draw {size} questions for split {split!r} of context {context!r}. "
            "Contexts are 'temp' and 'geo', splits 'train', 'dev' and 'test', and a size is 0 or more."
        )
    return list(_questions(context, split, seed, size))


def _questions(context: Context, split: str, seed: int, size: int) -> Iterator[Question]:
    world = build_world(seed).part(trains=split == "train")
    pool, seen = form_pool(context, seed), set[str]()
    share = DEPENDENT_SHARE[context][split]
    for row in range(size):
        # One generator a row, so that no row depends on how often an earlier one was drawn anew.
        rng = generator(seed, context, split, row)
        dependent = (row + 1) * share // 100 > row * share // 100
        novelty = _draw_novelty(split, rng)
        for _ in range(_TRIES):
            question = _draw(pool, world, dependent, novelty, rng)
            if question.core not in seen and _owner(question, context, seed) == split:
                break
        else:
            raise ConfigError(
                f"the sample world has no new question left for row {row + 1} of {context}.{split}. "
                f"Ask for fewer than {size} rows."
            )
        seen.add(question.core)
        yield question


def _draw(pool: Pool, world: World, dependent: bool, novelty: Novelty, rng: random.Random) -> Question:
    form = rng.choice(rng.choice(pool[novelty, dependent]))
    asked = fill(form.phrasing.template, form.relation.words, world, rng)
    return Question(
        text=_vary(asked, rng),
        core=asked.lower(),
        dependent=dependent,
        relation=form.relation.name,
        template=form.phrasing.template,
        novelty=novelty,
    )


def _draw_novelty(split: str, rng: random.Random) -> Novelty:
    if split == "train":
        return "known"
    return "new relation" if rng.randrange(100) < _NEW_RELATIONS else "new phrasing"


def _vary(asked: str, rng: random.Random) -> str:
    """Ask as people do: at times a contraction, at times some words before the question."""
    text = asked
    for word in ("what", "who"):
        if text.startswith(f"{word} is ") and rng.random() < 0.2:
            text = word + rng.choice(("'s", "s")) + text.removeprefix(f"{word} is")
    if asked.startswith(_QUESTION_WORDS) and rng.random() < 0.05:
        return f"{rng.choice(_OPENINGS)} {text}"
    return text


def _owner(question: Question, context: Context, seed: int) -> str:
    """The one split that may have a question: so the splits are disjoint without looking at each other."""
    if question.novelty == "known":
        return "train"
    return "dev" if digest(seed, context, "owner", question.core)[0] % 2 else "test"


def _row(question: Question, context: Context, seed: int) -> dict[str, Any]:
    """A question with the keys of the released files, in their order."""
    key = digest(seed, context, "id", question.core)
    row: dict[str, Any] = {"question": question.text.lower()}
    if context == "temp":
        sources = _SOURCES[question.dependent]
        source = generator(seed, context, "source", question.core).choices(
            list(sources), weights=list(sources.values())
        )[0]
        row = {"question": _in_style(question.text, source), "source_dataset": source}
    row["is_dependent"] = "yes" if question.dependent else "no"
    row["id"] = int.from_bytes(key, signed=True)
    return row


def _in_style(text: str, source: str) -> str:
    """Capitals and question marks as that collection has them: most have neither."""
    if source == "tydi":
        return text[0].upper() + text[1:] + "?"
    return text.lower() + "?" * (source == "webq")
