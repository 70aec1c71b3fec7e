"""Whether one system answers better than another on the same examples, group by group."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from situated.metrics import Discordant, bootstrap_p, holm, resampled_means
from situated.report.scoring import Columns, Measure

_TESTED: tuple[Measure, ...] = ("em", "f1")


@dataclass(frozen=True, slots=True)
class McNemar:
    """McNemar's exact test of matches; it takes examples for independent, though those of one question are not.

    Attributes:
        only_first: Examples that the first system alone gets right.
        p_holm: ``p`` adjusted for the groups of the metric.
    """

    only_first: int
    only_second: int
    p: float
    p_holm: float


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two systems on one group of examples.

    Attributes:
        difference: Mean score of the first less that of the second.
        ci95: Its interval over resampled questions, the same for both systems.
        p: Two-sided, of the same resamples.
        p_holm: ``p`` adjusted for the groups of the metric.
        mcnemar: None for scores that are no matches.
    """

    n: int
    first: float
    second: float
    difference: float
    ci95: tuple[float, float]
    p: float
    p_holm: float
    mcnemar: McNemar | None = None


def compare(first: Columns, second: Columns, draws: int, seed: int) -> dict[str, Comparison]:
    """Metric/group -> comparison of two systems, whose columns hold the same examples in the same order.

    P values are adjusted (Holm) over the groups of a metric, the total among them.

    Source: McNemar 1947; Holm 1979; cluster bootstrap as in ``situated.metrics.resampled_means``.
    """
    found: dict[str, Comparison] = {}
    for metric in _TESTED:
        found |= _adjusted(dict(_compared(metric, first, second, draws, seed)))
    return found


def _compared(
    metric: Measure, first: Columns, second: Columns, draws: int, seed: int
) -> Iterator[tuple[str, Comparison]]:
    for (group, members, one), (_, _, other) in zip(first.measured(metric), second.measured(metric), strict=True):
        ours, theirs = one[members], other[members]
        resampled = resampled_means(ours - theirs, first.clusters[members], draws, seed)
        low, high = np.quantile(resampled, [0.025, 0.975])
        p, test = bootstrap_p(resampled), None
        if metric == "em":
            discordant = Discordant.of(ours > 0, theirs > 0)
            test = McNemar(discordant.first, discordant.second, discordant.p, discordant.p)
        means = float(ours.mean()), float(theirs.mean())
        difference = float((ours - theirs).mean())
        yield f"{metric}/{group}", Comparison(len(ours), *means, difference, (float(low), float(high)), p, p, test)


def _adjusted(family: dict[str, Comparison]) -> dict[str, Comparison]:
    by_bootstrap = holm([comparison.p for comparison in family.values()])
    tests = [comparison.mcnemar for comparison in family.values() if comparison.mcnemar]
    by_mcnemar = [replace(test, p_holm=p) for test, p in zip(tests, holm([test.p for test in tests]), strict=True)]
    return {
        name: replace(comparison, p_holm=p, mcnemar=by_mcnemar[i] if by_mcnemar else None)
        for i, ((name, comparison), p) in enumerate(zip(family.items(), by_bootstrap, strict=True))
    }
