import numpy as np
import pytest

from situated.errors import ConfigError
from situated.metrics import bootstrap_mean
from situated.report.scored import bootstrap_question_means


def test_one_question_has_no_uncertainty() -> None:
    values = np.array([[1.0, 0.0, 0.0, 1.0]])
    assert bootstrap_question_means(values, ["a"] * 4, draws=50, seed=0) == (0.5, (0.5, 0.5))


def test_the_interval_is_that_of_whole_questions() -> None:
    """Ten answers to one question are worth one: the interval is wider than that of ten questions."""
    rights = np.array([[float(i < 100) for i in range(200)]])
    alone = bootstrap_question_means(rights, [str(i) for i in range(200)], draws=2000, seed=0)
    grouped = bootstrap_question_means(rights, [str(i // 10) for i in range(200)], draws=2000, seed=0)
    half_widths = [(high - low) / 2 for _, (low, high) in (alone, grouped)]
    assert half_widths[0] == pytest.approx(1.96 * (0.25 / 200) ** 0.5, rel=0.1)
    assert half_widths[1] == pytest.approx(1.96 * (0.25 / 20) ** 0.5, rel=0.1)


def test_questions_of_other_sizes_weigh_by_their_examples() -> None:
    values = np.array([[1.0, 0.0, 0.0, 0.0]])
    mean, (low, high) = bootstrap_question_means(values, ["a", "b", "b", "b"], draws=500, seed=0)
    assert (mean, low, high) == (0.25, 0, 1)


def test_the_order_of_examples_does_not_matter() -> None:
    generator = np.random.default_rng(0)
    values = generator.integers(0, 2, (3, 60)).astype(np.float64)
    questions = np.array([f"q{i // 2}" for i in range(60)])
    shuffled = generator.permutation(60)
    first = bootstrap_question_means(values, list(questions), draws=100, seed=1)
    again = bootstrap_question_means(values[:, shuffled], list(questions[shuffled]), draws=100, seed=1)
    assert again[0] == pytest.approx(first[0])
    assert again[1] == pytest.approx(first[1])


def test_seeds_that_differ_widen_the_interval() -> None:
    equal = np.tile([[1.0, 0.0]], (4, 100))
    differing = equal.copy()
    differing[0], differing[1] = 1.0, 0.0
    questions = [str(i) for i in range(200)]
    widths = []
    for values in (equal, differing):
        mean, (low, high) = bootstrap_question_means(values, questions, draws=500, seed=0)
        assert mean == 0.5
        widths.append(high - low)
    assert widths[1] > 2 * widths[0]


def test_one_run_has_the_interval_of_a_single_score() -> None:
    generator = np.random.default_rng(0)
    values, clusters = generator.random(300), generator.integers(0, 90, 300)
    single = bootstrap_mean(values, clusters, draws=4000)
    mean, ends = bootstrap_question_means(values[np.newaxis], [str(c) for c in clusters], draws=4000, seed=0)
    assert mean == pytest.approx(single.value)
    assert ends == pytest.approx(single.ci95, abs=0.004)


def test_no_draws_are_refused() -> None:
    with pytest.raises(ConfigError, match="draws"):
        bootstrap_question_means(np.ones((2, 2)), ["a", "b"], draws=0, seed=0)
