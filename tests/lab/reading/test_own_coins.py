"""Simulated owners keep their coins, lay them on trays, and their tables are counted before and after enrolment."""

from __future__ import annotations

from collections import Counter
from itertools import islice

import numpy as np
import pytest

from lab.reading.own_coins import OF_EACH, Owner, before_and_after
from lab.reading.scenes import GAP_MM
from tablecoin.coins import BY_VALUE, Denomination, Face
from tablecoin.virtual.skin import Skin
from tablecoin.virtual.table import Scene
from tablecoin.vision.coins.network import Identifier, Networks

NETWORKS = Networks.shipped()


def owner(seed: int = 1) -> Owner:
    """Somebody with twenty drawn coins."""
    return Owner(Skin(), 32, np.random.default_rng(seed))


def sides(scene: Scene, face: Face) -> Counter[tuple[Denomination, int]]:
    """Which designs lie with `face` up."""
    return Counter((coin.denomination, coin.design) for coin in scene.coins if coin.face is face)


@pytest.mark.parametrize("face", Face)
def test_an_owner_lays_the_same_coins_every_time(face: Face) -> None:
    someone = owner()
    first, second = someone.thrown(face), someone.thrown(face)
    assert sides(first, face) == sides(second, face)
    assert Counter(coin.denomination for coin in first.coins) == dict.fromkeys(BY_VALUE, OF_EACH)
    assert [(c.x_mm, c.y_mm) for c in first.coins] != [(c.x_mm, c.y_mm) for c in second.coins]


def test_at_random_both_faces_come_up_and_each_coin_keeps_its_designs() -> None:
    someone = owner()
    mixed = someone.thrown()
    for face in Face:
        assert sides(mixed, face)
        assert sides(mixed, face) <= sides(someone.thrown(face), face)


def test_no_two_coins_touch() -> None:
    coins = owner(2).thrown().coins
    for k, one in enumerate(coins):
        for other in coins[:k]:
            apart = np.hypot(one.x_mm - other.x_mm, one.y_mm - other.y_mm)
            assert apart - (one.denomination.diameter_mm + other.denomination.diameter_mm) / 2 > GAP_MM


@pytest.mark.parametrize("face", Face)
def test_a_tray_shows_five_of_each_kind_with_that_face_up(face: Face) -> None:
    shown = owner(4).tray(face, Identifier(NETWORKS))
    assert shown.face is face
    assert Counter(shown.kinds) == dict.fromkeys(BY_VALUE, OF_EACH)


@pytest.mark.long
def test_own_coins_and_others_are_counted_before_and_after() -> None:
    first_light = dict(islice(before_and_after(Skin(), NETWORKS, owners=1, seed=5), 4))
    assert list(first_light) == ["own, before", "own, after", "others, before", "others, after"]
    assert all(tally.coins == tally.found == len(BY_VALUE) * OF_EACH for tally in first_light.values())
