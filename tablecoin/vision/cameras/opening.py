"""Opening a camera by its name on the command line, and opening it again when it vanishes.

Each source is a file of its own in `cameras/`, imported only when it is chosen, so that only a Raspberry Pi needs the
Pi's libraries. The virtual table is a camera too, but lives on a floor above: the service takes it where `auto` finds
none.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from tablecoin.rules.rulebook import Message
from tablecoin.vision.cameras.camera import UNLOCKED, Camera, CameraError, CameraOptions, Lockable, NoSuchCamera
from tablecoin.vision.frame import Frame

log = logging.getLogger(__name__)

CHOICES = "pi, usb:0, file:PATH, virtual or auto"


def open_camera(spec: str, options: CameraOptions = UNLOCKED) -> Camera:
    """The camera that `spec` names: `pi`, `usb:N`, `file:PATH` (a picture, a folder of them, a video) or `auto`.

    `auto` is the Pi camera, else the first webcam that answers. Raises CameraError when that camera does not answer
    (the caller may then take the virtual table), and NoSuchCamera for any other name, `virtual` included.
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
            raise NoSuchCamera(Message("camera.unknown", {"camera": repr(spec), "choices": CHOICES}))


def _open_file(path: Path) -> Camera:
    from tablecoin.vision.cameras.picture import PictureCamera, is_picture, pictures_in
    from tablecoin.vision.cameras.video import VideoCamera

    if path.is_dir():
        return PictureCamera(pictures_in(path))
    if not path.exists():
        raise CameraError(Message("camera.file", {"path": str(path)}))
    return PictureCamera([path]) if is_picture(path) else VideoCamera(path)


def _first_that_answers(options: CameraOptions) -> Camera:
    from tablecoin.vision.cameras.pi import PiCamera
    from tablecoin.vision.cameras.webcam import Webcam, webcams

    try:
        return PiCamera(options)
    except CameraError as error:
        reasons = [error.message]
    for index in webcams():
        try:
            return Webcam(index, options)
        except CameraError as error:
            reasons.append(error.message)
    if len(reasons) == 1:
        reasons.append(Message("camera.webcam.none"))
    raise CameraError(Message("camera.none", {"reasons": reasons}))


class Reconnecting:
    """A camera that is opened again when it vanishes, after a pause that doubles from `pause_s` up to `longest_s`.

    While it is away, `read` waits for up to its timeout and raises CameraError with the reason. Frame numbers continue
    when it is back. `clock` and `sleep` are injected for tests. The first read opens the camera, so the constructor
    never fails.
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
        self._why = Message("camera.waiting")
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
            self._why = error.message
            self._retry_at_s = self._clock() + self._pause_s
            self._pause_s = min(2 * self._pause_s, self._longest_s)
            raise
        self._pause_s = self._first_pause_s
        self._number += 1
        return replace(frame, number=self._number)

    def lock(self) -> dict[str, Any]:
        """As `Lockable.lock`; {} for a camera that cannot be locked. Raises CameraError while there is no camera."""
        if self._camera is None:
            raise CameraError(self._why)
        return self._camera.lock() if isinstance(self._camera, Lockable) else {}

    def close(self) -> None:
        """Release the device; the next read opens it again."""
        camera, self._camera = self._camera, None
        if camera is not None:
            try:
                camera.close()
            except Exception:  # drivers of an unplugged device may raise anything here; it is opened again all the same
                log.warning("the %s could not be closed", self.name, exc_info=True)
