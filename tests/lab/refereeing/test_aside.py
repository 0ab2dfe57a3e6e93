"""People put aside the coins that are hard to read, and keep enough to play with."""

from __future__ import annotations

from lab.refereeing.aside import Aside
from tablecoin.coins import Denomination, Face
from tablecoin.virtual.skin import Skin
from tablecoin.virtual.table import VirtualCoin

DESIGNS = Skin().designs(Denomination.PENNY, Face.TAILS)


def penny(design: int, face: Face = Face.TAILS) -> VirtualCoin:
    return VirtualCoin(Denomination.PENNY, face, 0, 0, design=design)


def test_a_coin_put_aside_is_told_by_its_picture() -> None:
    """The virtual table shows the same cut-outs again where it has more coins than there are."""
    aside = Aside(Skin())
    aside.put(penny(2))
    assert aside.holds(Denomination.PENNY, 2)
    assert aside.holds(Denomination.PENNY, 2 + DESIGNS)
    assert not aside.holds(Denomination.PENNY, 1)
    assert not aside.holds(Denomination.DIME, 2)


def test_half_of_the_coins_stay_in_play() -> None:
    aside = Aside(Skin())
    for design in range(DESIGNS):
        aside.put(penny(design))
    assert sum(aside.holds(Denomination.PENNY, design) for design in range(DESIGNS)) == DESIGNS // 2
