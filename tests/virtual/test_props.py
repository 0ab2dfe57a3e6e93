"""Leaning coins, slips of paper and the lens board, as a camera sees them."""

from __future__ import annotations

from functools import cache

import numpy as np

from tablecoin import mat
from tablecoin.coins import Denomination, Face
from tablecoin.virtual.camera import VirtualCamera
from tablecoin.virtual.faults import Faults
from tablecoin.virtual.render import Light, Renderer
from tablecoin.virtual.table import Scene, VirtualCoin, VirtualTable
from tablecoin.virtual.view import View
from tablecoin.vision.place.fit import find_plane

TABLE = mat.load("two-row")
VIEW = View.over(TABLE)
COIN = VirtualCoin(Denomination.QUARTER, Face.HEADS, 200.0, 50.0)


@cache
def renderer() -> Renderer:
    return Renderer(TABLE, VIEW, Light(noise=0.0))


def width_and_height_px(scene: Scene) -> tuple[int, int]:
    """Where the picture is much darker or more coloured than that of the bare mat, without shadows."""
    bare, seen = renderer().picture(Scene()).astype(int), renderer().picture(scene).astype(int)
    rows, columns = np.nonzero(np.abs(seen - bare).sum(axis=2) > 240)
    return int(np.ptp(columns)) + 1, int(np.ptp(rows)) + 1


def test_a_leaning_coin_is_seen_as_an_ellipse() -> None:
    flat = width_and_height_px(Scene((COIN,)))
    leaning = width_and_height_px(Scene((COIN,), faults=Faults(coin_leaning=True)))
    assert abs(flat[0] - flat[1]) <= 8
    assert leaning[0] < 0.92 * flat[0]


def test_only_the_coin_set_down_last_leans() -> None:
    other = VirtualCoin(Denomination.PENNY, Face.TAILS, 300.0, 50.0)
    both = renderer().picture(Scene((other, COIN), faults=Faults(coin_leaning=True)))
    alone = renderer().picture(Scene((other, COIN)))
    x, y = VIEW.to_px([(300.0, 50.0)])[0].round().astype(int)
    assert np.array_equal(both[y - 20 : y + 20, x - 20 : x + 20], alone[y - 20 : y + 20, x - 20 : x + 20])


def test_stacked_coins_hide_what_lies_under_them() -> None:
    under = VirtualCoin(Denomination.DIME, Face.TAILS, 200.0, 50.0)
    x, y = VIEW.to_px([(200.0, 50.0)])[0].round().astype(int)
    face = (slice(y - 20, y + 20), slice(x - 20, x + 20))
    stacked, alone, bottom = (renderer().picture(Scene(coins))[face] for coins in ((under, COIN), (COIN,), (under,)))
    assert np.array_equal(stacked, alone)
    assert not np.array_equal(stacked, bottom)


def test_slips_cover_all_markers_but_two() -> None:
    plane = find_plane(renderer().picture(Scene(faults=Faults(markers_covered=True))), [TABLE])
    assert plane is not None
    assert plane.marker_ids == (TABLE.markers[0].id, TABLE.markers[-1].id)


def test_the_lens_board_hides_the_mat() -> None:
    table = VirtualTable(TABLE)
    camera = VirtualCamera(table, View.over(TABLE, size_px=(640, 480)), fps=0, sleep=lambda s: None)
    table.put_json({"board": 3})
    assert find_plane(camera.read(1).image) is None
    table.put_json({"board": None})
    assert find_plane(camera.read(1).image) is not None
