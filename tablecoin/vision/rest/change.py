"""What changed between two pictures, light aside: the arithmetic under the settler, on small copies of the frames.

A picture is compared as logarithms, where light that grows or fades adds a smooth field: m(x, y) = a + bx + cy + dx² +
exy + fy² (a lamp, the sun, the camera's exposure), and a small amount of each row's own (mains flicker under a rolling
shutter). Both are fitted robustly, so that a hand over a third of the picture does not pass for light, and taken off.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from tablecoin.vision.frame import Image

Field = NDArray[np.float32]  # (h, w) float32, over a small picture
Mask = NDArray[np.uint8]  # (h, w) uint8, 0 or 255, over a small picture

SMALL_WIDTH_PX = 364
_CELLS = (24, 18)  # the light is fitted on this many means across and down
_DARK = 24.0  # grey levels added before the logarithm: noise in the dark is no change
_LOG = np.log(np.arange(256) + _DARK).astype(np.float32)
_FLICKER = 0.05  # a row's own light differs at most this much, as a fraction
_RESIDUE = 0.03  # a residue this large halves the weight of a cell in the fit


@dataclass(frozen=True, slots=True)
class Glance:
    """A small copy of a picture, and its logarithms for comparing."""

    small: Image  # (h, w, 3) uint8, BGR
    log: Field  # of its brightness, smoothed over 3 × 3
    scale: int  # picture pixels a small pixel


def glance(image: Image) -> Glance:
    """The small copy of `image`, about 364 pixels wide: a dime is then some 15 pixels and a millimetre about one."""
    height, width = image.shape[:2]
    scale = max(1, round(width / SMALL_WIDTH_PX))
    size = (max(1, width // scale), max(1, height // scale))
    small = image[: size[1] * scale, : size[0] * scale]  # whole blocks: OpenCV then takes plain means
    left = scale
    while left % 2 == 0:  # a third of the time of one step: means of two by two are its fastest path
        left //= 2
        halved = cv2.resize(small, (size[0] * left, size[1] * left), interpolation=cv2.INTER_AREA)
        small = np.asarray(halved, np.uint8)
    small = np.asarray(cv2.resize(small, size, interpolation=cv2.INTER_AREA), np.uint8)
    return Glance(small, _smooth_log(cv2.cvtColor(small, cv2.COLOR_BGR2GRAY)), scale)


def change(now: Field, then: Field) -> Field:
    """How much darker (-) or brighter (+) each pixel became, as a fraction, once the change of light is taken off."""
    difference = now - then
    difference -= _light(difference)
    rows = np.clip(difference[:, ::4], -_FLICKER, _FLICKER).mean(axis=1, keepdims=True)
    difference -= rows
    return difference


def colour_change(now: Glance, then: Glance) -> Field:
    """As `change` but unsigned and the largest over blue, green and red: skin as bright as the wood below it shows."""
    channels = [np.abs(change(_smooth_log(now.small[..., c]), _smooth_log(then.small[..., c]))) for c in range(3)]
    return np.maximum(np.maximum(channels[0], channels[1]), channels[2])


def noise(difference: Field) -> float:
    """The standard deviation of what is left where nothing happened: 1.4826 times the median of its size."""
    return 1.4826 * float(np.median(np.abs(difference[::5, ::5])))


def shift(now: Field, then: Field) -> tuple[float, float]:
    """How far the whole picture moved from `then` to `now`, (right, down) in small pixels, by phase correlation.

    Things moved about on a table that stayed where it was give (0, 0).
    """
    height, width = (_transformable(n) for n in now.shape)
    window = _window(width, height)
    (dx, dy), _ = cv2.phaseCorrelate(then[:height, :width], now[:height, :width], window)
    return float(dx), float(dy)


def alignment(now: Glance, then: Glance) -> tuple[NDArray[np.float64], float] | None:
    """The motion, (2, 3) from `then` to `now` in small pixels, that lays one on the other, and the share of it (0…1).

    Corners followed by Lucas and Kanade's method from where `shift` puts them; of these the largest part that moved as
    one (turned, shifted, scaled; RANSAC, within one pixel). None when fewer than ten corners could be followed.
    """
    old, new = (cv2.cvtColor(view.small, cv2.COLOR_BGR2GRAY) for view in (then, now))
    corners = cv2.goodFeaturesToTrack(old, 200, 0.01, 6)
    if corners is None:
        return None
    start = np.asarray(corners, np.float32).reshape(-1, 1, 2)
    guess = start + np.array(shift(now.log, then.log), np.float32)
    end, followed, _ = cv2.calcOpticalFlowPyrLK(old, new, start, guess, flags=cv2.OPTFLOW_USE_INITIAL_FLOW)
    good = np.ravel(followed) == 1
    if good.sum() < 10:
        return None
    motion, agree = cv2.estimateAffinePartial2D(start[good], np.asarray(end)[good], ransacReprojThreshold=1.0)
    if motion is None:
        return None
    return np.asarray(motion, np.float64), float(np.sum(agree)) / len(start)


def largest_blob(mask: Mask) -> tuple[float, bool]:
    """(area in small pixels, does it touch the picture's border) of the largest connected part; (0, False) if empty."""
    count, _, stats, _ = cv2.connectedComponentsWithStats(mask)
    if count < 2:
        return 0.0, False
    left, top, width, height, area = stats[1 + int(np.argmax(stats[1:, cv2.CC_STAT_AREA]))]
    touches = left == 0 or top == 0 or left + width == mask.shape[1] or top + height == mask.shape[0]
    return float(area), bool(touches)


def _smooth_log(channel: NDArray[np.generic]) -> Field:
    return np.asarray(cv2.blur(cv2.LUT(np.ascontiguousarray(channel), _LOG), (3, 3)), dtype=np.float32)


@lru_cache(maxsize=4)
def _transformable(count: int) -> int:
    """The largest even length up to `count` that OpenCV transforms unpadded; padded to odd it is half a pixel off."""
    return next((n for n in range(count & ~1, 0, -2) if cv2.getOptimalDFTSize(n) == n), count)


@lru_cache(maxsize=4)
def _window(width: int, height: int) -> Field:
    return np.asarray(cv2.createHanningWindow((width, height), cv2.CV_32F), np.float32)


@lru_cache(maxsize=4)
def _basis(width: int, height: int) -> NDArray[np.float32]:
    """(width·height, 6): the terms of the light field at each cell's centre, x and y running from -1 to 1."""
    x, y = _axes(width, height)
    xx, yy = (a.ravel() for a in np.broadcast_arrays(x, y))
    return np.stack([np.ones_like(xx), xx, yy, xx * xx, xx * yy, yy * yy], axis=1)


def _axes(width: int, height: int) -> tuple[Field, Field]:
    x, y = ((2 * np.arange(count) + 1) / count - 1 for count in (width, height))
    return x[None, :].astype(np.float32), y[:, None].astype(np.float32)


def _light(difference: Field) -> Field:
    """The smooth field of `difference`, fitted by least squares re-weighted by 1 / (1 + (residue / 0.03)²)²."""
    cells = np.asarray(cv2.resize(difference, _CELLS, interpolation=cv2.INTER_AREA), np.float32).ravel()
    basis = _basis(*_CELLS)
    residue = cells - np.median(cells)
    fit = np.zeros(6, np.float32)
    for _ in range(5):
        weight = 1 / (1 + (residue / _RESIDUE) ** 2) ** 2
        weighted = basis * weight[:, None]
        fit = np.linalg.solve(weighted.T @ basis + 1e-3 * np.eye(6, dtype=np.float32), weighted.T @ cells)
        residue = cells - basis @ fit
    height, width = difference.shape
    x, y = _axes(width, height)
    across = fit[0] + x * (fit[1] + x * fit[3])
    down = y * (fit[2] + y * fit[5])
    return np.asarray(across + down + (fit[4] * x) * y, np.float32)
