"""The frozen records that stages hand to each other."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

ContextType = Literal["temp", "geo", "previous", "none"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Example:
    """One question as a data set gives it, in one context.

    Attributes:
        example_id: Our own key, unique over all files: ``<file stem>:<row from 1>``. Predictions are joined by it,
            since released ids, and ids with a context, may repeat within a file.
        id: The release's id as text: ids beyond 2**53 do not survive a float. Empty where the release has none.
        question: The question as released, without its context.
        is_dependent: Whether its answer depends on the context; None where nobody has said.
        context_type: What the answer is asked for: a time, a place, the answer before, or nothing.
        context_value: The time ("2017", "March 06, 2014") or place as released; empty for the others.
        date_type: How a temporal value was chosen ("orig", "sampled_year", "sampled_date", "start").
        answers: Gold answers in the context.
        any_answers: Gold answers in any annotated context of the question.
    """

    example_id: str
    id: str
    question: str
    is_dependent: bool | None = None
    context_type: ContextType = "none"
    context_value: str = ""
    date_type: str = ""
    answers: tuple[str, ...] = ()
    any_answers: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Passage:
    """A passage of a collection, and where it comes from; None where an imported collection does not say.

    Attributes:
        id: Its name in the collection; "1" for the first of a snapshot.
        page_id: MediaWiki's number of the article.
        revision_id: Of the article's text.
        timestamp: Of that revision, ISO 8601 in UTC.
        start: Its first character in the article's text (``situated.corpus.passages``).
        end: One past its last character there.
        wrapped: Characters of the article's beginning that follow its own, in DPR's last blocks.
    """

    id: str
    title: str
    text: str
    page_id: int | None = None
    revision_id: int | None = None
    timestamp: str | None = None
    start: int | None = None
    end: int | None = None
    wrapped: int | None = None
