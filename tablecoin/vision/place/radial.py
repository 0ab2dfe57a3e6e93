"""A lens's radial distortion, found from points of the table whose places are known."""

from __future__ import annotations

import cv2
import numpy as np
from msgspec import structs
from numpy.typing import NDArray

from tablecoin.vision.place.lens import Lens, Points
from tablecoin.vision.place.plane import matrix_of, through

# Range of k1 times the squared radius of the farthest point. Below -4/27 the lens shows no ray at all there: that is
# the least value for which r (1 + k1 r^2) still reaches that radius. Above 0.09 lie only faulty fits.
_BENDS = (-4 / 27, 0.09)
_SCAN = 13  # values of k1 in the coarse scan
_OUTLIER_MM = 3.0  # a point further off than this counts as so far off in the scan
_LEAST_POINTS = 8  # two markers' corners: fewer that fit well leave the coarse scan's answer
_EXACT = 1e-4  # of k1 times the squared radius, where the golden-section search stops


def fitted_lens(ideal: Lens, pixels: Points, places: Points) -> Lens:
    """`ideal` with the k1 for which `pixels` (N, 2), undistorted, best fit a homography to `places` (N, 2) in mm.

    For each k1 the best homography has a closed form, so one number is searched: by a coarse scan, then by golden
    sections. Points that fit badly (a marker half under a coin) are left out of the second step. The range of k1 is
    given at the farthest point, as k1 times its squared radius, because the true focal length is not known: a k1 of
    -0.25 is fitted as -0.75 where the assumed focal length is 1.7 times too long.
    """
    reach = float(np.square((pixels - (ideal.cx_px, ideal.cy_px)) / (ideal.fx_px, ideal.fy_px)).sum(axis=1).max())

    def off(k1: float, chosen: NDArray[np.bool_]) -> NDArray[np.float64]:
        straight = structs.replace(ideal, k1=k1).straighten(pixels[chosen])
        found, _ = cv2.findHomography(straight, places[chosen], 0)
        if found is None:
            return np.full(int(chosen.sum()), np.inf)
        return np.asarray(np.linalg.norm(through(matrix_of(found), straight) - places[chosen], axis=1))

    all_of_them = np.ones(len(pixels), bool)
    scan = np.linspace(*_BENDS, _SCAN) / max(reach, 1e-6)
    start = min(scan, key=lambda k1: float(np.minimum(off(k1, all_of_them), _OUTLIER_MM).mean()))
    apart = off(start, all_of_them)
    good = apart <= max(1.0, 3 * float(np.median(apart)))
    if good.sum() < _LEAST_POINTS:
        return structs.replace(ideal, k1=float(start))
    low, high = max(start - (scan[1] - scan[0]), scan[0]), start + (scan[1] - scan[0])
    share = (np.sqrt(5) - 1) / 2
    while (high - low) * reach > _EXACT:
        one, other = high - share * (high - low), low + share * (high - low)
        if (off(one, good) ** 2).sum() < (off(other, good) ** 2).sum():
            high = other
        else:
            low = one
    return structs.replace(ideal, k1=float(low + high) / 2)
