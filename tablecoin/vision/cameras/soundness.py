"""Whether what a camera's driver gave is a picture that can be read, and whether it is the same one for ever."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tablecoin.rules.rulebook import Message
from tablecoin.vision.frame import Frame

SMALLEST_SIDE_PX = 64  # a picture narrower than this shows no mat
SAME_S = 3.0  # the very same picture for so long comes from no live camera: its sensor has noise

_EVERY_PX = 16  # pictures are compared at every 16th pixel across and down: thousands of noisy numbers


def fault(image: object) -> Message | None:
    """Why `image` cannot be read, and what to do; None where it is (H, W, 3) uint8."""
    what = _unlike_a_picture(image)
    return Message("camera.frame", {"what": what}) if what else None


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
    height, width = image.shape[:2]
    if min(height, width) < SMALLEST_SIDE_PX:
        return Message("camera.frame.small", {"width": width, "height": height})
    return None


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
