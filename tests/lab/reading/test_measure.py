"""The tables laid for measuring are what they say, and readings of them are counted rightly."""

from __future__ import annotations

import math

import numpy as np
import pytest

from lab.reading.measure import readings
from lab.reading.nothing import pictures
from lab.reading.scenes import GAP_MM, SHAPES, scattered
from lab.reading.tally import line_of, tally
from tablecoin import mat as mats
from tablecoin.coins import BY_VALUE, Denomination, Face
from tablecoin.virtual.render import Renderer
from tablecoin.virtual.skin import Skin
from tablecoin.virtual.table import Scene, VirtualCoin
from tablecoin.virtual.view import View
from tablecoin.vision.coins.network import Identifier
from tablecoin.vision.frame import Disc, Frame, Reading, SeenCoin

MAT = mats.load("two-row")
PENNY = VirtualCoin(Denomination.PENNY, Face.HEADS, 100, 100)
DIME = VirtualCoin(Denomination.DIME, Face.TAILS, 200, 100)


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


def test_a_table_is_read_once_and_then_as_it_settles() -> None:
    coins = (PENNY, DIME)
    renderer = Renderer(MAT, View.over(MAT, size_px=(1092, 816)))
    once, settled = readings(Scene(coins=coins), renderer, Identifier())
    assert (once.frame.number, settled.frame.number) == (1, 2)
    for reading in (once, settled):
        assert tally(coins, reading).whole


def seen(coin: VirtualCoin, dx_mm: float = 0.5, face: Face | None = None, sure: bool = True) -> SeenCoin:
    kinds = tuple(0.99 if kind is coin.denomination else 0.002 for kind in BY_VALUE)
    heads = 0.99 if (face or coin.face) is Face.HEADS else 0.01
    return SeenCoin(Disc(0, 0, 30), kinds, heads, sure, place_mm=(coin.x_mm + dx_mm, coin.y_mm))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("read", "whole", "best_guess", "counts"),
    [
        ([seen(PENNY), seen(DIME)], True, True, (2, 2, 2, 2, 0, 0)),
        ([seen(PENNY), seen(DIME, sure=False)], False, True, (2, 2, 2, 1, 0, 0)),
        ([seen(PENNY), seen(DIME, face=Face.HEADS)], False, False, (2, 2, 1, 2, 1, 0)),
        ([seen(PENNY)], False, False, (2, 1, 1, 1, 0, 0)),
        ([seen(PENNY), seen(DIME), seen(DIME, dx_mm=30)], False, False, (2, 2, 2, 2, 0, 1)),
        ([seen(PENNY), seen(DIME, dx_mm=2.5)], False, False, (2, 1, 1, 1, 0, 1)),
    ],
)
def test_tallies(read: list[SeenCoin], whole: bool, best_guess: bool, counts: tuple[int, ...]) -> None:
    reading = Reading(Frame(np.zeros((1, 1, 3), np.uint8), 0, 0.0), tuple(read), None)
    told = tally([PENNY, DIME], reading)
    assert (told.coins, told.found, told.right, told.sure, told.wrong_and_sure, told.invented) == counts
    assert (told.whole, told.best_guess) == (whole, best_guess)
    assert "2" in line_of("both", [told])


def test_pictures_of_nothing_are_the_same_each_time() -> None:
    first, again = (list(pictures(9, seed=4)) for _ in range(2))
    assert len({what for what, _ in first}) >= 6
    for (what, one), (other, two) in zip(first, again, strict=True):
        assert what == other
        assert one.shape == (720, 960, 3)
        assert one.dtype == np.uint8
        assert np.array_equal(one, two)
