"""What a trained encoder must beat is fair: unbiased chance, the majority, and words alone."""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from situated.classifier.baselines import Majority, PriorRandom, TfidfLogistic
from situated.classifier.decisions import Classifier, Decisions, measure, to_predictions
from situated.data.situatedqa import Identification
from situated.errors import ConfigError, SituatedError
from situated.schema import Example
from situated.world.identification import write_identification


def examples_of(labels: Sequence[bool], prefix: str = "x") -> list[Example]:
    return [
        Example(example_id=f"{prefix}:{n}", id=str(n), question=f"question {n}", is_dependent=label)
        for n, label in enumerate(labels)
    ]


def tfidf(**settings: Any) -> TfidfLogistic:
    defaults: dict[str, Any] = {
        "word_ngrams": (1, 2), "char_ngrams": (1, 4), "strengths": [1, 4, 16], "class_weights": [None, "balanced"],
    }  # fmt: skip
    return TfidfLogistic(**defaults | settings)


@pytest.fixture(scope="module")
def questions(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[Example]]:
    folder = tmp_path_factory.mktemp("questions")
    write_identification(folder, seed=0, sizes={"train": 600, "dev": 150, "test": 150})
    return Identification(folder, "temp").read()


def f1_on_test(classifier: Classifier, questions: dict[str, list[Example]], folder: Path, seed: int = 0) -> float:
    classifier.fit(questions["train"], questions["dev"], folder, seed)
    measured = measure("test", questions["test"], classifier.decide(questions["test"]))
    return float(measured["test/f1"].value)


def test_random_says_yes_as_often_as_training_does(tmp_path: Path) -> None:
    train = examples_of([True] * 30 + [False] * 70)
    test = examples_of([True] * 200 + [False] * 300, prefix="t")
    classifier = PriorRandom(draws=200)
    assert classifier.fit(train, [], tmp_path, 3) == {"prior_yes": 0.3}
    decisions = classifier.decide(test)
    assert decisions.yes.shape == (200, 500)
    assert (decisions.scores == 0.3).all()
    # 100,000 draws: the standard error of a mean over the 40,000 of the dependent ones is 0.0023.
    assert decisions.yes.mean() == pytest.approx(0.3, abs=0.01)
    measured = measure("test", test, decisions)
    assert measured["test/recall"].value == pytest.approx(0.3, abs=0.012)
    assert measured["test/precision"].value == pytest.approx(0.4, abs=0.012)


def test_random_draws_are_independent(tmp_path: Path) -> None:
    classifier = PriorRandom(draws=400)
    classifier.fit(examples_of([True, False]), [], tmp_path, 0)
    yes = classifier.decide(examples_of([True] * 30)).yes.astype(float)
    correlations = np.corrcoef(yes.T)[np.triu_indices(30, k=1)]
    assert abs(correlations).max() < 0.25  # five standard errors
    assert yes.mean(axis=0).std() < 0.05  # no question is said yes to by rule


def test_random_depends_on_the_question_not_on_its_place(tmp_path: Path) -> None:
    classifier = PriorRandom(draws=20)
    classifier.fit(examples_of([True, False]), [], tmp_path, 7)
    test = examples_of([True] * 40)
    order = random.Random(0).sample(range(40), 25)  # noqa: S311 (sampling, not cryptography)
    picked = classifier.decide([test[index] for index in order])
    assert (picked.yes == classifier.decide(test).yes[:, order]).all()


def test_random_depends_on_the_seed_alone(tmp_path: Path) -> None:
    def draw(seed: int) -> Decisions:
        classifier = PriorRandom(draws=5)
        classifier.fit(examples_of([True, False]), [], tmp_path, seed)
        return classifier.decide(examples_of([True] * 50))

    assert (draw(1).yes == draw(1).yes).all()
    assert (draw(1).yes != draw(2).yes).any()


@pytest.mark.parametrize(("labels", "says"), [([True, True, False], True), ([True, False, False], False)])
def test_majority_gives_the_commoner_label(labels: list[bool], says: bool, tmp_path: Path) -> None:
    classifier = Majority()
    classifier.fit(examples_of(labels), [], tmp_path, 0)
    assert (classifier.decide(examples_of([True, False] * 3)).yes == [[says] * 6]).all()


def test_words_beat_chance_and_majority_on_the_sample_world(
    questions: dict[str, list[Example]], tmp_path: Path
) -> None:
    words = f1_on_test(tfidf(), questions, tmp_path)
    chance = f1_on_test(PriorRandom(draws=200), questions, tmp_path)
    assert f1_on_test(Majority(), questions, tmp_path) == 0
    assert 0.2 < chance < 0.45
    assert words > chance + 0.1


def test_words_alone_are_deterministic_by_seed(questions: dict[str, list[Example]], tmp_path: Path) -> None:
    scores = []
    for _ in range(2):
        classifier = tfidf(strengths=[4])
        classifier.fit(questions["train"], questions["dev"], tmp_path, 5)
        scores.append(classifier.decide(questions["test"]).scores)
    assert (scores[0] == scores[1]).all()
    assert scores[0].std() > 0


def test_words_alone_keep_the_setting_that_is_best_on_dev(questions: dict[str, list[Example]], tmp_path: Path) -> None:
    def on_dev(**settings: Any) -> tuple[float, Any]:
        classifier = tfidf(**settings)
        chosen = classifier.fit(questions["train"], questions["dev"], tmp_path, 0)
        measured = measure("dev", questions["dev"], classifier.decide(questions["dev"]))
        return float(measured["dev/f1"].value), chosen

    single = {strength: on_dev(strengths=[strength], class_weights=[None])[0] for strength in (0.01, 4)}
    assert single[0.01] < single[4]
    assert on_dev(strengths=[0.01, 4], class_weights=[None]) == (single[4], {"C": 4, "class_weight": None})
    assert on_dev(strengths=[4, 0.01], class_weights=[None]) == (single[4], {"C": 4, "class_weight": None})


def test_words_alone_need_both_labels(tmp_path: Path) -> None:
    with pytest.raises(SituatedError, match="All 4 training questions have one label"):
        tfidf().fit(examples_of([True] * 4), examples_of([True]), tmp_path, 0)


@pytest.mark.parametrize("ngrams", [(2, 1), (0, 1)])
def test_a_range_of_n_grams_that_is_none_is_refused(ngrams: tuple[int, int]) -> None:
    with pytest.raises(ConfigError, match=f"n-grams from {ngrams[0]} to {ngrams[1]}"):
        tfidf(char_ngrams=ngrams)


def test_deciding_before_training_is_refused() -> None:
    with pytest.raises(SituatedError, match="call fit first"):
        tfidf().decide(examples_of([True]))


def test_predictions_join_by_the_examples_own_key() -> None:
    examples = examples_of([True, False])
    decisions = Decisions(scores=np.array([0.12345678, 1.0]), yes=np.array([[False, True], [True, True]]))
    rows = to_predictions("dev", examples, decisions)
    assert [(row.example_id, row.label, row.prediction, row.score) for row in rows] == [
        ("x:0", "yes", "no", 0.123457),
        ("x:1", "no", "yes", 1.0),
    ]


def test_one_half_is_a_yes() -> None:
    assert Decisions.from_scores(np.array([0.4999, 0.5, 0.9])).yes.tolist() == [[False, True, True]]


@pytest.mark.parametrize("classifier", [PriorRandom(draws=3), Majority(), tfidf()])
def test_questions_without_labels_are_refused(classifier: Classifier, tmp_path: Path) -> None:
    """They are not taken for "no"."""
    unlabelled = [Example(example_id="qa:7", id="7", question="who won")]
    with pytest.raises(SituatedError, match=r"1 of 3 questions have no label \(the first: qa:7\)"):
        classifier.fit([*examples_of([True, False]), *unlabelled], examples_of([True]), tmp_path, 0)
    with pytest.raises(SituatedError, match="no label"):
        measure("dev", unlabelled, Decisions.from_scores(np.array([0.1])))
