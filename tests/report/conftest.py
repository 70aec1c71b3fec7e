"""Run folders of made-up classifiers, and a small data folder."""

import random
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from situated.contexts.geo import Geo
from situated.contexts.temp import Temp
from situated.data.answers import write_answers
from situated.data.timeline_examples import TimelineExamples
from situated.io import sha256, write_json, write_jsonl
from situated.metrics import bootstrap_binary
from situated.report.audit import Audit, audit, find_files
from situated.schema import Decision, Example

HASHES = {"train": "a" * 64, "dev": "b" * 64, "test": "c" * 64}
SIZES = {"dev": (40, 16), "test": (30, 9)}  # questions, of which context-dependent
SYSTEMS: dict[str, Callable[[bool, random.Random], bool]] = {
    "perfect": lambda label, _: label,
    "constant": lambda _, __: True,
    "majority": lambda _, __: False,
    "random": lambda _, coin: coin.random() < 0.4,
}


@pytest.fixture
def known() -> frozenset[str]:
    """Content hashes of the files that made-up runs read, taken for the released ones."""
    return frozenset(HASHES.values())


@pytest.fixture
def out(tmp_path: Path) -> Path:
    return tmp_path / "outputs"


@pytest.fixture
def make_run(out: Path) -> Callable[..., Path]:
    """Write a run folder of the classifier; systems other than the made-up ones are perfect."""

    def make(
        system: str,
        context: str = "temp",
        seed: int = 1,
        *,
        name: str | None = None,
        status: str = "complete",
        config: Mapping[str, Any] | None = None,
        data: Mapping[str, Any] | None = None,
        inputs: Mapping[str, str] | None = None,
        prefix: str = "q",
    ) -> Path:
        name = name or f"{system}_{context}"
        folder = out / "classifier" / name / f"seed={seed}"
        says, coin = SYSTEMS.get(system, SYSTEMS["perfect"]), random.Random(f"{name} {seed}")  # noqa: S311
        rows = []
        for split, (n, n_yes) in SIZES.items():
            for i in range(n):
                label = i < n_yes
                prediction = says(label, coin)
                rows.append(
                    Decision(
                        example_id=f"{prefix}.{split}:{i + 1}",
                        id=str(2**60 + i),
                        split=split,
                        question=f"question {i}",
                        label="yes" if label else "no",
                        prediction="yes" if prediction else "no",
                        score=0.9 if prediction else 0.1,
                    )
                )
        write_jsonl(folder / "predictions.jsonl", rows)
        write_json(
            folder / "metrics.json",
            {
                f"{split}/{metric}": estimate
                for split in SIZES
                for metric, estimate in bootstrap_binary(
                    [row.label == "yes" for row in rows if row.split == split],
                    [row.prediction == "yes" for row in rows if row.split == split],
                ).items()
            },
        )
        settings = {"system": system, "name": name, "seed": seed, "data": {"context": context, **(data or {})}}
        hashes = HASHES if inputs is None else inputs
        write_json(
            folder / "manifest.json",
            {
                "stage": "classifier",
                "name": name,
                "seed": seed,
                "status": status,
                "config": settings | dict(config or {}),
                "inputs": {split: {"path": f"{split}.jsonl", "sha256": digest} for split, digest in hashes.items()},
            },
        )
        return folder

    return make


@pytest.fixture
def small_data(tmp_path: Path) -> Path:
    """A data folder with some of the released files, a few rows each, whose counts are known."""
    folder = tmp_path / "data" / "situatedqa"
    write_jsonl(folder / "id_data/temp.train.jsonl", _LABELLED)
    write_jsonl(folder / "raw_data/temp.test.jsonl", _TIMELINES["test"])
    write_jsonl(folder / "raw_data/temp.dev.jsonl", _TIMELINES["dev"])
    write_answers(folder / "qa_data/temp.test.jsonl", _temporal(), Temp())
    write_answers(folder / "qa_data/geo.test.jsonl", _geographical(), Geo())
    write_jsonl(folder / "temp_splits/pre_2019.dev.jsonl", [{"question": "who won", "id": 3, "answer": ["D"]}])
    write_jsonl(folder / "temp_splits/post_2019.dev.jsonl", [{"question": "who reigns", "id": 4, "answer": ["X"]}])
    return tmp_path / "data"


@pytest.fixture
def small_audit(small_data: Path) -> Audit:
    """The audit of ``small_data``, whose files are taken for the released ones."""
    files = find_files(small_data)
    hashes = {name: sha256(path) for name, path in files.items()}
    return audit(files, hashes, frozenset(hashes.values()), TimelineExamples("2021-03-30", "2018-01-01"))


_LABELLED = [
    {"question": "who leads", "source_dataset": "nq_table.open", "is_dependent": "yes", "id": 1},
    {"question": "who sings", "source_dataset": "nq_table.open", "is_dependent": "yes", "id": 20},
    {"question": "who sang", "source_dataset": "nq_table.open", "is_dependent": "no", "id": 21},
    {"question": "who sang", "source_dataset": "marco", "is_dependent": "no", "id": 22},
]


def _timeline(current: str, since: tuple[int, ...], previous: str, before: tuple[int, ...]) -> dict[str, Any]:
    """Starts are (), (year,) or (year, month, day)."""

    def start(parts: tuple[int, ...]) -> dict[str, int | None]:
        return dict(zip(("year", "month", "date"), (*parts, None, None, None)[:3], strict=True))

    return {
        "cur_answers": [current],
        "cur_start": start(since),
        "prev_answers": [previous],
        "prev_start": start(before),
    }


def _asked(id_: int, question: str, nq: str, *timelines: dict[str, Any]) -> dict[str, Any]:
    return {
        "question": question,
        "id": id_,
        "nq_answers": [nq],
        "timelines": list(timelines) or None,
        "cur_answers": timelines[0]["cur_answers"] if timelines else None,
        "prev_answers": timelines[0]["prev_answers"] if timelines else None,
        "is_dependent": bool(timelines),
    }


_TIMELINES = {
    "test": [_asked(1, "who leads", "Al", _timeline("B", (2019,), "Al", (2015,))), _asked(2, "how many legs", "4")],
    "dev": [
        _asked(
            3,
            "who won",
            "d",
            _timeline("D", (2018, 3, 6), "C", (2017, 3, 6)),
            _timeline("D", (2018,), "C", ()),
        ),
        _asked(4, "who reigns", "x", _timeline("F", (2020,), "E", (1990,))),
    ],
}


def _temporal() -> list[Example]:
    rows = [
        ("1", "who leads", "2017", "sampled_year", "Al"),
        ("1", "who leads", "2018", "sampled_year", "Al"),
        ("1", "who leads", "2020", "sampled_year", "B"),
        ("1", "who leads", "2019", "start", "B"),
        ("1", "who leads", "2015", "start", "Al"),
        ("2", "how many legs", "2019", "orig", "4"),
        ("2", "how many legs", "2019", "orig", ")"),
    ]
    return [
        Example(
            example_id="", id=id_, question=question, context_type="temp", context_value=value, date_type=date_type,
            answers=(answer,), any_answers=(answer,),
        )
        for id_, question, value, date_type, answer in rows
    ]  # fmt: skip


def _geographical() -> list[Example]:
    rows = [
        ("10", "United States", "1959"), ("10", "united states ", "in May 1960"), ("11", "United states", "Ann"),
        ("12", "united states", "Bob"), ("13", "united states", "Cyd"), ("10", "India", "Dev"),
        ("10", "peru", "Eva"), ("11", "peru", "6 goals"),
    ]  # fmt: skip
    return [
        Example(
            example_id="", id=id_, question=f"who scored {id_}", context_type="geo", context_value=place,
            answers=(answer,), any_answers=(answer,),
        )
        for id_, place, answer in rows
    ]  # fmt: skip
