"""The film: small JPEGs in a ring, cut to the last seconds of movement."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from tablecoin.vision.frame import Frame
from tablecoin.vision.shown.film import MOST_CUT_BYTES, Film


def frame(taken_s: float, size_px: tuple[int, int] = (1280, 960), noise: int = 0) -> Frame:
    """A grey frame, brighter with time. `noise`: grey levels of it, after shrinking, which takes two thirds away."""
    image = np.full((size_px[1], size_px[0], 3), 40 + round(taken_s), np.uint8)
    if noise:
        image += np.random.default_rng(1).integers(0, noise, image.shape, np.uint8)
    return Frame(image, round(8 * taken_s), taken_s)


def film(*times_s: float, noise: int = 0) -> Film:
    made = Film()
    for taken_s in times_s:
        made.add(frame(taken_s, (480, 360), noise))
    return made


def times(made: Film, end_s: float) -> list[float]:
    return [still.taken_s for still in made.cut(end_s)]


@pytest.mark.parametrize(
    ("size_px", "small_px"),
    [((1280, 960), (426, 320)), ((1456, 1088), (485, 362)), ((320, 240), (320, 240)), ((1, 1), (1, 1))],
)
def test_frames_are_shrunk_by_a_whole_number(size_px: tuple[int, int], small_px: tuple[int, int]) -> None:
    made = Film()
    made.add(frame(1.0, size_px))
    (still,) = made.cut(1.0)
    shown = cv2.imdecode(np.frombuffer(still.jpeg, np.uint8), cv2.IMREAD_COLOR)
    assert shown is not None
    assert shown.shape[1::-1] == small_px


@pytest.mark.parametrize(
    ("filmed_s", "end_s", "cut_s"),
    [
        ([], 9.0, []),
        ([1.0, 2.0, 3.0], 9.0, [1.0, 2.0, 3.0]),
        ([1.0, 2.0, 3.0], 2.0, [1.0, 2.0]),  # what came after the picture that was ruled on is left out
        ([1.0, 2.0, 3.0], 0.5, []),
        ([1.0, 2.0, 60.0, 61.0], 61.0, [2.0, 60.0, 61.0]),  # the last movement, and the table before it
        ([1.0, 2.0, 3.0], 900.0, [1.0, 2.0, 3.0]),  # nothing moved since
        ([1.0, 3.0, 5.0, 7.0, 9.0], 9.0, [1.0, 3.0, 5.0, 7.0, 9.0]),  # six seconds, and one still more
    ],
)
def test_a_cut_is_the_last_movement_up_to_the_ruling(filmed_s: list[float], end_s: float, cut_s: list[float]) -> None:
    assert times(film(*filmed_s), end_s) == cut_s


@pytest.mark.parametrize("noise", [3, 20, 60], ids=["a webcam", "a bad one", "noise alone"])
def test_whatever_the_frames_show_three_seconds_fit_into_a_cut(noise: int) -> None:
    made = film(*(k / 8 for k in range(48)), noise=noise)
    cut = made.cut(6.0)
    assert sum(len(still.jpeg) for still in cut) <= MOST_CUT_BYTES
    assert cut[-1].taken_s - cut[0].taken_s >= 2.5


def test_the_ring_holds_less_than_five_megabytes() -> None:
    made, seen = Film(), frame(0.0, (480, 360), noise=200)
    for k in range(300):
        made.add(replace(seen, taken_s=k / 8))
    assert 2_900_000 < made.held_bytes <= 3_000_000
    assert times(made, 100.0)[-1] == 299 / 8
