import random
import string
import unicodedata
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from situated.errors import InputError
from situated.io import write_jsonl
from situated.metrics import Estimate
from situated.report.predictions import Predictions
from situated.report.scoring import Columns, Scored, estimates, scored
from situated.report.survey import survey, tell
from situated.text import normalize_situatedqa

Row = dict[str, Any]
Score = Callable[[Sequence[Row], Sequence[str]], tuple[dict[str, Estimate], list[Scored]]]
DATE_TYPES = ("orig", "sampled_year", "sampled_date", "start")
# "us" and "India" are common here, "Chad" is one short of it.
LOCATIONS = ["United States"] * 3 + ["united states"] * 3 + ["india"] * 4 + ["India"] + ["US"] * 5 + ["Chad"] * 4


def temporal() -> list[Row]:
    """Questions in four contexts each; two answers a context, no answer in two contexts."""
    return [
        {
            "question": f"q{n // 4}", "id": 2**60 + n // 4, "edited_question": f"q{n // 4} as of {2010 + n % 4}",
            "date": str(2010 + n % 4), "date_type": DATE_TYPES[n % 4], "answer": [f"answer {n}", f"The other {n}."],
            "any_answer": [f"{name} {i}" for i in range(n - n % 4, n - n % 4 + 4) for name in ("answer", "the other")],
        }
        for n in range(60)
    ]  # fmt: skip


def geographical() -> list[Row]:
    return [
        {
            "question": f"q{n % 5}", "id": n % 5, "edited_question": f"q{n % 5} in {place}", "location": place,
            "answer": [f"answer {n}"], "any_answer": [f"answer {i}" for i in range(n % 5, len(LOCATIONS), 5)],
        }
        for n, place in enumerate(LOCATIONS)
    ]  # fmt: skip


@pytest.fixture
def score(tmp_path: Path) -> Score:
    def score(rows: Sequence[Row], answers: Sequence[str]) -> tuple[dict[str, Estimate], list[Scored]]:
        path = tmp_path / "x.jsonl"
        write_jsonl(path, [row | {"prediction": answer} for row, answer in zip(rows, answers, strict=True)])
        predictions = Predictions(path)
        found = survey(predictions, normalize_situatedqa)
        columns = Columns(found.n)
        lines = list(scored(predictions, found, normalize_situatedqa, columns))
        return estimates(columns, draws=200, seed=0), lines

    return score


def values(found: dict[str, Estimate], metric: str) -> dict[str, float]:
    return {name.partition("/")[2]: e.value for name, e in found.items() if name.partition("/")[0] == metric}


TEMP_GROUPS = {"total": 60, "any": 60, "static": 15, "sampled": 30, "start": 15}
GEO_GROUPS = {"total": 20, "any": 20, "common": 16, "rare": 4, "us": 6, "india": 5, "other": 5}
KINDS = [(temporal, TEMP_GROUPS), (geographical, GEO_GROUPS)]


@pytest.mark.parametrize(("make", "groups"), KINDS)
def test_perfect_answers_are_right_everywhere(
    make: Callable[[], list[Row]], groups: dict[str, int], score: Score
) -> None:
    rows = make()
    found, _ = score(rows, [row["answer"][-1] for row in rows])
    for metric in ("em", "f1", "em_lenient"):
        assert values(found, metric) == dict.fromkeys(groups, 1.0)
        assert all(found[f"{metric}/{group}"] == Estimate(1.0, n, (1.0, 1.0)) for group, n in groups.items())
    assert values(found, "wrong_context") == dict.fromkeys(groups.keys() - {"any"}, 0.0)
    assert values(found, "wrong_context_from") == {}


@pytest.mark.parametrize("answer", ["", "the", "...", "nothing of the kind"])
@pytest.mark.parametrize(("make", "groups"), KINDS)
def test_useless_answers_are_wrong_everywhere(
    make: Callable[[], list[Row]], groups: dict[str, int], score: Score, answer: str
) -> None:
    rows = make()
    found, _ = score(rows, [answer] * len(rows))
    assert {e.value for e in found.values()} == {0.0}
    assert {name.partition("/")[2]: e.n for name, e in found.items() if name.startswith("em/")} == groups


def test_a_constant_answer_is_right_where_it_is_gold(score: Score) -> None:
    found, _ = score(temporal(), ["answer 6"] * 60)  # gold of one of the 60, which is sampled; 4 share its question
    assert values(found, "em") == pytest.approx(
        {"total": 1 / 60, "any": 4 / 60, "static": 0, "sampled": 1 / 30, "start": 0}
    )
    assert values(found, "wrong_context") == pytest.approx(
        {"total": 3 / 60, "static": 1 / 15, "sampled": 1 / 30, "start": 1 / 15}
    )
    assert values(found, "wrong_context_from") == pytest.approx({"earlier": 1 / 60, "later": 2 / 60})
    assert values(found, "f1")["total"] == pytest.approx((1 + 59 * 0.5) / 60)  # "answer" is shared with every gold


def test_answers_of_the_next_context_are_right_in_any_and_wrong_here(score: Score) -> None:
    rows = temporal()
    found, lines = score(rows, [rows[n - n % 4 + (n + 1) % 4]["answer"][0] for n in range(60)])
    assert values(found, "em") == {"total": 0, "any": 1, "static": 0, "sampled": 0, "start": 0}
    assert values(found, "wrong_context") == {"total": 1, "static": 1, "sampled": 1, "start": 1}
    assert values(found, "wrong_context_from") == {"earlier": 0.25, "later": 0.75}
    assert all(line.wrong_context and line.any and not line.em for line in lines)


def test_shuffled_answers_of_other_questions_are_wrong_in_any_context(score: Score) -> None:
    rows = temporal()
    found, _ = score(rows, [rows[(n + 4) % 60]["answer"][0] for n in range(60)])
    assert set(values(found, "em").values()) == {0.0}


def test_common_places_are_counted_in_the_file_and_us_is_one_string(score: Score) -> None:
    rows = geographical()
    _, lines = score(rows, [""] * 20)
    assert [line.partition for line in lines] == ["us"] * 6 + ["india"] * 5 + ["other"] * 5 + ["rare"] * 4
    assert lines[0].groups == ("total", "any", "common", "us")
    assert lines[-1].groups == ("total", "any", "rare")
    found, lines = score(rows[4:], [""] * 16)  # two "united states" are left
    assert [line.partition for line in lines[:2]] == ["rare", "rare"]
    assert "em/us" not in found


def test_answers_of_other_places_are_attributed_to_them(score: Score) -> None:
    rows = geographical()
    answers = [""] * 20
    answers[0], answers[1], answers[2] = "answer 5", "answer 16", "answer 7"  # of united states, Chad, india
    found, lines = score(rows, answers)
    assert [line.wrong_context_from for line in lines[:4]] == [("us",), ("rare",), ("india",), ()]
    assert values(found, "wrong_context_from") == pytest.approx({"us": 0.05, "rare": 0.05, "india": 0.05})


def test_an_answer_of_contexts_outside_the_file_is_of_no_known_context(score: Score) -> None:
    row = temporal()[0]
    _, (line,) = score([row], ["answer 3"])
    assert line.wrong_context
    assert line.wrong_context_from == ()


def test_a_day_in_a_year_is_neither_before_nor_after_it(score: Score) -> None:
    dates = ["2012", "March 06, 2012", "March 07, 2012", "2011"]
    rows = [row | {"date": date} for row, date in zip(temporal(), dates, strict=False)]
    _, lines = score(rows, ["answer 1", "answer 0", "answer 1", "answer 1"])
    assert [line.wrong_context_from for line in lines] == [(), (), ("earlier",), ("later",)]


def test_open_questions_have_a_total_and_groups_of_their_own(score: Score) -> None:
    rows: list[Row] = [
        {"question": f"q{n}", "answer": [f"answer {n}"], "group": ("current", "previous")[n % 2]} for n in range(6)
    ]
    found, lines = score(rows, ["answer 0", "", "answer 2", "", "", "answer 5"])
    assert values(found, "em") == pytest.approx({"total": 1 / 2, "current": 2 / 3, "previous": 1 / 3})
    assert "wrong_context/total" not in found
    assert [(line.question_id, line.partition) for line in lines[:2]] == [("q0", "current"), ("q1", "previous")]
    assert set(score([{"question": "q", "answer": ["a b"]}], ["a b"])[0]) == {
        "em/total",
        "f1/total",
        "em_lenient/total",
    }


def test_other_written_forms_count_in_the_lenient_metric_alone(score: Score) -> None:
    rows = [row | {"answer": ["March 6, 2014"], "any_answer": ["March 6, 2014", "USA"]} for row in temporal()[:4]]
    found, _ = score(rows, ["6 March 2014", "United States", "March 6 2014", "2014"])
    assert (found["em/total"].value, found["em/any"].value) == (0.25, 0.25)
    assert (found["em_lenient/total"].value, found["em_lenient/any"].value) == (0.5, 0.75)


def test_gold_that_nothing_can_match_is_counted_and_never_right(score: Score, tmp_path: Path) -> None:
    rows = [{"question": "a", "answer": [")"]}, {"question": "b", "answer": []}, {"question": "a", "answer": [")"]}]
    found, _ = score(rows, ["", "", ")"])
    assert (found["em/total"].value, found["em_lenient/total"].value, found["f1/total"].value) == (0, 0, 0)
    told = tell(survey(Predictions(tmp_path / "x.jsonl"), normalize_situatedqa))
    assert told == {
        "examples": 3,
        "empty_predictions": 3,
        "examples_without_gold_answer": 1,
        "examples_whose_gold_answers_are_empty_in_normal_form": 2,
        "rows_that_repeat_an_earlier_example": 1,
    }


def test_a_date_that_is_none_is_named(score: Score) -> None:
    rows = temporal()[:3]
    rows[1]["date"] = "last year"
    with pytest.raises(InputError, match=r"x.jsonl:2: field 'date': 'last year': neither a year nor a full date"):
        score(rows, [""] * 3)


def _matches(prediction: str, answers: Sequence[str]) -> bool:
    """Exact match, written independently: letters by letters, words by words."""

    def words(text: str) -> list[str]:
        lower = unicodedata.normalize("NFD", text).lower()
        kept = "".join(letter for letter in lower if letter not in set(string.punctuation))
        return [word for word in kept.split() if word not in ("a", "an", "the")]

    return any(words(prediction) == words(answer) != [] for answer in answers)


def test_exact_match_is_that_of_an_independent_implementation(score: Score) -> None:
    coin = random.Random(1)  # noqa: S311
    texts = ["The Cat", "cat", "a cat.", "Dog", "the", "", "x-ray", "xray", "Zoë", "Zoe\u0308"]
    rows = []
    for n, row in enumerate(temporal()):
        answers = coin.choices(texts, k=2)
        rows.append(row | {"answer": answers, "any_answer": answers + coin.choices(texts, k=2), "id": n // 3})
    answers = coin.choices(texts, k=60)
    found, lines = score(rows, answers)
    expected = [_matches(answer, row["answer"]) for row, answer in zip(rows, answers, strict=True)]
    assert [line.em for line in lines] == expected
    assert [line.any for line in lines] == [_matches(a, r["any_answer"]) for r, a in zip(rows, answers, strict=True)]
    assert found["em/total"].value == pytest.approx(sum(expected) / 60)
    assert 6 < sum(expected) < 54
    static = [right for row, right in zip(rows, expected, strict=True) if row["date_type"] == "orig"]
    assert found["em/static"].value == pytest.approx(sum(static) / len(static))


def test_the_order_of_rows_does_not_matter(score: Score) -> None:
    coin, rows = random.Random(2), temporal()  # noqa: S311
    answers = [coin.choice(row["any_answer"]) + coin.choice(["", " and so"]) for row in rows]
    expected, _ = score(rows, answers)
    order = coin.sample(range(60), 60)
    found, _ = score([rows[i] for i in order], [answers[i] for i in order])
    for name, estimate in expected.items():
        assert found[name].value == pytest.approx(estimate.value)
        assert found[name].ci95 == pytest.approx(estimate.ci95)
    assert list(found) == list(expected)


def test_intervals_resample_questions_with_all_their_contexts(score: Score) -> None:
    rows = temporal()
    answers = [
        row["answer"][0] if n // 4 % 2 else "" for n, row in enumerate(rows)
    ]  # a question all right or all wrong
    together, _ = score(rows, answers)
    apart, _ = score([row | {"id": n} for n, row in enumerate(rows)], answers)
    widths = [found["em/total"].ci95[1] - found["em/total"].ci95[0] for found in (together, apart)]
    assert widths[0] == pytest.approx(2 * widths[1], rel=0.3)
    assert together["em/total"].value == apart["em/total"].value
