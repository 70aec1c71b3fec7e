import string
from collections.abc import Callable, Sequence

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import accuracy_score, precision_recall_fscore_support

from situated.errors import ConfigError
from situated.metrics import (
    BINARY_METRICS,
    BinaryCounts,
    Estimate,
    answer_f1,
    bootstrap_binary,
    bootstrap_binary_runs,
    exact_match,
)
from situated.text import normalize_situatedqa, normalize_squad

Bools = npt.NDArray[np.bool_]


# --- answer matching -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("prediction", "answers", "matches"),
    [
        ("The Golden State Warriors", ["golden state warriors."], True),
        ("warriors", ["Golden State Warriors"], False),
        ("Joe Biden", ["Donald Trump", "Joe Biden"], True),
        ("Beyoncé", ["Beyonce\u0301"], True),
        ("", [")"], False),
        ("the", ["a"], False),
        ("", [""], False),
        ("x", [], False),
    ],
)
def test_exact_match(prediction: str, answers: list[str], matches: bool) -> None:
    assert exact_match(prediction, answers, normalize_situatedqa) is matches


def test_exact_match_uses_the_normal_form_it_is_given() -> None:
    assert not exact_match("Beyoncé", ["Beyonce\u0301"], normalize_squad)
    assert not exact_match("The Cat", ["cat"], str.lower)


@pytest.mark.parametrize(
    ("prediction", "answers", "f1"),
    [
        ("the cat sat", ["a cat sat"], 1.0),
        ("cat", ["cat sat"], 2 / 3),
        ("cat cat", ["cat"], 2 / 3),
        ("cat cat dog", ["cat cat cat"], 2 / 3),
        ("dog", ["cat", "dog house", "dog"], 1.0),
        ("dog", ["cat"], 0.0),
        ("", [")"], 0.0),
        ("x", [], 0.0),
    ],
)
def test_answer_f1(prediction: str, answers: list[str], f1: float) -> None:
    assert answer_f1(prediction, answers) == pytest.approx(f1)


words = st.lists(st.sampled_from(["cat", "Cat", "the", "dog", "a", "sat.", "-"]), max_size=7).map(" ".join)


def _f1_by_hand(prediction: str, answer: str) -> float:
    """Precision and recall by crossing off tokens one by one."""

    def tokens(text: str) -> list[str]:
        plain = "".join(c for c in text.lower() if c not in string.punctuation)
        return [token for token in plain.split() if token not in ("a", "an", "the")]

    predicted, left, shared = tokens(prediction), tokens(answer), 0
    gold = len(left)
    for token in predicted:
        if token in left:
            left.remove(token)
            shared += 1
    if not shared:
        return 0.0
    precision, recall = shared / len(predicted), shared / gold
    return 2 * precision * recall / (precision + recall)


@given(words, st.lists(words, min_size=1, max_size=4))
def test_answer_f1_is_that_of_an_independent_implementation(prediction: str, answers: list[str]) -> None:
    assert answer_f1(prediction, answers) == pytest.approx(max(_f1_by_hand(prediction, a) for a in answers))


@given(words, st.lists(words, max_size=4))
def test_exact_match_implies_full_f1(prediction: str, answers: list[str]) -> None:
    if exact_match(prediction, answers, normalize_squad):
        assert answer_f1(prediction, answers) == 1.0


@pytest.mark.parametrize("metric", [lambda: exact_match("c", "cat", str.lower), lambda: answer_f1("c", "cat")])
def test_one_string_for_the_answers_is_refused(metric: Callable[[], object]) -> None:
    with pytest.raises(TypeError, match="'cat'"):
        metric()


# --- binary classification -------------------------------------------------------------------------------------------

pairs = st.lists(st.tuples(st.booleans(), st.booleans()), min_size=1, max_size=60)


def _sklearn(labels: Sequence[bool] | Bools, predictions: Sequence[bool] | Bools) -> dict[str, float]:
    precision, recall, f1, _ = precision_recall_fscore_support(
        labels, predictions, average="binary", pos_label=True, zero_division=0
    )
    scores = (accuracy_score(labels, predictions), precision, recall, f1)
    return {name: float(score) for name, score in zip(BINARY_METRICS, scores, strict=True)}


@given(pairs)
def test_scores_are_those_of_sklearn(pairs: list[tuple[bool, bool]]) -> None:
    labels, predictions = map(list, zip(*pairs, strict=True))
    expected = _sklearn(labels, predictions)
    counts = BinaryCounts.of(labels, predictions)
    assert {name: getattr(counts, name) for name in BINARY_METRICS} == pytest.approx(expected)
    estimates = bootstrap_binary(labels, predictions, draws=20)
    assert {name: estimate.value for name, estimate in estimates.items()} == pytest.approx(expected)


def test_counts_tell_the_two_errors_apart() -> None:
    labels, predictions = [True, True, True, False, False], [False, False, True, True, False]
    assert BinaryCounts.of(labels, predictions) == BinaryCounts(tp=1, fp=1, fn=2, tn=1)


def test_scores_without_positives_are_zero() -> None:
    assert BinaryCounts(tp=0, fp=0, fn=0, tn=3).f1 == 0.0
    assert BinaryCounts(tp=0, fp=0, fn=0, tn=3).accuracy == 1.0


@pytest.mark.parametrize(
    ("labels", "runs", "message"),
    [
        (["yes"], [["no"]], "booleans"),
        ([1, 0], [[1, 0]], "booleans"),
        ([[True]], [[[True]]], "booleans"),
        ([True], [], "booleans"),
        ([True], [[True], [True, False]], "1 labels but 1, 2 predictions"),
        (np.zeros(0, dtype=bool), [np.zeros(0, dtype=bool)], "no examples"),
    ],
)
def test_unusable_labels_are_refused(labels: Bools, runs: list[Bools], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        bootstrap_binary_runs(labels, runs, draws=10)


def test_no_draws_are_refused() -> None:
    with pytest.raises(ConfigError, match="draws = 0"):
        bootstrap_binary([True], [True], draws=0)


# --- bootstrap -------------------------------------------------------------------------------------------------------


def _made_up(n: int, accuracies: Sequence[float], seed: int) -> tuple[Bools, list[Bools]]:
    generator = np.random.default_rng(seed)
    labels = generator.random(n) < 0.3
    return labels, [np.where(generator.random(n) < accuracy, labels, ~labels) for accuracy in accuracies]


@pytest.mark.parametrize("accuracies", [[0.9], [0.95, 0.85, 0.6]])
def test_interval_is_that_of_a_plain_loop_over_resampled_examples_and_runs(accuracies: list[float]) -> None:
    n, draws = 120, 1_500
    labels, runs = _made_up(n, accuracies, seed=1)
    generator = np.random.default_rng(2)
    drawn: dict[str, list[float]] = {metric: [] for metric in BINARY_METRICS}
    for _ in range(draws):
        examples = generator.integers(n, size=n)
        chosen = [runs[i] for i in generator.integers(len(runs), size=len(runs))]
        counts = [BinaryCounts.of(labels[examples], run[examples]) for run in chosen]
        for metric in BINARY_METRICS:
            drawn[metric].append(float(np.mean([getattr(c, metric) for c in counts])))
    for metric, estimate in bootstrap_binary_runs(labels, runs, draws=10_000).items():
        low, high = np.quantile(drawn[metric], [0.025, 0.975])
        assert estimate.ci95 == pytest.approx((low, high), abs=0.02), metric
        assert high - low > 0.08  # the tolerance above is small beside what is compared


def test_value_is_the_mean_over_runs() -> None:
    labels, runs = _made_up(200, [0.9, 0.8, 0.7], seed=3)
    means = {m: float(np.mean([_sklearn(labels, run)[m] for run in runs])) for m in BINARY_METRICS}
    estimates = bootstrap_binary_runs(labels, runs, draws=50)
    assert {metric: estimate.value for metric, estimate in estimates.items()} == pytest.approx(means)


def test_interval_covers_the_truth_about_as_often_as_it_says() -> None:
    tp, fp, fn, tn = 0.25, 0.07, 0.05, 0.63
    truth = {"accuracy": tp + tn, "precision": tp / (tp + fp), "recall": tp / (tp + fn), "f1": 0.5 / (0.5 + fp + fn)}
    generator, trials = np.random.default_rng(4), 400
    covered = dict.fromkeys(BINARY_METRICS, 0)
    for trial in range(trials):
        cells = generator.choice(4, size=300, p=[tp, fp, fn, tn])
        for metric, estimate in bootstrap_binary(cells % 2 == 0, cells < 2, draws=400, seed=trial).items():
            covered[metric] += estimate.ci95[0] <= truth[metric] <= estimate.ci95[1]
    assert all(0.91 <= count / trials <= 0.98 for count in covered.values()), covered


def test_unlike_runs_widen_the_interval() -> None:
    labels, (good, bad) = _made_up(2_000, [0.95, 0.75], seed=5)

    def width(estimate: Estimate) -> float:
        return estimate.ci95[1] - estimate.ci95[0]

    alike = bootstrap_binary_runs(labels, [good, good])["f1"]
    alone = bootstrap_binary(labels, good)["f1"]
    unlike = bootstrap_binary_runs(labels, [good, bad])["f1"]
    assert width(alike) == pytest.approx(width(alone), rel=0.1)
    assert width(unlike) > 4 * width(alone)


@settings(max_examples=30, deadline=None)
@given(st.permutations(range(40)), st.integers(0, 5))
def test_order_of_examples_is_immaterial(order: list[int], seed: int) -> None:
    labels, runs = _made_up(40, [0.9, 0.7, 0.6], seed)
    expected = bootstrap_binary_runs(labels, runs, draws=1_200, seed=seed)
    assert bootstrap_binary_runs(labels[order], [run[order] for run in runs], draws=1_200, seed=seed) == expected


def test_seed_decides_the_interval_but_not_the_value() -> None:
    labels, (run,) = _made_up(80, [0.8], seed=6)
    first, again, other = (bootstrap_binary(labels, run, draws=300, seed=seed) for seed in (0, 0, 1))
    assert first == again
    assert first["f1"].ci95 != other["f1"].ci95
    assert first["f1"].value == other["f1"].value


@pytest.mark.parametrize("draws", [1, 1_001])
def test_as_many_resamples_are_drawn_as_asked(draws: int) -> None:
    labels, (run,) = _made_up(200, [0.8], seed=7)
    (low, high), more = (bootstrap_binary(labels, run, draws=d)["f1"].ci95 for d in (draws, draws + 1))
    assert (low == high) is (draws == 1)
    assert (low, high) != more


@given(pairs)
def test_interval_holds_fractions_in_order(pairs: list[tuple[bool, bool]]) -> None:
    labels, predictions = map(list, zip(*pairs, strict=True))
    for estimate in bootstrap_binary(labels, predictions, draws=200).values():
        assert 0.0 <= estimate.ci95[0] <= estimate.ci95[1] <= 1.0
        assert estimate.n == len(labels)
