"""The newest camera picture as a JPEG, encoded once for all watchers, and only while somebody watches.

While nothing moves pictures differ by noise alone: a page then asks for one that shows something new, and gets one
only now and then.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import NamedTuple

import cv2

from tablecoin.vision.frame import Frame
from tablecoin.vision.place.plane import Plane

_QUALITY = 80  # of the JPEG, 0 to 100
_WIDEST_PX = 1280  # wider pictures are shrunk: phones need no more
_MAT_PX_PER_MM = 3.0  # resolution of the rectified view
_REFRESH_S = 4.0  # between pictures of a table at rest: light that fades slowly is no motion. 30 kB/s at 120 kB each

Place = tuple[float, float]
Corners = tuple[Place, Place, Place, Place]


class Picture(NamedTuple):
    """A picture as watchers get it."""

    number: int  # its frame's
    jpeg: bytes
    mat: str | None  # the name of the mat that it was rectified to; None: it is the camera's picture


class Preview:
    """Holds one frame. The eye thread calls `put`, any thread the other methods."""

    def __init__(self, plane: Callable[[], Plane | None]) -> None:
        """`plane` gives the mat's newest plane, for the rectified view."""
        self._plane = plane
        self._frame: Frame | None = None
        self._changed, self._changed_s, self._stirred = -1, 0.0, False
        self._new = threading.Condition()
        self._encoding = threading.Lock()
        self._encoded: dict[str, Picture] = {}

    def put(self, frame: Frame, stirs: bool = True) -> None:
        """The next frame. `stirs`: whether something moves in it."""
        with self._new:
            self._frame = frame
            if stirs or self._stirred or self._changed < 0 or frame.taken_s - self._changed_s >= _REFRESH_S:
                self._changed, self._changed_s = frame.number, frame.taken_s
            self._stirred = stirs
            self._new.notify_all()

    def wake(self) -> None:
        """Make everybody who waits return now."""
        with self._new:
            self._new.notify_all()

    @property
    def number(self) -> int:
        """The newest frame's number; -1 before the first."""
        frame = self._frame
        return frame.number if frame else -1

    @property
    def changed(self) -> int:
        """The number of the newest frame that may show something new; -1 before the first."""
        return self._changed

    def frame(self, after: int, timeout_s: float) -> Frame | None:
        """The newest frame, once its number is above `after`; None after `timeout_s`."""
        with self._new:
            if self._frame is None or self._frame.number <= after:
                self._new.wait(timeout_s)
            frame = self._frame
        return frame if frame and frame.number > after else None

    def jpeg(self, after: int, view: str, timeout_s: float) -> Picture | None:
        """The newest picture, once its number is above `after`; None after `timeout_s`.

        `view` is "camera", or "mat" for the rectified picture; while no mat is found both are the camera's.
        """
        frame = self.frame(after, timeout_s)
        return self._jpeg_of(frame, view, frame.number) if frame else None

    def changed_jpeg(self, after: int, view: str) -> Picture | None:
        """The same where something new was seen in a picture after number `after`; None: in none."""
        with self._new:
            frame, changed = self._frame, self._changed
        return self._jpeg_of(frame, view, changed) if frame and changed > after else None

    def corners(self) -> Corners | None:
        """Where the mat's corners lie in the camera's newest picture, as shares of its width and height, clockwise from
        the mat's top left; None while no mat is found."""
        frame, plane = self._frame, self._plane()
        if frame is None or plane is None:
            return None
        height, width = frame.image.shape[:2]
        a, b, c, d = ((float(x + 0.5) / width, float(y + 0.5) / height) for x, y in plane.corners_px())
        return a, b, c, d

    def _jpeg_of(self, frame: Frame, view: str, least: int) -> Picture:
        """`frame` as a JPEG, or the picture made before it if its number is at least `least`."""
        with self._encoding:
            ready = self._encoded.get(view)
            if ready and ready.number >= least:
                return ready
            self._encoded[view] = self._encode(frame, view)
            return self._encoded[view]

    def _encode(self, frame: Frame, view: str) -> Picture:
        image = frame.image
        plane = self._plane() if view == "mat" else None
        if plane:
            image = plane.rectify(image, _MAT_PX_PER_MM)
        elif image.shape[1] > _WIDEST_PX:
            height = round(image.shape[0] * _WIDEST_PX / image.shape[1])
            image = cv2.resize(image, (_WIDEST_PX, height), interpolation=cv2.INTER_AREA).astype(image.dtype)
        _, jpeg = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, _QUALITY])
        return Picture(frame.number, jpeg.tobytes(), plane.mat.name if plane else None)
