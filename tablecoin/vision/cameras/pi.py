"""The Raspberry Pi's own camera. Only this file imports picamera2, and only when the camera is opened."""

from __future__ import annotations

import time
from typing import Any

import numpy as np

from tablecoin.rules.rulebook import Message
from tablecoin.vision.cameras.camera import UNLOCKED, CameraError, CameraOptions
from tablecoin.vision.frame import Frame

_LOCKS = {  # field of CameraOptions: libcamera control
    "exposure_us": "ExposureTime",
    "gain": "AnalogueGain",
    "colour_gains": "ColourGains",
    "focus_dioptres": "LensPosition",
}
_SETTLE_S = 1.5  # wait for automatic exposure and white balance, which settle on the empty mat in about this time


class PiCamera:
    """The first camera module that picamera2 lists. Exposure, colour and focus are locked before the first frame."""

    def __init__(self, options: CameraOptions = UNLOCKED) -> None:
        """CameraError when picamera2 is not installed, no module is connected, or another program holds it."""
        try:
            from picamera2 import Picamera2
        except ImportError as error:  # picamera2 or libcamera is missing, or was built for another numpy
            raise CameraError(Message("camera.pi.library", {"error": str(error)})) from None
        try:
            modules = Picamera2.global_camera_info()
            if not modules:
                raise CameraError(Message("camera.pi.module"))
            self.name = f"Pi camera {modules[0].get('Model', '')}".strip()
            self._device: Any = Picamera2(0)
            self._start(options)
        except CameraError:
            raise
        except Exception as error:  # libcamera raises RuntimeError, IndexError and others
            raise CameraError(Message("camera.pi.start", {"error": str(error)})) from None
        self._number = 0

    def read(self, timeout_s: float) -> Frame:
        """The next frame exposed after this call: a queued one may show a hand that is gone by now."""
        if self._device is None:
            raise CameraError(Message("camera.closed", {"camera": self.name}))
        try:
            with self._device.captured_request(wait=timeout_s, flush=True) as request:
                image = request.make_array("main")
        except Exception as error:  # a hung driver raises TimeoutError, a loose cable RuntimeError
            raise CameraError(Message("camera.pi.silent", self._fault(error))) from None
        self._number += 1
        return Frame(np.asarray(image, dtype=np.uint8), self._number, time.monotonic())

    def lock(self) -> dict[str, Any]:
        """Let exposure, colour and focus adjust themselves to what lies there, and hold them. Raises CameraError."""
        if self._device is None:
            raise CameraError(Message("camera.closed", {"camera": self.name}))
        try:
            known = self._device.camera_controls
            self._device.set_controls({name: True for name in ("AeEnable", "AwbEnable") if name in known})
            if "AfMode" in known:
                self._device.autofocus_cycle()
            time.sleep(_SETTLE_S)
            seen = self._device.capture_metadata()
            held = locks(seen, UNLOCKED, known)
            if "AfMode" in known and "LensPosition" in seen:
                held |= {"AfMode": 0, "LensPosition": seen["LensPosition"]}
            self._device.set_controls(held)
        except Exception as error:
            raise CameraError(Message("camera.pi.lock", self._fault(error))) from None
        return {name: held[control] for name, control in _LOCKS.items() if control in held}

    def close(self) -> None:
        device, self._device = self._device, None
        if device is not None:
            device.close()

    def _fault(self, error: Exception) -> dict[str, object]:
        return {"camera": self.name, "error": str(error) or type(error).__name__}

    def _start(self, options: CameraOptions) -> None:
        frame_us = round(1e6 / options.fps)
        config = self._device.create_video_configuration(
            main={
                "size": (options.width_px & ~1, options.height_px & ~1),
                "format": "RGB888",
            },  # libcamera's RGB888 is B, G, R in memory
            controls={"FrameDurationLimits": (frame_us, frame_us)},
            queue=False,
        )
        self._device.configure(config)
        self._device.start()
        self._device.set_controls(self._focus(options))
        if None in (options.exposure_us, options.gain, options.colour_gains):
            time.sleep(_SETTLE_S)
        self._device.set_controls(locks(self._device.capture_metadata(), options, self._device.camera_controls))

    def _focus(self, options: CameraOptions) -> dict[str, Any]:
        if options.focus_dioptres is None or "AfMode" not in self._device.camera_controls:
            return {}
        return {"AfMode": 0, "LensPosition": options.focus_dioptres}  # 0 = manual (libcamera AfModeEnum)


def locks(seen: dict[str, Any], options: CameraOptions, controls: dict[str, Any]) -> dict[str, Any]:
    """The libcamera controls that hold the camera: the values wanted, else those it chose itself (`seen`).

    `controls` are those the module has: a monochrome one has no white balance.
    """
    wanted: dict[str, Any] = {
        "AeEnable": False,
        "ExposureTime": options.exposure_us or seen.get("ExposureTime"),
        "AnalogueGain": options.gain or seen.get("AnalogueGain"),
        "AwbEnable": False,
        "ColourGains": options.colour_gains or seen.get("ColourGains"),
    }
    return {name: value for name, value in wanted.items() if name in controls and value is not None}
