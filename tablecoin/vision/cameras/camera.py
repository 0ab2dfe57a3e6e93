"""Where frames come from: the contract that every camera keeps. `opening` chooses one by its name."""

from __future__ import annotations

from typing import Annotated, Any, Protocol, runtime_checkable

import msgspec

from tablecoin.rules.rulebook import Complaint
from tablecoin.vision.frame import Frame


class CameraError(Complaint, OSError):
    """There is no picture: why, and what to do."""


class NoSuchCamera(CameraError):
    """No camera has the name asked for: trying again later will not help."""


class Camera(Protocol):
    """A source of frames, read by one thread. A frame's `number` is one above the last's; `taken_s` never decreases."""

    name: str  # for people: "Pi camera imx296", "webcam 0", "picture table.jpg"

    def read(self, timeout_s: float) -> Frame:
        """Wait for the next new frame. Raises CameraError when none came within `timeout_s`, or none ever will."""

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


class CameraOptions(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What is asked of a live camera. Where a value is None, the camera chooses it once and then holds it.

    A referee needs a camera that does not re-adjust when a hand comes in: exposure, colour and focus stay as they
    were on the empty mat. `tablecoin calibrate` measures these values.
    """

    width_px: Annotated[int, msgspec.Meta(ge=320, le=8192)] = 1456
    height_px: Annotated[int, msgspec.Meta(ge=240, le=8192)] = 1088
    fps: Annotated[float, msgspec.Meta(ge=1, le=120)] = 30.0
    exposure_us: Annotated[int, msgspec.Meta(ge=1, le=1_000_000)] | None = None
    gain: Annotated[float, msgspec.Meta(ge=1, le=64)] | None = None  # analogue gain, 1 = none
    colour_gains: tuple[float, float] | None = None  # (red, blue) against green
    focus_dioptres: float | None = None  # 1 / distance in metres; cameras without a motor ignore it


UNLOCKED = CameraOptions()
