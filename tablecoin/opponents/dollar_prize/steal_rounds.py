"""How a round of Steal ends, for `induction.solve`: the toss of the steal, the break, and the toss that ends a tie."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tablecoin.coins import BY_VALUE, Denomination, Heap
from tablecoin.opponents.dollar_prize.bare import CENTS, Counts, counts, more, one
from tablecoin.opponents.dollar_prize.induction import Array, Numbers, Rows, share
from tablecoin.rules.change import ONE_STEP, breaks
from tablecoin.rules.dollar_prize.steal import STEAL_FROM_CENTS, StealOptions

DEAREST = 25  # cents: the most that placing adds; a row worth less than the goal ends its turn at most 24 over it


def chances_to_decide(highest: int) -> list[float]:
    """How likely each coin up to the `highest` is the first to show heads, from the penny up (rule 5.3)."""
    return [0.5 ** (highest - kind + 1) for kind in range(highest + 1)]


def ways_to_hold(coin: Denomination, options: StealOptions) -> tuple[Counts, ...]:
    """A stolen coin, whole and broken in every way that the house rules allow."""
    broken = breaks(coin)
    if options.break_one_step:
        broken = (ONE_STEP[coin],) if coin in ONE_STEP else ()
    return tuple(counts(way) for way in (Heap.of([coin]), *broken))


class StealRounds:
    """All rows of a game to `options.goal` by the plain rules of turns, and how its rounds end."""

    def __init__(self, options: StealOptions, cent: float = 0.0) -> None:
        """`cent`: see Rows."""
        self._tie_flips = options.tie_flips
        goal = options.goal
        self.rows = rows = Rows(goal, most=goal + DEAREST - 1, ceiling=goal + DEAREST, cent=cent)
        self._without = [rows.numbers(more(row, one(kind, -1)) for row in rows.all) for kind in range(4)]
        # for each kind (rows, ways): the row after receiving such a coin, whole or broken
        self._with = [
            np.stack([rows.numbers(more(row, way) for row in rows.all) for way in ways_to_hold(coin, options)], 1)
            for coin in BY_VALUE
        ]

    def __call__(self, begun: Array, first: int, other: int) -> Array:
        """(rows worth `first`, rows worth `other`) the first player's chance before the toss of the steal."""
        rows, goal = self.rows, self.rows.goal
        x, y = rows.worth(first), rows.worth(other)
        a, b = np.meshgrid(np.arange(x.start, x.stop), np.arange(y.start, y.stop), indexing="ij")
        nothing = self._settled(begun, a, b, first, other)
        if max(first, other) < STEAL_FROM_CENTS:
            return nothing
        highest = np.maximum(rows.highest[a], rows.highest[b])
        chance: Array = 0.5 ** (highest + 1.0) * nothing  # all tails
        for kind, worth in enumerate(CENTS):
            after = nothing.copy()
            for giver, taker, sign in ((a, b, -1), (b, a, 1)):
                i, j = np.nonzero((rows.counts[giver, kind] > rows.counts[taker, kind]) & (highest >= kind))
                if not len(i):
                    continue
                left = self._without[kind][giver[i, j]]
                ways = self._with[kind][taker[i, j]].T
                totals = first + sign * worth, other - sign * worth
                if max(totals) >= goal and totals[0] != totals[1]:
                    after[i, j] = share(*totals, rows.cent)
                elif sign < 0:
                    after[i, j] = np.minimum.reduce([self._settled(begun, left, way, *totals) for way in ways])
                else:
                    after[i, j] = np.maximum.reduce([self._settled(begun, way, left, *totals) for way in ways])
            chance += np.where(kind <= highest, 0.5 ** (highest - kind + 1.0), 0) * after
        return chance

    def _settled(self, begun: Array, x: Numbers, y: Numbers, first: int, other: int) -> Array:
        """The chances once the steal is over, for rows `x` and `y` worth `first` and `other`."""
        if max(first, other) < self.rows.goal:
            looked: Array = begun[x, y]
            return looked
        return self._tied(x, y) if first == other else np.full(x.shape, share(first, other, self.rows.cent))

    def _tied(self, x: Numbers, y: Numbers) -> Array:
        """The chances of rows of equal worth at the goal: who has fewer of the coin that decides is given one."""
        if self._tie_flips == 0:
            return np.full(x.shape, 0.5)
        rows = self.rows
        highest = np.maximum(rows.highest[x], rows.highest[y])[..., None]
        likely = np.where(np.arange(4) <= highest, 0.5 ** (highest - np.arange(4) + 1.0), 0)
        gains: NDArray[np.signedinteger] = np.sign(rows.counts[y] - rows.counts[x])
        swing = likely * gains * (0.5 + 2 * rows.cent * np.array(CENTS))  # a coin taken is lost and gained
        if self._tie_flips == "until":  # what decides nothing is tossed again
            swing = swing / np.maximum((likely * (gains != 0)).sum(-1, keepdims=True), 1e-9)
        return np.asarray(0.5 + swing.sum(-1))
