"""A webcam, through OpenCV: found by its number or its stable name, focused, and held in the units of its driver."""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import Any

import cv2

from tablecoin.rules.rulebook import Message
from tablecoin.vision.cameras.camera import UNLOCKED, CameraError, CameraOptions, Focusing
from tablecoin.vision.cameras.flicker import MainsHz, steady
from tablecoin.vision.cameras.grabbing import Grabber
from tablecoin.vision.frame import Frame

# Beginnings of the names of a Raspberry Pi's video devices that belong to its camera and codecs, not to webcams.
_NOT_WEBCAMS = ("unicam", "rp1-cfe", "bcm2835", "pispbe", "rpi-hevc", "rpivid")
_DEVICES = Path("/sys/class/video4linux")
_BY_ID = Path("/dev/v4l/by-id")  # links named after maker, product and serial number
_FIRST_PICTURE_S = 3.0  # time within which an opened webcam must send a picture
_SETTLE_S = 2.0  # wait for autofocus, automatic exposure and white balance on the empty mat
_MANUAL, _AUTOMATIC = 1, 3  # values of V4L2_CID_EXPOSURE_AUTO: manual, aperture priority
_EXPOSURE_UNIT_US = 100  # V4L2 counts exposure times in units of 100 microseconds

# What is kept in the driver's own units, because V4L2 gives them no common one: name, property, its automatic.
_DRIVER = {
    "focus": (cv2.CAP_PROP_FOCUS, cv2.CAP_PROP_AUTOFOCUS),
    "white_balance": (cv2.CAP_PROP_WB_TEMPERATURE, cv2.CAP_PROP_AUTO_WB),
    "gain": (cv2.CAP_PROP_GAIN, None),
}


def webcams() -> list[int]:
    """The numbers of the video devices that may be webcams, lowest first; [0] on systems other than Linux."""
    if not sys.platform.startswith("linux"):
        return [0]
    if not _DEVICES.is_dir():
        return []
    found = []
    for device in _DEVICES.glob("video*"):
        label = (device / "name").read_text(errors="replace").strip() if (device / "name").exists() else ""
        if not label.startswith(_NOT_WEBCAMS):
            found.append(int(device.name.removeprefix("video")))
    return sorted(found)


def link_to(index: int) -> Path | None:
    """The link in /dev/v4l/by-id that stays the same when webcam `index` is plugged in again; None without one."""
    try:
        return next((link for link in sorted(_BY_ID.iterdir()) if number_behind(link) == index), None)
    except OSError:
        return None


def number_behind(link: Path) -> int | None:
    """The number of the webcam behind a link of `link_to`; None while it is unplugged."""
    digits = link.resolve().name.removeprefix("video") if link.exists() else ""
    return int(digits) if digits.isdecimal() else None


class Webcam:
    """Webcam number `index`, in MJPG at the size wanted, with focus, exposure and colour held where the driver can."""

    def __init__(self, index: int, options: CameraOptions = UNLOCKED, name: str = "") -> None:
        """CameraError when there is no such webcam, another program uses it, or it sends no picture."""
        self.name = name or f"webcam {index}"
        self.link = link_to(index)
        self.focusing: Focusing = "unknown"
        self.warning: Message | None = None
        if sys.platform.startswith("linux") and not Path(f"/dev/video{index}").exists():
            others = ", ".join(f"usb:{n}" for n in webcams()) or "none"
            raise CameraError(Message("camera.webcam.absent", {"number": index, "others": others}))
        self._device = cv2.VideoCapture(index)
        if not self._device.isOpened():
            self._device.release()
            raise CameraError(Message("camera.webcam.busy", {"number": index}))
        _ask_for(self._device, options)
        self._mains_hz: MainsHz = options.mains_hz
        self._frames = Grabber(self._device, self.name, 1 / options.fps, "camera.webcam")
        try:
            self._frames.first(_FIRST_PICTURE_S)
            self._hold(options)
        except BaseException:
            self.close()
            raise

    def read(self, timeout_s: float) -> Frame:
        return self._frames.read(timeout_s)

    def lock(self) -> dict[str, Any]:
        """Let focus, exposure and white balance adjust themselves for a moment, then hold what the driver can hold."""
        self._hold(UNLOCKED)
        held: dict[str, Any] = {}
        exposure = self._device.get(cv2.CAP_PROP_EXPOSURE)
        if self._device.get(cv2.CAP_PROP_AUTO_EXPOSURE) == _MANUAL and exposure >= 1:
            held["exposure_us"] = round(exposure * _EXPOSURE_UNIT_US)
        driver = {name: self._device.get(what) for name, (what, _) in _DRIVER.items()}
        if self.focusing != "motor":
            del driver["focus"]
        driver = {name: value for name, value in driver.items() if value > 0}  # 0 and less: the driver does not have it
        return held | ({"driver": driver} if driver else {})

    def close(self) -> None:
        self._frames.close()

    def _hold(self, options: CameraOptions) -> None:
        """Set what the options say; let the driver find the rest once, and hold that too."""
        device, given = self._device, options.driver or {}
        for name, (_, automatic) in _DRIVER.items():
            if automatic is not None:
                has_it = device.set(automatic, 0 if name in given else 1)
                if name == "focus" and has_it:
                    self.focusing = "motor"
        if options.exposure_us is None:
            device.set(cv2.CAP_PROP_AUTO_EXPOSURE, _AUTOMATIC)
        if options.exposure_us is None or not {"focus", "white_balance"} <= set(given):
            time.sleep(_SETTLE_S)
        for name, (what, automatic) in _DRIVER.items():
            value = given.get(name, device.get(what))
            if automatic is not None:
                device.set(automatic, 0)
            if value > 0:
                device.set(what, value)
        self._hold_exposure(options.exposure_us)

    def _hold_exposure(self, exposure_us: int | None) -> None:
        """Hold this exposure, or that found automatically, made whole swings of the lamps' light."""
        exposure = self._device.get(cv2.CAP_PROP_EXPOSURE)
        if exposure_us is None and exposure >= 1:
            exposure_us, _ = steady(round(exposure * _EXPOSURE_UNIT_US), None, self._mains_hz)
        if exposure_us is not None:  # a driver that does not tell its exposure could only be held at an unknown one
            self._device.set(cv2.CAP_PROP_AUTO_EXPOSURE, _MANUAL)
            self._device.set(cv2.CAP_PROP_EXPOSURE, round(exposure_us / _EXPOSURE_UNIT_US))


def _ask_for(device: cv2.VideoCapture, options: CameraOptions) -> None:
    """Set size and rate; a webcam ignores what it cannot do."""
    device.set(
        cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*"MJPG")
    )  # compressed: uncompressed video of this size exceeds USB 2
    device.set(cv2.CAP_PROP_FRAME_WIDTH, options.width_px)
    device.set(cv2.CAP_PROP_FRAME_HEIGHT, options.height_px)
    device.set(cv2.CAP_PROP_FPS, options.fps)
