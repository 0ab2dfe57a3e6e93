"""A stand-in for picamera2 on libcamera: a camera module with its sensor, lens, lamp, cable and job queue.

Its time is that of a `Clock`, which passes while somebody waits for a frame or sleeps, so tests take no time. It
behaves as picamera2 0.3.36 does where our camera depends on it: jobs that wait for the next frame and stay in the
queue after they timed out; controls that act a few frames after they were set; rows padded to 64 bytes; automatic
exposure that begins anew at every start; an autofocus that may fail; a camera that is busy until it is closed.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np

from tablecoin.vision.frame import Image
from tests.vision.cameras.clock import Clock

CONTROL_DELAY = 3  # frames from set_controls to the first frame with the new values
BUFFERS = 6  # frames that may be out at once; without a free buffer the sensor stalls
SCAN_FRAMES = 20  # of one autofocus scan
READOUT_S = 0.016  # from the first row to the last of a rolling shutter
COLOUR = (
    "AeEnable", "ExposureTime", "AnalogueGain", "AwbEnable", "ColourGains", "FrameDurationLimits",
    "AeFlickerMode", "AeFlickerPeriod", "Sharpness", "NoiseReductionMode", "HdrMode", "ScalerCrop",
)  # fmt: skip
MOTOR = (*COLOUR, "AfMode", "AfTrigger", "LensPosition", "AfRange")
FULL_CROP = (0, 0, 4608, 2592)
LIMITS: dict[str, Any] = {  # least, largest and usual value, of an imx708
    "AeEnable": (False, True, True),
    "Sharpness": (0.0, 16.0, 1.0),
    "NoiseReductionMode": (0, 4, 0),
    "HdrMode": (0, 4, 0),
    "AfRange": (0, 2, 0),
    "ScalerCrop": ((0, 0, 64, 64), FULL_CROP, FULL_CROP),
}
MONOCHROME = tuple(name for name in COLOUR if name not in ("AwbEnable", "ColourGains"))


@dataclass
class Module:
    """The camera module, what it looks at, and what is wrong with it. Tests change it while a camera runs."""

    clock: Clock = field(default_factory=Clock)
    model: str = "imx708"
    identity: str = "/base/soc/i2c0mux/i2c@1/imx708@1a"
    listed: bool = True
    more: tuple[str, ...] = ()  # models of further modules
    opened: int | None = None  # the place in the list of the one that was opened
    tuning: Any = None  # the tuning file that it was opened with
    controls: tuple[str, ...] = MOTOR
    lit_us: float = 24_000  # exposure times gain with which the picture is as bright as wanted
    lamp_hz: float = 0.0  # how often the lamp's brightness swings; 0: steady
    ripple: float = 0.0  # the swing's height, as a share of the mean
    rolling: bool = True
    sharp_at: float | None = 2.4  # dioptres; None: autofocus finds nothing
    dead: bool = False  # the cable sits badly: it is listed, and no frame comes
    scans: bool = True  # False: the autofocus scan never begins
    refuses: str | None = None  # what `start` raises
    modes: tuple[tuple[int, int], ...] = ((1536, 864), (2304, 1296), (4608, 2592))
    holder: Any = None  # the Picamera2 that has it open
    asked: list[dict[str, Any]] = field(default_factory=list)  # every set_controls
    configured: dict[str, Any] = field(default_factory=dict)
    scanned: int = 0  # autofocus scans begun
    sent: int = 0  # frames since the first start


class Request:
    """One completed request: a picture and what it was taken with."""

    def __init__(self, image: Image, metadata: dict[str, Any]) -> None:
        self._image, self._metadata = image, metadata

    def make_array(self, stream: str) -> Image:
        """The rows without their padding, as picamera2.helpers.make_array gives them."""
        assert stream == "main"
        height, width = self._image.shape[:2]
        stride = -(-width * 3 // 64) * 64
        buffer = np.zeros((height, stride), np.uint8)
        buffer[:, : width * 3] = self._image.reshape(height, -1)
        return np.ascontiguousarray(buffer[:, : width * 3]).reshape(height, width, 3)

    def get_metadata(self) -> dict[str, Any]:
        return self._metadata


class FakePicamera2:
    module: ClassVar[Module] = Module()

    def __init__(self, number: int = 0, tuning: Any = None) -> None:
        """`number`: the place in `global_camera_info`, as in picamera2 since Bookworm."""
        assert "usb" not in self.global_camera_info()[number]["Id"], "this is a webcam"
        self.module.opened, self.module.tuning = number, tuning
        if self.module.holder is not None:
            raise RuntimeError("Camera __init__ sequence did not complete.")
        self.module.holder = self
        self._started = False
        self._held: dict[str, Any] = {"AeEnable": True, "AwbEnable": True, "ExposureTime": 1000, "AnalogueGain": 1.0}
        self._held |= {"ColourGains": (1.0, 1.0), "LensPosition": 1.0, "FrameDurationLimits": (33_333, 33_333)}
        self._coming: list[tuple[int, dict[str, Any]]] = []  # (first frame with them, controls)
        self._stale = 0  # jobs that timed out and wait for a frame that nobody will take
        self._lost = 0  # buffers that such jobs took

    @classmethod
    def global_camera_info(cls) -> list[dict[str, Any]]:
        """Webcams come last, whatever their number in libcamera is."""
        webcam = {"Model": "C920", "Id": "/base/scb/pcie@7d500000/usb@0,0-1.2:1.0-046d:0825", "Num": 0}
        models = (cls.module.model, *cls.module.more) if cls.module.listed else ()
        own = [{"Model": model, "Id": cls.module.identity, "Num": num} for num, model in enumerate(models, 1)]
        return [*own, webcam]

    @staticmethod
    def load_tuning_file(name: str) -> dict[str, Any]:
        if name != "imx708_wide.json":
            raise RuntimeError("Tuning file not found")
        return {"version": 2.0}

    @property
    def camera_controls(self) -> dict[str, Any]:
        return {name: LIMITS.get(name, (None, None, None)) for name in self.module.controls}

    @property
    def sensor_modes(self) -> list[dict[str, Any]]:
        return [{"size": size, "bit_depth": 10} for size in self.module.modes]

    def create_video_configuration(self, main: dict[str, Any], **rest: Any) -> dict[str, Any]:
        assert all(side % 2 == 0 for side in main["size"]), "width and height should be even"
        return {"buffer_count": BUFFERS, "queue": True, "controls": {}, "main": main} | rest

    def configure(self, config: dict[str, Any]) -> None:
        self.module.configured = config
        self._held |= config["controls"]

    def start(self) -> None:
        if self.module.refuses:
            raise RuntimeError(self.module.refuses)
        self._started = True
        self._first = self.module.sent
        self._began_s = self.module.clock.now_s
        self._shown = 0  # frames since this start

    def close(self) -> None:
        assert not self._stale, "stopping would wait behind a job that never ends"
        self._started = False
        if self.module.holder is self:
            self.module.holder = None

    def cancel_all_and_flush(self) -> None:
        self._stale = 0

    def set_controls(self, controls: dict[str, Any]) -> None:
        unknown = set(controls) - set(self.module.controls)
        if unknown:
            raise RuntimeError(f"Control {unknown.pop()} is not advertised by libcamera")
        self.module.asked.append(controls)
        if not self._started:
            self._held |= controls
        else:
            self._coming.append((self._shown + CONTROL_DELAY, controls))

    def capture_metadata(self, wait: float | None = None) -> dict[str, Any]:
        return self._next(wait).get_metadata()

    @contextmanager
    def captured_request(self, wait: float | None = None, flush: bool | None = None) -> Iterator[Request]:
        asked_s = self.module.clock.now_s
        request = self._next(wait)
        while flush and request.get_metadata()["began_s"] < asked_s:
            request = self._next(None if wait is None else wait - (self.module.clock.now_s - asked_s))
        yield request

    def autofocus_cycle(self, wait: float | None = None) -> bool:
        assert "AfMode" in self.module.controls
        self.module.scanned += 1
        end_s = self.module.clock.now_s + (wait if wait is not None else float("inf"))
        for _ in range(SCAN_FRAMES if self.module.scans else 10**6):
            self._next(end_s - self.module.clock.now_s)
        self._held["LensPosition"] = self.module.sharp_at if self.module.sharp_at is not None else 9.9
        return self.module.sharp_at is not None

    # -- the sensor ---------------------------------------------------------------------------------------------------

    @property
    def frame_s(self) -> float:
        return float(self._held["FrameDurationLimits"][0]) / 1e6

    def _next(self, wait: float | None) -> Request:
        """The next frame that is complete after now, as a job gets it with queue=False."""
        clock = self.module.clock
        if self.module.dead or not self._started or self._lost >= BUFFERS:
            if wait is None or wait is True:
                raise AssertionError("this call would wait for ever")
            clock.sleep(max(0.0, wait))
            self._stale += 1
            raise TimeoutError
        ahead = int((clock.now_s - self._began_s) / self.frame_s + 1e-6) + 1
        done_s = self._began_s + ahead * self.frame_s
        if wait is not None and done_s - clock.now_s > wait + 1e-9:
            clock.sleep(max(0.0, wait))
            self._stale += 1
            raise TimeoutError
        if self._stale:  # the oldest job takes this frame, and nobody gives its buffer back
            self._stale, self._lost = self._stale - 1, self._lost + 1
            return self._next(wait)
        clock.now_s = done_s
        for _ in range(ahead - self._shown):
            self._expose()
        return Request(self._picture(done_s - self.frame_s), self._metadata(done_s - self.frame_s))

    def _expose(self) -> None:
        """One frame: controls that are due act, and automatic exposure and white balance take a step."""
        self._shown += 1
        self.module.sent += 1
        for due, controls in [each for each in self._coming if each[0] <= self._shown]:
            self._held |= controls
            self._coming.remove((due, controls))
        if self._held["AeEnable"]:
            exposure_us = self._held["ExposureTime"] * self._held["AnalogueGain"]
            exposure_us += (self.module.lit_us - exposure_us) / 2
            longest_us = min(14_200.0, 1e6 * self.frame_s)  # it prefers short exposures, of any length
            self._held["ExposureTime"] = round(min(exposure_us, longest_us))
            self._held["AnalogueGain"] = max(1.0, exposure_us / longest_us)
        if self._held["AwbEnable"] and "AwbEnable" in self.module.controls:
            red, blue = self._held["ColourGains"]
            self._held["ColourGains"] = (red + (2.1 - red) / 2, blue + (1.6 - blue) / 2)

    def _metadata(self, began_s: float) -> dict[str, Any]:
        told = {"ExposureTime", "AnalogueGain", "ColourGains", "LensPosition"} & set(self.module.controls)
        return {name: self._held[name] for name in told} | {
            "began_s": began_s,
            "SensorTimestamp": round(began_s * 1e9),
        }

    def _picture(self, began_s: float) -> Image:
        """A grey table: brighter with exposure, gain and the lamp, row by row under a rolling shutter."""
        width, height = self.module.configured["main"]["size"]
        exposure_s = self._held["ExposureTime"] / 1e6
        rows_s = np.linspace(0, READOUT_S, height) if self.module.rolling else np.zeros(height)
        level = 128 * exposure_s * 1e6 * self._held["AnalogueGain"] / self.module.lit_us
        levels = np.clip(level * swung(began_s + rows_s, exposure_s, self.module.lamp_hz, self.module.ripple), 0, 255)
        return np.ascontiguousarray(
            np.broadcast_to(np.rint(levels)[:, None, None], (height, width, 3)).astype(np.uint8)
        )


def swung(begin_s: Any, exposure_s: float, lamp_hz: float, ripple: float) -> Any:
    """The mean of 1 + ripple * sin(2 pi lamp_hz t) over an exposure that begins at `begin_s`."""
    if not lamp_hz:
        return np.ones_like(begin_s)
    turn = 2 * np.pi * lamp_hz
    return 1 + ripple * (np.cos(turn * begin_s) - np.cos(turn * (begin_s + exposure_s))) / (turn * exposure_s)
