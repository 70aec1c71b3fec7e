"""An audit as a table: facts of each split, with the paper's figures where it prints one."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from situated.report.audit import SPLITS, Audit
from situated.report.audit_answers import TIME_EXPRESSION, AnswerCounts
from situated.report.audit_timelines import AGREEMENT, TimelineAudit
from situated.report.paper import AssumedLocation, CurrentPrevious, Prose, SituatedAnswers, StableUpdated, printed
from situated.report.table import Block, Label, Row, Table, count_cell

ALL = "all"
Count = Callable[[AnswerCounts], float]

_PARTITIONS = (
    "Released temp test holds ten more sampled and ten fewer start examples than Table 5 prints (the total agrees), "
    "released geo test one more at a common location."
)
_BARE_IDS = "An id alone does not name a question: WebQuestions' are numbered anew in each split."


def summary(audit: Audit) -> Table:
    """The facts of an audit that no table of the paper holds, a column for each split."""
    blocks = [
        Block("parts of qa_data", tuple(_parts(audit))),
        Block("timelines", tuple(_derived(audit))),
        Block("rows to know of", tuple(_doubtful(audit))),
        Block("released examples", tuple(_redrawn(audit))),
        Block("percent", tuple(_percentages(audit))),
    ]
    return Table(
        name="audit",
        title="Audit: what the data folder holds",
        stub=("Context", "What"),
        columns=("Train", "Dev", "Test", "All"),
        blocks=tuple(block for block in blocks if block.rows),
        notes=tuple(_notes(audit)),
    )


def _parts(audit: Audit) -> Iterator[Row]:
    counts = printed("situatedqa", "table5_situated_qa", SituatedAnswers).counts
    places = printed("situatedqa", "table7_assumed_location", AssumedLocation).counts
    for part in ("static", "sampled", "start"):
        yield from _answers_row(audit, "temp", part, _partition(part), counts[part])
    for part in ("common", "rare"):
        yield from _answers_row(audit, "geo", part, _place(part), counts[part])
    for part, name in (("united_states", "us"), ("india", "india"), ("other", "other")):
        yield from _answers_row(audit, "geo", f"common: {part.replace('_', ' ')}", _place(part), places[name])
    yield from _answers_row(audit, "geo", "common locations", _n_common)


def _partition(part: str) -> Count:
    return lambda found: found.partitions[part]


def _place(part: str) -> Count:
    return lambda found: getattr(found.locations, part)


def _n_common(found: AnswerCounts) -> int:
    return len(found.locations.listed) if found.locations else 0


def _answers_row(
    audit: Audit, context: str, words: str, count: Count, paper: float | None = None, digits: int = 0
) -> Iterator[Row]:
    """Yield the row of one fact of ``qa_data``, unless no file of the context is there."""
    if found := audit.answers.get(context):
        ours = {split: count(one) for split, one in found.items()}
        yield _row(audit, f"qa_data/{context}", words, ours, paper, digits)


def _row(
    audit: Audit,
    stem: str,
    words: str,
    ours: Mapping[str, float],
    paper: float | None = None,
    digits: int = 0,
    paper_all: float | None = None,
) -> Row:
    """A row of one fact; ``paper`` is what is printed of the test split, ``paper_all`` of all."""
    cells = [
        count_cell(paper if split == "test" else None, ours.get(split), digits, audit.is_released(f"{stem}.{split}"))
        for split in SPLITS
    ]
    is_released = all(audit.is_released(f"{stem}.{split}") for split in SPLITS)
    return Row(
        (Label(stem.rpartition("/")[2]), Label(words)),
        (*cells, count_cell(paper_all, ours.get(ALL), digits, is_released)),
    )


def _derived(audit: Audit) -> Iterator[Row]:
    if audit.timelines is None:
        return
    eights = printed("situatedqa", "table8_current_previous", CurrentPrevious).counts
    nines = printed("situatedqa", "table9_stable_updated", StableUpdated).counts
    papers = {"questions": None, "dependent": None, "timelines": None} | {
        name: {**eights, **nines}[name] for name in ("current", "previous", "stable", "updated")
    }
    for name, paper in papers.items():
        ours = {split: getattr(counts, name) for split, counts in audit.timelines.splits.items()}
        yield _row(audit, "raw_data/temp", name, ours, paper)


def _doubtful(audit: Audit) -> Iterator[Row]:
    for context, labelled in audit.identification.items():
        repeated = {split: found.repeated_questions for split, found in labelled.items()}
        yield _row(audit, f"id_data/{context}", "labelled questions that repeat another", repeated)
    for context in audit.answers:
        yield from _answers_row(audit, context, "rows that repeat a question in a context", _n_repeating)
        yield from _answers_row(audit, context, "such questions with conflicting answers", _n_conflicting)
        yield from _answers_row(
            audit, context, "answers with an empty normal form", lambda found: len(found.unmatchable)
        )


def _n_repeating(found: AnswerCounts) -> int:
    return sum(len(same.example_ids) - 1 for same in found.repeated)


def _n_conflicting(found: AnswerCounts) -> int:
    return sum(same.is_conflicting for same in found.repeated)


def _redrawn(audit: Audit) -> Iterator[Row]:
    if audit.timelines and (redrawn := audit.timelines.redrawn):
        agreeing = {split: sum(one.agreeing.values()) for split, one in redrawn.items()}
        others = {split: len(one.differences) for split, one in redrawn.items()}
        yield _row(audit, "qa_data/temp", "as the timelines give them", agreeing)
        yield _row(audit, "qa_data/temp", "others", others)


def _percentages(audit: Audit) -> Iterator[Row]:
    for context in audit.answers:
        timed, digits = (lambda found: found.time_expressions_percent), (lambda found: found.digits_percent)
        yield from _answers_row(audit, context, "answers with a time expression", timed, digits=1)
        yield from _answers_row(audit, context, "answers with a digit", digits, digits=1)
    if audit.timelines:
        said = _prose().agreement_with_nq_percent["ours"]
        found = audit.timelines.agreement
        by_answer = {split: agreement.percent for split, agreement in found.items()}
        by_question = {split: agreement.questions_percent for split, agreement in found.items()}
        yield _row(audit, "raw_data/temp", "answers of 2018 that NQ has", by_answer, digits=1, paper_all=said)
        yield _row(audit, "raw_data/temp", "questions with such an answer", by_question, digits=1)


def _prose() -> Prose:
    return printed("situatedqa", "prose", Prose)


def _notes(audit: Audit) -> Iterator[str]:
    if audit.absent:
        yield f"Not in the data folder, so left out: {', '.join(audit.absent)}."
    if others := [name for name in audit.files if not audit.is_released(name)]:
        yield f"Not the released files, so no difference is given: {', '.join(others)}."
    if audit.is_released("qa_data/temp.test") or audit.is_released("qa_data/geo.test"):
        yield _PARTITIONS
    leaks = [overlap for overlap in audit.overlaps if overlap.leaks and overlap.questions]
    if leaks:
        most = max(leaks, key=lambda overlap: overlap.questions)
        yield (
            f"Questions in two splits: {len(leaks)} pairs of files share some, most of them {most.first} and "
            f"{most.second} ({most.questions}); audit.json lists all."
        )
    if audit.is_released("id_data/temp.dev"):
        yield _BARE_IDS
    places = audit.answers.get("geo", {}).get("test")
    if places and places.locations:
        listed = ", ".join(f"{name} {count}" for name, count in places.locations.listed.items())
        yield f"Common locations of geo test: {listed}."
    if audit.timelines:
        yield from _timeline_notes(audit.timelines)
    if audit.answers:
        said = _prose().geo_answers_with_time_expression_percent
        yield f"Time expression: {TIME_EXPRESSION}. The paper says 'over {said:g}%' for geo and gives no definition."
    if audit.figure3 and audit.figure3.timelines:
        left_out = "; ".join(f"{count} left out, {why}" for why, count in audit.figure3.left_out.items())
        yield (
            f"Figure 3: the previous answer held {audit.figure3.median_years:g} years, the median of "
            f"{audit.figure3.timelines} timelines" + (f" ({left_out})." if left_out else ".")
        )


def _timeline_notes(timelines: TimelineAudit) -> Iterator[str]:
    same = [name for name, is_same in timelines.temp_splits.items() if is_same]
    other = [name for name, is_same in timelines.temp_splits.items() if not is_same]
    if same:
        yield f"The timelines give exactly: {', '.join(same)}."
    if other:
        yield f"The timelines do NOT give: {', '.join(other)}."
    yield f"Agreement with NQ: {AGREEMENT}. The paper says about 40%."
