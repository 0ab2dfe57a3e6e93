"""The Raspberry Pi's own camera. Only this file imports picamera2, and only when the camera is opened.

picamera2 does its work in jobs that wait for the next frame. A camera that is listed but whose cable sits badly never
sends one, so every job here has a time limit. A job that timed out stays in picamera2's queue and would swallow a
later frame: it is cancelled, and the camera is then closed and opened again.
"""

from __future__ import annotations

import difflib
import json
import logging
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np

from tablecoin.rules.rulebook import Message
from tablecoin.storage import durable
from tablecoin.vision.cameras.camera import UNLOCKED, CameraError, CameraOptions, Control, Focusing
from tablecoin.vision.cameras.flicker import MainsHz, steady, swing_us
from tablecoin.vision.frame import Frame

log = logging.getLogger(__name__)

_LOCKS = {  # field of CameraOptions: libcamera control
    "exposure_us": "ExposureTime",
    "gain": "AnalogueGain",
    "colour_gains": "ColourGains",
    "focus_dioptres": "LensPosition",
}
# Controls that tablecoin sets itself, and the key of ours that says to what.
OWN: Mapping[str, str] = {
    **dict.fromkeys(("AeEnable", "ExposureTime", "ExposureTimeMode"), "exposure_us"),
    **dict.fromkeys(("AnalogueGain", "AnalogueGainMode"), "gain"),
    **dict.fromkeys(("AwbEnable", "AwbMode", "ColourGains", "ColourTemperature"), "colour_gains"),
    **dict.fromkeys(("AfMode", "AfTrigger", "AfPause", "LensPosition"), "focus_dioptres"),
    **dict.fromkeys(("FrameDurationLimits", "FrameDuration", "FrameRate"), "fps"),
    **dict.fromkeys(("AeFlickerMode", "AeFlickerPeriod"), "mains_hz"),
}
_CROP = "ScalerCrop"  # the control that moves the picture, so that a calibration no longer fits
_FIRST_PICTURE_S = 3.0  # time within which a started camera must send a picture
_FRAMES = 3  # frame times that a job may take where that is longer than its limit
_SKIPPED = 4  # frames after a start, or a change of the controls, that still have the values before
_SETTLE_S = 1.5  # wait for automatic exposure and white balance, which settle on the empty mat in about this time
_FOCUS_S = 4.0  # longest time for one autofocus scan; Camera Module 3 takes about 1.5 s at 20 frames a second
_FOCUS_FRAMES = 40  # the same in frame times, for slow cameras
_AF_MANUAL = 0  # libcamera AfModeEnum
_FLICKER_MANUAL = 1  # libcamera AeFlickerModeEnum


class PiCamera:
    """One camera module of a Pi. Focus, exposure and colour are locked before the first frame.

    Its name also says what moves the picture: module number, rotation, mirroring, crop and tuning file (which may
    correct the lens). A calibration belongs to a camera of one name, so a change of these asks for a new one.
    """

    def __init__(
        self,
        options: CameraOptions = UNLOCKED,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
        number: int = 0,
    ) -> None:
        """`number`: that of the module, as `rpicam-hello --list-cameras` counts them.

        CameraError when picamera2 is not installed, no such module is connected, it is busy, sends no picture or lacks
        a control, or the tuning file is missing.
        """
        try:
            from picamera2 import Picamera2
        except ImportError as error:  # picamera2 or libcamera is missing, or was built for another numpy
            raise CameraError(Message("camera.pi.library", {"error": str(error)})) from None
        self.name = "Pi camera"
        self.focusing: Focusing = "by hand"
        self.warning: Message | None = None
        self._lasting: Message | None = None  # a warning that no focus scan ends
        self._clock, self._sleep = clock, sleep
        self._mains_hz: MainsHz = options.mains_hz
        self._frame_s = 1 / options.fps
        self._number = 0
        self._device: Any = None
        try:
            # Picamera2(N) takes the place in this list. The list has USB cameras too, which `usb:N` opens.
            modules = [
                (place, str(each.get("Model", "")))
                for place, each in enumerate(Picamera2.global_camera_info())
                if "usb" not in str(each.get("Id", "")).lower()
            ]
            if not modules:
                raise CameraError(Message("camera.pi.module"))
            if number >= len(modules):
                raise CameraError(Message("camera.pi.number", {"number": number, "count": len(modules)}))
            place, model = modules[number]
            self.name = f"Pi camera {model}".strip() + _differs(options, number)
            self._device = Picamera2(place, tuning=_tuning(options.tuning, Picamera2))
            self._start(options)
        except BaseException as error:  # whatever went wrong, the next try must find the camera free
            self.close()
            if isinstance(error, CameraError) or not isinstance(error, Exception):
                raise
            raise CameraError(Message("camera.pi.start", {"error": str(error) or type(error).__name__})) from None

    def read(self, timeout_s: float) -> Frame:
        """The next frame that arrives after this call: none is kept, so it was exposed at most two frame times ago."""
        device = self._opened()
        try:
            with device.captured_request(wait=self._limit_s(timeout_s)) as request:
                image = request.make_array("main")
        except Exception as error:  # a hung driver raises TimeoutError, a loose cable RuntimeError
            self._cancel()
            raise CameraError(Message("camera.pi.silent", self._fault(error))) from None
        self._number += 1
        return Frame(np.asarray(image, dtype=np.uint8), self._number, self._clock())

    def lock(self) -> dict[str, Any]:
        """Let exposure, colour and focus adjust themselves to what lies there, and hold them. Raises CameraError.

        A focus that was not found is not among the values held, and `warning` says so.
        """
        device = self._opened()
        try:
            known = device.camera_controls
            self._seen()  # a camera that sends nothing is found out before the slow focus scan
            device.set_controls({name: True for name in ("AeEnable", "AwbEnable") if name in known})
            focus = self._focused()
            self._settle()
            held = locks(self._seen(), CameraOptions(mains_hz=self._mains_hz), known) | focus
            device.set_controls(held)
            self._skip()
        except Exception as error:
            self._cancel()
            raise CameraError(Message("camera.pi.lock", self._fault(error))) from None
        return {name: held[control] for name, control in _LOCKS.items() if control in held}

    def close(self) -> None:
        device, self._device = self._device, None
        if device is not None:
            with suppress(Exception):  # an old picamera2 may lack it
                device.cancel_all_and_flush()
            try:
                device.close()
            except Exception:  # there is nothing more that could be done with it
                log.warning("the %s could not be closed", self.name, exc_info=True)

    # -- start --------------------------------------------------------------------------------------------------------

    def _start(self, options: CameraOptions) -> None:
        device = self._device
        frame_us = round(1e6 * self._frame_s)
        config = device.create_video_configuration(
            main={
                "size": (options.width_px & ~1, options.height_px & ~1),
                "format": "RGB888",
            },  # libcamera's RGB888 is B, G, R in memory
            controls={"FrameDurationLimits": (frame_us, frame_us)},
            queue=False,
            **_turned(options),
        )
        device.configure(config)
        known = device.camera_controls
        if "ColourGains" not in known:
            self._lasting = self.warning = Message("camera.monochrome", {"camera": self.name})
        device.set_controls({name: fitted(name, value, known) for name, value in options.controls.items()})
        swing = swing_us(options.mains_hz)
        if swing and {"AeFlickerMode", "AeFlickerPeriod"} <= set(known):
            device.set_controls({"AeFlickerMode": _FLICKER_MANUAL, "AeFlickerPeriod": swing})
        device.start()
        try:
            self._seen(_FIRST_PICTURE_S)
        except Exception:  # TimeoutError: it is listed, but nothing comes through the cable
            raise CameraError(Message("camera.pi.dead", {"camera": self.name})) from None
        self._skip()
        if "AfMode" in known:
            self.focusing = "motor"
        if options.focus_dioptres is None:
            focus = self._focused()
        else:
            focus = {"AfMode": _AF_MANUAL, "LensPosition": options.focus_dioptres} if "AfMode" in known else {}
        device.set_controls(focus)
        if None in (options.exposure_us, options.gain, options.colour_gains):
            self._settle()
        device.set_controls(locks(self._seen(), options, known))
        self._skip()

    def _focused(self) -> dict[str, Any]:
        """Let the motor find the focus; the controls that hold it there, {} for no motor or where it found none."""
        device = self._device
        if "AfMode" not in device.camera_controls:
            return {}
        self.warning = self._lasting
        try:
            found = device.autofocus_cycle(wait=max(_FOCUS_S, _FOCUS_FRAMES * self._frame_s))
        except Exception as error:  # TimeoutError where a scan never begins; the pictures may be sharp all the same
            log.warning("the %s did not end its focus scan (%s)", self.name, error)
            self._cancel()
            found = False
        if not found:
            self.warning = Message("camera.unfocused", {"camera": self.name})
            return {}
        return {"AfMode": _AF_MANUAL, "LensPosition": self._seen()["LensPosition"]}

    # -- one job of picamera2 each ------------------------------------------------------------------------------------

    def _seen(self, limit_s: float = 1.0) -> dict[str, Any]:
        """The metadata of the next frame."""
        return dict(self._device.capture_metadata(wait=self._limit_s(limit_s)))

    def _skip(self) -> None:
        for _ in range(_SKIPPED):
            self._seen()

    def _settle(self) -> None:
        self._sleep(_SETTLE_S)

    def _limit_s(self, limit_s: float) -> float:
        return max(limit_s, _FRAMES * self._frame_s)

    def _opened(self) -> Any:
        if self._device is None:
            raise CameraError(Message("camera.closed", {"camera": self.name}))
        return self._device

    def _cancel(self) -> None:
        with suppress(Exception):
            self._device.cancel_all_and_flush()

    def _fault(self, error: Exception) -> dict[str, object]:
        return {"camera": self.name, "error": str(error) or type(error).__name__}


def locks(seen: dict[str, Any], options: CameraOptions, controls: dict[str, Any]) -> dict[str, Any]:
    """The libcamera controls that hold the camera: the values wanted, else those it chose itself (`seen`).

    An exposure that it chose itself is made whole swings of the lamps' light. `controls` are those the module has: a
    monochrome one has no white balance.
    """
    exposure_us, gain = seen.get("ExposureTime"), seen.get("AnalogueGain")
    if exposure_us and options.exposure_us is None:
        exposure_us, steady_gain = steady(exposure_us, gain if options.gain is None else None, options.mains_hz)
        gain = steady_gain or gain
    wanted: dict[str, Any] = {
        "AeEnable": False,
        "ExposureTime": options.exposure_us or exposure_us,
        "AnalogueGain": options.gain or gain,
        "AwbEnable": False,
        "ColourGains": options.colour_gains or seen.get("ColourGains"),
    }
    return {name: value for name, value in wanted.items() if name in controls and value is not None}


def fitted(name: str, value: Control, known: Mapping[str, Any]) -> Control:
    """The value of a control in the type that libcamera wants.

    `known`: the least, largest and usual value of each control that the module has. CameraError where it lacks this
    one, or the value is of another type or size.
    """
    if name not in known:
        near = difflib.get_close_matches(name, [each for each in known if each not in OWN], n=1)
        key = "camera.control.near" if near else "camera.control.none"
        raise CameraError(Message(key, {"control": name, "near": near[0] if near else ""}))
    least, largest = known[name][:2]
    fits = _in_crop(value, largest) if name == _CROP else _in_range(value, least, largest)
    if not fits:
        facts = {"control": name, "value": json.dumps(value), "low": json.dumps(least), "high": json.dumps(largest)}
        raise CameraError(Message("camera.control.value", facts))
    return float(value) if isinstance(largest, float) and not isinstance(value, tuple) else value


def _in_range(value: Any, least: Any, largest: Any) -> bool:
    """Whether a value, or each number of a row, has the type of these and lies between them.

    libcamera gives the limits of a row as those of one number, and None where it knows none.
    """
    if largest is None:
        return True
    if isinstance(value, tuple):
        return bool(value) and all(_in_range(each, least, largest) for each in value)
    if isinstance(value, bool) or isinstance(largest, bool):
        return isinstance(value, bool) and isinstance(largest, bool)
    if not isinstance(largest, int | float):
        return False
    return bool(least <= value <= largest) and (isinstance(value, int) or isinstance(largest, float))


def _in_crop(value: Any, largest: tuple[int, int, int, int]) -> bool:
    """Whether a value is a rectangle (left, top, width, height) in the largest one."""
    if not isinstance(value, tuple) or len(value) != 4 or not all(type(each) is int for each in value):
        return False
    left, top, width, height = (int(each) for each in value)
    first_column, first_row, columns, rows = largest
    return (
        first_column <= left < left + width <= first_column + columns
        and first_row <= top < top + height <= first_row + rows
    )


def _differs(options: CameraOptions, number: int) -> str:
    """What a camera's name says of the settings that move its picture: " (number 1, rotated 180°)"; "" by default."""
    said = [f"number {number}"] if number else []
    said += ["rotated 180°"] if options.rotate else []
    said += ["mirrored"] if options.flip else []
    said += [f"{_CROP} {json.dumps(options.controls[_CROP])}"] if _CROP in options.controls else []
    said += [f"tuning {Path(options.tuning).name}"] if options.tuning else []
    return f" ({', '.join(said)})" if said else ""


def _turned(options: CameraOptions) -> dict[str, Any]:
    """The part of picamera2's configuration that rotates and mirrors; empty where nothing does."""
    if not options.rotate and not options.flip:
        return {}
    from libcamera import Transform

    return {"transform": Transform(hflip=bool(options.rotate) != options.flip, vflip=bool(options.rotate))}


def _tuning(named: str, picamera2: Any) -> Any:
    """The tuning file as Picamera2 takes it: a path, the content of one of libcamera's own files, or None."""
    if not named:
        return None
    path = durable.expanded(named)
    if path.is_file():
        return str(path.absolute())
    try:
        return picamera2.load_tuning_file(named)
    except (RuntimeError, ValueError):  # it is not there, or not JSON
        raise CameraError(Message("camera.tuning", {"path": named})) from None
