"""What lies on a photographed map and was not read is named; the drawing is not."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
import pytest

from tablecoin import mat as mats
from tablecoin.coins import Denomination
from tablecoin.photos.overlooked import overlooked
from tablecoin.virtual.render import Renderer
from tablecoin.virtual.table import Scene
from tablecoin.virtual.view import View
from tablecoin.vision.coins.looks import KINDS, NOT_A_COIN, Looks
from tablecoin.vision.coins.network import Identifier
from tablecoin.vision.frame import Disc, Frame, Image, Reading, SeenCoin, whichever
from tablecoin.vision.place.fit import find_plane
from tablecoin.vision.place.plane import Plane

PX_PER_MM = 5.0
QUARTER = 3


class Same(Identifier):
    """A network that takes everything for the same."""

    def __init__(self, kind: int) -> None:
        super().__init__()
        self._kinds = np.log(np.where(np.arange(KINDS) == kind, 0.9996, 0.0001))

    def __call__(self, image: Image, discs: Sequence[Disc], turn: int = 0) -> Looks:
        return Looks(np.tile(self._kinds, (len(discs), 1)), np.zeros((len(discs), 4)), np.ones(len(discs), int))


@pytest.fixture(scope="module")
def bare_map() -> tuple[Image, Plane]:
    """A map without a coin, rectified, and its plane."""
    mat = mats.load("coin-age:classic")
    image = Renderer(mat, View.over(mat, size_px=(2016, 1512))).picture(Scene())
    plane = find_plane(image, [mat])
    assert plane
    return plane.rectify(image, PX_PER_MM), plane.flat(PX_PER_MM)


def in_bank(plane: Plane) -> tuple[int, int]:
    x, y = plane.to_px([plane.mat.zone("bank.tails").area.center_mm])[0]
    return round(x), round(y)


def named(image: Image, plane: Plane, kind: int) -> frozenset[str]:
    """What is named when no coin was read, and the network takes every circle for `kind`."""
    return overlooked(Reading(Frame(image, 0, 0.0), (), 0.2, plane.mat.name), plane, Same(kind))


@pytest.mark.parametrize(("radius_mm", "is_named"), [(9.3, True), (12.1, True), (14.2, False)])
def test_a_rim_is_named_if_it_is_no_wider_than_a_coin(
    bare_map: tuple[Image, Plane], radius_mm: float, is_named: bool
) -> None:
    image, plane = bare_map
    ring = image.copy()
    cv2.circle(ring, in_bank(plane), round(radius_mm * PX_PER_MM), (150, 155, 160), 4, cv2.LINE_AA)
    assert ("bank.tails" in named(ring, plane, QUARTER)) is is_named


@pytest.mark.parametrize(("radii_px", "is_named"), [((38, 16), True), ((38,), False)])
def test_parts_of_a_white_coin_s_relief_are_one_thing(
    bare_map: tuple[Image, Plane], radii_px: tuple[int, ...], is_named: bool
) -> None:
    image, plane = bare_map
    parts = image.copy()
    for radius_px in radii_px:
        cv2.ellipse(parts, in_bank(plane), (radius_px,) * 2, 0, 0, 320, (120, 125, 130), 5, cv2.LINE_AA)
    assert ("bank.tails" in named(parts, plane, NOT_A_COIN)) is is_named


@pytest.mark.parametrize(("off_mm", "is_named"), [(0.0, False), (1.0, True)])
def test_a_rim_off_a_quarter_s_centre_is_that_of_a_nickel_on_it(
    bare_map: tuple[Image, Plane], off_mm: float, is_named: bool
) -> None:
    """Whatever the networks make of it. A ring round the centre belongs to the quarter's own design."""
    image, plane = bare_map
    (zone,) = [zone for zone in plane.mat.zones if zone.name == "space.F1"]
    (x, y) = plane.to_px([zone.area.center_mm])[0]
    r_px = PX_PER_MM * Denomination.QUARTER.diameter_mm / 2
    stack = image.copy()
    cv2.circle(stack, (round(x), round(y)), round(r_px), (150, 155, 160), -1, cv2.LINE_AA)
    inner_px = PX_PER_MM * Denomination.NICKEL.diameter_mm / 2
    cv2.circle(stack, (round(x + off_mm * PX_PER_MM), round(y)), round(inner_px), (185, 190, 195), -1, cv2.LINE_AA)
    quarter = SeenCoin(Disc(x, y, r_px), (0, 0, 0, 1), whichever(0.0), True, zone.area.center_mm, zone.name)
    reading = Reading(Frame(stack, 0, 0.0), (quarter,), 0.2, plane.mat.name)
    assert (zone.name in overlooked(reading, plane, Same(NOT_A_COIN))) is is_named
