"""What a lens does to straight lines, on points: undistorting forty points is a hundred times cheaper than a picture.

Brown's model as OpenCV has it (calib3d, `projectPoints`): radial k1, k2, k3 and tangential p1, p2 over coordinates
divided by the focal length.
"""

from __future__ import annotations

import numpy as np
from msgspec import Struct
from numpy.typing import ArrayLike, NDArray

Points = NDArray[np.float64]  # (N, 2)

_ROUNDS = 25  # of the fixed-point inversion; k1 = -0.25 at the corner of a wide picture needs about 20


class Lens(Struct, frozen=True, forbid_unknown_fields=True):
    """Focal lengths and principal point in pixels, distortion coefficients without unit."""

    fx_px: float
    fy_px: float
    cx_px: float
    cy_px: float
    k1: float = 0.0
    k2: float = 0.0
    p1: float = 0.0
    p2: float = 0.0
    k3: float = 0.0

    def bend(self, straight_px: ArrayLike) -> Points:
        """Where an ideal camera's pixels (N, 2) lie in the real picture."""
        return self._pixels(self._bent(self._rays(straight_px)))

    def straighten(self, seen_px: ArrayLike) -> Points:
        """Where the real picture's pixels (N, 2) would lie for an ideal camera: the inverse of `bend`."""
        seen = self._rays(seen_px)
        ray = seen
        for _ in range(_ROUNDS):
            ray = ray + (seen - self._bent(ray))
        return self._pixels(ray)

    def _bent(self, ray: Points) -> Points:
        x, y = ray[:, 0], ray[:, 1]
        r2 = x * x + y * y
        radial = 1 + r2 * (self.k1 + r2 * (self.k2 + r2 * self.k3))
        bent = ray * radial[:, None]
        if self.p1 or self.p2:
            bent[:, 0] += 2 * self.p1 * x * y + self.p2 * (r2 + 2 * x * x)
            bent[:, 1] += self.p1 * (r2 + 2 * y * y) + 2 * self.p2 * x * y
        return bent

    def _rays(self, pixels: ArrayLike) -> Points:
        return (np.reshape(np.asarray(pixels, float), (-1, 2)) - (self.cx_px, self.cy_px)) / (self.fx_px, self.fy_px)

    def _pixels(self, ray: Points) -> Points:
        return np.asarray(ray * (self.fx_px, self.fy_px) + (self.cx_px, self.cy_px))
