"""Under any one light coins are silver or copper; discs of another colour are doubted."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from tablecoin.vision.coins.colour import doubts, redder
from tablecoin.vision.frame import Disc, Image

SILVER, COPPER, BLUE = np.array([150, 150, 150]), np.array([85, 112, 148]), np.array([220, 90, 40])
DISCS = [Disc(60 + 90 * k, 60, 30) for k in range(6)]
PENNY, QUARTER = np.eye(4)[0], np.eye(4)[3]
UNKNOWN = np.full(4, 0.25)  # a coin, whichever


def laid(colours: list[np.ndarray], cast: tuple[float, float, float] = (1, 1, 1)) -> Image:
    image = np.full((120, 600, 3), 200, np.uint8)
    for disc, colour in zip(DISCS, colours, strict=True):
        ink = [float(value) for value in np.clip(colour * np.array(cast), 0, 255)]
        cv2.circle(image, (int(disc.x_px), int(disc.y_px)), int(disc.r_px), ink, -1)
    return image


def seeming(*kinds: np.ndarray, chance: float = 0.99) -> np.ndarray:
    """(N, 4): discs that are coins with this chance."""
    return chance * np.array(kinds)


@pytest.mark.parametrize("cast", [(1, 1, 1), (1.5, 0.9, 0.7), (0.5, 0.8, 1.3)], ids=["white", "blue", "lamp"])
def test_silver_and_copper_agree_in_any_light(cast: tuple[float, float, float]) -> None:
    for colours, kinds in (
        ([SILVER] * 3 + [COPPER] * 3, [QUARTER] * 3 + [PENNY] * 3),
        ([SILVER] * 6, [QUARTER] * 6),
        ([COPPER] * 6, [PENNY] * 6),
        ([SILVER] * 6, [PENNY] * 6),  # all of them have lost their red
    ):
        assert not (doubts(laid(colours, cast), DISCS, seeming(*kinds)) * kinds).any()


def test_a_blue_disc_among_coins_is_doubted_alone() -> None:
    mixed = seeming(QUARTER, QUARTER, PENNY, PENNY, QUARTER, QUARTER)
    against = doubts(laid([SILVER, SILVER, COPPER, COPPER, SILVER, BLUE]), DISCS, mixed)
    assert not (against[:5] * mixed[:5]).any()
    assert (against[5] > 5).all()


@pytest.mark.parametrize("cast", [(1, 1, 1), (1.5, 0.9, 0.7), (0.5, 0.8, 1.3)], ids=["white", "blue", "lamp"])
def test_a_golden_dollar_is_no_quarter(cast: tuple[float, float, float]) -> None:
    """It has the looks of one, and is a little larger."""
    golden = np.array([100, 130, 150])
    kinds = seeming(QUARTER, QUARTER, PENNY, PENNY, QUARTER, QUARTER)
    against = doubts(laid([SILVER, SILVER, COPPER, COPPER, SILVER, golden], cast), DISCS, kinds)
    assert not (against[:5] * kinds[:5]).any()
    assert (against[5, 1:] > 1).all()
    assert against[5, 0] == 0, "a penny may be of any red"


def test_where_every_disc_has_another_colour_all_are_doubted() -> None:
    colours = [np.array(c) for c in ([220, 60, 40], [40, 200, 60], [30, 60, 220], [200, 200, 30], [150, 150, 150])]
    assert (doubts(laid([*colours, np.array([220, 40, 200])]), DISCS, seeming(*[UNKNOWN] * 6)) >= 3).all()


def test_two_discs_do_not_tell_the_light() -> None:
    image = laid([SILVER, np.array([220, 60, 40]), SILVER, SILVER, SILVER, SILVER])
    assert not doubts(image, DISCS[:2], seeming(QUARTER, QUARTER)).any()
    assert doubts(image, [], np.empty((0, 4))).shape == (0, 4)


def test_the_weave_of_a_cloth_does_not_outvote_the_coins_on_it() -> None:
    image = laid([SILVER, COPPER, BLUE, BLUE, BLUE, BLUE])
    discs = [*DISCS[:2], *(Disc(disc.x_px, disc.y_px, 3) for disc in DISCS[2:])]
    kinds = seeming(QUARTER, PENNY, *[UNKNOWN] * 4, chance=0.9)
    against = doubts(image, discs, kinds)
    assert not (against[:2] * kinds[:2]).any()
    assert (against[2:] > 5).all()


@pytest.mark.parametrize("cast", [(1, 1, 1), (1.5, 0.9, 0.7), (0.5, 0.8, 1.3)], ids=["white", "blue", "lamp"])
@pytest.mark.parametrize(
    ("below", "above", "least", "most"), [(SILVER, COPPER, 0.4, 0.6), (COPPER, COPPER, -0.02, 0.02)]
)
def test_copper_on_silver_is_redder_than_what_shows_around_it(
    cast: tuple[float, float, float], below: np.ndarray, above: np.ndarray, least: float, most: float
) -> None:
    image, top = laid([below] * 6, cast), Disc(61, 60, 26)
    cv2.circle(image, (61, 60), 26, [float(v) for v in np.clip(above * np.array(cast), 0, 255)], -1)
    assert least < redder(image, [top], DISCS[:1])[0] < most


def test_a_disc_that_hides_all_below_tells_nothing_of_its_colour() -> None:
    assert redder(laid([SILVER] * 6), DISCS[:1], DISCS[:1])[0] == 0
