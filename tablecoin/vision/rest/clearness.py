"""Whether the picture is sharp and bright enough to referee by, from the black edges of the mat's markers.

An edge's width is its contrast divided by its steepest slope: sqrt(2 pi) sigma for a step blurred by a Gaussian. The
median over all the edges is taken, so a slip of paper on one of them does no harm. The width is measured on the mat, in
millimetres, because the relief of a coin has the same size whatever the camera.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from tablecoin.rules.rulebook import Message
from tablecoin.vision.frame import Grey, Image
from tablecoin.vision.place.plane import Plane
from tablecoin.vision.rest.change import small_copy

BLURRED_MM = 2.2  # wider edges hide a coin's face: on the virtual table rulings go wrong from 2.6 mm
DROWNED = 28.0  # least contrast of black and white, in standard deviations of the noise; at 20 a ruling went wrong
# Least roughness of noise, which has 1; blocks of noise 8 pixels wide have 0.5. Of 150 photos of coins the roughest had
# 0.29.
ROUGH = 0.5
DARK_LEVELS = 25.0  # least contrast in grey levels

GLARE_LEVEL = 250  # grey level from which a place is burnt out: white paper in good light stays below
GLARE_MM2 = 600.0  # least area of a burnt-out spot, larger than any coin; glints on coins are smaller
EVEN_PAPER = 245.0  # where half the mat is this bright, it is all over-exposed, and no spot is told from the paper

_ALONG = np.linspace(0.2, 0.8, 5)  # places along each side of a marker where its edge is crossed
_MODULES = 8  # of a marker's side; the outermost ring is black, with a ring of white paper around it
_REACH = 0.9  # modules sampled on either side of the edge
_STEPS = 25  # samples along each crossing, from inside the marker outwards
_PAPER = 6  # the last samples, which lie on white paper

DARK, BLURRED, GLARE = Message("vision.dark"), Message("vision.blurred"), Message("vision.glare")


@dataclass(frozen=True, slots=True)
class Clearness:
    """How sharp, bright and noisy the picture is."""

    edge_mm: float  # width of an edge, on the mat
    levels: float  # grey levels from black to white
    grain: float  # standard deviation of the noise on paper, in grey levels

    @property
    def fault(self) -> Message | None:
        """Why nothing may be ruled on, and what to do; None while the picture is good enough."""
        if self.levels < max(DARK_LEVELS, DROWNED * self.grain):
            return DARK
        return BLURRED if self.edge_mm > BLURRED_MM else None


def glares(upright: Grey, flat: Plane) -> bool:
    """Whether a lamp's reflection hides part of the mat: a burnt-out spot among paper that is not.

    `upright`: the mat rectified, in grey; `flat` is its plane.
    """
    if np.count_nonzero(upright >= GLARE_LEVEL) * flat.mm_per_px_at((0, 0)) ** 2 < GLARE_MM2 / 2:
        return False  # most pictures: the search below takes forty times as long
    above = flat.rectify(upright, px_per_mm=1.0)
    if np.median(above) >= EVEN_PAPER:
        return False
    burnt = np.asarray(above >= GLARE_LEVEL, np.uint8)
    if cv2.countNonZero(burnt) < GLARE_MM2:  # a pixel is a square millimetre
        return False
    _, _, spots, _ = cv2.connectedComponentsWithStats(cv2.erode(burnt, np.ones((3, 3), np.uint8)))
    return bool((spots[1:, cv2.CC_STAT_AREA] >= GLARE_MM2).any())


def is_noise(grey: Grey) -> bool:
    """Whether the picture, (H, W), shows nothing: neighbouring pixels of its small copy hardly agree.

    Its roughness is the mean square difference of neighbours as a share of that of any two pixels, 2 var: one less the
    correlation of neighbours.
    """
    small, _ = small_copy(grey)
    if min(small.shape) < 2:
        return False
    neighbours = (small[1:], small[:-1]), (small[:, 1:], small[:, :-1])
    squares = np.mean([cv2.norm(one, other, cv2.NORM_L2SQR) / one.size for one, other in neighbours])
    _, deviation = cv2.meanStdDev(small)
    return bool(squares > ROUGH * 2 * max(deviation.item() ** 2, 1e-6))


def clearness(image: Image, plane: Plane) -> Clearness | None:
    """The clearness of the picture that `plane` was found in; None where it shows no marker."""
    if not plane.marker_ids:
        return None
    places, step_mm = _crossings(plane)
    grey = image if image.ndim == 2 else cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
    seen = cv2.remap(grey, places, None, cv2.INTER_LINEAR).astype(np.float32)  # type: ignore[call-overload]
    sides = seen.reshape(-1, len(_ALONG), _STEPS)
    edges = sides.mean(axis=1)  # the mean of one side's crossings
    grain = sides[:, :, -_PAPER:].std(axis=1, ddof=1).mean(axis=1)
    levels = edges.max(axis=1) - edges.min(axis=1)
    slopes = np.abs(np.diff(edges, axis=1)).max(axis=1) / step_mm
    widths = levels / np.maximum(slopes, 1e-6)
    return Clearness(*(float(np.median(each)) for each in (widths, levels, grain)))


@lru_cache(maxsize=4)
def _crossings(plane: Plane) -> tuple[NDArray[np.float32], float]:
    """Pixels to sample, (sides * crossings, steps, 2), and the distance between samples on the mat, in millimetres."""
    markers = [marker for marker in plane.mat.markers if marker.id in plane.marker_ids]
    out = np.linspace(-_REACH, _REACH, _STEPS)
    places = []
    for marker in markers:
        half, module = marker.size_mm / 2, marker.size_mm / _MODULES
        for across, down in ((1, 0), (-1, 0), (0, 1), (0, -1)):
            away, along = np.meshgrid(half + module * out, marker.size_mm * (_ALONG - 0.5))
            x = marker.x_mm + across * away + down * along
            y = marker.y_mm + down * away + across * along
            places.append(np.stack([x, y], axis=-1))
    mm = np.concatenate(places)
    px = plane.to_px(mm.reshape(-1, 2)).reshape(mm.shape).astype(np.float32)
    sizes = [marker.size_mm for marker in markers]
    return np.ascontiguousarray(px), 2 * _REACH * float(np.mean(sizes)) / _MODULES / (_STEPS - 1)
