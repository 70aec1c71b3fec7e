"""Errors come whole out of another process."""

from __future__ import annotations

import pickle
from pathlib import Path

import pytest

from situated.errors import ConfigError, InputError, SituatedError


@pytest.mark.parametrize(
    "error",
    [
        InputError(Path("a.jsonl"), "blank", "Remove it.", line=3, field="id"),
        InputError(Path("a.jsonl"), "no such file", "Make it."),
        ConfigError("seed: no."),
    ],
)
def test_an_error_survives_pickling(error: SituatedError) -> None:
    error.add_note("in seed=1")
    copy = pickle.loads(pickle.dumps(error))  # noqa: S301
    assert type(copy) is type(error)
    assert (str(copy), vars(copy)) == (str(error), vars(error))
    assert copy.__notes__ == ["in seed=1"]
