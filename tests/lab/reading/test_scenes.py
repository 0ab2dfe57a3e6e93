"""Tables laid for measuring: scattered coins never touch, touching coins do, and no cut-out is enlarged."""

from __future__ import annotations

import math

import numpy as np
import pytest
from numpy.typing import NDArray

from lab.reading.scenes import GAP_MM, SHAPES, fine_enough, scattered
from tablecoin import mat as mats
from tablecoin.coins import Denomination, Face
from tablecoin.virtual.skin import Skin
from tablecoin.virtual.table import VirtualCoin

MAT = mats.load("two-row")
DIME, QUARTER = Denomination.DIME, Denomination.QUARTER


def gaps(coins: tuple[VirtualCoin, ...]) -> list[float]:
    """Millimetres between the rims of each coin and its nearest neighbour."""
    return [
        min(
            math.dist((a.x_mm, a.y_mm), (b.x_mm, b.y_mm))
            - (a.denomination.diameter_mm + b.denomination.diameter_mm) / 2
            for b in coins
            if b is not a
        )
        for a in coins
    ]


@pytest.mark.parametrize("seed", range(3))
def test_scattered_coins_never_touch(seed: int) -> None:
    coins = scattered(MAT, Skin(), np.random.default_rng(seed))
    assert len(coins) == 20
    assert min(gaps(coins)) > GAP_MM
    assert all(MAT.zone_at(coin.x_mm, coin.y_mm) != "prize" for coin in coins)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize(("name", "count"), [("ring of 9 pennies", 9), ("line of 5 mixed", 5)])
def test_touching_coins_touch(name: str, count: int, seed: int) -> None:
    coins = SHAPES[name](MAT, Skin(), np.random.default_rng(seed))
    assert len(coins) == count
    assert gaps(coins) == pytest.approx([0.0] * count, abs=1e-6)


def test_each_dime_lies_whole_on_its_coin() -> None:
    coins = SHAPES["a dime on each larger coin"](MAT, Skin(), np.random.default_rng(1))
    for below, dime in zip(coins[::2], coins[1::2], strict=True):
        apart = math.dist((below.x_mm, below.y_mm), (dime.x_mm, dime.y_mm))
        assert apart + dime.denomination.diameter_mm / 2 <= below.denomination.diameter_mm / 2 + 1e-9


def cutout(side: int) -> NDArray[np.uint8]:
    return np.full((side, side, 4), 200, np.uint8)


def test_coarse_cut_outs_are_left_out_where_there_are_finer_ones() -> None:
    skin = Skin({(DIME, Face.HEADS): [cutout(60), cutout(120), cutout(130)], (QUARTER, Face.TAILS): [cutout(80)]})
    finer = fine_enough(skin, 6.5)  # 117 pixels across a dime, 158 across a quarter
    assert finer.designs(DIME, Face.HEADS) == 2
    assert finer.designs(QUARTER, Face.TAILS) == 1
    assert fine_enough(skin, 1.0).designs(DIME, Face.HEADS) == 3


def test_drawn_coins_are_fine_enough_for_any_camera() -> None:
    assert fine_enough(Skin(), 20.0).designs(DIME, Face.HEADS) == Skin().designs(DIME, Face.HEADS)
