from __future__ import annotations

import shutil
from pathlib import Path
from typing import NamedTuple

import pytest

from situated.errors import ConfigError
from situated.world.coining import BLOCKS_AT_MOST
from situated.world.size import BLOCKS_AT_SCALE_1, check_space, n_blocks


class Usage(NamedTuple):
    """As shutil has it."""

    total: int
    used: int
    free: int


@pytest.mark.parametrize(("scale", "blocks"), [(1e-9, 1), (0.25, 3), (1, 12), (100, 1200), (2000, 24_000)])
def test_blocks_of_a_scale(scale: float, blocks: int) -> None:
    assert n_blocks(scale) == blocks


@pytest.mark.parametrize("scale", [0, -1, float("nan"), float("inf"), float("-inf")])
def test_a_scale_that_is_none_is_refused(scale: float) -> None:
    with pytest.raises(ConfigError, match=r"scale: .* is not above 0"):
        n_blocks(scale)


def test_a_scale_beyond_all_names_is_refused_with_its_size() -> None:
    with pytest.raises(ConfigError, match=r"scale: 1e\+09 would have 576,000,000,028 articles and take about .* GiB"):
        n_blocks(1e9)
    most = BLOCKS_AT_MOST // BLOCKS_AT_SCALE_1
    assert n_blocks(most) > 3e6 / 48
    with pytest.raises(ConfigError, match=f"Names repeat beyond scale={most}"):
        n_blocks(most + 1)


def test_a_world_that_does_not_fit_is_refused_before_it_is_begun(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[Path] = []

    def disk_usage(path: Path) -> Usage:
        asked.append(path)
        return Usage(0, 0, 2**30)

    monkeypatch.setattr(shutil, "disk_usage", disk_usage)
    check_space(1, tmp_path / "not" / "there")
    with pytest.raises(
        ConfigError, match=r"scale: 1000 would have 576,028 articles and take about .* has 1\.0 GiB left"
    ):
        check_space(1000, tmp_path / "not" / "there")
    assert set(asked) == {tmp_path}
