"""Circles drawn at known places are found there."""

from __future__ import annotations

import math

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tablecoin import mat
from tablecoin.coins import Denomination, Face
from tablecoin.virtual.render import Renderer
from tablecoin.virtual.table import Scene, VirtualCoin
from tablecoin.virtual.view import View
from tablecoin.vision.coins.find import distinct, find, find_on, find_sized, hidden_share
from tablecoin.vision.frame import Disc, Image
from tablecoin.vision.place.fit import find_plane

discs = st.builds(Disc, st.floats(0, 100), st.floats(0, 100), st.floats(5, 40))


def drawn(truth: list[Disc], size_px: tuple[int, int], ground: int = 210) -> Image:
    rng = np.random.default_rng(1)
    image = np.full((size_px[1], size_px[0], 3), ground, np.uint8)
    for k, disc in enumerate(truth):
        centre, radius = (round(disc.x_px * 16), round(disc.y_px * 16)), round(disc.r_px * 16)
        cv2.circle(image, centre, radius, (60 + 20 * (k % 4),) * 3, -1, cv2.LINE_AA, 4)
    noisy = cv2.GaussianBlur(image, (0, 0), 1.0) + 3 * rng.standard_normal(image.shape, np.float32)
    return np.asarray(np.clip(noisy, 0, 255), np.uint8)


def near(found: list[Disc], disc: Disc) -> bool:
    return any(
        math.hypot(f.x_px - disc.x_px, f.y_px - disc.y_px) < 0.06 * disc.r_px and abs(f.r_px / disc.r_px - 1) < 0.06
        for f in found
    )


APART = [Disc(100, 120, 40), Disc(300, 150, 33.5), Disc(500, 300, 52), Disc(180, 380, 29)]
TOUCHING = [Disc(150, 200, 40), Disc(230, 200, 40), Disc(310, 200, 40)]
AT_THE_RIM = [Disc(30, 200, 45), Disc(600, 300, 40)]


@pytest.mark.parametrize("truth", [APART, TOUCHING, AT_THE_RIM], ids=["apart", "touching", "at the rim"])
def test_every_disc_is_found(truth: list[Disc]) -> None:
    found = find(drawn(truth, (640, 480))).discs
    assert all(near(found, disc) for disc in truth)


def test_a_large_picture_is_searched_at_a_smaller_size() -> None:
    truth = [Disc(3 * disc.x_px, 3 * disc.y_px, 3 * disc.r_px) for disc in APART]
    found = find(drawn(truth, (1920, 1440))).discs
    assert all(near(found, disc) for disc in truth)


def test_small_coins_in_a_large_picture_are_found_in_a_finer_one() -> None:
    truth = [Disc(200 + 280 * (k % 6), 200 + 300 * (k // 6), 24) for k in range(18)]
    found = find(drawn(truth, (1800, 1000))).discs
    assert all(near(found, disc) for disc in truth)


def test_with_a_known_scale_only_fitting_sizes_are_found() -> None:
    found = find_sized(drawn(APART, (640, 480)), (31, 45))
    assert near(found, APART[0])
    assert near(found, APART[1])
    assert not near(found, APART[2])


@pytest.mark.parametrize("towards_deg", [20, 250])
def test_under_a_near_and_leaning_camera_every_coin_is_found_once(towards_deg: float) -> None:
    table = mat.load("two-row")
    view = View.over(table, distance_mm=330, tilt_deg=25, towards_deg=towards_deg, k1=-0.15)
    spots = [(x, y) for y in (50.0, 248.0) for x in (75.0, 165.0, 255.0, 345.0)]
    coins = [VirtualCoin(kind, Face.HEADS, *at) for kind, at in zip((*Denomination, *Denomination), spots, strict=True)]
    image = Renderer(table, view).picture(Scene(tuple(coins)))
    plane = find_plane(image, [table])
    assert plane is not None
    places = plane.to_mm([(disc.x_px, disc.y_px) for disc in find_on(image, plane, (8.0, 13.5))])
    apart = np.linalg.norm(places[:, None] - np.array(spots)[None], axis=2)
    assert (apart < 2).sum(axis=0).tolist() == [1] * 8
    assert len(places) == 8


def test_an_empty_picture_has_no_circles() -> None:
    assert find(np.full((300, 400, 3), 128, np.uint8)) == ([], True)


@pytest.mark.parametrize(
    ("other", "share"),
    [
        (Disc(0, 0, 10), 1.0),  # the same
        (Disc(3, 0, 5), 1.0),  # wholly inside
        (Disc(20, 0, 10), 0.0),  # touching
        (Disc(10, 0, 10), 0.391),  # the vesica: 2/3 - sqrt(3)/(2 pi)
    ],
)
def test_hidden_share(other: Disc, share: float) -> None:
    assert hidden_share(Disc(0, 0, 10), other) == pytest.approx(share, abs=1e-3)


@given(discs, discs)
def test_hidden_share_is_a_share_and_symmetric(a: Disc, b: Disc) -> None:
    assert 0 <= hidden_share(a, b) <= 1 + 1e-9
    assert hidden_share(a, b) == pytest.approx(hidden_share(b, a))


@given(st.lists(discs, max_size=8))
def test_distinct_keeps_the_first_of_each(many: list[Disc]) -> None:
    kept = distinct(many)
    assert kept[:1] == many[:1]
    assert distinct(kept) == kept
    assert distinct([*kept, *kept]) == kept
