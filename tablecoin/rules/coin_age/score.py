"""The score of a Coin Age map, from the top coins and the banks alone, so that a photo can be scored as well as a game.

A top coin scores its rank for the side it shows; in a region where one side holds more spaces than the other, that
side's ranks there count once more; every coin left in a bank scores 1 (clauses coin-age.score.*).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

import msgspec

from tablecoin.coins import Coin, Denomination, Face, Heap
from tablecoin.rules.coin_age.maps import Map

RANK = {Denomination.DIME: 1, Denomination.PENNY: 2, Denomination.NICKEL: 3, Denomination.QUARTER: 4}


class RegionTally(msgspec.Struct, frozen=True):
    """Spaces each side holds in a region, and whose ranks are doubled there; null when neither holds more."""

    heads: int
    tails: int
    bonus: Face | None


class Tally(msgspec.Struct, frozen=True):
    """A scored map. `bank_ranks`, the ranks of the coins left in each bank, breaks ties."""

    regions: Mapping[str, RegionTally]
    score: Mapping[Face, int]
    bank_ranks: Mapping[Face, int]

    @property
    def winner(self) -> Face | None:
        """The side with the higher score, or on equal scores the higher bank ranks; None for a draw."""
        for points in (self.score, self.bank_ranks):
            if points[Face.HEADS] != points[Face.TAILS]:
                return max(Face, key=lambda side: points[side])
        return None

    @property
    def tie_break(self) -> Literal["bank ranks", "draw"] | None:
        """How equal scores were decided; None when they were not equal."""
        if self.score[Face.HEADS] != self.score[Face.TAILS]:
            return None
        return "bank ranks" if self.winner else "draw"


def tally(board: Map, tops: Mapping[str, Coin], banks: Mapping[Face, Heap]) -> Tally:
    """Score `tops` (space id -> the coin on top; empty spaces left out) and the coins left in the banks."""
    score = {side: len(banks[side]) for side in Face}
    regions = {}
    for region in board.regions:
        coins = [tops[space.id] for space in board.within(region.id) if space.id in tops]
        held = {side: sum(coin.face == side for coin in coins) for side in Face}
        bonus = None
        if held[Face.HEADS] != held[Face.TAILS]:
            bonus = max(Face, key=lambda side: held[side])
        for coin in coins:
            score[coin.face] += RANK[coin.denomination] * (2 if coin.face == bonus else 1)
        regions[region.id] = RegionTally(held[Face.HEADS], held[Face.TAILS], bonus)
    ranks = {side: sum(RANK[kind] for kind in banks[side]) for side in Face}
    return Tally(regions, score, ranks)
