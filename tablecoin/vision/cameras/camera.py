"""Where frames come from: the contract that every camera keeps. `opening` chooses one by its name."""

from __future__ import annotations

from typing import Annotated, Any, Literal, Protocol, runtime_checkable

import msgspec

from tablecoin.rules.rulebook import Complaint, Message
from tablecoin.vision.cameras.flicker import MainsHz
from tablecoin.vision.frame import Frame

Focusing = Literal["motor", "by hand", "unknown"]  # how the lens is focused


Control = bool | int | float | tuple[int | float, ...]  # the value of a libcamera control


class CameraError(Complaint, OSError):
    """There is no picture: why, and what to do."""


class NoSuchCamera(CameraError):
    """No camera has the name asked for: trying again later will not help."""


def failed(camera: str, error: Exception) -> CameraError:
    """What people are told of a driver that raised `error`, which may be anything."""
    why = (error.strerror if isinstance(error, OSError) else None) or str(error) or type(error).__name__
    return CameraError(Message("camera.failed", {"camera": camera, "why": why}))


class Camera(Protocol):
    """A source of frames, read by one thread. A frame's `number` is one above the last's; `taken_s` never decreases."""

    name: str  # for people: "Pi camera imx296", "webcam 0", "picture table.jpg"

    def read(self, timeout_s: float) -> Frame:
        """Wait for the next new frame. Raises CameraError when none came within `timeout_s`, or none ever will.

        A camera whose frames take long waits for three frame times where that is longer.
        """

    def close(self) -> None:
        """Release the device. Reading afterwards raises CameraError; closing twice does no harm."""


@runtime_checkable
class Lockable(Protocol):
    """A camera whose exposure, colour and focus can be held."""

    def lock(self) -> dict[str, Any]:
        """Let the camera adjust itself to what it sees now, hold it there, and return the values held.

        They are named like the fields of CameraOptions; what the camera lacks or does not report is left out.
        Raises CameraError.
        """


@runtime_checkable
class Focusable(Protocol):
    """A camera that knows how its lens is focused, and says when that failed."""

    @property
    def focusing(self) -> Focusing: ...

    @property
    def warning(self) -> Message | None:
        """What people should know about this camera; None when all is well."""


class CameraOptions(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What is asked of a live camera. Where a value is None, the camera chooses it once and then holds it.

    A referee needs a camera that does not re-adjust when a hand comes in: exposure, colour and focus stay as they
    were on the empty mat. `tablecoin calibrate` measures these values.
    """

    width_px: Annotated[int, msgspec.Meta(ge=320, le=8192)] = 1456
    height_px: Annotated[int, msgspec.Meta(ge=240, le=8192)] = 1088
    # Lamps swing 100 or 120 times a second, both of which 20 divides: every frame sees the same part of the swing.
    fps: Annotated[float, msgspec.Meta(ge=1, le=120)] = 20.0
    mains_hz: MainsHz = 60  # an exposure that the camera chooses is made whole swings of lamps on this mains
    exposure_us: Annotated[int, msgspec.Meta(ge=1, le=1_000_000)] | None = None
    gain: Annotated[float, msgspec.Meta(ge=1, le=64)] | None = None  # analogue gain, 1 = none
    colour_gains: tuple[float, float] | None = None  # (red, blue) against green
    focus_dioptres: float | None = None  # 1 / distance in metres; cameras without a motor ignore it
    driver: dict[str, float] | None = None  # a webcam's focus, gain and white balance, in the units of its driver
    # The Pi camera only:
    rotate: Literal[0, 180] = 0  # degrees
    flip: bool = False  # mirror the picture left to right
    tuning: Annotated[str, msgspec.Meta(pattern=r"^[^\x00]*$")] = ""  # a tuning file of libcamera; empty: the module's
    controls: dict[str, Control] = {}  # further controls of libcamera by their names there


UNLOCKED = CameraOptions()
