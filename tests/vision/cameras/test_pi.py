"""The Pi camera with a stand-in for picamera2: what is locked, what is asked for, what is said when it fails."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import ModuleType
from typing import Any, ClassVar

import numpy as np
import pytest

from tablecoin.vision.cameras import pi
from tablecoin.vision.cameras.camera import CameraError, CameraOptions
from tablecoin.vision.cameras.opening import open_camera

LOCKED = CameraOptions(640, 480, 20.0, exposure_us=8000, gain=1.5, colour_gains=(1.9, 1.4), focus_dioptres=2.0)


class Request:
    def make_array(self, stream: str) -> Any:
        assert stream == "main"
        return np.full((480, 640, 3), 7, np.uint8)


class FakePicamera2:
    """Answers the few calls that the camera makes, and remembers them."""

    modules: ClassVar[list[dict[str, str]]] = [{"Model": "imx296"}]
    camera_controls: ClassVar[dict[str, Any]] = dict.fromkeys(
        ["AeEnable", "ExposureTime", "AnalogueGain", "AwbEnable", "ColourGains", "AfMode", "LensPosition"]
    )

    def __init__(self, index: int) -> None:
        self.set: dict[str, Any] = {}
        self.config: dict[str, Any] = {}
        self.cable = True

    @classmethod
    def global_camera_info(cls) -> list[dict[str, str]]:
        return cls.modules

    def create_video_configuration(self, **config: Any) -> dict[str, Any]:
        return config

    def configure(self, config: dict[str, Any]) -> None:
        self.config = config

    def start(self) -> None: ...

    def close(self) -> None: ...

    def set_controls(self, controls: dict[str, Any]) -> None:
        self.set |= controls

    def capture_metadata(self) -> dict[str, Any]:
        return {"ExposureTime": 12345, "AnalogueGain": 2.0, "ColourGains": (2.1, 1.6)}

    @contextmanager
    def captured_request(self, wait: float, flush: bool) -> Iterator[Request]:
        assert flush, "a queued frame may show a hand that is gone"
        if not self.cable:
            raise TimeoutError
        yield Request()


@pytest.fixture
def picamera2(monkeypatch: pytest.MonkeyPatch) -> type[FakePicamera2]:
    module = ModuleType("picamera2")
    module.Picamera2 = FakePicamera2  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "picamera2", module)
    monkeypatch.setattr(pi, "_SETTLE_S", 0.0)
    return FakePicamera2


def test_frames_come_in_bgr_order_at_the_size_asked_for(picamera2: type[FakePicamera2]) -> None:
    camera = open_camera("pi", LOCKED)
    assert camera.name == "Pi camera imx296"
    first, second = camera.read(1.0), camera.read(1.0)
    assert first.image.shape == (480, 640, 3)
    assert (first.number, second.number) == (1, 2)
    assert camera._device.config["main"] == {"size": (640, 480), "format": "RGB888"}  # type: ignore[attr-defined]
    camera.close()
    with pytest.raises(CameraError, match="closed"):
        camera.read(1.0)


SEEN = {"ExposureTime": 12345, "AnalogueGain": 2.0, "ColourGains": (2.1, 1.6)}
COLOUR = dict.fromkeys(["AeEnable", "ExposureTime", "AnalogueGain", "AwbEnable", "ColourGains"])
MONOCHROME = dict.fromkeys(["AeEnable", "ExposureTime", "AnalogueGain"])
FREE = CameraOptions()


@pytest.mark.parametrize(
    ("options", "controls", "expected"),
    [
        # calibrated: exactly what was stored
        (LOCKED, COLOUR, {"ExposureTime": 8000, "AnalogueGain": 1.5, "ColourGains": (1.9, 1.4), "AwbEnable": False}),
        # not calibrated: what the camera had chosen itself on the empty mat
        (FREE, COLOUR, {"ExposureTime": 12345, "AnalogueGain": 2.0, "ColourGains": (2.1, 1.6), "AwbEnable": False}),
        # a monochrome module has no white balance to lock
        (FREE, MONOCHROME, {"ExposureTime": 12345, "AnalogueGain": 2.0}),
    ],
)
def test_everything_automatic_is_locked(
    options: CameraOptions, controls: dict[str, Any], expected: dict[str, Any]
) -> None:
    assert pi.locks(SEEN, options, controls) == {"AeEnable": False} | expected


def test_the_focus_is_set_where_the_camera_has_a_motor(picamera2: type[FakePicamera2]) -> None:
    camera = open_camera("pi", LOCKED)
    assert camera._device.set["LensPosition"] == 2.0  # type: ignore[attr-defined]


def test_a_stalled_camera_is_one_sentence(picamera2: type[FakePicamera2]) -> None:
    camera = open_camera("pi", LOCKED)
    camera._device.cable = False  # type: ignore[attr-defined]
    with pytest.raises(CameraError, match="sent no picture"):
        camera.read(0.1)


def test_no_module_connected(picamera2: type[FakePicamera2], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(picamera2, "modules", [])
    with pytest.raises(CameraError, match="ribbon cable"):
        open_camera("pi")


def test_without_picamera2_the_sentence_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "picamera2", None)
    with pytest.raises(CameraError, match="apt install python3-picamera2"):
        open_camera("pi")
