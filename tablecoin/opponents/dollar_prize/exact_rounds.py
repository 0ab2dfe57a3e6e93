"""How a round of Exact ends, for `induction.solve`: a swap for each player in turn, or none."""

from __future__ import annotations

from itertools import permutations

import numpy as np

from tablecoin.opponents.dollar_prize.bare import Counts
from tablecoin.opponents.dollar_prize.induction import Array, Numbers, Rows
from tablecoin.rules.dollar_prize.exact import FEWEST_SWAPPED, ExactOptions


def kinds_to_swap(options: ExactOptions) -> list[tuple[int, int]]:
    """(given, taken) the denominations a player may exchange, by their places in BY_VALUE."""
    return [(give, take) for give, take in permutations(range(4), 2) if options.swap_any or take > give]


def become(row: Counts, give: int, take: int) -> Counts:
    """The row with all its coins of one kind become as many of another."""
    changed = list(row)
    changed[give], changed[take] = 0, row[take] + row[give]
    a, b, c, d = changed
    return a, b, c, d


class ExactRounds:
    """All rows of a game to `options.goal` by the plain rules of turns, and how its rounds end."""

    def __init__(self, options: ExactOptions, cent: float = 0.0) -> None:
        """`cent`: see Rows."""
        self.rows = rows = Rows(options.goal, most=options.goal, ceiling=options.goal, cent=cent)
        self._kinds = kinds_to_swap(options)
        self._in_turn = options.round_order == "alternate"
        self._begins = 0 if options.swap_order == "round" else 1  # who swaps first: 0 who played first
        # [give][take]: of each row, the row with all coins of one kind become coins of the other; -1 if too rich
        self._become = [
            [rows.numbers(become(row, give, take) for row in rows.all) for take in range(4)] for give in range(4)
        ]

    def __call__(self, begun: Array, first: int, other: int) -> Array:
        """(rows worth `first`, rows worth `other`) the first player's chance before the swaps."""
        rows = self.rows
        a, b = rows.worth(first), rows.worth(other)
        x, y = np.meshgrid(np.arange(a.start, a.stop), np.arange(b.start, b.stop), indexing="ij")
        nobody = np.full(x.shape, -1)
        best = self._answered(begun, x, y, nobody, nobody)
        for give, take in self._kinds:
            legal, u, v = self._swapped(x, y, self._begins, give, take)
            i, j = np.nonzero(legal)
            after = self._answered(begun, u[i, j], v[i, j], x[i, j], y[i, j])
            best[i, j] = self._better(self._begins)(best[i, j], after)
        return best

    def _answered(self, begun: Array, x: Numbers, y: Numbers, was_x: Numbers, was_y: Numbers) -> Array:
        """The chances when only the player who swaps last may still swap, and not back to the rows as they were."""
        last = 1 - self._begins
        best = self._settled(begun, x, y)
        for give, take in self._kinds:
            legal, u, v = self._swapped(x, y, last, give, take)
            where = np.nonzero(legal & ~((u == was_x) & (v == was_y)))
            best[where] = self._better(last)(best[where], self._settled(begun, u[where], v[where]))
        return best

    def _swapped(
        self, x: Numbers, y: Numbers, asker: int, give: int, take: int
    ) -> tuple[np.ndarray[tuple[int, ...], np.dtype[np.bool_]], Numbers, Numbers]:
        """Where the player `asker` (0: who played first) may swap these kinds, and the rows after it."""
        if asker:
            give, take = take, give  # seen from the first player
        held = self.rows.counts[x, give]
        u, v = self._become[give][take][x], self._become[take][give][y]
        return (held >= FEWEST_SWAPPED) & (held == self.rows.counts[y, take]) & (u >= 0) & (v >= 0), u, v

    def _better(self, player: int) -> np.ufunc:
        return np.minimum if player else np.maximum

    def _settled(self, begun: Array, x: Numbers, y: Numbers) -> Array:
        """The chances when the round is over with rows `x` and `y`."""
        rows = self.rows
        on = (x < rows.under) & (y < rows.under)
        a, b = np.where(on, x, 0), np.where(on, y, 0)
        looked: Array = 1 - begun[b, a] if self._in_turn else begun[a, b]
        lead = rows.cents[x] - rows.cents[y]
        over = 0.5 + 0.5 * np.sign(lead) + rows.cent * lead
        return np.where(on, looked, over).astype(begun.dtype)
