"""How large a world is, and whether it can be made."""

from __future__ import annotations

import math
import shutil
from pathlib import Path

from situated.errors import ConfigError
from situated.world.coining import BLOCKS_AT_MOST
from situated.world.kinds import COUNTRIES, THINGS_A_BLOCK

BLOCKS_AT_SCALE_1 = 12

# Measured, bench/world.py: bytes on disk that a block takes, packed as it is written, and bytes that none belongs to.
_BYTES_A_BLOCK, _BYTES_ALWAYS = 1_050_000, 500_000
_GIB = 2**30


def n_blocks(scale: float) -> int:
    """Blocks of a world: one at least.

    Raises:
        ConfigError: The scale is not above 0, or so large that names would repeat.

    >>> n_blocks(0.25), n_blocks(1), n_blocks(0.001)
    (3, 12, 1)
    """
    if not (math.isfinite(scale) and scale > 0):
        raise ConfigError(f"scale: {scale:g} is not above 0. 0.25 is a small world, 1 has about 600 articles.")
    blocks = max(1, round(scale * BLOCKS_AT_SCALE_1))
    if blocks > BLOCKS_AT_MOST:
        most = BLOCKS_AT_MOST // BLOCKS_AT_SCALE_1
        raise ConfigError(
            f"scale: {scale:g} would have {_articles(blocks):,.0f} articles and take {_size(blocks)}. "
            f"Names repeat beyond scale={most}, which has {_articles(BLOCKS_AT_MOST):,} articles."
        )
    return blocks


def check_space(scale: float, folder: Path) -> None:
    """Check that a world fits on the disk.

    Raises:
        ConfigError: As ``n_blocks``; or it does not fit.
    """
    blocks = n_blocks(scale)
    there = folder
    while not there.exists():
        there = there.parent
    free = shutil.disk_usage(there).free
    if free < _bytes(blocks):
        raise ConfigError(
            f"scale: {scale:g} would have {_articles(blocks):,} articles and take {_size(blocks)}, but {there} has "
            f"{free / _GIB:.1f} GiB left. Choose a smaller scale or another paths.out."
        )


def _articles(blocks: int) -> int:
    return blocks * THINGS_A_BLOCK + len(COUNTRIES)


def _bytes(blocks: int) -> int:
    return _BYTES_ALWAYS + blocks * _BYTES_A_BLOCK


def _size(blocks: int) -> str:
    return f"about {_bytes(blocks) / _GIB:,.1f} GiB"
