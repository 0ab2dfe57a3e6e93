"""Stage one: coins drawn at known places are proposed there, and bare paper proposes nothing."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import cache

import cv2
import numpy as np
import pytest

from tablecoin import mat as mats
from tablecoin.coins import BY_SIZE, Denomination, Face
from tablecoin.virtual.table import VirtualCoin
from tablecoin.vision.coins import find, propose
from tablecoin.vision.coins.candidates import Candidates, diameters_mm
from tablecoin.vision.coins.crops import Halvings
from tablecoin.vision.coins.looks import KINDS, NOT_A_COIN
from tablecoin.vision.coins.touched import IN_A_ROW, Search
from tablecoin.vision.coins.unmoved import NOTHING_YET, LastReading
from tablecoin.vision.frame import Disc, Image
from tablecoin.vision.place import bare
from tablecoin.vision.place.fit import find_plane
from tablecoin.vision.place.plane import Plane
from tests.scenes import Drawn

MAT = mats.load("two-row")
SIZE_PX = (1092, 816)
COINS = tuple(
    VirtualCoin(kind, face, 70 + 80 * k, 45 + 205 * row, 40 * k)
    for row, face in enumerate(Face)
    for k, kind in enumerate(BY_SIZE)
)


def seen(coins: tuple[VirtualCoin, ...], tilt_deg: float = 0.0, name: str = "two-row") -> tuple[Image, Plane]:
    return Drawn(coins, name, size_px=SIZE_PX, tilt_deg=tilt_deg).picture(), found_plane(name, tilt_deg)


@cache
def found_plane(name: str, tilt_deg: float) -> Plane:
    """The plane that is found in the picture of the bare mat."""
    bare_mat = Drawn((), name, size_px=SIZE_PX, tilt_deg=tilt_deg)
    found = find_plane(bare_mat.picture(), [mats.load(name)])
    assert found is not None
    return found


def searched(
    image: Image, plane: Plane, last: LastReading = NOTHING_YET, before: Search | None = None
) -> tuple[Candidates, Search]:
    above, flat = propose.upright(image, plane)
    return propose.on_mat(Halvings(image), above, flat, plane, last, find.KNOWN_VOTES, before)


def proposed(image: Image, plane: Plane, last: LastReading = NOTHING_YET) -> Candidates:
    return searched(image, plane, last)[0]


@pytest.mark.parametrize("tilt_deg", [0.0, 20.0])
def test_every_coin_is_proposed_where_it_lies_and_at_its_size(tilt_deg: float) -> None:
    image, plane = seen(COINS, tilt_deg)
    circles = proposed(image, plane).circles
    places = plane.to_mm([(circle.x_px, circle.y_px) for circle in circles])
    sizes_mm = diameters_mm(plane, circles)
    for coin in COINS:
        apart_mm = np.hypot(*(places - (coin.x_mm, coin.y_mm)).T)
        nearest = int(apart_mm.argmin())
        assert apart_mm[nearest] < 0.7
        assert sizes_mm[nearest] == pytest.approx(coin.denomination.diameter_mm, rel=0.03)


@pytest.mark.parametrize(
    ("beside_mm", "below_mm", "angle_deg"),
    [(-0.22, 0.21, 32), (0.21, -0.01, 206), (-0.2, -0.15, 6), (0.05, -0.17, 291)],
)
def test_the_lines_of_a_zones_corner_do_not_swallow_a_nickel(
    beside_mm: float, below_mm: float, angle_deg: float
) -> None:
    """Some 14 mm from both lines a larger circle touches them and the coin, and outvotes its rim."""
    left, top, *_ = MAT.zone("row.heads").area.bounds_mm
    nickel = VirtualCoin(Denomination.NICKEL, Face.HEADS, left + 14 + beside_mm, top + 14 + below_mm, angle_deg)
    image, plane = seen((nickel,))
    circles = proposed(image, plane).circles
    places = plane.to_mm([(circle.x_px, circle.y_px) for circle in circles])
    apart_mm = np.hypot(*(places - (nickel.x_mm, nickel.y_mm)).T)
    sizes_mm = diameters_mm(plane, circles)
    assert (np.maximum(apart_mm, abs(sizes_mm - nickel.denomination.diameter_mm)) < 0.7).any()


def test_nobody_has_looked_at_them_yet() -> None:
    candidates = proposed(*seen(COINS))
    assert candidates.discs == candidates.circles
    assert not candidates.looks.views.any()
    assert not candidates.pictures.any()
    assert candidates.strange == pytest.approx(0.2)


def test_a_yellow_coin_as_bright_as_the_paper_is_proposed() -> None:
    image, plane = seen(())
    ((x_px, y_px),) = plane.to_px([(COINS[0].x_mm, COINS[0].y_mm)]).tolist()
    paper = image[round(y_px), round(x_px)].astype(float)
    yellow = np.clip(paper * (0.3, 1.06, 1.06), 0, 255)
    disc = cv2.circle(np.zeros(image.shape[:2], np.float32), (round(x_px), round(y_px)), 30, 1.0, -1, cv2.LINE_AA)
    laid = (paper + (yellow - paper) * disc[..., None]).astype(np.uint8)
    laid[disc == 0] = image[disc == 0]
    assert abs(int(find.greyed(laid)[round(y_px), round(x_px)]) - int(find.greyed(image)[round(y_px), round(x_px)])) < 8
    near = [circle for circle in proposed(laid, plane).circles if np.hypot(circle.x_px - x_px, circle.y_px - y_px) < 3]
    assert [circle.r_px for circle in near] == pytest.approx([30], rel=0.05)


@pytest.mark.parametrize("parts", [None, 0, IN_A_ROW], ids=["at once", "later", "as the whole mat is searched again"])
def test_a_white_coin_in_a_printed_ring_is_proposed(parts: int | None) -> None:
    """Its rim is faint all around but for its shadow, and the ring beside it and the words have more edges.

    `parts`: how often parts of the bare mat were searched before it is laid down; None: no picture was read before.
    """
    image, plane = seen((), name="coin-age:volcano")
    x_mm, y_mm = plane.mat.zone("space.B1").area.center_mm
    ((x_px, y_px),) = plane.to_px([(x_mm + 1, y_mm)]).tolist()
    r_px = Denomination.NICKEL.diameter_mm / 2 / plane.mm_per_px_at((x_px, y_px))

    def disc(aside_px: float) -> np.ndarray:
        middle = round((x_px + aside_px) * 16), round((y_px + aside_px) * 16)
        return cv2.circle(np.zeros(image.shape[:2], np.float32), middle, round(r_px * 16), 1.0, -1, cv2.LINE_AA, 4)

    shadowed = image * (1 - 0.1 * cv2.GaussianBlur(disc(1.0), (0, 0), 0.7))[..., None]
    top = disc(0.0)[..., None]
    laid = np.clip(shadowed * (1 - top) + 1.05 * image[round(y_px), round(x_px)] * top, 0, 255).astype(np.uint8)
    before = None if parts is None else replace(searched(image, plane)[1], parts=parts)
    circles = searched(laid, plane, before=before)[0].circles
    near = [circle for circle in circles if np.hypot(circle.x_px - x_px, circle.y_px - y_px) < 0.1 * r_px]
    assert [circle.r_px for circle in near] == pytest.approx([r_px], rel=0.04)


@pytest.mark.parametrize("name", ["two-row", "ring", "coin-age:classic", "coin-wars"])
def test_a_bare_mat_proposes_nothing(name: str) -> None:
    """Its rings, words and pictures are print."""
    assert len(proposed(*seen((), name=name))) == 0


def test_what_stands_on_the_prizes_place_is_not_proposed() -> None:
    x, y = MAT.zone("prize").area.center_mm
    assert len(proposed(*seen((VirtualCoin(Denomination.QUARTER, Face.HEADS, x, y),)))) == 0


def test_a_coin_of_the_last_reading_is_proposed_though_the_finder_misses_it(monkeypatch: pytest.MonkeyPatch) -> None:
    image, plane = seen(COINS[:1])
    found = proposed(image, plane)[[0]]
    a_coin, no_coin = (replace(found, kinds=np.eye(KINDS)[[kind]]) for kind in (0, NOT_A_COIN))
    monkeypatch.setattr(find, "find_upright", lambda *_: [])
    monkeypatch.setattr(bare.Lying, "round_things", lambda *_: [])
    assert proposed(image, plane).circles == ()
    assert proposed(image, plane, LastReading.of(a_coin, Halvings(image))).circles == found.circles
    assert proposed(image, plane, LastReading.of(no_coin, Halvings(image))).circles == ()


@pytest.mark.parametrize("r_px", [14.0, 40.0, 110.0])
def test_discs_drawn_on_a_photo_are_recovered(r_px: float) -> None:
    image = np.full((600, 900, 3), 60, np.uint8)
    truth = [Disc(200.5, 300.25, r_px), Disc(600.0, 280.75, r_px)]
    for disc in truth:
        centre = round(disc.x_px * 16), round(disc.y_px * 16)
        cv2.circle(image, centre, round(disc.r_px * 16), (180, 190, 200), -1, cv2.LINE_AA, 4)
    image = np.asarray(cv2.GaussianBlur(image, (0, 0), 0.7), np.uint8)
    circles = propose.anywhere(image, find.PHOTO).discs
    for disc in truth:
        best = min(circles, key=lambda circle: math.dist((circle.x_px, circle.y_px), (disc.x_px, disc.y_px)))
        assert math.dist((best.x_px, best.y_px), (disc.x_px, disc.y_px)) < 0.6
        assert best.r_px == pytest.approx(disc.r_px, abs=0.7), "OpenCV draws them half a pixel too wide"


@pytest.mark.parametrize("kind", [BY_SIZE[0], pytest.param(BY_SIZE[-1], marks=pytest.mark.long)])
@pytest.mark.parametrize("off", [(0.0, 0.0), (0.95, 0.0), (0.95, 0.95)])
def test_a_coin_whose_middle_lies_on_a_marker_hides_it(kind: Denomination, off: tuple[float, float]) -> None:
    """So on a marker that is read no coin lies. A smaller coin hides less."""
    hidden = MAT.markers[::3]
    spots = [(m.x_mm + off[0] * m.size_mm / 2, m.y_mm + off[1] * m.size_mm / 2) for m in hidden]
    coins = tuple(VirtualCoin(kind, Face.TAILS, *spot) for spot in spots)
    plane = find_plane(Drawn(coins, size_px=SIZE_PX).picture(), [MAT])
    assert plane is not None
    assert not {marker.id for marker in hidden} & set(plane.marker_ids)


def test_nothing_is_proposed_on_a_marker_that_is_read() -> None:
    """However round its print looks: after a hand had left, a white field of one was told of as a strange thing."""
    _, plane = seen(())
    marker = next(marker for marker in MAT.markers if marker.id in plane.marker_ids)
    x, y = plane.to_px([(marker.x_mm, marker.y_mm)])[0]
    spot = Disc(float(x), float(y), 12.0)
    assert propose._worth_a_look([spot], plane, None) == []
    assert propose._worth_a_look([spot], replace(plane, marker_ids=()), None) == [spot]
