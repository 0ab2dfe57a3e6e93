"""What cannot be read is named, and a driver that repeats one picture is noticed; a still table is not accused."""

from __future__ import annotations

import re

import numpy as np
import pytest

from tablecoin.rules.rulebook import Message, sentence
from tablecoin.vision.cameras.camera import Camera, CameraError
from tablecoin.vision.cameras.reconnecting import Reconnecting
from tablecoin.vision.cameras.soundness import Repeats, fault
from tablecoin.vision.frame import Frame, Image
from tests.vision.cameras.clock import Clock

SIZE = (240, 320)

UNREADABLE = [
    (None, "no picture"),
    ([[1, 2], [3, 4]], "no picture"),
    (np.zeros((0, 0, 3), np.uint8), "empty"),
    (np.zeros((*SIZE, 0), np.uint8), "empty"),
    (np.zeros(SIZE, np.uint8), "no colours"),
    (np.zeros((*SIZE, 1), np.uint8), "no colours"),
    (np.zeros((*SIZE, 4), np.uint8), "240 × 320 × 4"),
    (np.zeros((*SIZE, 3, 1), np.uint8), "240 × 320 × 3 × 1"),
    (np.full((*SIZE, 3), np.nan), "float64 numbers"),
    (np.zeros((*SIZE, 3), np.uint16), "uint16 numbers"),
    (np.zeros((*SIZE, 3), object), "object numbers"),
    (np.zeros((1, 320, 3), np.uint8), "320 × 1 pixels, too narrow"),
    (np.zeros((64, 4096, 3), np.uint8), "4096 × 64 pixels, too narrow"),
    (np.zeros((4096, 64, 3), np.uint8), "64 × 4096 pixels, too narrow"),
]


@pytest.mark.parametrize(("image", "what"), UNREADABLE, ids=[what for _, what in UNREADABLE])
def test_what_is_wrong_with_a_picture_is_said(image: object, what: str) -> None:
    said = fault(image)
    assert said is not None
    assert what in sentence(said)
    assert re.search("try another (one|camera)", sentence(said))


def test_a_colour_picture_is_sound_also_as_a_view_of_a_larger_array() -> None:
    large = np.zeros((480, 640, 4), np.uint8)
    assert fault(large[::2, ::2, :3]) is None


def picture(seed: int, noise: int) -> Image:
    """A still scene, with up to `noise` grey levels of a sensor's noise."""
    scene = np.random.default_rng(0).integers(60, 200, (*SIZE, 3))
    grain = np.random.default_rng(seed).integers(-noise, noise + 1, scene.shape)
    return (scene + grain).astype(np.uint8)


class Playing:
    """A camera of two frames a second that shows what `noise` says. Each one opened begins with another picture."""

    name = "playing"

    def __init__(self, clock: Clock, noise: int, first: int) -> None:
        self._clock, self._noise, self._first, self._number = clock, noise, first, 0

    def read(self, timeout_s: float) -> Frame:
        self._clock.now_s += 0.5
        self._number += 1
        seed = self._first + (self._number if self._noise else 0)
        return Frame(picture(seed, self._noise or 1), self._number, self._clock.now_s)

    def close(self) -> None:
        """Nothing is held."""


def watched(noise: int, repeats: Repeats | None) -> tuple[list[float], int, set[str]]:
    """Half a minute of a camera: when it warned, how often it was opened, and what it said."""
    clock, opened = Clock(), list[Camera]()

    def open_one() -> Camera:
        opened.append(Playing(clock, noise, first=100 * len(opened)))
        return opened[-1]

    camera = Reconnecting(open_one, repeats=repeats, clock=clock, sleep=clock.sleep)
    warned, said, began_s = list[float](), set[str](), clock.now_s
    while clock.now_s < began_s + 30:
        try:
            camera.read(1.0)
        except CameraError as error:
            said.add(str(error))
        if camera.warning:
            warned.append(clock.now_s - began_s)
            said.add(sentence(camera.warning))
    return warned, len(opened), said


def test_a_driver_that_repeats_one_picture_is_said_after_three_seconds_and_opened_again_after_ten() -> None:
    warned, opened, said = watched(noise=0, repeats=Repeats())
    assert warned[0] == pytest.approx(3.5)
    assert opened == 3
    assert said == {sentence(Message("camera.repeats", {"camera": "playing"}))}


def test_a_live_camera_over_a_still_table_is_not_accused() -> None:
    assert watched(noise=1, repeats=Repeats()) == ([], 1, set())


def test_a_source_that_may_stand_still_is_not_accused() -> None:
    assert watched(noise=0, repeats=None) == ([], 1, set())
