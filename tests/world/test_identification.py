from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any, get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import f1_score
from sklearn.pipeline import make_pipeline

from situated.errors import ConfigError
from situated.io import read_records
from situated.world import identification
from situated.world.entities import KINDS, build_world
from situated.world.forms import Context
from situated.world.identification import (
    DEFAULT_SIZES,
    DEPENDENT_SHARE,
    Question,
    draw_questions,
    identification_rows,
    write_identification,
)

CONTEXTS: tuple[Context, ...] = get_args(Context)
SPLITS = ("train", "dev", "test")
SMALL = {"train": 60, "dev": 30, "test": 30}
# Words of the patterns that names are made from.
ORDINARY = {word for kind in KINDS.values() for name in kind.patterns for word in re.findall(r"\w+", name.lower())}
Draw = Callable[[Context, int], dict[str, list[Question]]]


def _place_names(seed: int) -> set[str]:
    world = build_world(seed)
    return {entity.name.lower() for kind in KINDS if KINDS[kind].is_place for entity in world.of_kind(kind)}


@pytest.mark.parametrize("context", CONTEXTS)
def test_rows_have_the_released_keys_in_order(context: Context) -> None:
    expected = {
        "temp": {"question": str, "source_dataset": str, "is_dependent": str, "id": int},
        "geo": {"question": str, "is_dependent": str, "id": int},
    }
    rows = [row for rows in identification_rows(context, 1, SMALL).values() for row in rows]

    assert len(rows) == 120
    for row in rows:
        assert list(row) == list(expected[context])
        assert {key: type(value) for key, value in row.items()} == expected[context]
        assert row["is_dependent"] in {"yes", "no"}
        assert -(2**63) <= row["id"] < 2**63
    assert sum(abs(row["id"]) > 2**53 for row in rows) > 100
    assert {row["id"] > 0 for row in rows} == {True, False}


@pytest.mark.realdata
@pytest.mark.parametrize("context", CONTEXTS)
@pytest.mark.parametrize("split", SPLITS)
def test_format_equals_the_released_files(released: Path, context: Context, split: str) -> None:
    path = released / "situatedqa" / "id_data" / f"{context}.{split}.jsonl"
    theirs: list[dict[str, Any]] = [row for _, row in read_records(path, dict[str, Any])]
    ours = identification_rows(context, 1, {split: 300})[split]

    assert {tuple(row) for row in ours} == {tuple(row) for row in theirs}
    assert {type(row["id"]) for row in ours} == {type(row["id"]) for row in theirs}
    assert {row["is_dependent"] for row in ours} == {row["is_dependent"] for row in theirs}
    assert {row.get("source_dataset") for row in ours} >= {row.get("source_dataset") for row in theirs}
    assert abs(_mean_words(ours) - _mean_words(theirs)) < 1.5


def _mean_words(rows: list[dict[str, Any]]) -> float:
    return sum(len(row["question"].split()) for row in rows) / len(rows)


@pytest.mark.parametrize("context", CONTEXTS)
def test_share_of_dependent_questions_is_the_papers(context: Context, questions: Draw) -> None:
    for split, drawn in questions(context, 1).items():
        dependent = sum(question.dependent for question in drawn)
        assert len(drawn) == DEFAULT_SIZES[split]
        assert dependent == DEPENDENT_SHARE[context][split] * len(drawn) // 100


@pytest.mark.parametrize("context", CONTEXTS)
@pytest.mark.parametrize("seed", [1, 2])
def test_ids_and_questions_are_unique_over_all_splits(context: Context, seed: int) -> None:
    rows = [row for rows in identification_rows(context, seed, DEFAULT_SIZES).values() for row in rows]

    assert len({row["id"] for row in rows}) == len(rows)
    assert len({row["question"].lower().rstrip("?") for row in rows}) == len(rows)


@pytest.mark.parametrize("seed", [1, 2])
def test_questions_that_depend_on_time_name_no_year(seed: int, questions: Draw) -> None:
    year = re.compile(r"\b(1[0-9]|20)\d\d(s|\b)")
    drawn = [question for split in questions("temp", seed).values() for question in split]

    assert [question.text for question in drawn if question.dependent and year.search(question.text)] == []
    dated = [question for question in drawn if year.search(question.text)]
    assert len(dated) > 100


@pytest.mark.parametrize("seed", [1, 2])
def test_questions_that_depend_on_place_name_no_place(seed: int, questions: Draw) -> None:
    places = _place_names(seed)
    drawn = [question for split in questions("geo", seed).values() for question in split]
    placed = [question for question in drawn if places & set(re.findall(r"[a-z]+", question.text.lower()))]

    assert [question.text for question in placed if question.dependent] == []
    assert len(placed) > 100


@pytest.mark.parametrize("context", CONTEXTS)
@pytest.mark.parametrize("seed", [1, 2])
def test_held_out_phrasings_and_relations_are_unseen_in_training(context: Context, seed: int, questions: Draw) -> None:
    drawn = questions(context, seed)
    relations = {question.relation for question in drawn["train"]}
    templates = {question.template for question in drawn["train"]}

    assert {question.novelty for question in drawn["train"]} == {"known"}
    for split in ("dev", "test"):
        novelty = Counter(question.novelty for question in drawn[split])
        assert novelty.keys() == {"new phrasing", "new relation"}
        assert min(novelty.values()) > 60
        for question in drawn[split]:
            assert question.novelty == "new phrasing" or question.relation not in relations
            assert question.template not in templates


@pytest.mark.parametrize("context", CONTEXTS)
def test_held_out_questions_name_other_entities_than_training(context: Context, questions: Draw) -> None:
    names = {entity.name for kind in KINDS for entity in build_world(1).of_kind(kind)}
    coined = {word for name in names for word in re.findall(r"\w+", name)}
    named = {
        split: {word for question in drawn for word in re.findall(r"\w+", question.text)} & coined
        for split, drawn in questions(context, 1).items()
    }
    ordinary = {word for word in coined if word.lower() in ORDINARY}
    assert len(named["train"] - ordinary) > 100
    for split in ("dev", "test"):
        assert len(named[split] - ordinary) > 50
        assert not named[split] & named["train"] - ordinary


@pytest.mark.parametrize("context", CONTEXTS)
def test_a_relation_asks_for_both_labels_somewhere(context: Context, questions: Draw) -> None:
    labels: dict[str, set[bool]] = {}
    for question in questions(context, 1)["train"]:
        labels.setdefault(question.relation, set()).add(question.dependent)

    assert sum(len(found) == 2 for found in labels.values()) >= 15


@pytest.mark.parametrize("context", CONTEXTS)
def test_a_row_depends_on_no_size(context: Context) -> None:
    alone = identification_rows(context, 7, {"dev": 20})["dev"]
    beside = identification_rows(context, 7, {"test": 5, "dev": 50, "train": 90})["dev"]

    assert beside[:20] == alone


def test_phrasing_is_that_of_searches() -> None:
    temp = identification_rows("temp", 1, DEFAULT_SIZES)["train"]
    geo = identification_rows("geo", 1, DEFAULT_SIZES)["train"]
    texts = [row["question"] for row in temp]

    assert all(row["question"] == row["question"].lower() and "?" not in row["question"] for row in geo)
    assert 0.05 < sum(text.endswith("?") for text in texts) / len(texts) < 0.3
    assert {row["source_dataset"] for row in temp if row["question"] != row["question"].lower()} == {"tydi"}
    assert len({text.split()[0].lower() for text in texts}) > 20
    assert sum("'s " in text or text.startswith(("whos ", "whats ")) for text in texts) > 20
    assert not any(re.search(r"[][{}|]|  |^ | $", text) for text in texts)


def test_files_are_the_same_for_a_seed_and_others_for_another(tmp_path: Path) -> None:
    for folder, seed in (("a", 1), ("b", 1), ("c", 2)):
        write_identification(tmp_path / folder, seed, SMALL)
    names = sorted(path.name for path in (tmp_path / "a").iterdir())

    assert names == sorted(f"{context}.{split}.jsonl" for context in CONTEXTS for split in SPLITS)
    for name in names:
        assert (tmp_path / "a" / name).read_bytes() == (tmp_path / "b" / name).read_bytes()
        assert (tmp_path / "a" / name).read_bytes() != (tmp_path / "c" / name).read_bytes()


def test_files_hold_the_rows(tmp_path: Path) -> None:
    write_identification(tmp_path, 1, {"dev": 30})

    assert [row for _, row in read_records(tmp_path / "geo.dev.jsonl", dict[str, Any])] == (
        identification_rows("geo", 1, {"dev": 30})["dev"]
    )
    assert not (tmp_path / "geo.train.jsonl").exists()


@pytest.mark.parametrize("sizes", [{"train": -1}, {"validation": 3}])
def test_sizes_that_make_no_sense_are_refused(tmp_path: Path, sizes: dict[str, int]) -> None:
    with pytest.raises(ConfigError, match="splits 'train', 'dev' and 'test', and a size is 0 or more"):
        write_identification(tmp_path / "world", 1, {"dev": 2} | sizes)
    assert not (tmp_path / "world").exists()


def test_unknown_context_is_refused() -> None:
    with pytest.raises(ConfigError, match=r"context 'weather'\. Contexts are 'temp' and 'geo'"):
        identification_rows("weather", 1, {"dev": 2})  # type: ignore[arg-type]


def test_a_world_without_a_new_question_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(identification, "_TRIES", 1)

    with pytest.raises(ConfigError, match=r"no new question left for row \d+ of geo\.dev.*fewer than 300"):
        draw_questions("geo", "dev", 1, 300)


@given(seed=st.integers(), context=st.sampled_from(CONTEXTS))
@settings(max_examples=8, deadline=None)
def test_every_seed_keeps_the_promises(seed: int, context: Context) -> None:
    drawn = {split: draw_questions(context, split, seed, size) for split, size in SMALL.items()}
    everything = [question for split in drawn.values() for question in split]
    places = _place_names(seed)

    assert len({question.core for question in everything}) == sum(SMALL.values())
    assert drawn["dev"] == draw_questions(context, "dev", seed, SMALL["dev"])
    for split, found in drawn.items():
        assert sum(question.dependent for question in found) == DEPENDENT_SHARE[context][split] * len(found) // 100
    for question in everything:
        if question.dependent and context == "temp":
            assert not re.search(r"\b(19|20)\d\d", question.core)
        if question.dependent and context == "geo":
            assert not places & set(re.findall(r"[a-z]+", question.core))


@pytest.mark.parametrize("context", CONTEXTS)
def test_words_alone_solve_the_task_in_part(context: Context, questions: Draw) -> None:
    scores = []
    for seed in (1, 2, 3):
        train, dev = questions(context, seed)["train"], questions(context, seed)["dev"]
        words = make_pipeline(TfidfVectorizer(ngram_range=(1, 2)), LogisticRegression(C=10, max_iter=1000))
        words.fit([question.text for question in train], [question.dependent for question in train])
        predicted = words.predict([question.text for question in dev])
        scores.append(100 * f1_score([question.dependent for question in dev], predicted))

    assert all(60 < score < 90 for score in scores), scores
    assert 65 < sum(scores) / len(scores) < 85, scores
