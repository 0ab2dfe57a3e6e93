"""No frame stops the eye: what cannot be read is said and logged once, and what can be read is read."""

from __future__ import annotations

import errno
import threading
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import pytest

from tablecoin import mat as mats
from tablecoin.coins import Coin
from tablecoin.live import eye as eyes
from tablecoin.live.eye import Astray, Away, Eye
from tablecoin.rules.rulebook import Message, sentence
from tablecoin.virtual.render import Renderer
from tablecoin.virtual.table import Scene, VirtualCoin
from tablecoin.virtual.view import View
from tablecoin.vision.cameras.camera import CameraError
from tablecoin.vision.coins.reader import Reader
from tablecoin.vision.frame import Frame, Reading
from tablecoin.vision.place.lens import Lens
from tablecoin.vision.rest.settle import Look
from tests.live.looking import Clock

pytestmark = pytest.mark.usefixtures("loaded")

MAT = mats.load("two-row")
STEP_S = 0.25  # between two frames, by their own clock: nothing waits


class At(NamedTuple):
    """A picture with a time of its own."""

    image: object
    taken_s: object


class Film:
    """A camera that gives these pictures, or errors, one after the other, and then ends the eye's watch."""

    name = "film"

    def __init__(self, pictures: Sequence[object]) -> None:
        self._pictures, self._number = pictures, 0
        self.ended = threading.Event()

    def read(self, timeout_s: float) -> Frame:
        if self._number == len(self._pictures):
            self.ended.set()
            raise CameraError(Message("camera.closed", {"camera": self.name}))
        image = self._pictures[self._number]
        self._number += 1
        taken_s: object = STEP_S * self._number
        match image:
            case Exception():
                raise image
            case At():
                image, taken_s = image
        return Frame(image, self._number, taken_s)  # type: ignore[arg-type]

    def close(self) -> None:
        """Nothing is held."""


@pytest.fixture(autouse=True)
def no_pause(monkeypatch: pytest.MonkeyPatch) -> None:
    """After a frame that cannot be read the next one is read at once."""
    monkeypatch.setattr(eyes, "_RETRY_S", 0.0)


def watched(pictures: Sequence[object], clock: Clock | None = None) -> list[Look | Astray | Away]:
    """What an eye posts of these pictures."""
    film, posted = Film(pictures), list[Look | Astray | Away]()
    Eye(film, Reader("two-row"), 0.5, posted.append, clock=clock or Clock()).watch(film.ended)
    return posted[:-1]  # the last: the film's end


def shot(size_px: tuple[int, int], count: int) -> list[object]:
    """`count` pictures of a table with one dime, still but for the noise."""
    renderer = Renderer(MAT, View.over(MAT, size_px=size_px))
    scene = Scene(coins=(VirtualCoin(Coin.DIME_TAILS.denomination, Coin.DIME_TAILS.face, 150, 150),))
    return [renderer.picture(scene) for _ in range(count)]


def coins_sighted(posted: Sequence[object]) -> list[list[Coin | None]]:
    sightings = [look.sighting for look in posted if isinstance(look, Look) and look.sighting]
    return [[coin.coin for coin in sighting.reading.coins] for sighting in sightings]


def test_frames_of_another_shape_in_mid_stream_are_read(caplog: pytest.LogCaptureFixture) -> None:
    posted = watched([*shot((800, 600), 6), *shot((600, 800), 6), *shot((640, 480), 6)])
    assert not [each for each in posted if not isinstance(each, Look)]
    assert coins_sighted(posted) == [[Coin.DIME_TAILS]] * 3
    assert [message.partition(":")[0] for message in caplog.messages] == [
        "The camera's pictures are 600 × 800 pixels now",
        "The camera's pictures are 640 × 480 pixels now",
    ]


def test_a_calibration_holds_again_when_the_pictures_have_its_size_again() -> None:
    """A phone is turned, and turned back."""
    lens, reader = Lens(750.0, 750.0, 319.5, 239.5), Reader("two-row")
    reader.calibrated(lens, None, size_px=(640, 480))
    upright, lying = shot((480, 640), 4), shot((640, 480), 4)
    film, held = Film([*upright, *lying, *upright, *lying]), list[bool]()

    def note(frame: Frame, look: Look) -> None:
        held.append(reader.plane is not None and reader.plane.lens == lens)

    Eye(film, reader, 0.5, lambda seen: None, note).watch(film.ended)
    assert [held[k] for k in (3, 7, 11, 15)] == [False, True, False, True]


def test_a_reading_that_takes_long_is_no_gap_between_two_frames(monkeypatch: pytest.MonkeyPatch) -> None:
    """Else a slow computer would read the table anew for ever, and never rule."""
    read, clock = Reader.read, Clock()

    def slowly(self: Reader, frame: Frame) -> Reading:
        clock.now_s += eyes._LONG_S + 0.1
        return read(self, frame)

    monkeypatch.setattr(Reader, "read", slowly)
    assert coins_sighted(watched(shot((640, 480), 7), clock)) == [[Coin.DIME_TAILS]]


UNREADABLE = {
    "grey": np.zeros((480, 640), np.uint8),
    "BGRA": np.zeros((480, 640, 4), np.uint8),
    "empty": np.zeros((0, 0, 3), np.uint8),
    "flat": np.zeros((64, 4096, 3), np.uint8),
    "not numbers": np.full((480, 640, 3), np.nan),
    "nothing": None,
}


@pytest.mark.parametrize("image", UNREADABLE.values(), ids=UNREADABLE)
def test_frames_that_cannot_be_read_are_said_logged_once_and_forgotten(
    image: object, caplog: pytest.LogCaptureFixture
) -> None:
    posted = watched([*shot((640, 480), 5), image, image, image, *shot((640, 480), 5)])
    away = [each for each in posted if isinstance(each, Away)]
    assert len(away) == 3
    assert all(each.why.key.startswith("camera.frame") and each.why != eyes._FAULT for each in away)
    assert len(caplog.messages) == 1
    assert coins_sighted(posted) == [[Coin.DIME_TAILS]] * 2


@pytest.mark.parametrize("taken_s", [float("nan"), float("inf"), -5.0, 1e300, None])
def test_one_wrong_time_is_said_and_the_next_pictures_are_read(taken_s: object) -> None:
    """A clock that runs on from the wrong time is taken as it is, after one picture more."""
    posted = watched([*shot((640, 480), 5), At(shot((640, 480), 1)[0], taken_s), *shot((640, 480), 7)])
    away = [each for each in posted if isinstance(each, Away)]
    assert {each.why.key for each in away} == {"camera.time"}
    assert 1 <= len(away) <= 2
    assert coins_sighted(posted) == [[Coin.DIME_TAILS]] * 2


def test_pictures_whose_time_stands_still_are_said() -> None:
    posted = watched([At(image, 7.0) for image in shot((640, 480), 6)])
    assert isinstance(posted[0], Look)
    assert {each.why.key for each in posted[1:] if isinstance(each, Away)} == {"camera.time"}


def test_sizes_that_keep_changing_are_said_until_one_stays() -> None:
    small, large = shot((640, 480), 20), shot((800, 600), 8)
    both = [picture for pair in zip(small[:8], large, strict=True) for picture in pair]
    posted = watched([*both, *small[8:]])
    away = [each for each in posted if isinstance(each, Away)]
    assert {each.why.key for each in away} == {"camera.changing"}
    assert isinstance(posted[-1], Look), "the last size stays"
    assert coins_sighted(posted) == [[Coin.DIME_TAILS]]


def test_a_driver_s_error_is_no_fault_of_ours(caplog: pytest.LogCaptureFixture) -> None:
    broken = OSError(errno.EIO, "Input/output error")
    posted = watched([*shot((640, 480), 5), broken, broken, *shot((640, 480), 5)])
    away = [each for each in posted if isinstance(each, Away)]
    assert [sentence(each.why).partition(".")[0] for each in away] == [
        "The film stopped with an error (Input/output error)"
    ] * 2
    assert caplog.text.count("Traceback") == 1
    assert coins_sighted(posted) == [[Coin.DIME_TAILS]] * 2


def test_a_fault_of_ours_is_said_logged_once_and_forgotten(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    pictures = shot((640, 480), 8)
    read, calls = Reader.read, list[int]()

    def breaks_at_first(self: Reader, frame: Frame) -> object:
        calls.append(frame.number)
        if len(calls) <= 2:
            raise ZeroDivisionError("a fault of ours")
        return read(self, frame)

    monkeypatch.setattr(Reader, "read", breaks_at_first)
    posted = watched(pictures)
    assert len([each for each in posted if isinstance(each, Away)]) == 2
    assert caplog.text.count("Traceback") == 1
    assert coins_sighted(posted) == [[Coin.DIME_TAILS]]
