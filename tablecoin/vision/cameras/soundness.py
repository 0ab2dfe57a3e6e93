"""Whether what a camera's driver gave can be read: a picture of a table, in an order that shows rest and motion."""

from __future__ import annotations

import math
from numbers import Real

import numpy as np
from numpy.typing import NDArray

from tablecoin.rules.rulebook import Message
from tablecoin.vision.cameras.picture import LONGEST_SHAPE
from tablecoin.vision.frame import Frame

SMALLEST_SIDE_PX = 64  # a picture narrower than this shows no mat
CHANGING_S = 3.0  # for so long the pictures' size may change again and again
_LEAP_S = 3600.0  # a frame's time never runs so far ahead of the program's clock
_STAYS_S = 1.0  # a size that stays for so long, and for as long as a table needs to rest, has come to stay
SAME_S = 3.0  # the very same picture for so long comes from no live camera: its sensor has noise

_EVERY_PX = 16  # pictures are compared at every 16th pixel across and down: thousands of noisy numbers


def fault(image: object) -> Message | None:
    """Why `image` cannot be read, and what to do; None where it is (H, W, 3) uint8."""
    if what := _unlike_a_picture(image):
        return Message("camera.frame", {"what": what})
    assert isinstance(image, np.ndarray)
    height, width = image.shape[:2]
    if min(height, width) < SMALLEST_SIDE_PX or max(height, width) > LONGEST_SHAPE * min(height, width):
        return Message("camera.frame.size", {"width": width, "height": height})
    return None


def _unlike_a_picture(image: object) -> Message | None:
    if not isinstance(image, np.ndarray):
        return Message("camera.frame.none")
    if image.dtype != np.uint8:
        return Message("camera.frame.numbers", {"kind": str(image.dtype)})
    if image.size == 0:
        return Message("camera.frame.empty")
    if image.ndim == 2 or image.shape[2:] == (1,):
        return Message("camera.frame.grey")
    if image.shape[2:] != (3,):
        return Message("camera.frame.channels", {"shape": " × ".join(map(str, image.shape))})
    return None


class Sequence:
    """Follows the times and sizes of successive frames, in which nothing comes to rest unless both are in order."""

    def __init__(self, rest_s: float) -> None:
        """`rest_s`: how long a table must lie still before it is ruled on."""
        self._stays_s = rest_s + _STAYS_S
        self._before: tuple[float, float] | None = None  # when the last frame was taken, and when it came
        self._shape: tuple[int, ...] | None = None  # of the last picture
        self._since_s = 0.0  # when its shape began
        self._changing_s: float | None = None  # when a shape that stayed was left; None: it is the same since then

    def goes_on(self, taken_s: object, now_s: float) -> bool:
        """Whether a frame taken at `taken_s` is later than the last one, and not absurdly so. It came at `now_s`."""
        if not isinstance(taken_s, Real) or not math.isfinite(taken_s):
            return False
        before, self._before = self._before, (float(taken_s), now_s)
        return before is None or 0 < float(taken_s) - before[0] < now_s - before[1] + _LEAP_S

    def resized(self, shape: tuple[int, ...], taken_s: float) -> bool:
        """Whether a picture of this shape has another one than the last picture."""
        changed = self._shape not in (None, shape)
        if shape != self._shape:
            self._shape, self._since_s = shape, taken_s
        if changed and self._changing_s is None:
            self._changing_s = taken_s
        elif taken_s - self._since_s >= self._stays_s:
            self._changing_s = None
        return changed

    def keeps_changing(self, taken_s: float) -> bool:
        """Whether the pictures' size changes again and again."""
        return self._changing_s is not None and taken_s - self._changing_s >= CHANGING_S


class Repeats:
    """Notices that a live camera sends the very same picture again and again, as a driver does that hangs.

    For live cameras only: a picture file, a video's last picture and the virtual table without noise stand still.
    """

    def __init__(self) -> None:
        self._same: NDArray[np.uint8] | None = None  # the picture, at some of its pixels
        self._since_s = 0.0  # when it first came
        self._now_s = 0.0

    @property
    def same_s(self) -> float:
        """For how long the newest picture has been the same."""
        return self._now_s - self._since_s

    def begin_anew(self) -> None:
        """Forget the picture: the camera is opened again."""
        self._same, self._since_s = None, self._now_s

    def see(self, frame: Frame) -> None:
        """Take the next frame."""
        some = frame.image[::_EVERY_PX, ::_EVERY_PX]
        if self._same is None or not np.array_equal(some, self._same):
            self._same, self._since_s = some.copy(), frame.taken_s
        self._now_s = frame.taken_s
