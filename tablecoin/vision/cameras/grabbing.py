"""Frames of an OpenCV device. A thread takes every frame from it, but decodes only those that somebody waits for.

A 1080p MJPEG frame costs a core some 12 ms to decode, which would be a third of a core for frames nobody reads.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

import cv2
import numpy as np

from tablecoin.rules.rulebook import Message
from tablecoin.vision.cameras.camera import CameraError
from tablecoin.vision.frame import Frame, Image

FRAMES = 3  # frame times that a read may take where that is longer than its timeout
SKIPPED = 4  # frames after opening that still have automatic values of the start
_UNREADABLE = 10  # frames in a row that cannot be decoded before the device counts as gone; single ones are common
_JOIN_S = 2.0  # time that `close` gives the thread to end


class Grabber:
    """Reads an open `device` until `close`. What goes wrong is said by the sentences `kind`.silent and .stopped."""

    def __init__(
        self,
        device: cv2.VideoCapture,
        name: str,
        frame_s: float,
        kind: str,
        skipped: int = SKIPPED,
        decode: Callable[[Image], Image | None] = lambda retrieved: retrieved,
    ) -> None:
        """`skipped`: how many frames after opening nobody gets. `decode` makes a picture of what the device gave; None:
        it holds none."""
        self._device, self._name, self._frame_s, self._kind = device, name, frame_s, kind
        self._skipped, self._decode = skipped, decode
        self._fresh = threading.Condition()
        self._wanted = threading.Event()  # somebody waits for a picture
        self._wanted.set()
        self._newest: tuple[Image, float] | None = None
        self._ended: Message | None = None
        self._number = 0
        self._thread = threading.Thread(target=self._pump, name=name, daemon=True)
        self._thread.start()

    def first(self, timeout_s: float) -> Frame:
        """The first picture that is not skipped. Raises CameraError."""
        return self._next(max(timeout_s, (self._skipped + FRAMES) * self._frame_s))

    def read(self, timeout_s: float) -> Frame:
        """The next picture that arrives after this call. Raises CameraError."""
        with self._fresh:
            self._newest = None  # one that came after an earlier read had given up
            self._wanted.set()
        return self._next(max(timeout_s, FRAMES * self._frame_s))

    def close(self) -> None:
        with self._fresh:
            self._ended = self._ended or Message("camera.closed", {"camera": self._name})
        self._thread.join(timeout=_JOIN_S)
        if not self._thread.is_alive():  # releasing a device while its driver hangs in a read would crash
            self._device.release()

    def _next(self, timeout_s: float) -> Frame:
        with self._fresh:
            self._fresh.wait_for(lambda: self._newest or self._ended, timeout_s)
            if self._newest is None:
                silent = Message(f"{self._kind}.silent", {"camera": self._name, "seconds": f"{timeout_s:g}"})
                raise CameraError(self._ended or silent)
            (image, taken_s), self._newest = self._newest, None
        self._number += 1
        return Frame(image, self._number, taken_s)

    def _pump(self) -> None:
        skip, unreadable = self._skipped, 0
        while not self._ended:
            got, taken_s = self._device.grab(), time.monotonic()
            image: Image | None = None
            if got and skip:
                skip -= 1
                continue
            if got and self._wanted.is_set():
                retrieved, given = self._device.retrieve()
                image = self._decode(np.asarray(given, dtype=np.uint8)) if retrieved else None
                unreadable = 0 if image is not None else unreadable + 1
            with self._fresh:
                if image is not None:
                    self._wanted.clear()
                    self._newest = image, taken_s
                elif not self._ended and (not got or unreadable >= _UNREADABLE):
                    self._ended = Message(f"{self._kind}.stopped", {"camera": self._name})
                self._fresh.notify_all()
