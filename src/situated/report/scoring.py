"""Predicted answers -> the scores of each example, and their means over groups of examples, with intervals."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache, partial
from typing import Literal

import msgspec
import numpy as np
import numpy.typing as npt

from situated.contexts.temp import Moment
from situated.metrics import Estimate, bootstrap_mean, form_f1, gold_forms
from situated.report.predictions import Answered
from situated.report.survey import Survey
from situated.text import Normalize, normalize_lenient, normalize_situatedqa

Measure = Literal["em", "any", "f1", "f1_any", "em_lenient", "em_lenient_any", "wrong_context"]

# Metric -> what its group "any" is measured by: matches with an answer of any annotated context (Table 6).
_ANY: dict[Measure, Measure] = {"em": "any", "f1": "f1_any", "em_lenient": "em_lenient_any"}
_METRICS: tuple[Measure, ...] = ("em", "f1", "em_lenient", "wrong_context")
_MEASURES: tuple[Measure, ...] = (*_METRICS, *_ANY.values())
_PLACES = {"united states": "us", "india": "india"}  # Table 7 counts this one string, not "us" or "usa"
_ORDER = ("total", "any", "static", "sampled", "start", "common", "rare", "us", "india", "other")
_CACHED = 1 << 16  # normal forms: the contexts of a question stand together and share their answers


class Scored(msgspec.Struct, frozen=True):
    """A line of ``scores.jsonl``.

    Attributes:
        question_id: What the intervals resample: the release's id, or the question where there is none.
        partition: The finest group that the example is in; empty if there is none.
        groups: Every group that it is in.
        em: Whether the prediction matches an answer in the example's context; ``any``: in any annotated context.
        f1: Token overlap with the best answer; ``f1_any`` likewise.
        em_lenient: ``em``, or the same date, number or country in another written form; ``em_lenient_any`` likewise.
        wrong_context: Whether it matches answers of other contexts only.
        wrong_context_from: Whose they are: of "earlier" or "later" times, or of places by their groups.
    """

    example_id: str
    question_id: str
    partition: str
    groups: tuple[str, ...]
    em: bool
    any: bool
    f1: float
    f1_any: float
    em_lenient: bool
    em_lenient_any: bool
    wrong_context: bool
    wrong_context_from: tuple[str, ...]


class Judge:
    """Scores one example after the other.

    Args:
        survey: Of the same predictions.
        normalize: The normal form in which answers match.
    """

    def __init__(self, survey: Survey, normalize: Normalize):
        self.survey = survey
        self._form = lru_cache(_CACHED)(normalize)
        self._lenient = lru_cache(_CACHED)(partial(normalize_lenient, normalize=normalize))

    def score(self, answered: Answered) -> Scored:
        """Score a prediction."""
        example, form = answered.example, self._form(answered.prediction)
        gold, gold_any = (gold_forms(answers, self._form) for answers in (example.answers, example.any_answers))
        em, match_any = form in gold, form in gold_any
        partition, groups = self._groups(answered)
        wrong = match_any and not em
        return Scored(
            example_id=example.example_id,
            question_id=example.id or example.question,
            partition=partition,
            groups=groups,
            em=em,
            any=match_any,
            f1=1.0 if em else form_f1(form, gold),
            f1_any=1.0 if match_any else form_f1(form, gold_any),
            em_lenient=em or self._matches_leniently(answered.prediction, example.answers),
            em_lenient_any=match_any or self._matches_leniently(answered.prediction, example.any_answers),
            wrong_context=wrong,
            wrong_context_from=tuple(sorted(set(self._owners(answered, form)))) if wrong else (),
        )

    def _matches_leniently(self, prediction: str, answers: Iterable[str]) -> bool:
        return self._lenient(prediction) in gold_forms(answers, self._lenient)

    def _groups(self, answered: Answered) -> tuple[str, tuple[str, ...]]:
        """The partition of an example, and all its groups."""
        whole = ("total", "any") if answered.example.any_answers else ("total",)
        own = [answered.group] if answered.group else []
        if answered.kind == "temp":
            own.append({"orig": "static", "start": "start"}.get(answered.example.date_type, "sampled"))
        elif answered.kind == "geo":
            place = self._place(answered.example.context_value)
            own += [place] if place == "rare" else ["common", place]
        return (own[-1] if own else ""), (*whole, *own)

    def _place(self, location: str) -> str:
        form = normalize_situatedqa(location)
        return _PLACES.get(form, "other") if form in self.survey.common else "rare"

    def _owners(self, answered: Answered, form: str) -> Iterator[str]:
        """Yield to which contexts an answer in the wrong context belongs; nothing for those outside the file."""
        for context in self.survey.owners.of(answered.example.id, form):
            if answered.kind == "geo":
                yield self._place(context)
            elif sign := _order(context, answered.example.context_value):
                yield "earlier" if sign < 0 else "later"


def scored(predictions: Iterable[Answered], survey: Survey, normalize: Normalize, columns: Columns) -> Iterator[Scored]:
    """Yield the scores of every example, and fill the columns on the way."""
    judge = Judge(survey, normalize)
    for answered in predictions:
        scores = judge.score(answered)
        columns.add(scores)
        yield scores


class Columns:
    """The scores of all examples as arrays, filled one by one; some tens of bytes for each.

    Args:
        n: Number of examples.
    """

    def __init__(self, n: int):
        self.values = {measure: np.zeros(n) for measure in _MEASURES}
        self.clusters = np.zeros(n, dtype=np.int64)
        self.groups: dict[str, npt.NDArray[np.bool_]] = {}
        self.wrong_from: dict[str, npt.NDArray[np.bool_]] = {}
        self._questions: dict[str, int] = {}
        self._n, self._filled = n, 0

    def add(self, scored: Scored) -> None:
        """Take the next example in."""
        row = self._filled
        for measure in _MEASURES:
            self.values[measure][row] = getattr(scored, measure)
        self.clusters[row] = self._questions.setdefault(scored.question_id, len(self._questions))
        for flags, names in ((self.groups, scored.groups), (self.wrong_from, scored.wrong_context_from)):
            for name in names:
                if name not in flags:
                    flags[name] = np.zeros(self._n, dtype=np.bool_)
                flags[name][row] = True
        self._filled += 1

    def measured(self, metric: Measure) -> Iterator[tuple[str, npt.NDArray[np.bool_], npt.NDArray[np.float64]]]:
        """Yield (group, which examples are in it, the scores of all examples) for the groups of a metric."""
        for group, members in sorted(self.groups.items(), key=lambda item: _rank(item[0])):
            if group != "any":
                yield group, members, self.values[metric]
            elif metric in _ANY:
                yield group, members, self.values[_ANY[metric]]


def estimates(columns: Columns, draws: int, seed: int) -> dict[str, Estimate]:
    """Metric/group -> mean score with its interval over resampled questions; groups without examples are left out.

    Where no example has answers of other contexts, none can be answered with one.

    ``wrong_context_from/<whose>`` is the share of all examples that are answered with an answer of those contexts; one
    that is the answer both earlier and later counts in both.
    """
    found = {}
    has_contexts = "any" in columns.groups
    for metric in _METRICS if has_contexts else _METRICS[:-1]:
        for group, members, values in columns.measured(metric):
            found[f"{metric}/{group}"] = bootstrap_mean(values[members], columns.clusters[members], draws, seed)
    for whose, flags in sorted(columns.wrong_from.items(), key=lambda item: _rank(item[0])):
        found[f"wrong_context_from/{whose}"] = bootstrap_mean(flags.astype(float), columns.clusters, draws, seed)
    return found


def _rank(group: str) -> tuple[int, str]:
    """Where a group stands among others; those that a file names itself come last."""
    return (_ORDER.index(group) if group in _ORDER else len(_ORDER), group)


def _order(one: str, other: str) -> int:
    """-1, 0 or 1, as one time is before, in or after another; a year holds all its days."""
    first, second = Moment.parse(one), Moment.parse(other)
    if first.granularity == second.granularity:
        return (first > second) - (first < second)
    return (first.year > second.year) - (first.year < second.year)
