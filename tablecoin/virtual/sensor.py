"""What a real camera's sensor and its compression do to a picture, frame by frame.

Noise as measured from a real webcam: 1.2 to 1.9 grey levels at every brightness, correlated by 0.6, 0.3 and 0.12 at
one, two and four pixels (its own noise reduction smears it), so far more of it is left in a small copy than of white
noise.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from tablecoin.vision.frame import Image

WEBCAM_NOISE = 1.6  # standard deviation in grey levels, the middle of what was measured
_SHIFTS_PX = 64  # one field of noise, shifted at random by less than this in each picture


class Grain:
    """Correlated noise of a webcam, new in each picture."""

    def __init__(self, size_px: tuple[int, int], levels: float, seed: int = 0) -> None:
        """`levels`: its standard deviation, in grey levels."""
        self._chance = np.random.default_rng(seed)
        self._size = size_px
        width, height = (side + _SHIFTS_PX for side in size_px)
        self._field = np.asarray(np.round(levels * correlated((height, width, 3), self._chance)), np.int16)

    def on(self, image: Image) -> Image:
        """The picture with new noise."""
        width, height = self._size
        top, left = self._chance.integers(0, _SHIFTS_PX, 2)
        return np.asarray(
            cv2.add(image, self._field[top : top + height, left : left + width], dtype=cv2.CV_8U), np.uint8
        )


def correlated(shape: tuple[int, int, int], chance: np.random.Generator) -> NDArray[np.float32]:
    """Gaussian noise of standard deviation 1, correlated by 0.6, 0.3 and 0.12 at 1, 2 and 4 pixels across and down.

    Two white fields, one smoothed by a narrow and one by a wide Gaussian: a correlation that falls fast at first and
    has a long tail, as measured.
    """
    fields = []
    for sigma_px, share in ((0.62, 0.68), (2.1, 0.32)):
        field = np.asarray(cv2.GaussianBlur(chance.standard_normal(shape, np.float32), (0, 0), sigma_px), np.float32)
        fields.append(np.sqrt(np.float32(share)) * field / field.std())
    return np.asarray(fields[0] + fields[1], np.float32)
