"""What coins tossed together can show, and how likely each result is."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import product
from math import comb

from tablecoin.coins import BY_VALUE, Coin, Face, Heap


def possible_results(coins: Heap) -> Iterator[tuple[Coin, ...]]:
    """Every distinct result of tossing `coins` together: for each denomination, how many show heads."""
    kinds = [kind for kind in BY_VALUE if kind in coins]
    for heads in product(*(range(coins[kind] + 1) for kind in kinds)):
        yield tuple(
            Coin.of(kind, Face.HEADS if k < count else Face.TAILS)
            for kind, count in zip(kinds, heads, strict=True)
            for k in range(coins[kind])
        )


def chance(result: tuple[Coin, ...]) -> float:
    """How likely fair coins tossed together are to show `result`, in any order: a product of binomials over 2**n."""
    ways = 1
    for kind in BY_VALUE:
        same = [coin.face for coin in result if coin.denomination is kind]
        ways *= comb(len(same), same.count(Face.HEADS))
    return ways / (1 << len(result))


@cache
def results_with_chances(coins: Heap) -> tuple[tuple[tuple[Coin, ...], float], ...]:
    """Every distinct result of tossing `coins`, with its chance; the chances add up to 1."""
    return tuple((result, chance(result)) for result in possible_results(coins))
