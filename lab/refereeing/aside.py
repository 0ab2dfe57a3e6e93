"""The coins that simulated people put aside: the referee asks about their sides, and advises to play on with others."""

from __future__ import annotations

import math

from tablecoin.coins import Denomination, Face
from tablecoin.virtual.skin import Skin
from tablecoin.virtual.table import VirtualCoin


class Aside:
    """Coins put aside, for as many games as these people play, told by the picture of the side that was unclear."""

    def __init__(self, skin: Skin) -> None:
        self._skin = skin
        self._pictures: frozenset[tuple[Denomination, Face, int]] = frozenset()

    def put(self, coin: VirtualCoin) -> None:
        """Put `coin` aside, if half of its denomination stays in play."""
        kind, face = coin.denomination, coin.face
        before, number = self._pictures, math.lcm(*(self._skin.designs(kind, side) for side in Face))
        self._pictures = before | {(kind, face, coin.design % self._skin.designs(kind, face))}
        if 2 * sum(self.holds(kind, design) for design in range(number)) > number:
            self._pictures = before

    def holds(self, kind: Denomination, design: int) -> bool:
        """Whether a coin of this denomination and design was put aside."""
        return any((kind, face, design % self._skin.designs(kind, face)) in self._pictures for face in Face)
