"""What OpenCV and V4L2 answer, and what the webcam does: frames, locks, or one sentence about the fault."""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from queue import Queue
from typing import Any

import cv2
import msgspec
import numpy as np
import pytest

from tablecoin.vision.calibrated import Locks
from tablecoin.vision.cameras import grabbing, webcam
from tablecoin.vision.cameras.camera import CameraError, CameraOptions, Lockable
from tablecoin.vision.cameras.opening import Opener, open_camera
from tablecoin.vision.cameras.webcam import Webcam, webcams
from tablecoin.vision.frame import Frame, Image

Answer = tuple[bool, Image | None]
NOTHING: Answer = (False, None)  # what OpenCV answers when the cable is pulled
PATIENCE_S = 60.0  # the longest a test waits for the webcam's thread


def picture(shade: int, width: int = 64, height: int = 48) -> Answer:
    return True, np.full((height, width, 3), shade, np.uint8)


class FakeCapture:
    """Stands for cv2.VideoCapture and records what is asked of it.

    Each grab waits for the next answer of the test, as a driver waits for a picture; `answers.join()` waits until all
    were dealt with. Automatic exposure, focus and white balance find `FOUND`, where the driver has them.
    """

    opens = True

    def __init__(self) -> None:
        self.answers: Queue[Answer] = Queue()
        self.grabbed: Answer = NOTHING
        self.grabs = self.retrieves = 0
        self.lacks: set[int] = set()  # properties that the driver does not have
        self.held: dict[int, float] = {}
        self.asked: list[tuple[int, float]] = []
        self.released = threading.Event()

    def isOpened(self) -> bool:  # noqa: N802 (OpenCV's name)
        return self.opens

    def grab(self) -> bool:
        if self.grabs:
            self.answers.task_done()  # the picture before
        self.grabbed = self.answers.get()
        self.grabs += 1
        return self.grabbed[0]

    def retrieve(self) -> Answer:
        self.retrieves += 1
        return self.grabbed[1] is not None, self.grabbed[1]

    def set(self, name: int, value: float) -> bool:
        self.asked.append((name, value))
        if name in self.lacks:
            return False
        self.held[name] = value
        automatic, found, on = FOUND.get(name, (name, None, 0))
        if found is not None and value == on and automatic not in self.lacks:
            self.held[automatic] = found
        return True

    def get(self, name: int) -> float:
        return self.held.get(name, 0.0)

    def release(self) -> None:
        self.released.set()


FOUND = {
    # automatic of a property: (the property, what it finds, the value that switches it on)
    cv2.CAP_PROP_AUTOFOCUS: (cv2.CAP_PROP_FOCUS, 35.0, 1),
    cv2.CAP_PROP_AUTO_WB: (cv2.CAP_PROP_WB_TEMPERATURE, 4600.0, 1),
    cv2.CAP_PROP_AUTO_EXPOSURE: (cv2.CAP_PROP_EXPOSURE, 156.0, 3),
}


@pytest.fixture
def device(monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeCapture]:
    """Webcam 0, on a system where every number may be a webcam."""
    fake = FakeCapture()
    monkeypatch.setattr(cv2, "VideoCapture", lambda _: fake)
    monkeypatch.setattr(sys, "platform", "darwin")
    for name, value in {
        "_FIRST_PICTURE_S": PATIENCE_S,
        "_SETTLE_S": 0.0,
        "_BY_ID": Path("/none"),
    }.items():
        monkeypatch.setattr(webcam, name, value)
    monkeypatch.setattr(grabbing, "_JOIN_S", PATIENCE_S)
    monkeypatch.setattr(grabbing, "FRAMES", 0)
    yield fake
    fake.answers.put(NOTHING)  # ends the thread of a test that left it waiting


def opened(device: FakeCapture, options: CameraOptions = CameraOptions()) -> Webcam:  # noqa: B008 (immutable)
    """A webcam that is open."""
    send_first(device)
    return Webcam(0, options)


def send_first(device: FakeCapture) -> None:
    """The pictures that a webcam takes while it is opened."""
    for _ in range(grabbing.SKIPPED + 1):
        device.answers.put(picture(1))


@contextmanager
def showing(device: FakeCapture, answer: Answer) -> Iterator[None]:
    """Meanwhile this picture comes as often as it is taken."""
    enough = threading.Event()

    def show() -> None:
        while not enough.is_set():
            device.answers.put(answer)
            device.answers.join()

    shows = threading.Thread(target=show)
    shows.start()
    yield
    enough.set()
    shows.join()


FAULTS: dict[str, tuple[bool, list[Answer], str, bool]] = {
    # what happens: (does it open, what it answers, what is said, is the device released)
    "another program uses it": (False, [], "Webcam 0 does not open: close other programs", True),
    "it opens and gives no picture": (
        True,
        [NOTHING],
        "The webcam 0 stopped sending pictures: plug it in again.",
        True,
    ),
    "it claims pictures and gives none": (True, [(True, None)] * 20, "The webcam 0 stopped sending pictures", True),
    "its driver hangs": (True, [], "The webcam 0 sent no picture for 0.2 s: unplug and replug it.", False),
}


@pytest.mark.parametrize("what", FAULTS)
def test_a_webcam_without_a_picture_says_why(device: FakeCapture, what: str, monkeypatch: pytest.MonkeyPatch) -> None:
    device.opens, answers, said, released = FAULTS[what]
    if not released:
        monkeypatch.setattr(webcam, "_FIRST_PICTURE_S", 0.2)
        monkeypatch.setattr(grabbing, "_JOIN_S", 0.0)
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


def read_next(camera: Webcam, device: FakeCapture, answer: Answer) -> Frame:
    """Read the picture that comes while the reader waits."""
    with showing(device, answer):
        return camera.read(PATIENCE_S)


def test_pictures_become_numbered_frames(device: FakeCapture) -> None:
    camera = opened(device)
    frames = [read_next(camera, device, picture(shade)) for shade in (10, 20, 30)]
    assert [int(frame.image[0, 0, 0]) for frame in frames] == [10, 20, 30]
    assert [frame.number - frames[0].number for frame in frames] == [0, 1, 2]
    assert frames[0].taken_s <= frames[1].taken_s <= frames[2].taken_s


def test_every_picture_is_taken_from_the_driver_but_only_those_waited_for_are_decoded(device: FakeCapture) -> None:
    camera = opened(device)
    grabs, retrieves = device.grabs, device.retrieves
    for shade in range(30):
        device.answers.put(picture(shade))
    device.answers.join()
    assert device.grabs == grabs + 30
    assert device.retrieves == retrieves
    assert int(read_next(camera, device, picture(99)).image[0, 0, 0]) == 99, "an old picture is never handed over"
    assert device.retrieves == retrieves + 1


def test_the_first_four_pictures_are_not_used(device: FakeCapture) -> None:
    for shade in (200, 150, 120, 110, 100):
        device.answers.put(picture(shade))
    Webcam(0)
    assert device.retrieves == 1
    assert device.grabbed[1] is not None
    assert int(device.grabbed[1][0, 0, 0]) == 100


def test_a_single_picture_that_cannot_be_decoded_is_passed_over(device: FakeCapture) -> None:
    camera = opened(device)
    device.answers.put((True, None))
    assert int(read_next(camera, device, picture(7)).image[0, 0, 0]) == 7


def test_the_size_that_the_webcam_gives_is_taken(device: FakeCapture) -> None:
    """Many ignore the size asked for."""
    camera = opened(device, CameraOptions(1456, 1088))
    assert read_next(camera, device, picture(5, 320, 240)).image.shape == (240, 320, 3)


def test_no_picture_in_time_is_said_and_the_next_one_is_read(device: FakeCapture) -> None:
    camera = opened(device)
    with pytest.raises(CameraError, match=r"sent no picture for 0.05 s"):
        camera.read(0.05)
    assert int(read_next(camera, device, picture(40)).image[0, 0, 0]) == 40


def test_an_unplugged_webcam_keeps_saying_so(device: FakeCapture) -> None:
    camera = opened(device)
    device.answers.put(NOTHING)
    for _ in range(2):
        with pytest.raises(CameraError, match="stopped sending pictures: plug it in again"):
            camera.read(PATIENCE_S)


def test_a_closed_webcam_says_so_and_closes_twice(device: FakeCapture, monkeypatch: pytest.MonkeyPatch) -> None:
    camera = opened(device)
    thread = camera._frames._thread
    join = thread.join

    def join_once_read(timeout: float) -> None:
        device.answers.put(picture(1))  # for the read in which the thread waits
        join(timeout)

    monkeypatch.setattr(thread, "join", join_once_read)
    camera.close()
    camera.close()
    assert device.released.is_set()
    with pytest.raises(CameraError, match="The webcam 0 is closed"):
        camera.read(0.0)


# -- focus, exposure and white balance ---------------------------------------------------------------------------------

AUTO_EXPOSURE, EXPOSURE = cv2.CAP_PROP_AUTO_EXPOSURE, cv2.CAP_PROP_EXPOSURE
AUTOFOCUS, FOCUS = cv2.CAP_PROP_AUTOFOCUS, cv2.CAP_PROP_FOCUS
AUTO_WB, WB = cv2.CAP_PROP_AUTO_WB, cv2.CAP_PROP_WB_TEMPERATURE
HELD_MANUAL = {AUTO_EXPOSURE: 1, AUTOFOCUS: 0, AUTO_WB: 0}


def test_the_size_and_the_rate_are_asked_for_in_mjpg(device: FakeCapture) -> None:
    opened(device, CameraOptions(1280, 960, 20.0))
    wanted = {
        cv2.CAP_PROP_FOURCC: cv2.VideoWriter.fourcc(*"MJPG"),
        cv2.CAP_PROP_FRAME_WIDTH: 1280,
        cv2.CAP_PROP_FRAME_HEIGHT: 960,
        cv2.CAP_PROP_FPS: 20.0,
    }
    assert wanted.items() <= device.held.items()


def test_focus_exposure_and_white_balance_are_found_once_and_then_held(device: FakeCapture) -> None:
    camera = opened(device)
    assert {(AUTOFOCUS, 1), (AUTO_WB, 1), (AUTO_EXPOSURE, 3)} <= set(device.asked), "each was automatic for a moment"
    # 15.6 ms, cut to one swing of lamps on 60 Hz mains: too much would be lost, so it stays
    assert device.held.items() >= (HELD_MANUAL | {FOCUS: 35.0, WB: 4600.0, EXPOSURE: 156}).items()
    assert camera.focusing == "motor"


def test_an_exposure_near_whole_swings_is_made_whole(device: FakeCapture, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(FOUND, AUTO_EXPOSURE, (EXPOSURE, 224.0, 3))
    opened(device, CameraOptions(mains_hz=50))
    assert device.held[EXPOSURE] == 200


def test_values_that_were_stored_are_set_again_and_nothing_is_automatic(device: FakeCapture) -> None:
    stored = {"focus": 40.0, "white_balance": 5000.0, "gain": 12.0}
    opened(device, CameraOptions(exposure_us=10_000, driver=stored))
    assert not {(AUTOFOCUS, 1), (AUTO_WB, 1), (AUTO_EXPOSURE, 3)} & set(device.asked)
    held = {FOCUS: 40.0, WB: 5000.0, cv2.CAP_PROP_GAIN: 12.0, EXPOSURE: 100}
    assert device.held.items() >= (HELD_MANUAL | held).items()


def test_dioptres_are_not_sent_to_a_driver_that_has_units_of_its_own(device: FakeCapture) -> None:
    opened(device, CameraOptions(focus_dioptres=2.5))
    assert (FOCUS, 2.5) not in device.asked


LOCKS: dict[str, tuple[set[int], dict[str, Any]]] = {
    # what the driver lacks: what is held
    "nothing": (set(), {"exposure_us": 15_600, "driver": {"focus": 35.0, "white_balance": 4600.0}}),
    "a motor": ({AUTOFOCUS, FOCUS}, {"exposure_us": 15_600, "driver": {"white_balance": 4600.0}}),
    "white balance": ({AUTO_WB, WB}, {"exposure_us": 15_600, "driver": {"focus": 35.0}}),
    "an exposure that it tells": ({EXPOSURE}, {"driver": {"focus": 35.0, "white_balance": 4600.0}}),
    "everything": ({AUTOFOCUS, FOCUS, AUTO_WB, WB, AUTO_EXPOSURE, EXPOSURE}, {}),
}


@pytest.mark.parametrize("lacking", LOCKS)
def test_what_the_driver_has_is_locked_and_told(device: FakeCapture, lacking: str) -> None:
    device.lacks, expected = LOCKS[lacking]
    camera = opened(device)
    assert isinstance(camera, Lockable)
    assert camera.lock() == expected
    assert device.held.get(AUTO_EXPOSURE) != 1 or EXPOSURE in device.held, "never held at an exposure nobody knows"
    msgspec.convert(camera.lock(), Locks)  # as the calibration file stores them


# -- plugged in again --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("spec", ["usb:0", "auto"])
def test_a_webcam_that_gets_another_number_is_found_by_its_stable_name(
    device: FakeCapture, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, spec: str
) -> None:
    opened_numbers, devices = list[int](), [device, FakeCapture()]
    for each in devices:
        send_first(each)

    def open_device(number: int) -> FakeCapture:
        opened_numbers.append(number)
        return devices[len(opened_numbers) - 1]

    monkeypatch.setattr(cv2, "VideoCapture", open_device)
    monkeypatch.setattr(webcam, "_BY_ID", tmp_path)
    link = tmp_path / "usb-046d_HD_Pro_Webcam_C920_12345678-video-index0"
    link.symlink_to(tmp_path / "video0")
    (tmp_path / "video0").touch()
    open_again = Opener(spec, CameraOptions)
    assert open_again().name == "webcam 0"
    link.unlink()
    link.symlink_to(tmp_path / "video2")
    (tmp_path / "video2").touch()
    assert open_again().name == "webcam 0", "its calibration goes by this name"
    assert opened_numbers == [0, 2]
    devices[1].answers.put(NOTHING)  # ends its thread
