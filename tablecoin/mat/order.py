"""Whether the coins of a row lie in the order of their values (rulings S6 and S7).

The prize lies beside the middle of a row, so either end of the row may be the inner one: a line of coins is in order
when its values rise from left to right, or from right to left. A row may be laid in several lines.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from tablecoin.coins import Denomination, Heap

LINE_MM = 12.0  # coins of one line lie within so much across the row: a dime, the smallest coin, is 17.9 mm wide

Lying = tuple[Denomination, tuple[float, float]]  # a coin and its middle on the mat, mm


def out_of_order(coins: Iterable[Lying]) -> Heap:
    """The fewest coins that must be laid elsewhere so that every line of the row, along x, is in order."""
    return sum((_stray([kind for kind, _ in line]) for line in _lines(coins)), Heap())


def _lines(coins: Iterable[Lying]) -> list[list[Lying]]:
    """The coins line by line, each line from left to right."""
    lines: list[list[Lying]] = []
    for coin in sorted(coins, key=lambda one: one[1][1]):
        if not lines or coin[1][1] - lines[-1][0][1][1] > LINE_MM:
            lines.append([])
        lines[-1].append(coin)
    return [sorted(line, key=lambda one: one[1][0]) for line in lines]


def _stray(line: Sequence[Denomination]) -> Heap:
    """Of one line, the coins outside its longest part that rises one way or the other."""
    kept = max((_longest_rise(line), _longest_rise(line[::-1])), key=_weight)
    return Heap.of(line) - Heap.of(kept)


def _longest_rise(line: Sequence[Denomination]) -> tuple[Denomination, ...]:
    """The longest subsequence whose values never fall; of several, the most valuable: a lower coin is slotted in."""
    best: dict[Denomination, tuple[Denomination, ...]] = {}  # by its last coin
    for kind in line:
        before = (rise for last, rise in best.items() if last.cents <= kind.cents)
        best[kind] = (*max(before, key=_weight, default=()), kind)
    return max(best.values(), key=_weight, default=())


def _weight(rise: tuple[Denomination, ...]) -> tuple[int, int]:
    return len(rise), sum(kind.cents for kind in rise)
