"""*Steal* solved by backward induction, and the table the computer plays by.

Every state of two rows is a position (a game to a dollar, plain rules, the tie's extra steal counted as even). The
value of both rows together only grows, so the positions are settled in the order of that total, the richest first:
first the chance after the steal, then the second player's best turn, then the first player's best turn. It takes some
minutes and 1.5 GB of memory.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from tablecoin.coins import BY_VALUE, Heap
from tablecoin.opponents.dollar_prize.steal_worth import GOAL, TABLE, numbers
from tablecoin.rules.change import RECIPES, breaks

DEAREST = GOAL + 24  # what a row can be worth after a turn
OUT = Path("tablecoin/opponents/dollar_prize") / TABLE

Counts = tuple[int, int, int, int]
Array = NDArray[np.floating]


class Rows:
    """Every row up to DEAREST, by number, in the order of worth; those under GOAL are the first `under`."""

    def __init__(self) -> None:
        found = sorted(_heaps(DEAREST), key=lambda row: Heap(*row).cents)
        self.counts = np.array(found, np.int32)
        self.cents = self.counts @ np.array([kind.cents for kind in BY_VALUE], np.int32)
        self.begins = np.searchsorted(self.cents, np.arange(DEAREST + 2))
        self.under = int(self.begins[GOAL])
        self.highest = np.array([_highest(row) for row in found], np.int8)
        number = {row: k for k, row in enumerate(found)}
        turns = [[number[row] for row in turn_ends(row)] for row in found[: self.under]]
        most = max(map(len, turns))
        self.turns = np.array([ends + ends[:1] * (most - len(ends)) for ends in turns], np.int32)  # filled up, repeated
        self.without = np.array([[number.get(_plus(row, kind, -1), -1) for kind in range(4)] for row in found])
        self.stolen = []  # for each kind (rows, ways): the row after receiving it, whole or broken
        for kind in BY_VALUE:
            ways = [Heap.of([kind]), *breaks(kind)]
            gained = [[number.get(_sum(row, way.counts), -1) for way in ways] for row in found]
            self.stolen.append(np.array(gained, np.int32))

    def worth(self, cents: int) -> slice:
        """The numbers of the rows worth exactly `cents`."""
        return slice(int(self.begins[cents]), int(self.begins[cents + 1]))


def turn_ends(row: Counts) -> set[Counts]:
    """Where one turn can lead: a coin placed, and one conversion before it, after it or not at all."""
    placed = set(_places(row))
    after = {end for one in placed for end in _converts(one)}
    before = {end for one in _converts(row) for end in _places(one)}
    return placed | after | before


def _places(row: Counts) -> Iterator[Counts]:
    yield from (_plus(row, kind, 1) for kind in range(max(0, _highest(row)) + 1))


def _converts(row: Counts) -> Iterator[Counts]:
    for give, take in RECIPES:
        left = _sum(row, tuple(-count for count in give.counts))
        if min(left) >= 0:
            yield _plus(left, BY_VALUE.index(take), 1)


def _heaps(cents: int) -> Iterator[Counts]:
    for quarters in range(cents // 25 + 1):
        for dimes in range((left := cents - 25 * quarters) // 10 + 1):
            for nickels in range((rest := left - 10 * dimes) // 5 + 1):
                yield from ((pennies, nickels, dimes, quarters) for pennies in range(rest - 5 * nickels + 1))


def _highest(row: Counts) -> int:
    return max((kind for kind in range(4) if row[kind]), default=-1)


def _sum(row: Counts, more: tuple[int, ...]) -> Counts:
    a, b, c, d = (x + y for x, y in zip(row, more, strict=True))
    return a, b, c, d


def _plus(row: Counts, kind: int, count: int) -> Counts:
    return _sum(row, tuple(count * (k == kind) for k in range(4)))


def totals() -> range:
    """The cents of both rows together, the richest first: the order in which positions are settled."""
    return range(2 * DEAREST, 0, -1)


def solve(rows: Rows, counted: Iterable[int] | None = None) -> Array:
    """(under, under) the first player's chance when a round begins, indexed [first player's row, other's row].

    `counted`: `totals()`, perhaps with a bar that counts them.
    """
    begun = np.zeros((rows.under, rows.under), np.float32)
    played = np.zeros((len(rows.cents), rows.under), np.float32)
    ended = np.zeros((len(rows.cents), len(rows.cents)), np.float32)  # both have played; the steal comes
    for total in counted or totals():
        splits = [(cents, total - cents) for cents in range(max(0, total - DEAREST), min(DEAREST, total) + 1)]
        for first, other in splits:
            if other < GOAL:
                a, b = rows.worth(first), rows.worth(other)
                after = ended[a]
                played[a, b] = np.minimum.reduce([after[:, ends] for ends in rows.turns[b].T])
        for first, other in splits:
            if max(first, other) < GOAL:
                a, b = rows.worth(first), rows.worth(other)
                column = played[:, b]
                begun[a, b] = np.maximum.reduce([column[ends] for ends in rows.turns[a].T])
        for first, other in splits:
            ended[rows.worth(first), rows.worth(other)] = _steal(rows, begun, first, other)
    return begun


def _steal(rows: Rows, begun: Array, first: int, other: int) -> Array:
    """(rows worth `first`, rows worth `other`) the first player's chance before the toss of the steal."""
    a, b = rows.worth(first), rows.worth(other)
    shape = (a.stop - a.start, b.stop - b.start)
    nothing = begun[a, b] if max(first, other) < GOAL else np.full(shape, _decided(first, other), np.float32)
    if max(first, other) < 5:
        return nothing
    highest = np.maximum(rows.highest[a][:, None], rows.highest[b][None])
    chance = 0.5 ** (highest + 1) * nothing  # all tails
    for kind, coin in enumerate(BY_VALUE):
        worth = nothing.copy()
        mine, theirs = rows.counts[a, kind][:, None], rows.counts[b, kind][None]
        i, j = np.nonzero(mine > theirs)
        if len(i):
            left, ways = rows.without[a.start + i, kind], rows.stolen[kind][b.start + j].T
            cents = first - coin.cents, other + coin.cents
            over = max(cents) >= GOAL
            worth[i, j] = _decided(*cents) if over else np.minimum.reduce([begun[left, way] for way in ways])
        i, j = np.nonzero(mine < theirs)
        if len(i):
            left, ways = rows.without[b.start + j, kind], rows.stolen[kind][a.start + i].T
            cents = first + coin.cents, other - coin.cents
            over = max(cents) >= GOAL
            worth[i, j] = _decided(*cents) if over else np.maximum.reduce([begun[way, left] for way in ways])
        chance += np.where(kind <= highest, 0.5 ** (highest - kind + 1.0), 0) * worth
    return chance


def _decided(first: int, other: int) -> float:
    return 0.5 + 0.5 * float(np.sign(first - other))


def write(path: Path, progress: Callable[[Sequence[int]], AbstractContextManager[Iterable[int]]]) -> None:
    """Solve the game and save the table that ships: a byte a position. `progress` counts the totals settled."""
    rows = Rows()
    with progress(totals()) as counted:
        begun = solve(rows, counted)
    place = {Heap(*map(int, counts)): k for k, counts in enumerate(rows.counts[: rows.under])}
    kept = [place[row] for row in numbers()]
    np.savez_compressed(path, chances=np.round(100 * begun[np.ix_(kept, kept)]).astype(np.uint8))
