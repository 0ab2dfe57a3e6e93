"""Opening a camera by its name on the command line.

Each source is a file of its own in `cameras/`, imported only when it is chosen, so that only a Raspberry Pi needs the
Pi's libraries. The virtual table is a camera too, but lives on a floor above: the service takes it where `auto` finds
none.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from urllib.parse import urlsplit

from tablecoin.rules.rulebook import Message
from tablecoin.storage import durable
from tablecoin.storage.regular import open_regular
from tablecoin.vision.cameras.camera import UNLOCKED, Camera, CameraError, CameraOptions, NoSuchCamera

CHOICES = "pi, pi:1, usb:0, file:PATH, http://…, rtsp://…, virtual or auto"
_NETWORK = ("http", "https", "rtsp")


def is_live(spec: str) -> bool:
    """Whether `spec` names a device that may be plugged in later. Raises NoSuchCamera where it names no camera."""
    kind, _, rest = spec.partition(":")
    match kind, rest:
        case ("pi" | "auto", "") if spec == kind:
            return True
        case (("usb" | "pi"), index) if _is_number(index):
            return True
        case network, _ if network in _NETWORK and _names_a_host(spec):
            return True
        case "file", path if path:
            return False
        case _:
            raise NoSuchCamera(Message("camera.unknown", {"camera": repr(spec[:60]), "choices": CHOICES}))


def called(spec: str) -> str:
    """What the camera that `spec` names is called before it has answered."""
    kind, _, rest = spec.partition(":")
    if kind == "file":
        return f"file {Path(rest).name}"  # its folder is nobody's business
    if kind not in _NETWORK:
        return spec
    from tablecoin.vision.cameras.stream import name_of

    return name_of(spec)


def open_camera(spec: str, options: CameraOptions = UNLOCKED) -> Camera:
    """The camera that `spec` names: `pi`, `pi:N`, `usb:N`, `file:PATH` (picture, folder, video), `http://…` or `auto`.

    `auto` is the Pi camera, else the first webcam that answers. Raises CameraError when that camera does not answer
    (the caller may then take the virtual table), and NoSuchCamera for any other name, `virtual` included.
    """
    kind, _, rest = spec.partition(":")
    match kind, rest:
        case "pi", index if spec == "pi" or _is_number(index):
            from tablecoin.vision.cameras.pi import PiCamera

            return PiCamera(options, number=int(index or 0))
        case "usb", index if _is_number(index):
            from tablecoin.vision.cameras.webcam import Webcam

            return Webcam(int(index), options)
        case "file", path if path:
            return _open_file(durable.expanded(path))
        case network, _ if network in _NETWORK and _names_a_host(spec):
            from tablecoin.vision.cameras.stream import StreamCamera

            return StreamCamera(spec, options)
        case "auto", "":
            return _first_that_answers(options)
        case _:
            raise NoSuchCamera(Message("camera.unknown", {"camera": repr(spec[:60]), "choices": CHOICES}))


def _is_number(index: str) -> bool:
    """Whether it may be the number of a camera. Linux has room for 256."""
    return index.isdecimal() and len(index) <= 3


def _names_a_host(url: str) -> bool:
    try:
        return bool(urlsplit(url).hostname)
    except ValueError:  # such as half an IPv6 address
        return False


def _open_file(path: Path) -> Camera:
    from tablecoin.vision.cameras.picture import PictureCamera, is_picture, pictures_in
    from tablecoin.vision.cameras.video import VideoCamera

    try:
        if path.is_dir():
            return PictureCamera(pictures_in(path))
        os.close(open_regular(path))  # OpenCV would wait for a pipe
    except CameraError:
        raise
    except FileNotFoundError:
        raise CameraError(Message("camera.file", {"path": str(path)})) from None
    except OSError as error:
        raise CameraError(Message("picture.unread", {"path": str(path), "why": error.strerror or "?"})) from None
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


class Opener:
    """Opens the camera that `spec` names, as often as it is called, with the options of that moment.

    A webcam gets another number when it is plugged in again. One that was opened is therefore looked for by the stable
    name that Linux gives it, and keeps the name it had.
    """

    def __init__(self, spec: str, options: Callable[[], CameraOptions]) -> None:
        self._spec, self._options = spec, options
        self._webcam: tuple[Path, str] | None = None  # its stable name, its name for people

    def __call__(self) -> Camera:
        from tablecoin.vision.cameras.webcam import Webcam, number_behind

        options = self._options()
        if self._webcam:
            link, name = self._webcam
            number = number_behind(link)
            if number is not None:
                return Webcam(number, options, name)
        camera = open_camera(self._spec, options)
        if isinstance(camera, Webcam) and camera.link:
            self._webcam = camera.link, camera.name
        return camera
