"""A score with its uncertainty."""

from __future__ import annotations

from dataclasses import dataclass

from situated.errors import ConfigError


@dataclass(frozen=True, slots=True)
class Estimate:
    """A score with its uncertainty.

    Attributes:
        value: The score: a fraction in [0, 1], or the difference of two.
        n: Number of examples.
        ci95: Lower and upper end of the 95 % interval.
    """

    value: float
    n: int
    ci95: tuple[float, float]


def check_draws(draws: int) -> None:
    """Refuse a bootstrap without resamples.

    Raises:
        ConfigError: ``draws`` is not positive.
    """
    if draws < 1:
        raise ConfigError(f"bootstrap draws = {draws}: at least 1 is needed, and some thousands for a 95% interval.")
