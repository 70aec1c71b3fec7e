"""Sets derived from the released ones: what the paper's tables split its test sets into."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace

from situated.data.timelines import TemporalQuestion
from situated.errors import ConfigError
from situated.schema import ContextType, Example
from situated.text import normalize_squad

_PARTITIONS = {"orig": "static", "sampled_year": "sampled", "sampled_date": "sampled", "start": "start"}


def by_date_type(examples: Iterable[Example]) -> dict[str, list[Example]]:
    """Static, sampled and start examples: how each one's date was chosen.

    Source: SituatedQA, Table 5.

    Raises:
        ConfigError: An example has no such kind of date.
    """
    parts: dict[str, list[Example]] = {"static": [], "sampled": [], "start": []}
    for example in examples:
        if example.date_type not in _PARTITIONS:
            raise ConfigError(f"example {example.example_id} has the kind of date {example.date_type!r}: not temporal.")
        parts[_PARTITIONS[example.date_type]].append(example)
    return parts


def common_locations(examples: Iterable[Example], at_least: int = 5) -> Counter[str]:
    """Normal form of each location that occurs often in these examples -> how often.

    Source: SituatedQA, Table 5. The set evaluated decides, not the training set.

    >>> peru = Example(example_id="", id="", question="", context_type="geo", context_value="Peru ")
    >>> common_locations([peru, peru], at_least=2)
    Counter({'peru': 2})
    """
    counts = Counter(normalize_squad(example.context_value) for example in examples)
    return Counter({location: count for location, count in counts.items() if count >= at_least})


def by_frequency(examples: Sequence[Example], at_least: int = 5) -> dict[str, list[Example]]:
    """Examples from common and from rare locations.

    Source: SituatedQA, Table 5.
    """
    common = common_locations(examples, at_least)
    parts: dict[str, list[Example]] = {"common": [], "rare": []}
    for example in examples:
        parts["common" if normalize_squad(example.context_value) in common else "rare"].append(example)
    return parts


def by_location(
    examples: Sequence[Example], apart: Sequence[str] = ("united states", "india"), at_least: int = 5
) -> dict[str, list[Example]]:
    """Examples of each location in ``apart`` (normal forms), of other common ones ("other"), and of rare ones ("rare").

    Source: SituatedQA, Table 7. "usa" and other names of a place are other strings, there as here.
    """
    common = common_locations(examples, at_least)
    parts: dict[str, list[Example]] = {location: [] for location in (*apart, "other", "rare")}
    for example in examples:
        location = normalize_squad(example.context_value)
        parts[location if location in apart else "other" if location in common else "rare"].append(example)
    return parts


def in_any_context(examples: Iterable[Example]) -> list[Example]:
    """The examples, with the answers in any context of the question taken for right.

    Source: SituatedQA, Table 6 ("Any").
    """
    return [replace(example, answers=example.any_answers) for example in examples]


def current_and_previous(questions: Iterable[TemporalQuestion], stem: str) -> dict[str, list[Example]]:
    """Questions for the current answer, and for the one before it, each where there is one.

    Source: SituatedQA, section 6 and Table 8.
    """
    parts: dict[str, list[Example]] = {"current": [], "previous": []}
    for question in questions:
        if question.timelines and question.cur_answers:
            parts["current"].append(_example(question, f"{stem}.current", "none", question.cur_answers))
        if question.timelines and question.prev_answers:
            parts["previous"].append(_example(question, f"{stem}.previous", "previous", question.prev_answers))
    return parts


def stable_and_updated(questions: Iterable[TemporalQuestion], stem: str, year: int = 2019) -> dict[str, list[Example]]:
    """Questions for the current answer, by whether it began before ``year`` or since: the earliest timeline decides.

    Questions whose current answer has no start stand in neither. Source: SituatedQA, section 6, Tables 9 and 14; the
    released ``temp_splits`` are these sets of train and dev at 2019.
    """
    parts: dict[str, list[Example]] = {"stable": [], "updated": []}
    for question in questions:
        known = [moment.year for timeline in question.timelines or () if (moment := timeline.current_from)]
        if known and question.cur_answers:
            part = "updated" if min(known) >= year else "stable"
            parts[part].append(_example(question, f"{stem}.{part}_{year}", "none", question.cur_answers))
    return parts


def _example(question: TemporalQuestion, name: str, context: ContextType, answers: tuple[str, ...]) -> Example:
    ever = (*(question.cur_answers or ()), *(question.prev_answers or ()))
    return Example(
        example_id=f"{name}:{question.row}",
        id=str(question.id),
        question=question.question,
        is_dependent=question.is_dependent,
        context_type=context,
        answers=answers,
        any_answers=tuple(dict.fromkeys(ever)),
    )
