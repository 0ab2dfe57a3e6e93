"""Tables are read once and as they settle, and readings are counted against the coins that were laid."""

from __future__ import annotations

from itertools import islice

import numpy as np
import pytest

from lab.reading.measure import readings
from lab.reading.nothing import pictures
from lab.reading.tally import line_of, tally
from tablecoin import mat as mats
from tablecoin.coins import BY_VALUE, Denomination, Face
from tablecoin.virtual.render import Renderer
from tablecoin.virtual.table import Scene, VirtualCoin
from tablecoin.virtual.view import View
from tablecoin.vision.coins.network import Identifier
from tablecoin.vision.frame import Disc, Frame, Reading, SeenCoin, whichever

MAT = mats.load("two-row")
PENNY = VirtualCoin(Denomination.PENNY, Face.HEADS, 100, 100)
DIME = VirtualCoin(Denomination.DIME, Face.TAILS, 200, 100)


def test_a_table_is_read_once_and_then_as_it_settles() -> None:
    coins = (PENNY, DIME)
    renderer = Renderer(MAT, View.over(MAT, size_px=(960, 720)))
    once, settled = readings(Scene(coins=coins), renderer, Identifier())
    assert (once.frame.number, settled.frame.number) == (1, 2)
    for reading in (once, settled):
        assert tally(coins, reading).whole


def seen(coin: VirtualCoin, dx_mm: float = 0.5, face: Face | None = None, sure: bool = True) -> SeenCoin:
    kinds = tuple(0.99 if kind is coin.denomination else 0.002 for kind in BY_VALUE)
    heads = 0.99 if (face or coin.face) is Face.HEADS else 0.01
    return SeenCoin(Disc(0, 0, 30), kinds, whichever(heads), sure, place_mm=(coin.x_mm + dx_mm, coin.y_mm))  # type: ignore[arg-type]


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
    first, again = list(pictures(7, seed=4)), list(islice(pictures(7, seed=4), 3))
    assert len({what for what, _ in first}) >= 6
    for (what, one), (other, two) in zip(first[:3], again, strict=True):
        assert what == other
        assert one.shape == (720, 960, 3)
        assert one.dtype == np.uint8
        assert np.array_equal(one, two)
