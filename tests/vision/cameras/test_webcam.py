"""What OpenCV and V4L2 answer, and what the webcam does: frames, locks, or one sentence about the fault."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from queue import SimpleQueue
from typing import Any

import cv2
import numpy as np
import pytest

from tablecoin.vision.cameras import webcam
from tablecoin.vision.cameras.camera import CameraError, CameraOptions, Lockable
from tablecoin.vision.cameras.opening import open_camera
from tablecoin.vision.cameras.webcam import Webcam, webcams
from tablecoin.vision.frame import Image

Answer = tuple[bool, Image | None]
NOTHING: Answer = (False, None)  # what OpenCV answers when the cable is pulled


def picture(shade: int, width: int = 64, height: int = 48) -> Answer:
    return True, np.full((height, width, 3), shade, np.uint8)


class FakeCapture:
    """Stands for cv2.VideoCapture: each read waits for the next answer of the test, as a driver waits for a picture."""

    opens = True
    endless = False  # whether pictures come as fast as they are read
    reports: dict[int, float] = {}  # noqa: RUF012 (replaced by tests, never changed)

    def __init__(self) -> None:
        self.answers: SimpleQueue[Answer] = SimpleQueue()
        self.reads = 0
        self.asked: dict[int, float] = {}
        self.released = threading.Event()

    def isOpened(self) -> bool:  # noqa: N802 (OpenCV's name)
        return self.opens

    def read(self) -> Answer:
        answer = picture(1) if self.endless else self.answers.get()
        self.reads += 1
        return answer

    def set(self, name: int, value: float) -> bool:
        self.asked[name] = value
        return True

    def get(self, name: int) -> float:
        return self.reports.get(name, 0.0)

    def release(self) -> None:
        self.released.set()


@pytest.fixture
def device(monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeCapture]:
    """Webcam 0, on a system where every number may be a webcam; nothing waits long."""
    fake = FakeCapture()
    monkeypatch.setattr(cv2, "VideoCapture", lambda _: fake)
    monkeypatch.setattr(sys, "platform", "darwin")
    for name, seconds in {"_FIRST_PICTURE_S": 0.3, "_SETTLE_S": 0.0, "_JOIN_S": 0.3}.items():
        monkeypatch.setattr(webcam, name, seconds)
    yield fake
    fake.answers.put(NOTHING)  # ends the thread of a test that left it waiting


def opened(device: FakeCapture, options: CameraOptions = CameraOptions()) -> Webcam:  # noqa: B008 (immutable)
    """A webcam that sent its first picture."""
    device.answers.put(picture(1))
    return Webcam(0, options)


def wait_for(true: Callable[[], bool]) -> None:
    """Wait until the webcam's thread has made it true."""
    pause = threading.Event()
    for _ in range(500):
        if true():
            return
        pause.wait(0.01)
    pytest.fail("the webcam's thread did not make it true")


FAULTS: dict[str, tuple[bool, list[Answer], str, bool]] = {
    # what happens: (does it open, what it answers, what is said, is the device released)
    "another program uses it": (False, [], "Webcam 0 does not open: close other programs", True),
    "it opens and gives no picture": (
        True,
        [NOTHING],
        "The webcam 0 stopped sending pictures: plug it in again.",
        True,
    ),
    "it claims a picture and gives none": (True, [(True, None)], "The webcam 0 stopped sending pictures", True),
    "its driver hangs": (True, [], "The webcam 0 sent no picture for 0.3 s: unplug and replug it.", False),
}


@pytest.mark.parametrize("what", FAULTS)
def test_a_webcam_without_a_picture_says_why(device: FakeCapture, what: str) -> None:
    device.opens, answers, said, released = FAULTS[what]
    for answer in answers:
        device.answers.put(answer)
    with pytest.raises(CameraError, match=said):
        Webcam(0)
    assert device.released.is_set() is released, "a device must be released, unless its driver hangs in a read"


def test_a_number_that_is_no_device_is_refused_and_others_are_named(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setattr(webcam, "_DEVICES", tmp_path)
    (tmp_path / "video7").mkdir()
    with pytest.raises(CameraError, match=r"There is no webcam 99: .* \(here now: usb:7\)"):
        open_camera("usb:99")


SYSTEMS: dict[str, tuple[str, dict[str, str | None], list[int]]] = {
    # system: (sys.platform, video devices and their labels, numbers that may be webcams)
    "a laptop with two webcams": ("linux", {"video2": "HD Webcam", "video0": "HD Webcam"}, [0, 2]),
    "a Pi with a webcam": (
        "linux",
        {"video0": "rp1-cfe-csi2_ch0", "video10": "bcm2835-codec-decode", "video8": "C270 HD WEBCAM"},
        [8],
    ),
    "a device without a label": ("linux", {"video1": None}, [1]),
    "no video device": ("linux", {}, []),
    "a Mac, which does not list them": ("darwin", {}, [0]),
}


@pytest.mark.parametrize("system", SYSTEMS)
def test_devices_that_may_be_webcams_are_listed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, system: str) -> None:
    platform, labels, numbers = SYSTEMS[system]
    monkeypatch.setattr(sys, "platform", platform)
    monkeypatch.setattr(webcam, "_DEVICES", tmp_path)
    for name, label in labels.items():
        (tmp_path / name).mkdir()
        (tmp_path / name / "name").write_text(f"{label}\n") if label else None
    assert webcams() == numbers


def test_linux_without_video_devices_has_no_webcams(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setattr(webcam, "_DEVICES", tmp_path / "none")
    assert webcams() == []


def test_pictures_become_numbered_frames(device: FakeCapture) -> None:
    camera = opened(device)
    frames = []
    for shade in (10, 20, 30):
        device.answers.put(picture(shade))
        frames.append(camera.read(1.0))
    assert [int(frame.image[0, 0, 0]) for frame in frames] == [10, 20, 30]
    assert [frame.number - frames[0].number for frame in frames] == [0, 1, 2]
    assert frames[0].taken_s <= frames[1].taken_s <= frames[2].taken_s


def test_a_busy_reader_gets_the_newest_picture(device: FakeCapture) -> None:
    camera = opened(device)
    for shade in (10, 20, 30):
        device.answers.put(picture(shade))
    wait_for(lambda: device.reads == 4 and camera._newest is not None and int(camera._newest[0][0, 0, 0]) == 30)
    assert int(camera.read(1.0).image[0, 0, 0]) == 30


def test_the_size_that_the_webcam_gives_is_taken(device: FakeCapture) -> None:
    """Many ignore the size asked for."""
    camera = opened(device, CameraOptions(1456, 1088))
    device.answers.put(picture(5, 320, 240))
    assert camera.read(1.0).image.shape == (240, 320, 3)


def test_no_picture_in_time_is_said_and_the_next_one_is_read(device: FakeCapture) -> None:
    camera = opened(device)
    with pytest.raises(CameraError, match=r"sent no picture for 0.05 s"):
        camera.read(0.05)
    device.answers.put(picture(40))
    assert int(camera.read(1.0).image[0, 0, 0]) == 40


def test_an_unplugged_webcam_keeps_saying_so(device: FakeCapture) -> None:
    camera = opened(device)
    device.answers.put(NOTHING)
    for _ in range(2):
        with pytest.raises(CameraError, match="stopped sending pictures: plug it in again"):
            camera.read(1.0)


def test_a_closed_webcam_says_so_and_closes_twice(device: FakeCapture) -> None:
    camera = opened(device)
    device.endless = True
    device.answers.put(picture(1))  # for the read in which its thread waits
    camera.close()
    camera.close()
    assert device.released.is_set()
    camera.read(0.0)  # the last picture that came before it closed
    with pytest.raises(CameraError, match="The webcam 0 is closed"):
        camera.read(0.0)


MJPG = cv2.VideoWriter.fourcc(*"MJPG")
ALWAYS: dict[int, float] = {
    cv2.CAP_PROP_FOURCC: MJPG,
    cv2.CAP_PROP_FRAME_WIDTH: 1280,
    cv2.CAP_PROP_FRAME_HEIGHT: 960,
    cv2.CAP_PROP_FPS: 30.0,
    cv2.CAP_PROP_AUTOFOCUS: 0,
}
WANTED: dict[str, tuple[dict[str, Any], dict[int, float]]] = {
    # what the settings say: what is set besides the size
    "nothing": ({}, {}),
    "an exposure, in units of 100 us": (
        {"exposure_us": 8000},
        {cv2.CAP_PROP_AUTO_EXPOSURE: 1, cv2.CAP_PROP_EXPOSURE: 80.0},
    ),
    "a gain": ({"gain": 2.5}, {cv2.CAP_PROP_GAIN: 2.5}),
    "a focus": ({"focus_dioptres": 2.0}, {cv2.CAP_PROP_FOCUS: 2.0}),
    "colour gains, which V4L2 does not have": ({"colour_gains": (1.9, 1.4)}, {}),
}


@pytest.mark.parametrize("settings", WANTED)
def test_what_is_wanted_is_set(device: FakeCapture, settings: str) -> None:
    fields, besides = WANTED[settings]
    opened(device, CameraOptions(1280, 960, 30.0, **fields))
    assert device.asked == ALWAYS | besides


LOCKS = {
    # V4L2's exposure after automatic exposure has settled: what is held
    156.0: {"exposure_us": 15600},
    1.0: {"exposure_us": 100},
    0.0: {},  # the driver does not report it
    -1.0: {},
}


@pytest.mark.parametrize("reported", LOCKS)
def test_exposure_adjusts_itself_once_and_is_held(device: FakeCapture, reported: float) -> None:
    camera = opened(device)
    assert isinstance(camera, Lockable)
    device.reports = {cv2.CAP_PROP_EXPOSURE: reported}
    assert camera.lock() == LOCKS[reported]
    assert device.asked[cv2.CAP_PROP_AUTO_EXPOSURE] == 1, "manual again"
    assert device.asked[cv2.CAP_PROP_EXPOSURE] == reported
    assert device.asked[cv2.CAP_PROP_AUTO_WB] == 0
