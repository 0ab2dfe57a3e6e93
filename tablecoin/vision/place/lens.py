"""Lens distortion, applied to points: undistorting forty points is a hundred times cheaper than a picture.

Brown's model as in OpenCV (calib3d, `projectPoints`): radial coefficients k1, k2, k3 and tangential p1, p2, on
coordinates divided by the focal length.
"""

from __future__ import annotations

import numpy as np
from msgspec import Struct
from numpy.typing import ArrayLike, NDArray

Points = NDArray[np.float64]  # (N, 2)

_NEWTON_ROUNDS = 8  # at most; little distortion needs three
_EXACT = 1e-12  # in focal lengths: a smaller step ends Newton's method
_TANGENTIAL_ROUNDS = 4  # of fixed-point iteration
_FLATTEST = 0.05  # least slope of the distorted radius: at 0 the picture folds back, and there is no inverse


class Lens(Struct, frozen=True, forbid_unknown_fields=True):
    """Focal lengths and principal point in pixels; distortion coefficients have no unit."""

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
        """Distort: where an ideal camera's pixels (N, 2) lie in the real picture."""
        return self._pixels(self._bent(self._rays(straight_px)))

    def straighten(self, seen_px: ArrayLike) -> Points:
        """Undistort: where the real picture's pixels (N, 2) lie for an ideal camera; the inverse of `bend`."""
        seen = self._rays(seen_px)
        if not (self.p1 or self.p2):
            return self._pixels(self._without_radial(seen))
        ray = seen
        for _ in range(_TANGENTIAL_ROUNDS):
            ray = self._without_radial(seen - self._tangential(ray))
        return self._pixels(ray)

    def _bent(self, ray: Points) -> Points:
        return np.asarray(ray * self._radial((ray**2).sum(axis=1))[:, None] + self._tangential(ray))

    def _radial(self, r2: NDArray[np.float64]) -> NDArray[np.float64]:
        return np.asarray(1 + r2 * (self.k1 + r2 * (self.k2 + r2 * self.k3)))

    def _tangential(self, ray: Points) -> Points:
        x, y = ray[:, 0], ray[:, 1]
        r2 = x * x + y * y
        along = 2 * self.p1 * x * y + self.p2 * (r2 + 2 * x * x)
        down = self.p1 * (r2 + 2 * y * y) + 2 * self.p2 * x * y
        return np.stack((along, down), axis=1)

    def _without_radial(self, bent: Points) -> Points:
        """Solve r (1 + k1 r^2 + k2 r^4 + k3 r^6) = the radius seen for r, by Newton's method."""
        seen = np.linalg.norm(bent, axis=1)
        radius = seen
        for _ in range(_NEWTON_ROUNDS):
            r2 = radius * radius
            slope = 1 + r2 * (3 * self.k1 + r2 * (5 * self.k2 + r2 * 7 * self.k3))
            step = (radius * self._radial(r2) - seen) / np.maximum(slope, _FLATTEST)
            radius = np.clip(radius - step, 0, 4 * seen)
            if np.abs(step).max(initial=0.0) < _EXACT:
                break
        return np.asarray(bent * (radius / np.maximum(seen, 1e-12))[:, None])

    def _rays(self, pixels: ArrayLike) -> Points:
        return (np.reshape(np.asarray(pixels, float), (-1, 2)) - (self.cx_px, self.cy_px)) / (self.fx_px, self.fy_px)

    def _pixels(self, ray: Points) -> Points:
        return np.asarray(ray * (self.fx_px, self.fy_px) + (self.cx_px, self.cy_px))
