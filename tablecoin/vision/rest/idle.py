"""Frames of a table at rest that need no full look: nothing large changed since the last one.

A full look at a frame takes ten times as long as comparing some of its pixels. A hand, or a coin that is laid down or
taken, changes many of them, so it gets its full look in the same frame. What is smaller waits for the next full look.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from tablecoin.vision.frame import Frame

LOOK_S = 0.2  # between two full looks, at most
_EVERY_PX = 8  # of the picture's pixels across and down one is compared; a dime then covers some 40 of them
_LEVELS = 12.0  # grey levels by which a pixel changes; noise of 2 levels reaches it in one pixel of 50,000
_PIXELS = 6  # changed pixels from which the frame gets a full look


class Idle:
    """Follows the frames of one table."""

    def __init__(self) -> None:
        self._seen: NDArray[np.uint8] | None = None  # some pixels of the frame that was looked at last
        self._seen_s = 0.0

    def looked_at(self, frame: Frame) -> None:
        """`frame` got its full look and showed a table at rest."""
        self._seen, self._seen_s = _some(frame), frame.taken_s

    def clear(self) -> None:
        """The next frame needs a full look."""
        self._seen = None

    def spares(self, frame: Frame) -> bool:
        """Whether `frame` needs no full look."""
        seen = self._seen
        if seen is None or not 0 <= frame.taken_s - self._seen_s < LOOK_S:
            return False
        now = _some(frame)
        if now.shape != seen.shape:
            return False
        _, changed = cv2.threshold(cv2.absdiff(now, seen), _LEVELS, 1, cv2.THRESH_BINARY)
        return cv2.countNonZero(changed) < _PIXELS


def _some(frame: Frame) -> NDArray[np.uint8]:
    """(h, w) green, which is nearest to brightness, at some pixels; a copy."""
    return np.ascontiguousarray(frame.image[::_EVERY_PX, ::_EVERY_PX, 1])
