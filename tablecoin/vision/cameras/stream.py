"""A network camera, such as a phone on a stand: an MJPEG stream over HTTP, or RTSP, through OpenCV's FFmpeg.

Its exposure and focus cannot be set from here: they are held in the phone's app, where that can. Nor can its rate: a
slow one may take a second and more for a picture.
"""

from __future__ import annotations

from urllib.parse import urlsplit

import cv2

from tablecoin.rules.rulebook import Message
from tablecoin.vision.cameras import jpeg
from tablecoin.vision.cameras.camera import UNLOCKED, CameraError, CameraOptions
from tablecoin.vision.cameras.grabbing import SKIPPED, Grabber
from tablecoin.vision.frame import Frame, Image

_OPEN_S = 3.0  # time within which it must answer
_READ_S = 3.0  # time without a picture after which the stream counts as broken
_MJPEG = cv2.VideoWriter.fourcc(*"MJPG")
_FIRST_PICTURE_S = 1.5  # after it answered; together below the five seconds after which opening is said to hang


def name_of(url: str) -> str:
    """What the camera at `url` is called. A password in the address is not part of the name, which everybody sees."""
    return f"network camera {urlsplit(url).hostname or ''}".strip()


class StreamCamera:
    """The stream at `url`."""

    def __init__(self, url: str, options: CameraOptions = UNLOCKED) -> None:
        """CameraError when nobody answers there, or sends no pictures."""
        self.name = name_of(url)
        limits = (cv2.CAP_PROP_OPEN_TIMEOUT_MSEC, _OPEN_S), (cv2.CAP_PROP_READ_TIMEOUT_MSEC, _READ_S)
        parameters = [value for name, limit_s in limits for value in (name, round(1000 * limit_s))]
        device = cv2.VideoCapture(url, cv2.CAP_FFMPEG, parameters)
        if not device.isOpened():
            device.release()
            raise CameraError(Message("camera.stream.absent", {"camera": self.name}))
        # Left to FFmpeg, a damaged JPEG file is a picture with invented parts, and one of another size than the first
        # is stretched to that.
        as_sent = device.get(cv2.CAP_PROP_FOURCC) == _MJPEG and device.set(cv2.CAP_PROP_FORMAT, -1)
        self._frames = Grabber(
            device,
            self.name,
            1 / options.fps,
            "camera.stream",
            skipped=0 if as_sent else SKIPPED,  # the camera ran before: its first whole picture is as good as any
            decode=_decoded if as_sent else _as_it_is,
        )
        try:
            self._frames.first(_FIRST_PICTURE_S)
        except BaseException:
            self.close()
            raise

    def read(self, timeout_s: float) -> Frame:
        return self._frames.read(max(timeout_s, _READ_S))

    def close(self) -> None:
        self._frames.close()


def _decoded(file: Image) -> Image | None:
    """The picture in the bytes of a JPEG file; None where it is damaged."""
    return jpeg.decoded_whole(file.tobytes())


def _as_it_is(picture: Image) -> Image:
    return picture
