"""Choices that follow from what they are about, not from the order in which they are made."""

from __future__ import annotations

import hashlib
import random


def digest(*parts: object) -> bytes:
    """Eight bytes that depend on the parts alone.

    >>> digest(1, "geo").hex()
    'b9c119955910cc61'
    """
    return hashlib.blake2b("\0".join(map(str, parts)).encode(), digest_size=8).digest()


def generator(*parts: object) -> random.Random:
    """A random generator that depends on the parts alone.

    >>> generator(1, "geo").random() == generator(1, "geo").random() != generator(1, "temp").random()
    True
    """
    return random.Random(digest(*parts))  # noqa: S311 (sampling, not cryptography)
