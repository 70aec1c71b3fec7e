import time
from math import comb

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from situated.errors import ConfigError
from situated.metrics import Discordant, bootstrap_mean, bootstrap_p, holm, resampled_means

Floats = npt.NDArray[np.float64]
Integers = npt.NDArray[np.int64]


def _made_up(n: int, n_clusters: int, seed: int) -> tuple[Floats, Integers]:
    """Scores that clusters share in part, in clusters of unlike sizes."""
    generator = np.random.default_rng(seed)
    clusters = np.sort(generator.integers(n_clusters, size=n) ** 2 // n_clusters)
    shared = generator.random(n_clusters)
    return (generator.random(n) < shared[clusters]).astype(float), clusters


# --- clustered bootstrap ---------------------------------------------------------------------------------------------


def test_interval_is_that_of_a_plain_loop_over_resampled_clusters() -> None:
    values, clusters = _made_up(300, 60, seed=1)
    parts = [values[clusters == cluster] for cluster in np.unique(clusters)]
    generator = np.random.default_rng(2)
    means = [
        np.concatenate([parts[i] for i in generator.integers(len(parts), size=len(parts))]).mean() for _ in range(4_000)
    ]
    estimate = bootstrap_mean(values, clusters)
    assert estimate.value == pytest.approx(values.mean())
    assert estimate.n == 300
    assert estimate.ci95 == pytest.approx(tuple(np.quantile(means, [0.025, 0.975])), abs=0.015)
    assert estimate.ci95[1] - estimate.ci95[0] > 0.1  # the tolerance is small beside what is compared


def test_examples_of_one_cluster_widen_the_interval() -> None:
    values = np.repeat([0.0, 1.0], 200)
    apart = bootstrap_mean(values, np.arange(400))
    together = bootstrap_mean(values, np.repeat(np.arange(40), 10))
    widths = [estimate.ci95[1] - estimate.ci95[0] for estimate in (apart, together)]
    assert widths[1] == pytest.approx(np.sqrt(10) * widths[0], rel=0.1)


def test_interval_covers_the_truth_about_as_often_as_it_says() -> None:
    generator, trials, covered = np.random.default_rng(3), 300, 0
    for trial in range(trials):
        rates = generator.beta(1, 2, size=150)  # mean 1/3
        clusters = np.repeat(np.arange(150), 4)
        values = (generator.random(600) < rates[clusters]).astype(float)
        low, high = bootstrap_mean(values, clusters, draws=400, seed=trial).ci95
        covered += low <= 1 / 3 <= high
    assert 0.90 <= covered / trials <= 0.985


@settings(max_examples=25, deadline=None)
@given(st.permutations(range(40)), st.integers(0, 5))
def test_order_of_examples_and_names_of_clusters_are_immaterial(order: list[int], seed: int) -> None:
    generator = np.random.default_rng(seed)
    values, clusters = generator.random(40), generator.integers(12, size=40)
    renamed = generator.permutation(12)[clusters]
    expected = resampled_means(values, clusters, 200, seed)
    assert np.array_equal(resampled_means(values[order], renamed[order], 200, seed), expected)


def test_seed_and_number_of_draws_decide() -> None:
    values, clusters = _made_up(300, 60, seed=4)
    first, again, other = (resampled_means(values, clusters, 500, seed) for seed in (0, 0, 1))
    assert np.array_equal(first, again)
    assert not np.array_equal(first, other)
    assert len(first) == 500
    assert len(np.unique(first)) > 400


def test_more_draws_than_fit_into_a_block_are_all_drawn() -> None:
    values = np.random.default_rng(5).random(3_000)  # each cluster a pattern of its own
    assert len(resampled_means(values, np.arange(3_000), 1_500, seed=0)) == 1_500


def test_a_cluster_without_examples_is_no_cluster() -> None:
    assert bootstrap_mean(np.ones(2), np.array([3, 9]), draws=50).ci95 == (1.0, 1.0)


def test_ten_thousand_draws_of_a_test_file_are_quick() -> None:
    values, clusters = _made_up(2_795, 876, seed=6)
    began = time.process_time()
    bootstrap_mean(values, clusters, draws=10_000)
    assert time.process_time() - began < 2


def test_no_draws_are_refused() -> None:
    with pytest.raises(ConfigError, match="draws = 0"):
        bootstrap_mean(np.ones(1), np.zeros(1, dtype=int), draws=0)


@pytest.mark.parametrize(("n_values", "n_clusters"), [(0, 0), (2, 1)])
def test_unusable_values_are_refused(n_values: int, n_clusters: int) -> None:
    with pytest.raises(ValueError, match=f"{n_values} values of {n_clusters} examples"):
        bootstrap_mean(np.ones(n_values), np.zeros(n_clusters, dtype=int))


# --- paired tests ----------------------------------------------------------------------------------------------------


def _binomial_p(first: int, second: int) -> float:
    """Two-sided by summing all outcomes that are no likelier than the one seen; integers, so without rounding."""
    total = first + second
    return sum(comb(total, k) for k in range(total + 1) if comb(total, k) <= comb(total, first)) / float(2**total)


@settings(deadline=None)  # the first call loads scipy
@given(st.integers(0, 60), st.integers(0, 60))
def test_mcnemar_is_the_binomial_test_of_discordant_examples(first: int, second: int) -> None:
    assert Discordant(first, second).p == pytest.approx(_binomial_p(first, second))


def test_mcnemar_counts_what_one_system_alone_gets_right() -> None:
    ours, theirs = np.array([1, 1, 0, 0, 1], dtype=bool), np.array([1, 0, 1, 0, 0], dtype=bool)
    assert Discordant.of(ours, theirs) == Discordant(first=2, second=1)


@given(st.lists(st.floats(0, 1), min_size=1, max_size=8))
def test_holm_is_the_step_down_procedure(p_values: list[float]) -> None:
    adjusted = holm(p_values)
    for level in (0.01, 0.05, 0.2, 0.7):
        rejected: set[int] = set()
        for step, i in enumerate(sorted(range(len(p_values)), key=lambda i: p_values[i])):
            if p_values[i] * (len(p_values) - step) > level:
                break
            rejected.add(i)
        assert {i for i, p in enumerate(adjusted) if p <= level} == rejected


def test_p_of_a_difference_agrees_with_its_interval() -> None:
    generator = np.random.default_rng(7)
    for shift in np.linspace(-4, 4, 41):
        drawn = generator.normal(shift, 1, size=2_000)
        low, high = np.quantile(drawn, [0.025, 0.975])
        p = bootstrap_p(drawn)
        assert 0 < p <= 1
        if abs(p - 0.05) > 0.005:
            assert (p < 0.05) is not bool(low <= 0 <= high)


def test_p_of_no_difference_is_one() -> None:
    assert bootstrap_p(np.zeros(100)) == 1.0
