"""Changing coins into others of equal value: conversions upwards, breaks downwards, and the usual mistakes."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from tablecoin.coins import BY_VALUE, EMPTY, Denomination, Heap

Recipe = tuple[Heap, Denomination]  # what goes back to the bank, what comes out of it
RECIPES: tuple[Recipe, ...] = (
    (Heap(penny=5), Denomination.NICKEL),
    (Heap(nickel=2), Denomination.DIME),
    (Heap(nickel=1, dime=2), Denomination.QUARTER),
    (Heap(penny=5, dime=2), Denomination.QUARTER),
)

ONE_STEP = {
    Denomination.NICKEL: Heap(penny=5),
    Denomination.DIME: Heap(nickel=2),
    Denomination.QUARTER: Heap(nickel=1, dime=2),
}


def equal_heaps(cents: int, kinds: tuple[Denomination, ...]) -> Iterator[Heap]:
    """Every heap of coins of these denominations worth exactly `cents`."""
    if not kinds:
        if cents == 0:
            yield EMPTY
        return
    *lower, kind = kinds
    for count in range(cents // kind.cents + 1):
        for rest in equal_heaps(cents - count * kind.cents, tuple(lower)):
            yield rest + Heap.of([kind] * count)


@cache
def equal_conversions() -> tuple[Recipe, ...]:
    """Every way to turn lower coins into one higher coin of equal value; the four recipes are among them."""
    return tuple((heap, kind) for n, kind in enumerate(BY_VALUE) if n for heap in equal_heaps(kind.cents, BY_VALUE[:n]))


@cache
def near_recipes() -> tuple[Recipe, ...]:
    """The recipes with one coin too many or too few, as people miscount them."""
    near: dict[Recipe, None] = {}
    for give, take in RECIPES:
        for kind in BY_VALUE:
            if kind in give:
                near |= {(give - Heap.of([kind]), take): None, (give + Heap.of([kind]), take): None}
    return tuple(pair for pair in near if pair not in equal_conversions())


@cache
def breaks(coin: Denomination) -> tuple[Heap, ...]:
    """Every heap of lower coins worth as much as `coin`, most coins first; none for a penny."""
    lower = BY_VALUE[: BY_VALUE.index(coin)]
    return tuple(sorted(equal_heaps(coin.cents, lower), key=len, reverse=True))


def without(heap: Heap, coins: Heap) -> Heap:
    """What is left of `heap` after taking out as many of `coins` as are there."""
    return Heap(*(max(0, a - b) for a, b in zip(heap.counts, coins.counts, strict=True)))
