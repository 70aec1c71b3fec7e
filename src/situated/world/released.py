"""Questions in SituatedQA's released formats: timelines, places, and the examples drawn from them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from situated.contexts.geo import Geo
from situated.contexts.temp import Temp
from situated.data.answers import Row, to_row
from situated.data.timeline_examples import TimelineExamples
from situated.data.timelines import Start, TemporalQuestion, Timeline
from situated.schema import Example
from situated.world.asking import Question
from situated.world.sampling import generator
from situated.world.things import Fact, Spell
from situated.world.values import SNAPSHOTS

COLLECTED, ORIGINAL = "2021-03-30", "2018-01-01"
"""When the questions were annotated, and when they were first asked."""

_SECOND_ANNOTATORS = 0.5  # share of the questions outside of training that have one, as released ones do
_FULL_SHARE = 0.159


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """One row of ``qa_data`` and what answers it."""

    row: Row
    example: Example
    spells: tuple[int, ...]


class Timelines:
    """Makes timelines, and draws examples from them.

    Args:
        seed: Of the world.
    """

    def __init__(self, seed: int):
        self.seed = seed
        self._drawn = TimelineExamples(COLLECTED, ORIGINAL, full_date_share=_FULL_SHARE, seed=seed)

    def question(self, question: Question) -> TemporalQuestion:
        """A question as ``raw_data/temp.*.jsonl`` has it."""
        _, answers = answers_then(question)
        common: dict[str, Any] = {"question": question.text, "id": question.id, "nq_answers": answers}
        if question.kind != "changing":
            return TemporalQuestion(
                **common, timelines=None, cur_answers=answers, prev_answers=None, is_dependent=False
            )
        before, now = question.asked
        timeline = Timeline(
            cur_answers=now.value.answers[:1],
            cur_start=_start(question.fact, now),
            prev_answers=before.value.answers[:1],
            prev_start=_start(question.fact, before),
        )
        rng = generator(self.seed, "annotators", question.id)
        twice = question.split != "train" and rng.random() < _SECOND_ANNOTATORS
        return TemporalQuestion(
            **common,
            timelines=(timeline,) * (2 if twice else 1),
            cur_answers=timeline.cur_answers,
            prev_answers=timeline.prev_answers,
            is_dependent=True,
        )

    def examples(self, question: Question, timeline: TemporalQuestion) -> list[Asked]:
        """The examples of a question, at most two in five with the current answer.

        The answer that holds today can be had without looking at the date: a second sampled date for it is left out.
        """
        drawn, _ = self._drawn.examples(timeline, "")
        current = set(timeline.cur_answers or ())
        kept: list[Example] = []
        seen = False
        for example in drawn:
            is_spare = timeline.is_dependent and example.date_type != "start" and set(example.answers) == current
            if not (is_spare and seen):
                kept.append(example)
            seen = seen or is_spare
        return [
            Asked(row=to_row(example, Temp()), example=example, spells=_matching(question, example))
            for example in kept
        ]  # fmt: skip


def raw_temporal(timeline: TemporalQuestion, asked: Sequence[Asked]) -> dict[str, Any]:
    """A row of ``raw_data/temp.*.jsonl``, its keys in the released order."""
    timelines = [_written(one) for one in timeline.timelines] if timeline.timelines else None
    common = {"question": timeline.question, "id": timeline.id, "nq_answers": timeline.nq_answers}
    answers = {"cur_answers": timeline.cur_answers, "prev_answers": timeline.prev_answers}
    rest = {
        "is_dependent": timeline.is_dependent,
        "context_answer_pairs": [
            {
                "edited_question": Temp().render(one.example.question, one.example.context_value),
                "answers": one.example.answers,
                "date": one.example.context_value,
                "date_type": one.example.date_type,
            }
            for one in asked
        ],
    }
    if timelines:
        return common | {"timelines": timelines} | answers | rest
    return common | answers | {"timelines": None} | rest


def geographical(question: Question) -> list[Asked]:
    """A question's examples, one for each place."""
    anywhere = tuple(dict.fromkeys(spell.value.text for spell in question.asked))
    found = []
    for number, spell in zip(question.spells, question.asked, strict=True):
        example = Example(
            example_id="",
            id=str(question.id),
            question=question.text,
            is_dependent=True,
            context_type="geo",
            context_value=_place(spell),
            answers=spell.value.answers,
            any_answers=anywhere,
        )
        found.append(Asked(row=to_row(example, Geo()), example=example, spells=(number,)))
    return found


def raw_geographical(question: Question, placed: Question, asked: Sequence[Asked]) -> dict[str, Any]:
    """A row of ``raw_data/geo.*.jsonl``: the question as it was asked of one place, and its examples."""
    spell = placed.asked[0]
    return {
        "question": question.text,
        "id": question.id,
        "nq_question": placed.text,
        "nq_context_answer_pair": {"location": _place(spell), "answers": spell.value.answers, "is_valid": True},
        "context_answer_pairs": [
            {
                "location": one.example.context_value,
                "answers": one.example.answers,
                "edited_question": Geo().render(question.text, one.example.context_value),
            }
            for one in asked
        ],
    }


def answers_then(question: Question) -> tuple[int, tuple[str, ...]]:
    """What NQ-Open says: the number of the spell, and its answers; of what changes, those of the first snapshot."""
    number = question.spells[0]
    if question.kind == "changing":
        number = next(number for number, spell in enumerate(question.fact.spells) if spell.holds(SNAPSHOTS[0]))
    return number, question.fact.spells[number].value.answers


def identification(question: Question, *, source: str = "") -> dict[str, Any]:
    """A row of ``id_data``; the temporal files name the source."""
    dependent = "yes" if question.kind in ("changing", "stripped") else "no"
    row: dict[str, Any] = {"question": question.text}
    if source:
        row["source_dataset"] = source
    return row | {"is_dependent": dependent, "id": question.id}


def _start(fact: Fact, spell: Spell) -> Start:
    if spell.start is None:
        raise ValueError(f"{fact.property.name} of {fact.subject.name} has a value without a beginning")
    if fact.is_full:
        return Start(year=spell.start.year, month=spell.start.month, date=spell.start.day)
    return Start(year=spell.start.year)


def _written(timeline: Timeline) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for which, answers, start, moment in (
        ("cur", timeline.cur_answers, timeline.cur_start, timeline.current_from),
        ("prev", timeline.prev_answers, timeline.prev_start, timeline.previous_from),
    ):
        full = ", ".join(answers) if answers else None
        found |= {f"{which}_answers": answers, f"{which}_answers_full": full, f"{which}_start": start}
        found[f"{which}_start_full"] = None if moment is None else str(moment)
    ends = ("cur_start_full", "prev_start_full")  # the release has them last
    return {key: value for key, value in found.items() if key not in ends} | {key: found[key] for key in ends}


def _matching(question: Question, example: Example) -> tuple[int, ...]:
    """The spells of the question whose answers an example has."""
    wanted = set(example.answers)
    numbers = zip(question.spells, question.asked, strict=True)
    return tuple(number for number, spell in numbers if wanted & set(spell.value.answers))


def _place(spell: Spell) -> str:
    if spell.place is None:
        raise ValueError(f"{spell.value.text} holds everywhere")
    return spell.place.name
