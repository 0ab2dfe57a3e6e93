"""A camera is chosen by name, numbers its frames, says in one sentence what is wrong, and is opened again."""

from __future__ import annotations

import errno
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tablecoin.rules.rulebook import Message
from tablecoin.vision.cameras.camera import Camera, CameraError, NoSuchCamera
from tablecoin.vision.cameras.opening import is_live, open_camera
from tablecoin.vision.cameras.reconnecting import Reconnecting
from tablecoin.vision.frame import Frame
from tests.vision.cameras.clock import Clock

PATIENCE_S = 60.0  # the longest a test waits for another thread


class Scripted:
    """A camera that gives frames until its script says `gone`."""

    name = "scripted"

    def __init__(self, frames: int) -> None:
        self.left, self.number, self.closed = frames, 0, threading.Event()

    def read(self, timeout_s: float) -> Frame:
        if not self.left:
            raise CameraError(Message("vision.camera", {"said": "The cable was pulled."}))
        self.left -= 1
        self.number += 1
        return Frame(np.zeros((2, 2, 3), np.uint8), self.number, float(self.number))

    def close(self) -> None:
        self.closed.set()


@pytest.mark.parametrize(
    "spec",
    [
        "",
        "pi:x",
        "usb",
        "usb:",
        "usb:x",
        "usb:-1",
        "file:",
        "webcam",
        "virtual",
        "auto:2",
        "http:",
        "http://",
        "ftp://a",
    ],
)
def test_an_unknown_name_is_refused_and_the_choices_are_named(spec: str) -> None:
    with pytest.raises(NoSuchCamera, match="say pi, pi:1, usb:0, file:PATH, http://…, rtsp://…, virtual or auto"):
        open_camera(spec)
    with pytest.raises(NoSuchCamera):
        is_live(spec)


@pytest.mark.parametrize(
    ("spec", "live"),
    [("auto", True), ("pi", True), ("usb:2", True), ("file:a.jpg", False), ("rtsp://phone:8554/x", True)],
)
def test_devices_may_be_plugged_in_later_and_files_may_not(spec: str, live: bool) -> None:
    assert is_live(spec) is live


def test_a_webcam_that_is_not_there_is_named() -> None:
    with pytest.raises(CameraError, match="no webcam 987"):
        open_camera("usb:987")


def test_a_camera_that_vanishes_is_opened_again_and_its_numbers_continue() -> None:
    clock = Clock()
    opened: list[Scripted] = []

    def plug_in() -> Camera:
        opened.append(Scripted(frames=2))
        return opened[-1]

    camera = Reconnecting(plug_in, pause_s=0.5, clock=clock, sleep=clock.sleep)
    assert [camera.read(1.0).number for _ in range(2)] == [1, 2]
    with pytest.raises(CameraError, match="cable was pulled"):
        camera.read(1.0)
    assert opened[0].closed.is_set()
    assert [camera.read(1.0).number for _ in range(2)] == [3, 4]
    assert len(opened) == 2
    assert clock.now_s == pytest.approx(100.5), "it waited the pause, inside a read"


def test_pauses_between_attempts_double_up_to_the_longest_and_start_again_after_a_frame() -> None:
    clock = Clock()
    tries: list[float] = []
    answers = False

    def plug_in() -> Camera:
        tries.append(clock.now_s)
        if not answers:
            raise CameraError(Message("vision.camera", {"said": "Nothing is plugged in."}))
        return Scripted(frames=1)

    camera = Reconnecting(plug_in, pause_s=1.0, longest_s=4.0, clock=clock, sleep=clock.sleep)
    while clock.now_s < 120:
        with pytest.raises(CameraError, match="Nothing is plugged in"):
            camera.read(0.5)
    assert np.diff(tries).tolist() == [1, 2, 4, 4, 4, 4]

    answers = True
    while True:
        try:
            camera.read(0.5)
            break
        except CameraError:
            continue
    before_s = clock.now_s
    with pytest.raises(CameraError):
        camera.read(0.5)
    camera.read(5.0)
    assert clock.now_s - before_s == pytest.approx(1.0)


def test_closing_releases_the_device_and_may_be_repeated() -> None:
    device = Scripted(frames=9)
    camera = Reconnecting(lambda: device)
    camera.read(1.0)
    camera.close()
    camera.close()
    assert device.closed.is_set()
    assert camera.name == "scripted"


class Locking(Scripted):
    """A camera of which a frame is late while it is locked, or is not."""

    def __init__(self, late: bool) -> None:
        super().__init__(frames=9)
        self._late = late

    def lock(self) -> dict[str, Any]:
        if self._late:
            raise CameraError(Message("vision.camera", {"said": "A frame was late."}))
        return {"exposure_us": 8333}


def test_a_camera_that_could_not_be_locked_is_opened_anew_which_locks_it() -> None:
    clock, first = Clock(), Locking(late=True)
    devices = [first, Locking(late=False)]
    camera = Reconnecting(lambda: devices.pop(0), pause_s=0.5, clock=clock, sleep=clock.sleep)
    camera.read(1.0)
    with pytest.raises(CameraError, match="A frame was late"):
        camera.lock()
    with pytest.raises(CameraError, match="A frame was late"):
        camera.lock()  # there is no camera now, and that is why
    assert camera.read(1.0).number == 2
    assert first.closed.is_set()
    assert clock.now_s == pytest.approx(100.5), "it waited the first pause"
    assert camera.lock() == {"exposure_us": 8333}
    assert camera.read(1.0).number == 3
    assert devices == []


def test_a_missing_file_is_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(CameraError, match=r"There is no file .*nowhere\.jpg"):
        open_camera(f"file:{tmp_path / 'nowhere.jpg'}")


def test_a_camera_that_cannot_even_be_closed_is_opened_again() -> None:
    class Stuck(Scripted):
        def close(self) -> None:
            raise RuntimeError("device or resource gone")

    clock = Clock()
    devices = [Stuck(1), Scripted(1)]
    camera = Reconnecting(lambda: devices.pop(0), clock=clock, sleep=clock.sleep)
    camera.read(1)
    with pytest.raises(CameraError, match="cable was pulled"):
        camera.read(1)
    assert camera.read(10).number == 2


class Slow(Scripted):
    """A camera whose driver hangs in `work` until the test lets it go on."""

    def __init__(self, go_on: threading.Event, work: str) -> None:
        super().__init__(frames=1)
        self.go_on, self.work = go_on, work

    def open(self) -> Slow:
        if self.work == "open":
            assert self.go_on.wait(PATIENCE_S)
        return self

    def close(self) -> None:
        if self.work == "close":
            assert self.go_on.wait(PATIENCE_S)
        super().close()


@pytest.fixture
def go_on() -> Iterator[threading.Event]:
    event = threading.Event()
    yield event
    event.set()


def test_a_driver_that_hangs_while_it_opens_does_not_hold_up_the_reader(go_on: threading.Event) -> None:
    clock = Clock()
    camera = Reconnecting(Slow(go_on, "open").open, "pi", clock=clock, sleep=clock.sleep)
    with pytest.raises(CameraError, match="is being started"):
        camera.read(0.01)
    clock.sleep(5.5)
    with pytest.raises(CameraError, match=r"The camera \(pi\) does not answer: check its cable"):
        camera.read(0.01)
    go_on.set()
    assert camera.read(5.0).number == 1


def test_no_second_try_begins_while_the_first_hangs(go_on: threading.Event) -> None:
    """It would find the camera busy, and say so, which would send people after another program."""
    clock = Clock()
    tries = 0

    def plug_in() -> Camera:
        nonlocal tries
        tries += 1
        return Slow(go_on, "open").open()

    camera = Reconnecting(plug_in, clock=clock, sleep=clock.sleep)
    for _ in range(5):
        with pytest.raises(CameraError):
            camera.read(0.01)
        clock.sleep(5)
    assert tries == 1


def test_a_driver_that_hangs_while_it_closes_is_waited_for_before_the_next_try(go_on: threading.Event) -> None:
    clock = Clock()
    devices: list[Camera] = [Slow(go_on, "close"), Scripted(frames=1)]
    camera = Reconnecting(lambda: devices.pop(0), clock=clock, sleep=clock.sleep)
    camera.read(1.0)
    for _ in range(3):
        with pytest.raises(CameraError):
            camera.read(0.01)
        clock.sleep(1)
    assert len(devices) == 1, "the next is not opened yet"
    go_on.set()
    assert camera.read(5.0).number == 2


def test_a_camera_that_opens_after_the_end_is_closed(go_on: threading.Event) -> None:
    device = Slow(go_on, "open")
    camera = Reconnecting(device.open)
    with pytest.raises(CameraError):
        camera.read(0.01)
    camera.close()
    go_on.set()
    assert device.closed.wait(PATIENCE_S), "it was left open"


def test_a_driver_that_raises_anything_is_one_sentence() -> None:
    def plug_in() -> Camera:
        raise ZeroDivisionError("in a driver")

    with pytest.raises(CameraError, match=r"The camera stopped with an error \(in a driver\)"):
        Reconnecting(plug_in).read(1.0)


@pytest.mark.parametrize("error", [OSError(errno.EIO, "Input/output error"), TypeError("no frame")])
def test_a_camera_whose_driver_raises_anything_in_a_read_is_opened_again(error: Exception) -> None:
    class Broken(Scripted):
        def read(self, timeout_s: float) -> Frame:
            raise error

    clock, devices = Clock(), [Broken(frames=0), Scripted(frames=9)]
    camera = Reconnecting(lambda: devices.pop(0), clock=clock, sleep=clock.sleep)
    with pytest.raises(CameraError, match=r"stopped with an error \((Input/output error|no frame)\)"):
        camera.read(1.0)
    assert camera.read(1.0).number == 1
