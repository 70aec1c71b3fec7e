import random

import numpy as np
import pytest

from situated.metrics import holm
from situated.report.scoring import Columns, Scored
from situated.report.significance import Comparison, compare

N, PER_QUESTION = 400, 4


def columns(right: list[bool], f1: list[float] | None = None) -> Columns:
    """Answers to questions of four examples each, the first of each static and the others sampled."""
    made = Columns(len(right))
    for n, em in enumerate(right):
        partition = "static" if n % PER_QUESTION == 0 else "sampled"
        made.add(
            Scored(
                example_id=f"x:{n}", question_id=str(n // PER_QUESTION), partition=partition,
                groups=("total", "any", partition), em=em, any=True, f1=float(em) if f1 is None else f1[n], f1_any=1.0,
                em_lenient=em, em_lenient_any=True, wrong_context=not em, wrong_context_from=(),
            )
        )  # fmt: skip
    return made


def coins(rate: float, seed: int) -> list[bool]:
    coin = random.Random(seed)  # noqa: S311
    return [coin.random() < rate for _ in range(N)]


def test_a_system_does_not_differ_from_itself() -> None:
    right = coins(0.4, 1)
    found = compare(columns(right), columns(right), draws=300, seed=0)
    assert set(found) == {f"{m}/{g}" for m in ("em", "f1") for g in ("total", "any", "static", "sampled")}
    for comparison in found.values():
        assert (comparison.difference, comparison.ci95) == (0.0, (0.0, 0.0))
        assert (comparison.p, comparison.p_holm) == (1.0, 1.0)
    one = found["em/total"].mcnemar
    assert one is not None
    assert (one.only_first, one.only_second, one.p, one.p_holm) == (0, 0, 1.0, 1.0)


def test_counts_and_differences_are_those_of_a_plain_loop() -> None:
    first, second = coins(0.5, 2), coins(0.4, 3)
    found = compare(columns(first), columns(second), draws=2_000, seed=0)
    for group, step in {"total": range(N), "static": range(0, N, PER_QUESTION)}.items():
        comparison = found[f"em/{group}"]
        pairs = [(first[n], second[n]) for n in step]
        assert comparison.n == len(pairs)
        assert comparison.first == pytest.approx(sum(a for a, _ in pairs) / len(pairs))
        assert comparison.difference == pytest.approx(sum(a - b for a, b in pairs) / len(pairs))
        assert comparison.mcnemar is not None
        assert comparison.mcnemar.only_first == sum(a and not b for a, b in pairs)
        assert comparison.mcnemar.only_second == sum(b and not a for a, b in pairs)
    assert found["f1/total"].mcnemar is None


def test_interval_is_that_of_a_plain_loop_over_resampled_questions() -> None:
    """A system that gets a question right in all contexts or in none: single examples would vary half as much."""
    first, second = [coins(0.5, 4)[n // PER_QUESTION] for n in range(N)], coins(0.42, 5)
    differences = (np.array(first, float) - np.array(second, float)).reshape(-1, PER_QUESTION)
    generator = np.random.default_rng(6)
    means = [differences[generator.integers(len(differences), size=len(differences))].mean() for _ in range(4_000)]
    comparison = compare(columns(first), columns(second), draws=10_000, seed=0)["em/total"]
    assert comparison.ci95 == pytest.approx(tuple(np.quantile(means, [0.025, 0.975])), abs=0.008)
    assert comparison.p == pytest.approx(
        2 * min(np.mean(np.array(means) <= 0), np.mean(np.array(means) >= 0)), abs=0.03
    )


def test_p_values_are_adjusted_over_the_groups_of_a_metric() -> None:
    found = compare(columns(coins(0.45, 7)), columns(coins(0.4, 8)), draws=500, seed=0)
    for metric in ("em", "f1"):
        family = [comparison for name, comparison in found.items() if name.startswith(metric)]
        assert [one.p_holm for one in family] == pytest.approx(holm([one.p for one in family]))
    tests = [one.mcnemar for one in found.values() if one.mcnemar]
    assert [one.p_holm for one in tests] == pytest.approx(holm([one.p for one in tests]))
    assert any(one.p_holm > one.p for one in tests)


def test_which_system_comes_first_turns_the_sign_alone() -> None:
    first, second = columns(coins(0.5, 9)), columns(coins(0.3, 10))
    one, other = (compare(*pair, draws=1_000, seed=0)["em/total"] for pair in ((first, second), (second, first)))
    assert one.difference == pytest.approx(-other.difference)
    assert one.ci95 == pytest.approx((-other.ci95[1], -other.ci95[0]), abs=0.02)
    assert isinstance(one, Comparison)
    assert one.p < 0.01 < 0.02 > other.p


def test_clear_and_chance_differences_are_told_apart() -> None:
    false_alarms = 0
    for trial in range(60):
        pair = columns(coins(0.4, 100 + trial)), columns(coins(0.4, 300 + trial))
        false_alarms += compare(*pair, draws=300, seed=trial)["em/total"].p < 0.05
    assert false_alarms <= 8
    clear = compare(columns(coins(0.6, 11)), columns(coins(0.4, 12)), draws=999, seed=0)["em/total"]
    assert clear.p_holm < 0.01
    assert clear.ci95[0] > 0
