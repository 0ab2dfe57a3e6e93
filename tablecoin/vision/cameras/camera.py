"""Where frames come from: one small contract, and the choice of a source by its name on the command line.

Each source has a file of its own in `cameras/`, imported only when it is chosen, so that nothing of the Pi is needed
elsewhere. The virtual table is a camera too, but lives on a floor above: the service takes it where `auto` finds none.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any, Protocol, runtime_checkable

import msgspec

from tablecoin.vision.frame import Frame

log = logging.getLogger(__name__)


class CameraError(OSError):
    """No picture, and why: `str()` is one plain sentence with what to do about it."""


class NoSuchCamera(CameraError):
    """The name asked for is no camera's: waiting will not bring one."""


class Camera(Protocol):
    """A source of frames, read by one thread. `number` counts up by one a frame and `taken_s` never goes back."""

    name: str  # for people: "Pi camera imx296", "webcam 0", "picture table.jpg"

    def read(self, timeout_s: float) -> Frame:
        """The next new frame, waited for. Raises CameraError when none came in `timeout_s` or none ever will."""

    def close(self) -> None:
        """Let the device go. Reading afterwards raises CameraError; closing twice does no harm."""


@runtime_checkable
class Lockable(Protocol):
    """A camera that can be told to hold still."""

    def lock(self) -> dict[str, Any]:
        """Let it adjust itself to what it sees now, hold it there, and say where: fields of CameraOptions.

        What it does not have or does not say is left out. Raises CameraError.
        """


class CameraOptions(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What is asked of a live camera. A lock that is None lets the camera choose for itself, once, and then hold still.

    A referee needs a camera that does not re-adjust when a hand comes in: exposure, colour and focus stay as they
    were on the empty mat. `tablecoin calibrate` finds the locks.
    """

    width_px: Annotated[int, msgspec.Meta(ge=320, le=8192)] = 1456
    height_px: Annotated[int, msgspec.Meta(ge=240, le=8192)] = 1088
    fps: Annotated[float, msgspec.Meta(ge=1, le=120)] = 30.0
    exposure_us: Annotated[int, msgspec.Meta(ge=1, le=1_000_000)] | None = None
    gain: Annotated[float, msgspec.Meta(ge=1, le=64)] | None = None  # analogue gain, 1 = none
    colour_gains: tuple[float, float] | None = None  # (red, blue) against green
    focus_dioptres: float | None = None  # 1 / distance in metres; cameras without a motor ignore it


UNLOCKED = CameraOptions()
CHOICES = "pi, usb:0, file:PATH, virtual or auto"


def open_camera(spec: str, options: CameraOptions = UNLOCKED) -> Camera:
    """The camera that `spec` names: `pi`, `usb:N`, `file:PATH` (a picture, a folder of them, a video) or `auto`.

    `auto` is the Pi camera, else the first webcam that answers. Raises CameraError when there is none: the caller
    may then take the virtual table; NoSuchCamera for any other name. `virtual` is not known here.
    """
    kind, _, rest = spec.partition(":")
    match kind, rest:
        case "pi", "":
            from tablecoin.vision.cameras.pi import PiCamera

            return PiCamera(options)
        case "usb", index if index.isdecimal():
            from tablecoin.vision.cameras.webcam import Webcam

            return Webcam(int(index), options)
        case "file", path if path:
            return _open_file(Path(path).expanduser())
        case "auto", "":
            return _first_that_answers(options)
        case _:
            raise NoSuchCamera(f"There is no camera {spec!r}: say {CHOICES}.")


def _open_file(path: Path) -> Camera:
    from tablecoin.vision.cameras.picture import PictureCamera, is_picture, pictures_in
    from tablecoin.vision.cameras.video import VideoCamera

    if path.is_dir():
        return PictureCamera(pictures_in(path))
    if not path.exists():
        raise CameraError(f"There is no file {path}: check the path after file:.")
    return PictureCamera([path]) if is_picture(path) else VideoCamera(path)


def _first_that_answers(options: CameraOptions) -> Camera:
    from tablecoin.vision.cameras.pi import PiCamera
    from tablecoin.vision.cameras.webcam import Webcam, webcams

    try:
        return PiCamera(options)
    except CameraError as error:
        reasons = [str(error)]
    for index in webcams():
        try:
            return Webcam(index, options)
        except CameraError as error:
            reasons.append(str(error))
    if len(reasons) == 1:
        reasons.append("No webcam is plugged in.")
    raise CameraError(f"No camera answers. {' '.join(reasons)}")


class Reconnecting:
    """A camera that is opened again when it vanishes, after a pause that doubles from `pause_s` up to `longest_s`.

    While it is away, `read` waits like a slow camera would and then raises CameraError with the reason; frame numbers
    count on afterwards. `clock` and `sleep` are injected for tests. The first opening happens on the first read, so
    making one never fails.
    """

    def __init__(
        self,
        open_one: Callable[[], Camera],
        name: str = "camera",
        pause_s: float = 0.5,
        longest_s: float = 10.0,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self.name = name
        self._open_one = open_one
        self._first_pause_s = self._pause_s = pause_s
        self._longest_s = longest_s
        self._clock, self._sleep = clock, sleep
        self._camera: Camera | None = None
        self._retry_at_s = clock()
        self._why = ""
        self._number = 0

    def read(self, timeout_s: float) -> Frame:
        """The next frame of the camera now connected; CameraError while there is none."""
        wait_s = self._retry_at_s - self._clock()
        if self._camera is None and wait_s > 0:
            self._sleep(min(wait_s, timeout_s))
            if wait_s > timeout_s:
                raise CameraError(self._why)
        try:
            if self._camera is None:
                self._camera = self._open_one()
                self.name = self._camera.name
            frame = self._camera.read(timeout_s)
        except CameraError as error:
            self.close()
            self._why = str(error)
            self._retry_at_s = self._clock() + self._pause_s
            self._pause_s = min(2 * self._pause_s, self._longest_s)
            raise
        self._pause_s = self._first_pause_s
        self._number += 1
        return replace(frame, number=self._number)

    def lock(self) -> dict[str, Any]:
        """As `Lockable`; nothing for a camera that cannot be locked. Raises CameraError while there is no camera."""
        if self._camera is None:
            raise CameraError(self._why or "The camera gave no picture yet: wait for one.")
        return self._camera.lock() if isinstance(self._camera, Lockable) else {}

    def close(self) -> None:
        """Let the device go; the next read opens it again."""
        camera, self._camera = self._camera, None
        if camera is not None:
            try:
                camera.close()
            except Exception:  # what is gone may not even close, and is to be opened again all the same
                log.warning("the %s could not be closed", self.name, exc_info=True)
