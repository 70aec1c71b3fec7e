"""Scores and their intervals: answer matching, binary classification, bootstrap, tests between two systems."""

from situated.metrics.answers import answer_f1, exact_match, form_f1, gold_forms
from situated.metrics.binary import (
    BINARY_METRICS,
    BinaryCounts,
    Flags,
    bootstrap_binary,
    bootstrap_binary_runs,
)
from situated.metrics.clusters import bootstrap_mean, resampled_means
from situated.metrics.estimate import Estimate
from situated.metrics.paired import Discordant, bootstrap_p, holm

__all__ = [
    "BINARY_METRICS",
    "BinaryCounts",
    "Discordant",
    "Estimate",
    "Flags",
    "answer_f1",
    "bootstrap_binary",
    "bootstrap_binary_runs",
    "bootstrap_mean",
    "bootstrap_p",
    "exact_match",
    "form_f1",
    "gold_forms",
    "holm",
    "resampled_means",
]
