"""Answer matching: exact match and token overlap, on texts or on their normal forms."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from situated.text import Normalize, normalize_squad


def exact_match(prediction: str, answers: Iterable[str], normalize: Normalize) -> bool:
    """Whether the prediction's normal form is that of one of the gold answers.

    An empty normal form matches nothing: one released gold answer is ")", which an empty prediction would meet.

    Source: SQuAD v1.1 evaluation (Rajpurkar et al. 2016), but for the empty form.

    >>> exact_match("the Beatles!", ["Beatles", "The Fab Four"], normalize_squad)
    True
    >>> exact_match("", [")"], normalize_squad)
    False
    """
    return normalize(prediction) in gold_forms(answers, normalize)


def answer_f1(prediction: str, answers: Iterable[str], normalize: Normalize = normalize_squad) -> float:
    """Token overlap F1 with the best-matching gold answer; 0 where either side has no token.

    Source: SQuAD v1.1 evaluation (Rajpurkar et al. 2016).

    >>> answer_f1("Queen Elizabeth", ["Elizabeth II", "Queen Elizabeth the Second"])
    0.8
    """
    return form_f1(normalize(prediction), gold_forms(answers, normalize))


def gold_forms(answers: Iterable[str], normalize: Normalize) -> frozenset[str]:
    """The normal forms of gold answers that a prediction can match: all but the empty one.

    >>> sorted(gold_forms(["The Beatles", "beatles", ")"], normalize_squad))
    ['beatles']

    Raises:
        TypeError: One string instead of several, which would count as so many one-letter answers.
    """
    if isinstance(answers, str):
        raise TypeError(f"answers must be a collection of strings, not the one string {answers!r}")
    return frozenset(normalize(answer) for answer in answers) - {""}


def form_f1(form: str, gold: Iterable[str]) -> float:
    """``answer_f1`` of normal forms.

    >>> form_f1("queen elizabeth", ["elizabeth ii", "victoria"])
    0.5
    """
    predicted = Counter(form.split())
    return max((_overlap_f1(predicted, answer.split()) for answer in gold), default=0.0)


def _overlap_f1(predicted: Counter[str], gold: list[str]) -> float:
    if predicted.keys().isdisjoint(gold):
        return 0.0
    return 2 * (predicted & Counter(gold)).total() / (predicted.total() + len(gold))
