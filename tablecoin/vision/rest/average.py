"""The mean picture of a table at rest, in which a camera's sway and noise cancel.

A single picture cannot show less than the sway that is let pass. The mean of a second can: a coin slid by half a
millimetre, or turned over where a swaying camera hid it, is noticed a second or two later.

Coins are read in a mean as well: a sixth fewer of strangers' coins are doubtful in the mean of four pictures than in
one (lab/log, 2026-11-25).
"""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from tablecoin.vision.frame import Frame, Image
from tablecoin.vision.rest.change import Field

SPAN_S = 1.0  # a mean is taken over so long: some two swings of a camera's arm
_FOLLOWS = 0.2  # share by which the first mean follows each later one, so that slow changes of light add up to nothing


class Average:
    """Means of one table at rest. Follows the pictures since the last motion."""

    def __init__(self) -> None:
        self._first: Field | None = None  # the mean that later ones are compared with
        self._sum: Field | None = None
        self._count = 0
        self._since_s = 0.0

    def clear(self) -> None:
        """Something moved: begin anew."""
        self._first = self._sum = None

    def add(self, log: Field, taken_s: float) -> tuple[Field, Field] | None:
        """Take a picture's logarithm. Once a span is full: its mean, and the mean it is to be compared with."""
        if self._sum is None:
            self._sum, self._count, self._since_s = np.zeros_like(log), 0, taken_s
        self._sum += log
        self._count += 1
        if taken_s - self._since_s < SPAN_S:
            return None
        mean = np.asarray(self._sum / self._count, np.float32)
        first, self._sum = self._first, None
        self._first = mean if first is None else first + np.float32(_FOLLOWS) * (mean - first)
        return None if first is None else (mean, first)


class MeanFrame:
    """The mean of the pictures since it was last taken or cleared."""

    def __init__(self) -> None:
        self._first: Image | None = None
        self._sum: NDArray[np.float32] | None = None  # of two pictures and more
        self._count = 0

    def clear(self) -> None:
        """Something moved: begin anew."""
        self._first = self._sum = None
        self._count = 0

    def add(self, image: Image) -> None:
        """Take one more picture of the same size."""
        self._count += 1
        if self._first is None:
            self._first = image
            return
        if self._sum is None:
            self._sum = self._first.astype(np.float32)
        cv2.accumulate(image, self._sum)

    def take(self, frame: Frame) -> Frame:
        """`frame`, the newest one added, with the mean as its picture. Begins anew."""
        total, count = self._sum, self._count
        self.clear()
        if total is None:
            return frame
        return replace(frame, image=np.asarray(cv2.convertScaleAbs(total, alpha=1 / count), np.uint8))
