"""Two snapshots beside each other, and where answers occur."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from situated.corpus.answers import compare_answers, first_occurrences, read_questions
from situated.corpus.diff import compare, open_side
from situated.corpus.store import PassageStore
from situated.errors import InputError
from situated.metrics.has_answer import answer_tokens

Make = Callable[..., str]
PROSE = "one two three four five six seven eight nine ten"


@pytest.fixture
def sides(page: Make, snapshot: Callable[..., Path]) -> tuple[Path, Path]:
    before = [
        page("Same", PROSE, id=1), page("Touched", PROSE, id=2, revision=1), page("Old name", PROSE, id=3),
        page("Grown", f"{PROSE} eleven", id=4, revision=1), page("Gone", PROSE, id=5),
    ]  # fmt: skip
    after = [
        page("New", PROSE, id=9), page("Grown", f"{PROSE} Zwölf!", id=4, revision=2), page("Same", PROSE, id=1),
        page("Touched", PROSE, id=2, revision=2), page("New name", PROSE, id=3),
    ]  # fmt: skip
    return snapshot("before", ["".join(before)]), snapshot("after", after)


def test_changes(sides: tuple[Path, Path]) -> None:
    counts = Counter[str]()
    lines = list(compare(open_side(sides[0]), open_side(sides[1]), counts))
    assert [(line["page_id"], line["change"], len(line["passages"])) for line in lines] == [
        (2, "same_text", 0), (3, "renamed", 4), (4, "changed", 2), (5, "vanished", 3), (9, "appeared", 3),
    ]  # fmt: skip
    assert (lines[1]["title_before"], lines[1]["title"]) == ("Old name", "New name")
    assert (lines[2]["revision_before"], lines[2]["revision_after"]) == (1, 2)
    stores = [PassageStore(folder) for folder in sides]
    texts = [{one.id: one.text for one in store} for store in stores]
    told = {(one["change"], texts[one["change"] == "appeared"][one["id"]]) for one in lines[2]["passages"]}
    assert told == {("vanished", "ten eleven Grown one two"), ("appeared", "ten Zwölf! Grown one two")}
    assert {name: counts[name] for name in counts if name.startswith("articles/")} == {
        "articles/same": 1, "articles/same_text": 1, "articles/renamed": 1, "articles/changed": 1,
        "articles/vanished": 1, "articles/appeared": 1,
    }  # fmt: skip
    vanished, appeared, same = (counts[f"passages/{name}"] for name in ("vanished", "appeared", "same"))
    assert (same + vanished, same + appeared) == (len(stores[0]), len(stores[1]))


def test_answers(sides: tuple[Path, Path]) -> None:
    questions = [
        ("a", ["eleven"]),
        ("b", ["zwo\u0308lf"]),
        ("c", ["One two", "x"]),
        ("d", ["wo", "..."]),
        ("e", ["ten grown"]),
    ]
    wanted = [answer_tokens(answer) for _, answers in questions for answer in answers]
    found = [first_occurrences(PassageStore(folder), wanted) for folder in sides]
    lines = list(compare_answers(questions, *found))
    assert [line["occurs"] for line in lines] == ["only_before", "only_after", "both", "neither", "neither"]
    assert lines[0]["answers"] == [{"answer": "eleven", "before": "12", "after": None}]
    assert PassageStore(sides[0])[11].text == "ten eleven Grown one two"


def test_a_collection_without_pages_cannot_be_compared(sides: tuple[Path, Path]) -> None:
    for file in (sides[0] / "pages").iterdir():
        file.unlink()
    (sides[0] / "pages").rmdir()
    with pytest.raises(InputError, match="no table of pages"):
        open_side(sides[0])


@pytest.mark.parametrize(
    ("row", "field"),
    [('{"question": "a"}', "answer"), ('{"answer": ["a"]}', "question"), ('{"question": "a", "answer": []}', "answer"),
     ('{"question": "a", "answer": [1]}', "answer")],
)  # fmt: skip
def test_a_row_without_question_or_answer(tmp_path: Path, row: str, field: str) -> None:
    (tmp_path / "q.jsonl").write_text(f'{{"question": "a", "answer": "b"}}\n{row}\n')
    with pytest.raises(InputError, match=f"q.jsonl:2: field '{field}'"):
        list(read_questions(tmp_path / "q.jsonl"))
