"""The chance to win a position of Steal under perfect play, from a table.

A game to a dollar by the plain rules can be worked out backwards, position by position, for the two rows together only
grow. `python -m lab train steal` does that for all 45 million starts of a round. Most rows that are really
laid hold few coins of a kind above a penny, so the table kept is of those, a byte a position; any other row is changed
into one of them of the same worth. With all 45 million, 199 of 200 games against random play were won.
"""

from __future__ import annotations

from functools import cache, lru_cache
from importlib.resources import files

import numpy as np
from numpy.typing import NDArray

from tablecoin.coins import Heap

TABLE = "steal.npz"
GOAL = 100  # cents
MOST = Heap(penny=34, nickel=3, dime=4, quarter=3)  # of each kind in a row of the table
_CHANGES = ((Heap(penny=5), Heap(nickel=1)), (Heap(nickel=2), Heap(dime=1)), (Heap(dime=5), Heap(quarter=2)))


@cache
def numbers() -> dict[Heap, int]:
    """The rows of the table and their places in it: every heap within MOST and under GOAL."""
    kept = (
        Heap(penny, nickel, dime, quarter)
        for quarter in range(MOST.quarter + 1)
        for dime in range(MOST.dime + 1)
        for nickel in range(MOST.nickel + 1)
        for penny in range(MOST.penny + 1)
    )
    return {row: k for k, row in enumerate(row for row in kept if row.cents < GOAL)}


@lru_cache(maxsize=1 << 14)
def number(row: Heap) -> int:
    """The place of `row`, worth less than GOAL, or of a row of the same worth with fewer, higher coins."""
    while row not in numbers():
        give, take = next(change for change in _CHANGES if change[0] in row and not _within(row, change[0]))
        row = row - give + take
    return numbers()[row]


def _within(row: Heap, kinds: Heap) -> bool:
    """Whether the row has no more of these kinds than the table's rows."""
    return all(row[kind] <= MOST[kind] for kind in set(kinds))


def chance(first: Heap, other: Heap) -> float:
    """The chance that whoever begins each round wins, at the start of one; both rows are worth less than GOAL."""
    return float(_table()[number(first), number(other)]) / 100


@cache
def _table() -> NDArray[np.uint8]:
    """[first player's row, other's row]: the first player's chance in per cent."""
    with (files(__package__) / TABLE).open("rb") as stream, np.load(stream) as saved:
        table: NDArray[np.uint8] = saved["chances"]
    return table
