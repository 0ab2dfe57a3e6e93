"""Pixels to millimetres on the mat and back.

The table is flat, so a homography maps the pixels of an ideal camera to the mat (Hartley and Zisserman, Multiple View
Geometry, ch. 2 and 4). A coin's upper face lies 1.4 to 2 mm above the plane, so away from the camera's foot it is seen
up to a millimetre too far out: little beside any zone, and not corrected.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

from tablecoin.mat import Mat
from tablecoin.rules.rulebook import Message
from tablecoin.vision.frame import Image
from tablecoin.vision.place.lens import Lens, Points

Matrix = tuple[float, float, float, float, float, float, float, float, float]  # 3 x 3, row by row
_FITTED = 9  # places along each side of the mat to which `corners_px` fits
_GRID_PX = 8  # `rectify` works out where every eighth pixel comes from, and interpolates


@dataclass(frozen=True)
class Plane:
    """Where the mat lies in the picture. All points are (N, 2); pixel centres are at whole numbers."""

    mat: Mat
    homography: Matrix  # pixels of an ideal camera -> millimetres on the mat
    lens: Lens | None  # None: the camera has no distortion
    marker_ids: tuple[int, ...]  # the markers seen in the newest picture
    fitted_ids: tuple[int, ...]  # the markers the plane was fitted to
    residual_mm: float  # root mean square distance of the fitted markers' corners from the definition
    warnings: tuple[Message, ...] = ()
    _inverse: Matrix = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        inverse = np.linalg.inv(np.reshape(self.homography, (3, 3)))
        object.__setattr__(self, "_inverse", matrix_of(inverse))

    def to_mm(self, pixels: ArrayLike) -> Points:
        """Places on the mat, in millimetres, of points in the picture."""
        seen = np.reshape(np.asarray(pixels, float), (-1, 2))
        return through(self.homography, self.lens.straighten(seen) if self.lens else seen)

    def to_px(self, places_mm: ArrayLike) -> Points:
        """Where places on the mat appear in the picture."""
        straight = through(self._inverse, np.reshape(np.asarray(places_mm, float), (-1, 2)))
        return self.lens.bend(straight) if self.lens else straight

    def corners_px(self) -> Points:
        """(4, 2): where the mat's corners lie for a drawing laid over the picture, clockwise from the mat's top left.

        A drawing is stretched by a homography alone. Through a bending lens that is the one which fits the whole mat
        best, and not where the bent corners themselves appear.
        """
        right, below = self.mat.width_mm, self.mat.height_mm
        corners = np.array([(0.0, 0.0), (right, 0.0), (right, below), (0.0, below)])
        if self.lens is None:
            return self.to_px(corners)
        across, down = np.linspace(0, right, _FITTED), np.linspace(0, below, _FITTED)
        grid = np.stack(np.meshgrid(across, down), axis=-1).reshape(-1, 2)
        fitted, _ = cv2.findHomography(grid, self.to_px(grid))
        return through(matrix_of(fitted), corners)

    def mm_per_px_at(self, pixel: ArrayLike) -> float:
        """The side of the square on the mat that has the same area as the pixel at (x, y) has there."""
        x, y = np.ravel(np.asarray(pixel, float))
        here, right, below = self.to_mm(((x, y), (x + 1, y), (x, y + 1)))
        (a, b), (c, d) = right - here, below - here
        return float(np.sqrt(abs(a * d - b * c)))

    def rectify(self, image: Image, px_per_mm: float, margin_mm: float = 0.0) -> Image:
        """The mat from straight above: (x, y) mm lies at pixel (x + margin, y + margin) * px_per_mm - 0.5.

        `image` may be grey. Where it is finer than asked for, pixels are averaged instead of skipped.
        """
        shrink, places, fractions = _rectifying(
            self.homography, self.lens, (self.mat.width_mm, self.mat.height_mm), px_per_mm, margin_mm
        )
        if shrink > 1:  # over whole blocks of pixels OpenCV takes plain means, its fast path
            height, width = (side // shrink for side in image.shape[:2])
            whole = image[: height * shrink, : width * shrink]
            image = np.asarray(cv2.resize(whole, (width, height), interpolation=cv2.INTER_AREA), np.uint8)
        return np.asarray(cv2.remap(image, places, fractions, interpolation=cv2.INTER_LINEAR), np.uint8)

    def flat(self, px_per_mm: float, margin_mm: float = 0.0) -> Plane:
        """The plane of the picture that `rectify` makes of the same mat."""
        scale, corner = 1 / px_per_mm, 0.5 / px_per_mm - margin_mm
        return replace(self, homography=(scale, 0, corner, 0, scale, corner, 0, 0, 1), lens=None)

    def __hash__(self) -> int:
        return hash((self.mat.name, self.homography, self.lens))


def through(matrix: Matrix, points: Points) -> Points:
    """Points (N, 2) mapped by a homography."""
    a, b, c, d, e, f, g, h, i = matrix
    x, y = points[:, 0], points[:, 1]
    depth = g * x + h * y + i
    return np.stack(((a * x + b * y + c) / depth, (d * x + e * y + f) / depth), axis=1)


def matrix_of(array: ArrayLike) -> Matrix:
    """A (3, 3) array as a hashable Matrix."""
    a, b, c, d, e, f, g, h, i = (float(number) for number in np.ravel(np.asarray(array, float)))
    return a, b, c, d, e, f, g, h, i


@lru_cache(maxsize=2)  # for coins and for watchers; one of a mat that is not there any more holds up to 9 MB
def _rectifying(
    homography: Matrix, lens: Lens | None, size_mm: tuple[float, float], px_per_mm: float, margin_mm: float
) -> tuple[int, NDArray[np.int16], NDArray[np.uint16]]:
    """(factor to shrink the picture by first, and for cv2.remap where each rectified pixel lies in the shrunk picture).

    It is worked out at every eighth pixel and interpolated: a tenth of the time, and off by hundredths of a pixel.
    """
    inverse = matrix_of(np.linalg.inv(np.reshape(homography, (3, 3))))

    def to_px(places: Points) -> Points:
        straight = through(inverse, places)
        return lens.bend(straight) if lens else straight

    width_mm, height_mm = size_mm
    corners = np.array([(0, 0), (width_mm, 0), (0, height_mm), (width_mm, height_mm)])
    right, below = (to_px(corners + step) - to_px(corners) for step in ((1.0, 0.0), (0.0, 1.0)))
    finest = np.sqrt(np.abs(right[:, 0] * below[:, 1] - right[:, 1] * below[:, 0])).min()  # where it is coarsest
    shrink = max(1, int(finest / px_per_mm))
    width, height = (round((side + 2 * margin_mm) * px_per_mm) for side in size_mm)
    step = _GRID_PX
    columns, rows = ((np.arange(-1, side // step + 2) + 0.5) * step for side in (width, height))
    coarse = np.stack(np.meshgrid(columns, rows), axis=-1)
    source = (to_px(coarse.reshape(-1, 2) / px_per_mm - margin_mm) + 0.5) / shrink - 0.5
    grid = source.astype(np.float32).reshape(coarse.shape)
    full = cv2.resize(grid, None, fx=step, fy=step, interpolation=cv2.INTER_LINEAR)
    full = np.asarray(full, np.float32)[step : step + height, step : step + width]
    fixed, fraction = cv2.convertMaps(full[..., 0], full[..., 1], cv2.CV_16SC2)
    return shrink, np.asarray(fixed, np.int16), np.asarray(fraction, np.uint16)
