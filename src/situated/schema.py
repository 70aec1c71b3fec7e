"""The frozen records that stages hand to each other."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Example:
    """One question as a data set gives it.

    Attributes:
        example_id: Our own key, unique over all files: ``<file stem>:<row from 1>``. Predictions are joined by it,
            since released ids may repeat within a file.
        id: The release's id as text: ids beyond 2**53 do not survive a float. Empty where the release has none.
        question: The question as released.
        is_dependent: Whether its answer depends on the context; None where nobody has said.
    """

    example_id: str
    id: str
    question: str
    is_dependent: bool | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Prediction:
    """What a context-dependence classifier says of one example.

    Attributes:
        label: The gold label, "yes" or "no"; None where there is none.
        prediction: "yes" or "no".
        score: Probability of "yes", in [0, 1].
    """

    example_id: str
    id: str
    split: str
    question: str
    label: str | None
    prediction: str
    score: float
