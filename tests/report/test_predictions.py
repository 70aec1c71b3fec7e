import json
import random
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from situated.errors import InputError
from situated.io import write_jsonl, write_text
from situated.report.predictions import Predictions

BIG = 2**62 + 1
TEMP: dict[str, Any] = {
    "question": "who won", "id": BIG, "edited_question": "who won as of 2019", "date": "2019", "date_type": "start",
    "answer": ["Ada", "Ben"], "any_answer": ["Ada", "Ben", "Cleo"],
}  # fmt: skip
GEO: dict[str, Any] = {
    "question": "who rules", "id": -BIG, "edited_question": "who rules in peru", "location": "Peru",
    "answer": ["Ada"], "any_answer": ["Ada", "Ben"],
}  # fmt: skip
OPEN: dict[str, Any] = {"question": "who wrote it", "answer": ["Ada"]}
Rows = Sequence[Mapping[str, Any]]


@pytest.fixture
def write(tmp_path: Path) -> Callable[[str, Rows], Path]:
    def write(name: str, rows: Rows) -> Path:
        write_jsonl(tmp_path / name, rows)
        return tmp_path / name

    return write


Write = Callable[[str, Rows], Path]


# --- without gold ----------------------------------------------------------------------------------------------------


def test_temporal_rows_are_read_as_they_are(write: Write) -> None:
    (answered,) = Predictions(write("mine.jsonl", [TEMP | {"pred_answer": "Ada"}]))
    example = answered.example
    assert (answered.kind, answered.prediction, answered.line) == ("temp", "Ada", 1)
    assert (example.example_id, example.id, example.context_value) == ("mine:1", str(BIG), "2019")
    assert (example.answers, example.any_answers) == (("Ada", "Ben"), ("Ada", "Ben", "Cleo"))
    assert (example.context_type, example.date_type) == ("temp", "start")


@pytest.mark.parametrize(("row", "kind"), [(TEMP, "temp"), (GEO, "geo"), (OPEN, "open")])
@pytest.mark.parametrize("key", ["prediction", "pred_answer"])
def test_the_kind_is_that_of_the_keys(write: Write, row: dict[str, Any], kind: str, key: str) -> None:
    predictions = Predictions(write("x.jsonl", [row | {key: ""}, row | {key: "Ben", "more": [1]}]))
    assert [(a.kind, a.prediction) for a in predictions] == [(kind, ""), (kind, "Ben")]
    assert predictions.kind == kind
    assert len(list(predictions)) == 2  # once more


@pytest.mark.parametrize(
    ("row", "message"),
    [
        (GEO | {"pred_answer": "x"}, "x.jsonl:2: a row of kind 'geo' among rows of kind 'temp'"),
        (OPEN | {"prediction": "x"}, "x.jsonl:2: a row of kind 'open' among rows of kind 'temp'"),
        (TEMP, "x.jsonl:2: field 'pred_answer': missing"),
        (TEMP | {"pred_answer": "x", "prediction": "x"}, "x.jsonl:2: both pred_answer and prediction"),
        (TEMP | {"pred_answer": 5}, "x.jsonl:2: field 'pred_answer': Expected `str`, got `int`"),
        (TEMP | {"pred_answer": None}, "x.jsonl:2: field 'pred_answer': Expected `str`, got `null`"),
        (TEMP | {"pred_answer": "x", "location": "Peru"}, "x.jsonl:2: both a date and a location"),
        (TEMP | {"pred_answer": "x", "answer": "Ada"}, "x.jsonl:2: field 'answer': Expected `array`, got `str`"),
        (TEMP | {"pred_answer": "x", "date_type": "sampled"}, "x.jsonl:2: field 'date_type': unknown"),
        (TEMP | {"pred_answer": "x", "id": 1.5}, "x.jsonl:2: field 'id'"),
        ({"example_id": "temp.test:1", "prediction": "x"}, "x.jsonl:2: predictions by example_id alone"),
        (OPEN | {"prediction": "x", "group": "total"}, "x.jsonl:2: field 'group': cannot be 'total'"),
        *(
            ({k: v for k, v in TEMP.items() if k != key} | {"pred_answer": "x"}, f"x.jsonl:2: field '{key}': missing")
            for key in TEMP
        ),
    ],
)
def test_a_bad_row_is_named(write: Write, row: dict[str, Any], message: str) -> None:
    path = write("x.jsonl", [TEMP | {"pred_answer": "x"}, row])
    with pytest.raises(InputError) as caught:
        list(Predictions(path))
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("content", "message"),
    [("", "the file is empty"), ("{\n", "x.jsonl:1: broken JSON"), ("[1]\n", "x.jsonl:1"), ("\n", "line is blank")],
)
def test_a_broken_file_is_named(tmp_path: Path, content: str, message: str) -> None:
    write_text(tmp_path / "x.jsonl", content)
    with pytest.raises(InputError, match=message):
        list(Predictions(tmp_path / "x.jsonl"))
    with pytest.raises(InputError, match=message):
        list(Predictions(tmp_path / "x.jsonl", tmp_path / "x.jsonl"))


# --- joined with gold ------------------------------------------------------------------------------------------------

# Two rows of one id and date whose gold differs, as the release has them, and one whose gold differs in order alone.
GOLD = [
    TEMP,
    TEMP | {"answer": ["Ada"]},
    TEMP | {"date": "2020", "edited_question": "who won as of 2020", "answer": ["Cleo"], "date_type": "orig"},
    TEMP | {"id": 7},
]


def test_predictions_by_example_id_are_joined_whatever_their_order(write: Write) -> None:
    gold = write("temp.test.jsonl", GOLD)
    rows = [{"example_id": f"temp.test:{n}", "prediction": f"p{n}"} for n in (3, 1, 4, 2)]
    answered = list(Predictions(write("x.jsonl", rows), gold))
    assert [(a.example.example_id, a.prediction) for a in answered] == [
        (f"temp.test:{n}", f"p{n}") for n in range(1, 5)
    ]
    assert answered[1].example.answers == ("Ada",)


def test_released_rows_are_joined_by_all_that_they_show(write: Write) -> None:
    rows = [row | {"pred_answer": f"p{n}", "answer": row["answer"][::-1]} for n, row in enumerate(GOLD, start=1)]
    random.Random(0).shuffle(rows)  # noqa: S311
    answered = list(Predictions(write("x.jsonl", rows), write("temp.test.jsonl", GOLD)))
    assert [a.prediction for a in answered] == ["p1", "p2", "p3", "p4"]


def test_equal_examples_need_as_many_predictions(write: Write) -> None:
    gold = write("g.jsonl", [OPEN, OPEN])
    assert [a.prediction for a in Predictions(write("x.jsonl", [OPEN | {"prediction": p} for p in "ab"]), gold)] == [
        "a",
        "b",
    ]
    with pytest.raises(InputError, match=r"1 predictions given twice \(line 3\)"):
        list(Predictions(write("y.jsonl", [OPEN | {"prediction": p} for p in "abc"]), gold))


def test_released_rows_with_example_id_are_joined_by_it_and_must_show_that_example(write: Write) -> None:
    gold = write("g.jsonl", GOLD)
    rows = [row | {"pred_answer": f"p{n}", "example_id": f"g:{n}"} for n, row in enumerate(GOLD, start=1)]
    assert [a.prediction for a in Predictions(write("x.jsonl", rows[::-1]), gold)] == ["p1", "p2", "p3", "p4"]
    rows[0]["example_id"], rows[1]["example_id"] = "g:2", "g:1"
    with pytest.raises(InputError, match=r"x.jsonl:2: the row shows another example than 'g:1'"):
        list(Predictions(write("x.jsonl", rows), gold))


@pytest.mark.parametrize("by_id", [True, False])
def test_missing_extra_and_repeated_predictions_are_counted_and_named(write: Write, by_id: bool) -> None:
    gold = [GEO | {"id": n} for n in range(9)]
    numbers = [2, 3, 3, 3, 50, 51, 52, 53, 8]
    rows: list[dict[str, Any]] = [
        {"prediction": "x"} | ({"example_id": f"g:{n + 1}"} if by_id else GEO | {"id": n}) for n in numbers
    ]
    with pytest.raises(InputError) as caught:
        list(Predictions(write("x.jsonl", rows), write("g.jsonl", gold)))
    message = str(caught.value)
    assert "6 examples without prediction (g:1, g:2, g:5, ...)" in message
    assert "4 predictions for no example (line 5, line 6, line 7, ...)" in message
    assert "2 predictions given twice (line 3, line 4)" in message
    assert message.endswith("Exactly one prediction is needed for each of the 9 examples.")


def test_a_mix_of_rows_with_and_without_example_id_is_refused(write: Write) -> None:
    rows = [{"example_id": "g:1", "prediction": "x"}, GEO | {"pred_answer": "x"}]
    with pytest.raises(InputError, match=r"x.jsonl:2: a mix of predictions with and without example_id"):
        list(Predictions(write("x.jsonl", rows), write("g.jsonl", [GEO])))


def test_the_gold_file_is_checked_too(write: Write) -> None:
    predictions = write("x.jsonl", [{"example_id": "g:1", "prediction": "x"}])
    with pytest.raises(InputError, match=r"g.jsonl:2: a row of kind 'geo' among rows of kind 'temp'"):
        list(Predictions(predictions, write("g.jsonl", [TEMP, GEO])))
    with pytest.raises(InputError, match=r"gone.jsonl: no such file"):
        list(Predictions(predictions, predictions.parent / "gone.jsonl"))


def test_ids_keep_every_digit(write: Write) -> None:
    rows = [TEMP | {"id": BIG + n, "pred_answer": str(n)} for n in (0, 1)]
    answered = list(Predictions(write("x.jsonl", rows[::-1]), write("g.jsonl", rows)))
    assert [(a.example.id, a.prediction) for a in answered] == [(str(BIG), "0"), (str(BIG + 1), "1")]
    assert float(BIG) == float(BIG + 1)
    assert json.dumps(BIG) in (write("x.jsonl", rows)).read_text()
