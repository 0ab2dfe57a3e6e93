"""A stage without pictures whose reader doubts some coins, and is as often wrong as it says: a test of the referee.

Every look at a coin that lies still gives the same reading.
"""

from __future__ import annotations

from dataclasses import replace
from random import Random

from lab.refereeing.seated import Ruler
from lab.refereeing.told import ToldStage
from tablecoin.coins import BY_VALUE, Face
from tablecoin.virtual.table import VirtualCoin
from tablecoin.vision.frame import SeenCoin, whichever

_LEAST, _MOST = 0.5, 0.97  # probability that the reader gives to what it takes a doubted coin for


class DoubtingStage(ToldStage):
    """A ToldStage where the denomination of a share of the coins is doubted, and the face of as many."""

    def __init__(self, mat: str, seed: int, share: float, referee: Ruler | None = None) -> None:
        """`share`: of coins whose denomination is doubted, 0..1. Raises MatError: no such mat."""
        super().__init__(mat, seed, referee)
        self._seed, self._share = seed, share
        self.doubted = 0  # looks at a coin of which something was doubted

    def _seen(self, coin: VirtualCoin, zone: str | None) -> SeenCoin:
        seen = super()._seen(coin, zone)
        dice = Random(f"{self._seed} {coin.coin} {coin.x_mm:.3f} {coin.y_mm:.3f}")
        if dice.random() < self._share:
            p = dice.uniform(_LEAST, _MOST)
            other = dice.choice([kind for kind in BY_VALUE if kind is not coin.denomination])
            first, second = (p, 1 - p) if dice.random() < p else (1 - p, p)
            weights = {coin.denomination: first, other: second}
            penny, nickel, dime, quarter = (weights.get(kind, 0.0) for kind in BY_VALUE)
            seen = replace(seen, denominations=(penny, nickel, dime, quarter), sure=False)
        if dice.random() < self._share:
            p = dice.uniform(_LEAST, 0.92)
            right = p if dice.random() < p else 1 - p
            seen = replace(seen, heads_if=whichever(right if coin.face is Face.HEADS else 1 - right), sure=False)
        self.doubted += not seen.sure
        return seen
