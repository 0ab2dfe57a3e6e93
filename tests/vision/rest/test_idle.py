"""At rest most frames get no full look, and what happens on the table is noticed as before."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

from tablecoin.vision.frame import Frame, Image, Reading
from tablecoin.vision.rest.idle import LOOK_S, Idle
from tablecoin.vision.rest.settle import Settler

FPS = 20


@cache
def picture(seed: int = 0, noise: float = 2.0) -> Image:
    """White paper of 480 × 360 pixels with a camera's noise."""
    grain = noise * np.random.default_rng(seed).standard_normal((360, 480, 3), np.float32)
    return np.asarray(np.clip(200 + grain, 0, 255), np.uint8)


def with_square(side_px: int, grey: int = 110) -> Image:
    image = picture(99).copy()
    image[100 : 100 + side_px, 200 : 200 + side_px] = grey
    return image


@pytest.mark.parametrize(
    ("image", "after_s", "spared"),
    [
        (picture(1), 0.05, True),
        (picture(1), LOOK_S, False),  # the next full look is due
        (with_square(40), 0.05, False),  # a coin was laid down
        (with_square(8), 0.05, True),  # too small: it waits for the next full look
        (np.clip(picture(2) * 0.8, 0, 255).astype(np.uint8), 0.05, False),  # a lamp was dimmed
        (picture(1, noise=12.0), 0.05, False),  # where noise hides changes every frame is looked at
        (picture(1)[:240], 0.05, False),  # another shape
        (picture(1), -1.0, False),  # the clock went back
    ],
)
def test_a_frame_that_nothing_large_changed_in_is_spared(image: Image, after_s: float, spared: bool) -> None:
    idle = Idle()
    assert not idle.spares(Frame(image, 0, 5.0 + after_s))
    idle.looked_at(Frame(picture(), 1, 5.0))
    assert idle.spares(Frame(image, 2, 5.0 + after_s)) is spared
    idle.clear()
    assert not idle.spares(Frame(image, 3, 5.0 + after_s))


@pytest.mark.parametrize(("side_px", "frames"), [(40, 1), (12, 5)], ids=["a coin", "a change of a few millimetres"])
def test_a_change_at_rest_is_motion_in_the_same_frame_or_a_fifth_of_a_second_later(side_px: int, frames: int) -> None:
    settler = Settler(lambda frame: Reading(frame, (), None, None))
    for number in range(2 * FPS):
        assert not settler.see(Frame(picture(number), number, number / FPS)).hand
    noticed = [settler.see(Frame(with_square(side_px), k, k / FPS)).moving for k in range(2 * FPS, 2 * FPS + frames)]
    assert any(noticed)
