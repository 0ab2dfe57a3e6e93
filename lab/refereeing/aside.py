"""The coins that simulated people put aside because the page advised them to play on with others."""

from __future__ import annotations

from tablecoin.coins import Denomination, Face
from tablecoin.rules.rulebook import Message, sentence
from tablecoin.virtual.skin import Skin
from tablecoin.virtual.table import VirtualCoin

_ADVICE = ("referee.coin.hard", "referee.ask.toss.hard")


class Aside:
    """Coins put aside, for as many games as these people play, told by the picture of the side that was unclear."""

    def __init__(self, skin: Skin) -> None:
        self._skin = skin
        self._pictures: set[tuple[Denomination, Face, int]] = set()

    def heed(self, asked: str, coin: VirtualCoin) -> None:
        """Put `coin` aside if the question that it is in, `asked`, advises that. Half of its denomination stay."""
        kind, face = coin.denomination, coin.face
        advice = tuple(sentence(Message(key, {"asked": "", "coin": kind})).strip() for key in _ADVICE)
        number = self._skin.designs(kind, face)
        already = sum((one, side) == (kind, face) for one, side, _ in self._pictures)
        if asked.endswith(advice) and already < number // 2:
            self._pictures.add((kind, face, coin.design % number))

    def holds(self, kind: Denomination, design: int) -> bool:
        """Whether a coin of this denomination and design was put aside."""
        return any((kind, face, design % self._skin.designs(kind, face)) in self._pictures for face in Face)
