"""What is not explained: a thing of known size is drawn, and its area recovered; coins and bumps are explained."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from tablecoin.vision.frame import Disc, Frame, Image, Reading, SeenCoin, whichever
from tablecoin.vision.rest.areas import Areas
from tablecoin.vision.rest.change import glance
from tablecoin.vision.rest.hands import Scope, Settled

MM_PER_PX = 0.4  # the small picture is half as wide as this one, so a small pixel is 0.8 mm
SIZE_PX = (728, 544)


def table() -> Image:
    """Blobs all over, so that a shift of the picture can be measured."""
    noise = np.random.default_rng(3).normal(0, 1, (SIZE_PX[1], SIZE_PX[0]))
    soft = cv2.GaussianBlur(noise, (0, 0), 6)
    grey = np.clip(150 + 60 * soft / soft.std(), 30, 250).astype(np.uint8)
    return np.asarray(cv2.cvtColor(grey, cv2.COLOR_GRAY2BGR), np.uint8)


TABLE = table()
SCOPE = Scope(mm_per_px=MM_PER_PX)
BARE = Settled(glance(TABLE), np.zeros((272, 364), np.uint8))
NO_COINS = np.zeros((272, 364), np.uint8)


def with_box(left: int, top: int, width: int, height: int) -> Image:
    image = TABLE.copy()
    image[top : top + height, left : left + width] = (20, 40, 255)
    return image


@pytest.mark.parametrize(
    ("box_mm", "is_hand"),
    [  # left, top, width, height; the mat's left rim is at 40 mm
        ((100, 80, 30, 12), True),
        ((100, 80, 18, 12), False),  # 216 mm²: a coin's rim or a crumb
        ((20, 80, 34, 12), True),  # a finger 14 mm over the rim
        ((20, 80, 22, 12), False),  # it hardly reaches the mat
        ((0, 80, 24, 60), False),  # a hand beside the mat
    ],
)
def test_a_hand_is_told_by_its_size_and_a_finger_by_the_rim_it_crosses(
    box_mm: tuple[int, int, int, int], is_hand: bool
) -> None:
    view = glance(with_box(*(round(mm / MM_PER_PX) for mm in box_mm)))
    mat = Scope(Areas(mat_px=((100, 0), (SIZE_PX[0], 0), SIZE_PX, (100, SIZE_PX[1]))), MM_PER_PX)
    part = mat.unexplained(view, [BARE], NO_COINS)
    assert part.is_hand is is_hand
    assert part.outline.any() == is_hand


@pytest.mark.parametrize(("box_mm", "is_hand"), [((100, 80, 34, 16), True), ((100, 80, 10, 10), False)])
def test_what_passes_is_searched_for_at_half_the_size_and_outlined_at_the_whole(
    box_mm: tuple[int, int, int, int], is_hand: bool
) -> None:
    view = glance(with_box(*(round(mm / MM_PER_PX) for mm in box_mm)))
    part = SCOPE.passing(view, BARE)
    assert part.is_hand is is_hand
    assert part.outline.shape == view.log.shape
    assert part.outline.any() == is_hand


def test_a_coin_gone_is_explained_but_not_a_finger_over_its_place() -> None:
    coin = cv2.circle(TABLE.copy(), (300, 250), 26, (20, 40, 255), cv2.FILLED)
    disc = cv2.circle(NO_COINS.copy(), (150, 125), 16, 255, cv2.FILLED)
    there = Settled(glance(np.asarray(coin, np.uint8)), np.asarray(disc, np.uint8))
    assert not SCOPE.unexplained(glance(TABLE), [there], NO_COINS).is_hand
    finger = cv2.rectangle(TABLE.copy(), (285, 235), (315, 420), (120, 150, 205), cv2.FILLED)
    view = glance(np.asarray(finger, np.uint8))
    assert SCOPE.unexplained(view, [there], NO_COINS).is_hand
    assert SCOPE.unexplained(view, [there], there.coins).is_hand, "although the reader sees a coin under the finger"


def test_a_standing_shadow_with_a_hard_edge_is_no_hand_but_one_over_a_coin_gone_is() -> None:
    image = TABLE.copy()
    image[200:300, 200:330] = (0.75 * image[200:300, 200:330]).astype(np.uint8)
    view = glance(image)
    assert not SCOPE.unexplained(view, [BARE], NO_COINS).is_hand
    disc = np.asarray(cv2.circle(NO_COINS.copy(), (130, 125), 12, 255, cv2.FILLED), np.uint8)
    assert SCOPE.unexplained(view, [Settled(BARE.view, disc)], NO_COINS).is_hand


def test_nothing_new_is_explained() -> None:
    assert SCOPE.unexplained(glance(TABLE), [BARE], NO_COINS).is_hand is False


def test_a_thing_seen_before_is_explained_by_the_table_that_shows_it() -> None:
    view = glance(with_box(200, 200, 100, 60))
    accepted = Settled(view, NO_COINS)
    assert SCOPE.unexplained(view, [BARE, accepted], NO_COINS).is_hand is False


def test_a_coin_is_explained_by_its_disc() -> None:
    image, disc = TABLE.copy(), Disc(300.0, 250.0, 30.0)
    cv2.circle(image, (300, 250), 30, (20, 40, 255), cv2.FILLED)
    coin = SeenCoin(disc, (1.0, 0.0, 0.0, 0.0), whichever(1.0), sure=True)
    view, reading = glance(image), Reading(Frame(image, 0, 0.0), (coin,), MM_PER_PX)
    assert SCOPE.unexplained(view, [BARE], SCOPE.coins(view, reading)).is_hand is False
    assert SCOPE.unexplained(view, [BARE], NO_COINS).is_hand


def test_off_the_mat_and_on_ignored_places_nothing_is_looked_for() -> None:
    view = glance(with_box(200, 200, 100, 60))
    mat = ((0.0, 0.0), (150.0, 0.0), (150.0, 500.0), (0.0, 500.0))
    prize = ((190.0, 190.0), (310.0, 190.0), (310.0, 270.0), (190.0, 270.0))
    for areas in (Areas(mat_px=mat), Areas(ignored_px=(prize,))):
        assert Scope(areas, MM_PER_PX).unexplained(view, [BARE], NO_COINS).is_hand is False


@pytest.mark.parametrize("shift_px", [(8.0, 0.0), (-6.0, 10.0)])
def test_a_bump_is_explained_by_the_table_moved(shift_px: tuple[float, float]) -> None:
    motion = np.array([[1, 0, shift_px[0]], [0, 1, shift_px[1]]], np.float64)
    image = cv2.warpAffine(TABLE, motion, SIZE_PX, borderMode=cv2.BORDER_REPLICATE)
    view = glance(np.asarray(image, np.uint8))
    moved, by_px = SCOPE.moved(BARE, view, NO_COINS)
    assert moved is not None
    assert by_px == pytest.approx(max(map(abs, shift_px)) / 2, abs=0.3)
    before, after = (np.abs(view.small - table.view.small.astype(float)).mean() for table in (BARE, moved))
    assert after < 0.2 * before


def test_a_thing_on_a_table_that_stayed_is_no_bump() -> None:
    assert SCOPE.moved(BARE, glance(with_box(200, 200, 100, 60)), NO_COINS) == (None, 0.0)
