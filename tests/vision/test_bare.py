"""Bare card: what the card's own picture shows is told from what lies on it, in another light and a little aside."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
import pytest

from tablecoin import mapfiles
from tablecoin import mat as mats
from tablecoin.mat import Card, Mat, Rectangle
from tablecoin.vision import bare
from tablecoin.vision.frame import Disc, Image
from tablecoin.vision.plane import Plane

PX_PER_MM = 5
PLACES_MM = ((40.0, 40.0), (90.0, 45.0))


@pytest.fixture
def card(tmp_path: Path) -> Iterator[tuple[Mat, Image]]:
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
    yield Mat("coin-age:own", {"en": "Own"}, 140, 100, (), (), (0, 0), card=Card("own.png", area)), picture
    (tmp_path / "own.toml").unlink()  # no other test shall know this map


def seen(mat: Mat, picture: Image, aside_mm: float = 0.0) -> tuple[Image, Plane]:
    """The mat from straight above, and its plane, off by `aside_mm`."""
    image = np.full((100 * PX_PER_MM, 140 * PX_PER_MM, 3), 60, np.uint8)
    image[50:450, 50:650] = cv2.resize(picture, (600, 400), interpolation=cv2.INTER_AREA)
    scale = 1 / PX_PER_MM
    return image, Plane(mat, (scale, 0, scale / 2 + aside_mm, 0, scale, scale / 2, 0, 0, 1), None, (), (), 0.0)


DISCS = [Disc(x * PX_PER_MM, y * PX_PER_MM, 60.0) for x, y in PLACES_MM]


@pytest.mark.parametrize("aside_mm", [0.0, 1.2])
@pytest.mark.parametrize("light", [0.35, 1.1])
def test_a_drawn_ring_is_bare_card_and_a_coin_on_it_is_not(
    card: tuple[Mat, Image], light: float, aside_mm: float
) -> None:
    image, plane = seen(*card, aside_mm)
    x, y = (round(v * PX_PER_MM) for v in PLACES_MM[1])
    coin = cv2.circle(image, (x, y), 60, (150, 155, 160), -1, cv2.LINE_AA)
    cv2.circle(coin, (x - 10, y), 22, (105, 110, 115), 6, cv2.LINE_AA)
    lit = np.clip(coin * light + np.random.default_rng(1).normal(0, 3, coin.shape), 0, 255).astype(np.uint8)
    drawn, laid = bare.likeness(lit, plane, DISCS)
    assert drawn > bare.AS_DRAWN + 0.1
    assert laid < bare.AS_DRAWN - 0.3


def test_nothing_is_said_where_nothing_is_known(card: tuple[Mat, Image]) -> None:
    mat, picture = card
    image, plane = seen(mat, picture)
    flat, beside = Disc(60 * PX_PER_MM, 80 * PX_PER_MM, 40.0), Disc(20.0, 20.0, 40.0)
    assert np.abs(bare.likeness(image, plane, [flat, beside])).max() < 0.3
    assert bare.likeness(image, plane, []).shape == (0,)
    printed = Plane(mats.load("coin-age:classic"), plane.homography, None, (), (), 0.0)
    assert not bare.likeness(image, printed, DISCS).any()
    (mapfiles.beside("own", "own.png")).unlink()
    assert not bare.likeness(image, plane, DISCS).any()
