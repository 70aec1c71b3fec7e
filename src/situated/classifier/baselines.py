"""What a trained encoder must beat: chance, the majority, and words alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import msgspec
import numpy as np

from situated.classifier.decisions import Decisions, labels
from situated.errors import ConfigError, SituatedError
from situated.schema import Example

if TYPE_CHECKING:
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import FeatureUnion


class PriorRandom:
    """Says "yes" as often as the training labels do, whatever the question.

    Source: the Random row of SituatedQA's Table 4. Its printed recall fits the probability of "no"; this is ours.

    Args:
        draws: Independent rows of decisions; figures are their mean.
    """

    def __init__(self, draws: Annotated[int, msgspec.Meta(ge=1)]):
        self.draws = draws
        self._prior, self._seed = 0.0, 0

    def fit(self, train: Sequence[Example], dev: Sequence[Example], folder: Path, seed: int) -> Mapping[str, Any]:
        """Count the labels."""
        self._prior, self._seed = _share_of_yes(train), seed
        return {"prior_yes": self._prior}

    def decide(self, examples: Sequence[Example]) -> Decisions:
        """Draw; an example's draws depend on the seed and on its own key, not on its place in the list."""
        draws = [
            np.random.default_rng([self._seed, *example.example_id.encode()]).random(self.draws) for example in examples
        ]
        scores = np.full(len(examples), self._prior)
        return Decisions(scores=scores, yes=np.stack(draws, axis=1) < self._prior)


class Majority:
    """Gives every question the commoner training label."""

    def __init__(self) -> None:
        self._prior = 0.0

    def fit(self, train: Sequence[Example], dev: Sequence[Example], folder: Path, seed: int) -> Mapping[str, Any]:
        """Count the labels."""
        self._prior = _share_of_yes(train)
        return {"prior_yes": self._prior}

    def decide(self, examples: Sequence[Example]) -> Decisions:
        """Decide."""
        return Decisions.from_scores(np.full(len(examples), self._prior))


class TfidfLogistic:
    """TF-IDF of words and character n-grams, logistic regression; its regularisation and weights picked by dev F1.

    Args:
        word_ngrams: Shortest and longest word n-gram.
        char_ngrams: Shortest and longest character n-gram, within words.
        strengths: Values of C (inverse regularisation) to try.
        class_weights: Weightings to try: none, or "balanced" (inverse to the labels' frequency).

    Raises:
        ConfigError: An n-gram range that is none.
    """

    def __init__(
        self,
        word_ngrams: tuple[int, int],
        char_ngrams: tuple[int, int],
        strengths: Annotated[Sequence[Annotated[float, msgspec.Meta(gt=0)]], msgspec.Meta(min_length=1)],
        class_weights: Annotated[Sequence[Literal["balanced"] | None], msgspec.Meta(min_length=1)],
    ):
        for shortest, longest in (word_ngrams, char_ngrams):
            if not 1 <= shortest <= longest:
                raise ConfigError(f"n-grams from {shortest} to {longest}: give two lengths from 1, the shorter first.")
        self.word_ngrams, self.char_ngrams = tuple(word_ngrams), tuple(char_ngrams)
        self.strengths, self.class_weights = strengths, class_weights
        self._features: FeatureUnion | None = None
        self._regression: LogisticRegression | None = None

    def fit(self, train: Sequence[Example], dev: Sequence[Example], folder: Path, seed: int) -> Mapping[str, Any]:
        """Fit once a setting and keep the best on dev; ties keep the earlier setting.

        Raises:
            SituatedError: All training questions have one label.
        """
        from sklearn.feature_extraction.text import TfidfVectorizer
        from sklearn.linear_model import LogisticRegression
        from sklearn.metrics import f1_score
        from sklearn.pipeline import make_union

        if len(set(labels(train))) < 2:
            raise SituatedError(f"All {len(train)} training questions have one label: give more of them (data.limit).")
        self._features = make_union(
            TfidfVectorizer(ngram_range=self.word_ngrams, token_pattern=r"\S+", sublinear_tf=True),  # noqa: S106
            TfidfVectorizer(ngram_range=self.char_ngrams, analyzer="char_wb", sublinear_tf=True),
        )
        train_features = self._features.fit_transform(_questions(train))
        dev_features = self._features.transform(_questions(dev))
        best, chosen = -1.0, {}
        for weights, strength in product(self.class_weights, self.strengths):
            regression = LogisticRegression(C=strength, class_weight=weights, max_iter=1000, random_state=seed)
            regression.fit(train_features, labels(train))
            f1 = f1_score(labels(dev), regression.predict(dev_features), zero_division=0.0)
            if f1 > best:
                best, self._regression, chosen = f1, regression, {"C": strength, "class_weight": weights}
        return chosen

    def decide(self, examples: Sequence[Example]) -> Decisions:
        """Decide."""
        if self._features is None or self._regression is None:
            raise SituatedError("The classifier has not been trained: call fit first.")
        features = self._features.transform(_questions(examples))
        return Decisions.from_scores(self._regression.predict_proba(features)[:, 1])


def _questions(examples: Sequence[Example]) -> list[str]:
    return [example.question for example in examples]


def _share_of_yes(examples: Sequence[Example]) -> float:
    return float(np.mean(labels(examples)))
