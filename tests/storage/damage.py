"""One flipped bit, as a bad disk or memory leaves it."""

from __future__ import annotations

import random
from collections.abc import Iterator


def flipped(content: bytes, count: int, seed: int = 18) -> Iterator[bytes]:
    """`count` copies of `content`, each with another single bit flipped, the places drawn by `seed`."""
    places = random.Random(seed).sample(range(8 * len(content)), count)
    for place in places:
        damaged = bytearray(content)
        damaged[place // 8] ^= 1 << place % 8
        yield bytes(damaged)
