"""What coins tossed together can show."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from tablecoin.coins import BY_VALUE, Coin, Face, Heap


def tosses(coins: Heap) -> Iterator[tuple[Coin, ...]]:
    """Every distinct result of tossing `coins` together: for each denomination, how many show heads."""
    kinds = [kind for kind in BY_VALUE if kind in coins]
    for heads in product(*(range(coins[kind] + 1) for kind in kinds)):
        yield tuple(
            Coin.of(kind, Face.HEADS if k < count else Face.TAILS)
            for kind, count in zip(kinds, heads, strict=True)
            for k in range(coins[kind])
        )
