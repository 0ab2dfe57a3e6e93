"""Which coins of a virtual table were misread, read not surely, or not seen: held against the coins that lie there."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import dist

import msgspec

from lab.reading.purses import Purse
from tablecoin.mat import Mat
from tablecoin.referee.snapshot import CoinSeen
from tablecoin.virtual.table import VirtualCoin
from tablecoin.vision.frame import SeenCoin

NEAR_MM = 3.0  # a coin read at most this far from a coin's centre is that coin
COVERED_MM = 8.0  # a coin is covered by a later one whose centre is nearer than this


@dataclass(frozen=True, slots=True)
class Said:
    """What a reader or a referee says of one coin."""

    i: int  # its number in the reading or the snapshot
    place_mm: tuple[float, float] | None
    zone: str | None
    read: str | None  # such as penny:heads; None: no coin
    denomination_confidence: float  # probabilities of what was read, 0..1
    face_confidence: float
    sure: bool

    @classmethod
    def by_referee(cls, one: CoinSeen) -> Said:
        """What a snapshot shows."""
        read = f"{one.denomination}:{one.face}" if one.denomination else None
        sides = one.denomination_confidence, one.face_confidence
        return cls(one.i, one.center_mm, one.zone, read, *sides, one.sure)

    @classmethod
    def by_reader(cls, i: int, one: SeenCoin) -> Said:
        """What the reader saw."""
        read = str(one.coin) if one.coin else None
        sides = max(one.denominations), max(one.heads, 1 - one.heads)
        return cls(i, one.place_mm, one.zone, read, *sides, one.sure)


class Doubt(msgspec.Struct, frozen=True):
    """A coin that was misread, not sure or not seen."""

    i: int | None  # its number in the reading; None: not seen
    truth: str | None  # such as penny:heads; None: nothing lies there
    read: str | None  # None: no coin
    denomination_confidence: float
    face_confidence: float
    sure: bool
    zone: str | None
    picture: str | None  # the cut-out's file, which names its photographer; None: drawn

    @property
    def misread(self) -> bool:
        return self.truth != self.read

    @property
    def brief(self) -> str:
        """Such as `penny:heads read as penny:tails, not sure`."""
        sure = "sure" if self.sure else "not sure"
        if self.i is None:
            return f"{self.truth} not seen"
        if not self.misread:
            return f"{self.truth} {sure}"
        return f"{self.truth or 'nothing'} read as {self.read or 'no coin'}, {sure}"

    @property
    def full(self) -> str:
        """The same with probabilities, zone and picture."""
        said = f" ({self.denomination_confidence:.2f}, {self.face_confidence:.2f})" if self.i is not None else ""
        return f"{self.brief}{said} in {self.zone or 'no zone'}" + (f", {self.picture}" if self.picture else "")


def lying_at(lies: Sequence[VirtualCoin], place_mm: tuple[float, float] | None) -> VirtualCoin | None:
    """The topmost coin at this place."""
    near = (coin for coin in reversed(lies) if place_mm and dist((coin.x_mm, coin.y_mm), place_mm) < NEAR_MM)
    return next(near, None)


def doubts(lies: Sequence[VirtualCoin], answers: Iterable[Said], mat: Mat, purse: Purse) -> Iterator[Doubt]:
    """The coins read wrongly or not surely, and those that lie in sight and were not seen."""
    met = []
    for one in answers:
        coin = lying_at(lies, one.place_mm)
        met.append(coin)
        truth = str(coin.coin) if coin else None
        if truth != one.read or not one.sure:
            sides = one.denomination_confidence, one.face_confidence
            yield Doubt(one.i, truth, one.read, *sides, one.sure, one.zone, _picture(coin, purse))
    for k, coin in enumerate(lies):
        covered = any(dist((over.x_mm, over.y_mm), (coin.x_mm, coin.y_mm)) < COVERED_MM for over in lies[k + 1 :])
        if coin not in met and not covered:
            zone = mat.zone_at(coin.x_mm, coin.y_mm)
            yield Doubt(None, str(coin.coin), None, 0.0, 0.0, False, zone, _picture(coin, purse))


def _picture(coin: VirtualCoin | None, purse: Purse) -> str | None:
    side = purse.side(coin) if coin else None
    return side.picture.stem if side else None
