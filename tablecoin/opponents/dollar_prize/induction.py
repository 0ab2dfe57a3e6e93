"""Both Dollar Prize games solved by backward induction, every start of a round at once.

The two rows together only grow. So the positions are settled in the order of what both are worth, the richest first:
the chance after the round's end, then the second player's best turn, then the first player's best turn. Every step
takes all rows of one worth against all rows of another as one array.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

import numpy as np
from numpy.typing import NDArray

from tablecoin.opponents.dollar_prize.bare import Counts, cents, highest, rows_up_to, turn_ends

LEAD = 1e-6  # of the prize, for each cent of the final lead: so little that nobody gives up a chance for it
SOLVED_AT_ONCE = 30  # cents: a game to such a goal is solved in about a second, when somebody first plays it

Array = NDArray[np.floating]
Numbers = NDArray[np.int32]


class Rows:
    """Every row up to `most` cents by number, the poorest first; those under `goal` are the first `under`.

    `cent` is what a cent of the final lead counts beside the prize: 0, or LEAD where the lead is to be found.
    """

    def __init__(self, goal: int, most: int, ceiling: int, cent: float = 0.0) -> None:
        """`most`: the richest row there can be after a turn. `ceiling`: what no placing may exceed, in cents."""
        self.goal, self.most, self.cent = goal, most, cent
        self.all = rows_up_to(most)
        self.number = {row: k for k, row in enumerate(self.all)}
        self.counts = np.array(self.all, np.int32)
        self.cents = np.array([cents(row) for row in self.all], np.int32)
        self.begins = np.searchsorted(self.cents, np.arange(most + 2))
        self.under = int(self.begins[goal])
        self.highest = np.array([highest(row) for row in self.all], np.int8)
        turns = [[self.number[end] for end in turn_ends(row, ceiling)] for row in self.all[: self.under]]
        longest = max(map(len, turns))
        self.turns = np.array([ends + ends[:1] * (longest - len(ends)) for ends in turns], np.int32)  # repeated to fill

    def worth(self, cents: int) -> slice:
        """The numbers of the rows worth exactly `cents`."""
        return slice(int(self.begins[cents]), int(self.begins[cents + 1]))

    def totals(self) -> range:
        """The cents of both rows together, the richest first: the order in which positions are settled."""
        return range(2 * self.most, -1, -1)

    def numbers(self, rows: Iterable[Counts]) -> Numbers:
        """The numbers of these rows; -1 for one that there is not."""
        return np.array([self.number.get(row, -1) for row in rows], np.int32)


def share(first: int, other: int, cent: float = 0.0) -> float:
    """The first player's share of the prize when the game ends with rows worth `first` and `other` cents.

    `cent`: what each cent of the lead counts beside it.
    """
    return 0.5 + 0.5 * float(np.sign(first - other)) + cent * (first - other)


RoundEnd = Callable[[Array, int, int], Array]  # (begun, first's cents, other's cents) -> the block of chances


def solve(rows: Rows, round_end: RoundEnd, counted: Iterable[int] | None = None) -> Array:
    """(under, under) the first player's chance when a round begins, indexed [first player's row, other's row].

    `round_end` gives the chances when both have played, for the rows of one worth against those of another; it may look
    up all that begins with as much on the table or more. `counted`: `rows.totals()`, perhaps with a bar that counts.
    """
    size, under, most, goal = len(rows.all), rows.under, rows.most, rows.goal
    kind = np.float64 if rows.cent else np.float32  # a lead is small beside a chance
    begun, played, ended = np.zeros((under, under), kind), np.zeros((size, under), kind), np.zeros((size, size), kind)
    for total in counted or rows.totals():
        splits = [(first, total - first) for first in range(max(0, total - most), min(most, total) + 1)]
        for first, other in splits:
            if other < goal:
                a, b = rows.worth(first), rows.worth(other)
                after = ended[a]
                played[a, b] = np.minimum.reduce([after[:, ends] for ends in rows.turns[b].T])
        for first, other in splits:
            if max(first, other) < goal:
                a, b = rows.worth(first), rows.worth(other)
                column = played[:, b]
                begun[a, b] = np.maximum.reduce([column[ends] for ends in rows.turns[a].T])
        for first, other in splits:
            ended[rows.worth(first), rows.worth(other)] = round_end(begun, first, other)
    return begun
