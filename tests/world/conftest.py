"""Questions of some seeds, drawn once."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import pytest

from situated.world.forms import Context
from situated.world.identification import DEFAULT_SIZES, Question, draw_questions

Draw = Callable[[Context, int], dict[str, list[Question]]]


@pytest.fixture(scope="session")
def questions() -> Draw:
    @cache
    def draw(context: Context, seed: int) -> dict[str, list[Question]]:
        return {split: draw_questions(context, split, seed, size) for split, size in DEFAULT_SIZES.items()}

    return draw
