"""Where coins are drawn: inside their zone, apart where there is room, one upon the other on a space."""

from __future__ import annotations

from itertools import combinations
from math import dist

import pytest

from tablecoin import mat as mats
from tablecoin.coins import Denomination
from tablecoin.replay.places import LAP_MM, PITCH_MM, TITLE_MM, places


@pytest.mark.parametrize(("mat", "zone"), [("two-row", "row.heads"), ("ring", "bank.1"), ("coin-wars", "hero")])
@pytest.mark.parametrize("count", [0, 1, 7, 120, 5000])
def test_all_lie_in_their_zone(mat: str, zone: str, count: int) -> None:
    area = mats.load(mat).zone(zone).area
    found = places(mats.load(mat).zone(zone), count)
    assert len(found) == count
    assert all(area.holds(x, y) for x, y in found)


def test_a_few_coins_do_not_touch() -> None:
    found = places(mats.load("two-row").zone("row.tails"), 20)
    assert min(dist(one, other) for one, other in combinations(found, 2)) >= PITCH_MM


@pytest.mark.parametrize("zone", ["row.heads", "row.tails", "tray"])
@pytest.mark.parametrize("count", [1, 12, 24])
def test_no_coin_covers_the_name_of_its_zone(zone: str, count: int) -> None:
    at = mats.load("two-row").zone(zone)
    _, top, _, _ = at.area.bounds_mm
    assert min(y for _, y in places(at, count)) - Denomination.QUARTER.diameter_mm / 2 >= top + TITLE_MM


def test_a_stack_grows_upwards_by_a_rim() -> None:
    space = mats.load("coin-age").zone("space.M1")
    x, y = space.area.center_mm
    assert places(space, 3) == ((x, y), (x, y - LAP_MM), (x, y - 2 * LAP_MM))
