"""Only where something lies that is not explained circles are searched; a mat of lone coins needs no search at all."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import cv2
import pytest

from tablecoin import mat as mats
from tablecoin.coins import Denomination, Face
from tablecoin.virtual.render import Light, Renderer
from tablecoin.virtual.table import Scene, VirtualCoin
from tablecoin.virtual.view import View
from tablecoin.vision.coins import find, propose
from tablecoin.vision.coins.contrast import Window
from tablecoin.vision.coins.crops import Halvings
from tablecoin.vision.coins.propose import RADII_MM
from tablecoin.vision.coins.unexplained import around, windows
from tablecoin.vision.coins.unmoved import NOTHING_YET
from tablecoin.vision.frame import Disc, Grey
from tablecoin.vision.place import bare
from tablecoin.vision.place.fit import find_plane
from tablecoin.vision.place.plane import Plane

MAT = mats.load("two-row")
QUARTER, PENNY = Denomination.QUARTER, Denomination.PENNY
LONE = tuple(VirtualCoin(kind, Face.HEADS, 90 + 55 * k, 45, 40 * k) for k, kind in enumerate((QUARTER, PENNY) * 2))


def seen(coins: Sequence[VirtualCoin], light: Light | None = None) -> tuple[Grey, Plane]:
    image = Renderer(MAT, View.over(MAT, size_px=(1456, 1088)), light or Light(noise=3.0)).picture(Scene(tuple(coins)))
    plane = find_plane(image, [MAT])
    assert plane is not None
    return propose.upright(find.greyed(image), plane)


def searched(above: Grey, flat: Plane, explained: Sequence[Disc] = ()) -> list[Window]:
    paper = bare.lying(above, flat)
    assert paper is not None
    return windows(above, flat, paper, explained, RADII_MM[1] / flat.mm_per_px_at((0, 0)))


def disc(flat: Plane, coin: VirtualCoin) -> Disc:
    radius_mm = coin.denomination.diameter_mm / 2
    (x, y), (rim, _) = flat.to_px([(coin.x_mm, coin.y_mm), (coin.x_mm + radius_mm, coin.y_mm)])
    return Disc(float(x), float(y), float(rim - x))


def holds(window: Window, disc: Disc) -> bool:
    left, top, right, bottom = window
    x, y, r = disc.x_px, disc.y_px, disc.r_px
    return left <= x - r and top <= y - r and x + r <= right and y + r <= bottom


@pytest.mark.parametrize("light", [Light(noise=3.0), Light(brightness=0.4, noise=4.0)], ids=["plain", "dim"])
def test_a_mat_without_coins_or_with_explained_ones_is_not_searched(light: Light) -> None:
    assert searched(*seen((), light)) == []
    above, flat = seen(LONE, light)
    assert searched(above, flat, [disc(flat, coin) for coin in LONE]) == []


def test_a_coin_that_is_not_explained_is_searched() -> None:
    above, flat = seen(LONE)
    first, *others = (disc(flat, coin) for coin in LONE)
    (window,) = searched(above, flat, others)
    assert holds(window, first)


def test_a_coin_as_white_as_the_paper_is_searched_for_its_edge() -> None:
    above, flat = seen(())
    white = disc(flat, VirtualCoin(PENNY, Face.HEADS, 150, 60, 0))
    at, radius = (round(white.x_px), round(white.y_px)), round(white.r_px)
    above = above.copy()
    cv2.circle(above, at, radius, float(above[at[1], at[0]]) - 25, 1, cv2.LINE_AA)
    (window,) = searched(above, flat)
    assert holds(window, white)


def test_a_marker_that_is_not_seen_may_lie_under_a_coin() -> None:
    above, flat = seen(())
    hidden, *others = MAT.markers
    (window,) = searched(above, replace(flat, marker_ids=tuple(marker.id for marker in others)))
    assert holds(window, disc(flat, VirtualCoin(PENNY, Face.HEADS, hidden.x_mm, hidden.y_mm, 0)))


def test_lone_coins_are_proposed_without_a_search(monkeypatch: pytest.MonkeyPatch) -> None:
    def no_search(*_: object, **__: object) -> None:
        raise AssertionError

    image = Renderer(MAT, View.over(MAT, size_px=(1456, 1088))).picture(Scene(LONE))
    plane = find_plane(image, [MAT])
    assert plane is not None
    above, flat = propose.upright(find.greyed(image), plane)
    monkeypatch.setattr(cv2, "HoughCircles", no_search)
    found, _ = propose.on_mat(Halvings(image), above, flat, plane, NOTHING_YET, find.KNOWN_VOTES)
    assert len(found) == len(LONE)


def test_around_a_thing_that_is_no_coin_another_circle_is_sought() -> None:
    above, flat = seen(())
    thing = disc(flat, VirtualCoin(QUARTER, Face.HEADS, 5, 100, 0))
    (window,) = around(above, [thing], thing.r_px)
    assert holds(window, replace(thing, x_px=thing.x_px + 0.9 * thing.r_px))
    assert window[0] == 0, "no further than the picture goes"
