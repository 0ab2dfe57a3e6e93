"""Bare paper: drawings on a mat or card are told from things on it, in any light and with the plane a little off."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from tablecoin import mat as mats
from tablecoin.coins import Denomination, Face
from tablecoin.mat import Card, Circle, Mat, Rectangle
from tablecoin.storage import mapfiles
from tablecoin.virtual.render import Light, Renderer
from tablecoin.virtual.table import Scene, VirtualCoin
from tablecoin.virtual.view import View
from tablecoin.vision.coins.find import moved, upright
from tablecoin.vision.coins.propose import RADII_MM
from tablecoin.vision.coins.reader import Reader
from tablecoin.vision.frame import Disc, Frame, Image
from tablecoin.vision.place import bare
from tablecoin.vision.place.fit import find_plane
from tablecoin.vision.place.plane import Plane

PX_PER_MM = 5
PLACES_MM = ((40.0, 40.0), (90.0, 45.0))
LIGHTS = {
    "plain": Light(),
    "dim": Light(brightness=0.4, noise=4.0),
    "one side": Light(falloff=0.35),
    "warm": Light(warmth=0.2),
    "blurred": Light(blur_px=1.7),
}


@pytest.fixture
def card(tmp_path: Path) -> tuple[Mat, Image]:
    """A card 120 by 80 mm on a mat of 140 by 100, with two rings of a quarter's size on it, full of strokes."""
    picture = np.full((480, 720, 3), 225, np.uint8)
    chance = np.random.default_rng(3)
    for x, y in PLACES_MM:
        at = round((x - 10) * 6), round((y - 10) * 6)
        cv2.circle(picture, at, 73, (40, 40, 60), 4, cv2.LINE_AA)
        for _ in range(12):
            ends = (chance.normal(0, 25, (2, 2)) + at).round().astype(int).tolist()
            cv2.line(picture, ends[0], ends[1], (90, 60, 40), 4, cv2.LINE_AA)
    cv2.imwrite(str(tmp_path / "own.png"), picture)
    (tmp_path / "own.toml").touch()
    mapfiles.look_also_in(tmp_path)
    area = Rectangle(10, 10, 120, 80)
    return Mat("coin-age:own", {"en": "Own"}, 140, 100, (), (), (0, 0), card=Card("own.png", area)), picture


def seen(mat: Mat, picture: Image, aside_mm: float = 0.0) -> tuple[Image, Plane]:
    """The mat from straight above, and its plane, off by `aside_mm`."""
    image = np.full((100 * PX_PER_MM, 140 * PX_PER_MM, 3), 60, np.uint8)
    image[50:450, 50:650] = cv2.resize(picture, (600, 400), interpolation=cv2.INTER_AREA)
    scale = 1 / PX_PER_MM
    return image, Plane(mat, (scale, 0, scale / 2 + aside_mm, 0, scale, scale / 2, 0, 0, 1), None, (), (), 0.0)


def covered(image: Image, plane: Plane, discs: list[Disc]) -> np.ndarray:
    """(N,) the share of each disc of `image` in which something lies."""
    above, flat = upright(image, plane, RADII_MM)
    paper = bare.lying(above, flat)
    assert paper is not None
    return paper.covered(moved(discs, plane, flat))


DISCS = [Disc(x * PX_PER_MM, y * PX_PER_MM, 60.0) for x, y in PLACES_MM]


@pytest.mark.parametrize("aside_mm", [0.0, 0.8])
@pytest.mark.parametrize("light", [0.35, 1.1])
def test_a_ring_on_a_card_is_bare_and_a_coin_on_it_is_not(
    card: tuple[Mat, Image], light: float, aside_mm: float
) -> None:
    image, plane = seen(*card, aside_mm)
    x, y = (round(v * PX_PER_MM) for v in PLACES_MM[1])
    coin = cv2.circle(image, (x, y), 60, (150, 155, 160), -1, cv2.LINE_AA)
    cv2.circle(coin, (x - 10, y), 22, (105, 110, 115), 6, cv2.LINE_AA)
    lit = np.clip(coin * light + np.random.default_rng(1).normal(0, 3, coin.shape), 0, 255).astype(np.uint8)
    drawn, laid = covered(lit, plane, DISCS)
    assert drawn < bare.BARE / 2
    assert laid > 0.5


def test_a_rim_on_empty_paper_is_not_a_printed_one(card: tuple[Mat, Image]) -> None:
    image, plane = seen(*card)
    above, flat = upright(image, plane, RADII_MM)
    paper = bare.lying(above, flat)
    assert paper is not None
    empty = Disc(115 * PX_PER_MM, 25 * PX_PER_MM, 45.0)
    *printed, plain = paper.plain_rim(moved([*DISCS, empty], plane, flat))
    assert max(printed) < bare.RIM_PLAIN < plain
    assert paper.plain_rim([]).shape == (0,)
    assert paper.plain_rim(moved([Disc(-200, -200, 45.0)], plane, flat)) == pytest.approx([0])  # off the picture


def test_nothing_is_said_where_nothing_is_known(card: tuple[Mat, Image]) -> None:
    mat, picture = card
    image, plane = seen(mat, picture)
    assert covered(image, plane, [Disc(20.0, 20.0, 40.0)]) == pytest.approx([1])  # beside the card
    assert covered(image, plane, []).shape == (0,)
    above, flat = upright(image, plane, RADII_MM)
    assert bare.lying(np.zeros_like(above), flat) is None  # in the dark
    (mapfiles.beside("own", "own.png")).unlink()
    assert bare.lying(above, flat) is None


@pytest.fixture(scope="module", params=LIGHTS)
def table(request: pytest.FixtureRequest) -> tuple[Image, Plane]:
    """A map in some light, with a nickel on every second space, a little off its centre."""
    mat = mats.load("coin-age:classic")
    coins = [
        VirtualCoin(Denomination.NICKEL, Face.HEADS, x + 3, y - 2, 40.0 * k)
        for k, (x, y) in enumerate(zone.area.center_mm for zone in spaces(mat)[::2])
    ]
    view = View.over(mat, size_px=(1092, 816), tilt_deg=4, roll_deg=3)
    image = Renderer(mat, view, LIGHTS[request.param]).picture(Scene(coins=tuple(coins)))
    plane = find_plane(image, [mat])
    assert plane
    return image, plane


def spaces(mat: Mat) -> list[mats.Zone]:
    return [zone for zone in mat.zones if isinstance(zone.area, Circle)]


def circles(plane: Plane, aside: tuple[float, float], radius_mm: float) -> list[Disc]:
    """One on each space, at that distance from its centre."""
    found = []
    for zone in spaces(plane.mat):
        x, y = zone.area.center_mm[0] + aside[0], zone.area.center_mm[1] + aside[1]
        (px, py), (rim, _) = plane.to_px([(x, y), (x + radius_mm, y)])
        found.append(Disc(float(px), float(py), float(rim - px)))
    return found


def test_round_things_are_told_by_their_shape() -> None:
    lies = np.zeros((120, 300), np.uint8)
    cv2.circle(lies, (40, 40), 15, 1, -1)
    cv2.circle(lies, (34, 36), 8, 0, -1)  # as white as the paper there
    cv2.circle(lies, (120, 50), 40, 1, -1)  # too large
    cv2.rectangle(lies, (200, 20), (260, 50), 1, -1)  # too long
    cv2.line(lies, (200, 70), (230, 100), 1, 2)  # too thin
    for x in (60, 85):  # two that touch
        cv2.circle(lies, (x, 100), 13, 1, -1)
    everywhere = np.ones_like(lies, bool)
    (found,) = bare.Lying(lies > 0, everywhere, everywhere).round_things((12.0, 20.0))
    assert found == Disc(40.0, 40.0, 15.5)


def test_a_coin_that_lies_alone_is_a_round_thing_and_the_drawing_is_none(table: tuple[Image, Plane]) -> None:
    image, plane = table
    above, flat = upright(image, plane, RADII_MM)
    paper = bare.lying(above, flat)
    assert paper is not None
    radii_px = tuple(r_mm / flat.mm_per_px_at((0, 0)) for r_mm in RADII_MM)
    things = moved(paper.round_things((radii_px[0], radii_px[1])), flat, plane)
    nickels = circles(plane, (3, -2), Denomination.NICKEL.diameter_mm / 2)[::2]
    assert len(things) == len(nickels)
    for nickel in nickels:
        assert any(
            np.hypot(thing.x_px - nickel.x_px, thing.y_px - nickel.y_px) < 0.12 * nickel.r_px
            and thing.r_px == pytest.approx(nickel.r_px, rel=0.12)
            for thing in things
        )


@pytest.mark.parametrize("off_mm", [0.0, 0.6])
def test_a_printed_space_is_bare_and_a_coin_on_it_is_not(table: tuple[Image, Plane], off_mm: float) -> None:
    image, plane = table
    matrix = np.array([[1, 0, off_mm], [0, 1, -off_mm], [0, 0, 1]]) @ np.reshape(plane.homography, (3, 3))
    off = replace(plane, homography=tuple(matrix.ravel().tolist()))
    share = covered(image, off, circles(plane, (3, -2), Denomination.NICKEL.diameter_mm / 2))
    assert share[::2].min() > 0.8
    assert share[1::2].max() < bare.BARE


def test_a_gap_between_a_coin_and_the_print_is_bare(table: tuple[Image, Plane]) -> None:
    image, plane = table
    coins = circles(plane, (3, -2), Denomination.NICKEL.diameter_mm / 2)[::2]
    gaps = circles(plane, (-9, 9), Denomination.DIME.diameter_mm / 2)[::2]  # a little of them lies under the coin
    assert covered(image, plane, gaps).max() > bare.BARE
    together = covered(image, plane, coins + gaps)
    assert together[: len(coins)].min() > 0.8
    assert together[len(coins) :].max() < bare.BARE


def test_what_shows_of_a_coin_as_white_as_the_paper_is_no_other_coins() -> None:
    """Its shaded side covers a part of a circle that touches the printed lines beside it."""
    lies = np.zeros((120, 200), np.uint8)
    cv2.circle(lies, (60, 60), 25, 1, -1)
    cv2.circle(lies, (54, 66), 22, 0, -1)  # the side in the light
    cv2.circle(lies, (150, 60), 25, 1, -1)
    everywhere = np.ones_like(lies, bool)
    paper = bare.Lying(lies > 0, everywhere, everywhere)
    white, beside, dark, on_dark = Disc(60, 60, 25), Disc(84, 40, 32), Disc(150, 60, 25), Disc(165, 60, 25)
    discs, rimmed = [white, beside, dark, on_dark], np.array([True, False, False, True])
    before, after = paper.covered(discs), paper.covered(discs, rimmed)
    assert before[1] > bare.BARE > after[1]
    assert after[0] == before[0] > bare.BARE
    assert after[2] > bare.WHOLE, "a rim that is found over a coin by mistake takes nothing away from it"


def test_the_reader_sees_no_coin_in_print(table: tuple[Image, Plane]) -> None:
    image, plane = table
    reading = Reader(plane.mat.name).read(Frame(image, 0, 0.0))
    assert sorted(coin.zone or "" for coin in reading.coins) == sorted(zone.name for zone in spaces(plane.mat)[::2])
