"""A webcam, through OpenCV. A thread empties the driver's queue, so that a busy reader gets the newest picture."""

from __future__ import annotations

import sys
import threading
import time
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from tablecoin.rules.rulebook import Message
from tablecoin.vision.cameras.camera import UNLOCKED, CameraError, CameraOptions
from tablecoin.vision.frame import Frame, Image

# Beginnings of the names of a Raspberry Pi's video devices that belong to its camera and codecs, not to webcams.
_NOT_WEBCAMS = ("unicam", "rp1-cfe", "bcm2835", "pispbe", "rpi-hevc", "rpivid")
_DEVICES = Path("/sys/class/video4linux")
_FIRST_PICTURE_S = 5.0  # time within which an opened webcam must send a picture
_SETTLE_S = 1.5  # wait for automatic exposure on the empty mat
_MANUAL, _AUTOMATIC = 1, 3  # values of V4L2_CID_EXPOSURE_AUTO: manual, aperture priority
_EXPOSURE_UNIT_US = 100  # V4L2 counts exposure times in units of 100 microseconds
_JOIN_S = 2.0  # time that `close` gives the thread to end


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


class Webcam:
    """Webcam number `index`, in MJPG at the size wanted, with focus and exposure held where the driver can."""

    def __init__(self, index: int, options: CameraOptions = UNLOCKED) -> None:
        """CameraError when there is no such webcam, another program uses it, or it sends no picture."""
        self.name = f"webcam {index}"
        if sys.platform.startswith("linux") and not Path(f"/dev/video{index}").exists():
            others = ", ".join(f"usb:{n}" for n in webcams()) or "none"
            raise CameraError(Message("camera.webcam.absent", {"number": index, "others": others}))
        self._device = cv2.VideoCapture(index)
        if not self._device.isOpened():
            self._device.release()
            raise CameraError(Message("camera.webcam.busy", {"number": index}))
        _ask_for(self._device, options)
        self._fresh = threading.Condition()
        self._newest: tuple[Image, float] | None = None
        self._ended: Message | None = None
        self._number = 0
        self._thread = threading.Thread(target=self._pump, name=self.name, daemon=True)
        self._thread.start()
        try:
            self.read(_FIRST_PICTURE_S)
        except CameraError:
            self.close()
            raise

    def read(self, timeout_s: float) -> Frame:
        with self._fresh:
            self._fresh.wait_for(lambda: self._newest or self._ended, timeout_s)
            if self._newest is None:
                silent = Message("camera.webcam.silent", {"camera": self.name, "seconds": f"{timeout_s:g}"})
                raise CameraError(self._ended or silent)
            (image, taken_s), self._newest = self._newest, None
        self._number += 1
        return Frame(image, self._number, taken_s)

    def lock(self) -> dict[str, Any]:
        """Let exposure adjust itself for a moment, then hold it, as far as the driver can."""
        self._device.set(cv2.CAP_PROP_AUTO_EXPOSURE, _AUTOMATIC)
        time.sleep(_SETTLE_S)
        exposure = self._device.get(cv2.CAP_PROP_EXPOSURE)
        self._device.set(cv2.CAP_PROP_AUTO_EXPOSURE, _MANUAL)
        self._device.set(cv2.CAP_PROP_EXPOSURE, exposure)
        self._device.set(cv2.CAP_PROP_AUTO_WB, 0)
        return {"exposure_us": round(exposure * _EXPOSURE_UNIT_US)} if exposure >= 1 else {}

    def close(self) -> None:
        with self._fresh:
            self._ended = self._ended or Message("camera.closed", {"camera": self.name})
        self._thread.join(timeout=_JOIN_S)
        if not self._thread.is_alive():  # releasing a device while its driver hangs in a read would crash
            self._device.release()

    def _pump(self) -> None:
        while not self._ended:
            got, image = self._device.read()
            taken_s = time.monotonic()
            with self._fresh:
                if got and image is not None:
                    self._newest = np.asarray(image, dtype=np.uint8), taken_s
                elif not self._ended:
                    self._ended = Message("camera.webcam.stopped", {"camera": self.name})
                self._fresh.notify_all()


def _ask_for(device: cv2.VideoCapture, options: CameraOptions) -> None:
    """Set what is wanted; a webcam ignores what it cannot do."""
    device.set(
        cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*"MJPG")
    )  # compressed: uncompressed video of this size exceeds USB 2
    device.set(cv2.CAP_PROP_FRAME_WIDTH, options.width_px)
    device.set(cv2.CAP_PROP_FRAME_HEIGHT, options.height_px)
    device.set(cv2.CAP_PROP_FPS, options.fps)
    device.set(cv2.CAP_PROP_AUTOFOCUS, 0)
    if options.focus_dioptres is not None:
        device.set(cv2.CAP_PROP_FOCUS, options.focus_dioptres)
    if options.exposure_us is not None:
        device.set(cv2.CAP_PROP_AUTO_EXPOSURE, _MANUAL)
        device.set(cv2.CAP_PROP_EXPOSURE, options.exposure_us / _EXPOSURE_UNIT_US)
    if options.gain is not None:
        device.set(cv2.CAP_PROP_GAIN, options.gain)
