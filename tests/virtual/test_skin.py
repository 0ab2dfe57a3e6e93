"""Skins: which cut-outs are fine enough for a camera that sees so much."""

from __future__ import annotations

import numpy as np

from tablecoin.coins import Denomination, Face
from tablecoin.virtual.skin import Skin

DIME, QUARTER = Denomination.DIME, Denomination.QUARTER


def cutout(side: int) -> np.ndarray:
    return np.full((side, side, 4), 200, np.uint8)


def test_coarse_cut_outs_are_left_out_where_there_are_finer_ones() -> None:
    skin = Skin({(DIME, Face.HEADS): [cutout(60), cutout(120), cutout(130)], (QUARTER, Face.TAILS): [cutout(80)]})
    finer = skin.finer(6.5)  # 117 pixels across a dime, 158 across a quarter
    assert finer.designs(DIME, Face.HEADS) == 2
    assert finer.designs(QUARTER, Face.TAILS) == 1
    assert skin.finer(1.0).designs(DIME, Face.HEADS) == 3


def test_the_drawn_coins_are_as_fine_as_asked_for() -> None:
    assert Skin().finer(20.0).designs(DIME, Face.HEADS) == Skin().designs(DIME, Face.HEADS)
