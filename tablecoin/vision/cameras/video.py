"""A video file as a camera: it plays at its own speed, and its last picture stays."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np

from tablecoin.rules.rulebook import Message
from tablecoin.vision.cameras.camera import CameraError
from tablecoin.vision.cameras.pace import Pace
from tablecoin.vision.frame import Frame, Image


class VideoCamera:
    """Every picture of the file in turn, none skipped, no faster than it was filmed."""

    def __init__(self, path: Path, pace: Pace | None = None) -> None:
        """CameraError when OpenCV cannot decode the file as a video."""
        self.name = f"video {path.name}"
        self._video = cv2.VideoCapture(str(path))
        got, image = self._video.read() if self._video.isOpened() else (False, None)
        if not got or image is None:
            self._video.release()
            raise CameraError(Message("picture.video", {"path": str(path)}))
        self._image: Image | None = np.asarray(image, dtype=np.uint8)
        fps = self._video.get(cv2.CAP_PROP_FPS)
        self._pace = pace or Pace(fps if 1 <= fps <= 240 else 30.0)
        self._number = 0

    def read(self, timeout_s: float) -> Frame:
        if self._image is None:
            raise CameraError(Message("camera.closed", {"camera": self.name}))
        tick = self._pace.wait(timeout_s)
        if tick is None:
            raise CameraError(Message("camera.late", {"camera": self.name, "seconds": f"{timeout_s:g}"}))
        if self._number:
            got, image = self._video.read()
            if got and image is not None:
                self._image = np.asarray(image, dtype=np.uint8)
        self._number += 1
        return Frame(self._image, self._number, tick[1])

    def close(self) -> None:
        self._image = None
        self._video.release()
