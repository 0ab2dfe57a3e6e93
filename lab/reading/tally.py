"""A reading of a virtual table held against the coins that lie there, and counted."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from tablecoin.virtual.table import VirtualCoin
from tablecoin.vision.frame import Reading

NEAR_MM = 2.0  # a coin read at most this far from a coin's true place is matched with it


@dataclass(frozen=True, slots=True)
class Tally:
    """Counts of one table."""

    coins: int
    found: int
    right: int  # found, with the right denomination and face
    sure: int
    wrong_and_sure: int
    invented: int  # read as a coin where none lies

    @property
    def whole(self) -> bool:
        """Whether every coin was read rightly and surely, and nothing else was seen."""
        return self.coins == self.right == self.sure and not self.invented

    @property
    def best_guess(self) -> bool:
        """Whether every coin was read rightly, surely or not, and nothing else was seen."""
        return self.coins == self.right and not self.invented


def tally(laid: Sequence[VirtualCoin], reading: Reading) -> Tally:
    """Match coins read with coins laid, nearest pairs first, one to one, and count."""
    took: dict[int, int] = {}
    for _, k, j in sorted(
        (apart, k, j)
        for k, coin in enumerate(laid)
        for j, seen in enumerate(reading.coins)
        if seen.place_mm and (apart := math.dist(seen.place_mm, (coin.x_mm, coin.y_mm))) <= NEAR_MM
    ):
        if k not in took and j not in took.values():
            took[k] = j
    pairs = [(laid[k], reading.coins[j]) for k, j in took.items()]
    right = [seen.coin is coin.coin for coin, seen in pairs]
    others = [seen for j, seen in enumerate(reading.coins) if j not in took.values()]
    return Tally(
        coins=len(laid),
        found=len(pairs),
        right=sum(right),
        sure=sum(seen.sure for _, seen in pairs),
        wrong_and_sure=sum(seen.sure and not good for (_, seen), good in zip(pairs, right, strict=True)),
        invented=sum(seen.denomination is not None for seen in others),
    )


def line_of(name: str, tallies: Sequence[Tally]) -> str:
    """One row of counts."""
    total = {field: sum(getattr(t, field) for t in tallies) for field in Tally.__dataclass_fields__}
    whole, guess = sum(t.whole for t in tallies), sum(t.best_guess for t in tallies)
    return (
        f"{name:28} whole and sure {whole}/{len(tallies)}  right {guess}/{len(tallies)}  coins found"
        f" {total['found']}/{total['coins']}  right {total['right']}  sure {total['sure']}"
        f"  wrong+sure {total['wrong_and_sure']}  invented {total['invented']}"
    )
