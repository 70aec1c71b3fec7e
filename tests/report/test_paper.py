from typing import Any

import pytest

from situated.errors import ConfigError
from situated.report.paper import IdentificationScores, Statistics, printed

WHOQA_WEIGHTS = (3 / 7, 4 / 7)  # of the buckets of 2 to 8 distinct answers, three have at most 4


def test_table_4_is_consistent_in_itself() -> None:
    table = printed("situatedqa", "table4_identification", dict[str, dict[str, IdentificationScores]])
    assert list(table) == ["temp", "geo"]
    for rows in table.values():
        assert list(rows) == ["random", "bert_base", "bert_large", "human"]
        for row in rows.values():
            for split in ("dev", "test"):
                scores = row.on(split)
                precision, recall = scores["precision"], scores["recall"]
                assert scores["f1"] == pytest.approx(2 * precision * recall / (precision + recall), abs=0.11)


def test_a_split_is_taken_from_its_own_column() -> None:
    row = IdentificationScores(accuracy=(1, 2), precision=(3, 4), recall=(5, 6), f1=(7, 8))
    assert row.on("dev") == {"accuracy": 1, "precision": 3, "recall": 5, "f1": 7}
    assert row.on("test") == {"accuracy": 2, "precision": 4, "recall": 6, "f1": 8}


def test_table_2_has_both_contexts() -> None:
    table = printed("situatedqa", "table2_statistics", dict[str, Statistics])
    assert {context: row.train for context, row in table.items()} == {"temp": (4438, 36), "geo": (1149, 46)}


@pytest.mark.parametrize("model", ["retrieval", "closed_book"])
def test_table_5_totals_are_the_means_of_their_parts(model: str) -> None:
    table = printed("situatedqa", "table5_situated_qa", dict[str, Any])
    counts = table["counts"]
    for row in table[model].values():
        for total, parts in (("temp_total", ("static", "sampled", "start")), ("geo_total", ("common", "rare"))):
            mean = sum(counts[part] * row[part] for part in parts) / sum(counts[part] for part in parts)
            assert row[total] == pytest.approx(mean, abs=0.11)


@pytest.mark.parametrize("model", ["retrieval", "closed_book"])
def test_table_6_repeats_the_totals_of_table_5(model: str) -> None:
    fives = printed("situatedqa", "table5_situated_qa", dict[str, Any])[model]
    sixes = printed("situatedqa", "table6_one_vs_any", dict[str, Any])[model]
    assert {k: (v["temp_total"], v["geo_total"]) for k, v in fives.items()} == {
        k: (v["temp"][0], v["geo"][0]) for k, v in sixes.items()
    }


def test_whoqa_macro_averages_are_the_means_of_their_buckets() -> None:
    averages = printed("whoqa", "table1_accuracy", dict[str, tuple[float | None, float | None, float | None]])
    buckets = printed("whoqa", "table2_by_answer_count", dict[str, list[float | None]])
    assert averages.keys() == buckets.keys()
    for model, (_, *means) in averages.items():
        for mean, few, many in zip(means, buckets[model][::2], buckets[model][1::2], strict=True):
            if mean is None or few is None or many is None:
                assert mean is few is many is None
            else:
                assert mean == pytest.approx(WHOQA_WEIGHTS[0] * few + WHOQA_WEIGHTS[1] * many, abs=0.11), model


def test_unknown_table_is_named_with_those_there() -> None:
    with pytest.raises(ConfigError, match=r"table3_none: not a table of whoqa.*table1_accuracy"):
        printed("whoqa", "table3_none", dict[str, Any])


def test_other_shape_is_named() -> None:
    with pytest.raises(ConfigError, match=r"situatedqa\.table2_statistics: Object missing required field `accuracy`"):
        printed("situatedqa", "table2_statistics", dict[str, IdentificationScores])
