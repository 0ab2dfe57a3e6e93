"""Rows as four counts and the turns they allow: the rules of Dollar Prize without words, fast enough to solve the game.

The plain rules only: the four recipes, one a turn, from a bank that never runs out (`plain`).
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from tablecoin.coins import BY_VALUE, Heap
from tablecoin.rules.change import RECIPES
from tablecoin.rules.dollar_prize.rows import PrizeOptions, Turn

Counts = tuple[int, int, int, int]  # pennies, nickels, dimes and quarters of a row, as in Heap.counts

CENTS = tuple(kind.cents for kind in BY_VALUE)
BEGUN = Turn()  # nothing placed, nothing converted
MOST_KNOWN = 1 << 15  # results that a solution keeps, so that it works none of them out twice
_RECIPES = tuple((give.counts, BY_VALUE.index(take)) for give, take in RECIPES)


def plain(options: PrizeOptions) -> bool:
    """Whether turns are played by the plain rules: then a position is two rows and whose turn it is."""
    freer = options.multi_convert or options.any_equal_convert
    return not freer and options.bank == "unlimited" and options.strict_order != "enforce"


def nearly_plain(options: PrizeOptions) -> bool:
    """Whether the solved game to a dollar is a good guide: other house rules than those of converting change little."""
    return options.goal == 100 and not options.multi_convert and not options.any_equal_convert


def counts(row: Heap) -> Counts:
    """The row's counts, least valuable denomination first."""
    penny, nickel, dime, quarter = row.counts
    return penny, nickel, dime, quarter


def cents(row: Counts) -> int:
    """What the row is worth."""
    return row[0] + 5 * row[1] + 10 * row[2] + 25 * row[3]


def highest(row: Counts) -> int:
    """The place of the row's most valuable denomination in BY_VALUE; -1 for an empty row."""
    return max((kind for kind in range(4) if row[kind]), default=-1)


def more(row: Counts, others: Counts) -> Counts:
    """Both together, denomination by denomination."""
    a, b, c, d = (x + y for x, y in zip(row, others, strict=True))
    return a, b, c, d


def one(kind: int, number: int = 1) -> Counts:
    """`number` coins of a denomination and nothing else; a negative number takes them away from a sum."""
    a, b, c, d = (number * (k == kind) for k in range(4))
    return a, b, c, d


@lru_cache(maxsize=1 << 16)
def turn_ends(row: Counts, ceiling: int, turn: Turn = BEGUN) -> tuple[Counts, ...]:
    """The rows in which a turn can end that stands at `turn`; no placing lifts a row over `ceiling` cents."""
    found: dict[Counts, None] = {}
    if turn.placed:
        found[row] = None
    else:
        found |= dict.fromkeys(_places(row, ceiling))
    if not turn.converted:
        found |= {end: None for end in list(found) for end in _converts(end)}
        if not turn.placed:
            found |= {end: None for changed in _converts(row) for end in _places(changed, ceiling)}
    return tuple(found)


def _places(row: Counts, ceiling: int) -> Iterator[Counts]:
    for kind in range(max(0, highest(row)) + 1):
        if cents(row) + CENTS[kind] <= ceiling:
            yield more(row, one(kind))


def _converts(row: Counts) -> Iterator[Counts]:
    for give, take in _RECIPES:
        a, b, c, d = (have - needed for have, needed in zip(row, give, strict=True))
        if min(a, b, c, d) >= 0:
            yield more((a, b, c, d), one(take))


def rows_up_to(most: int) -> list[Counts]:
    """Every row worth at most `most` cents, the poorest first."""
    found = [
        (penny, nickel, dime, quarter)
        for quarter in range(most // 25 + 1)
        for dime in range((most - 25 * quarter) // 10 + 1)
        for nickel in range((most - 25 * quarter - 10 * dime) // 5 + 1)
        for penny in range(most - 25 * quarter - 10 * dime - 5 * nickel + 1)
    ]
    return sorted(found, key=cents)
