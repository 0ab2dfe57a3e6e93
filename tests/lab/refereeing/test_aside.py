"""People put aside the coins that are hard to read, and keep enough to play with."""

from __future__ import annotations

import numpy as np

from lab.refereeing.aside import Aside
from tablecoin.coins import Denomination, Face
from tablecoin.virtual.skin import Skin
from tablecoin.virtual.table import VirtualCoin

SIDES = {(Denomination.PENNY, face): [np.full((9, 9, 4), 255, np.uint8)] * 4 for face in Face}
DESIGNS = 4


def penny(design: int, face: Face = Face.TAILS) -> VirtualCoin:
    return VirtualCoin(Denomination.PENNY, face, 0, 0, design=design)


def test_a_coin_put_aside_is_told_by_its_picture() -> None:
    """The virtual table shows the same cut-outs again where it has more coins than there are."""
    aside = Aside(Skin(SIDES))
    aside.put(penny(2))
    assert aside.holds(Denomination.PENNY, 2)
    assert aside.holds(Denomination.PENNY, 2 + DESIGNS)
    assert not aside.holds(Denomination.PENNY, 1)
    assert not aside.holds(Denomination.DIME, 2)


def test_half_of_the_coins_stay_in_play() -> None:
    aside = Aside(Skin(SIDES))
    for design in range(DESIGNS):
        for face in Face:
            aside.put(penny(design, face))
    assert sum(aside.holds(Denomination.PENNY, design) for design in range(DESIGNS)) == DESIGNS // 2
