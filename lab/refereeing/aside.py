"""The coins that simulated people put aside: the referee asks about their sides, and advises to play on with others."""

from __future__ import annotations

from tablecoin.coins import Denomination, Face
from tablecoin.virtual.skin import Skin
from tablecoin.virtual.table import VirtualCoin


class Aside:
    """Coins put aside, for as many games as these people play, told by the picture of the side that was unclear."""

    def __init__(self, skin: Skin) -> None:
        self._skin = skin
        self._pictures: set[tuple[Denomination, Face, int]] = set()

    def put(self, coin: VirtualCoin) -> None:
        """Put `coin` aside, if half of the pictures of that side stay in play."""
        kind, face = coin.denomination, coin.face
        number = self._skin.designs(kind, face)
        if sum((one, side) == (kind, face) for one, side, _ in self._pictures) < number // 2:
            self._pictures.add((kind, face, coin.design % number))

    def holds(self, kind: Denomination, design: int) -> bool:
        """Whether a coin of this denomination and design was put aside."""
        return any((kind, face, design % self._skin.designs(kind, face)) in self._pictures for face in Face)
