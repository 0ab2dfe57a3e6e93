"""What changed between two pictures apart from the light, computed on small copies of the frames.

Pictures are compared as logarithms, in which a change of light adds a smooth field, m(x, y) = a + bx + cy + dx² + exy +
fy² (a lamp, the sun, the camera's exposure), and a small amount for each row (mains flicker under a rolling shutter).
Both are fitted robustly, so that a hand over a third of the picture does not count as light, and subtracted. A swaying
camera moves the whole picture by a fraction of a pixel; that is fitted and subtracted too, where it matters.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from tablecoin.vision.frame import Image

Field = NDArray[np.float32]  # (h, w) float32, over a small picture
Mask = NDArray[np.uint8]  # (h, w) uint8, 0 or 255, over a small picture

SMALL_WIDTH_PX = 364  # about the width of the small copies; a millimetre on an A3 mat is then about one pixel
_CELLS = (24, 18)  # the light is fitted to the means of so many cells across and down
_DARK = 24.0  # grey levels added before the logarithm, so that noise in the dark is no change
_LOG = np.log(np.arange(256) + _DARK).astype(np.float32)
_FLICKER = 0.15  # change of one row's light, as a fraction, at most: a tube's bands, filmed with a wrong exposure
_OUTLIER = 0.05  # so far from the light of its row, as a fraction, a pixel counts no more than this
_STRIP, _MOST = 8, 0.6  # rows of a strip, and the share of its pixels that show the same change where it is light
_SWAYS = 0.1  # a difference this large, as a fraction, halves a pixel's weight in the fit of a swaying camera
_RESIDUE = 0.03  # a residue this large quarters the weight of a cell in the fit: something moved there


@dataclass(frozen=True)
class Glance:
    """A small copy of a picture, and its logarithms to compare."""

    small: Image  # (h, w, 3) uint8, BGR
    log: Field  # logarithm of its brightness, smoothed over 3 × 3
    scale: int  # picture pixels per small pixel

    @cached_property
    def colours(self) -> tuple[Field, Field, Field]:
        """Logarithms of blue, green and red, smoothed over 3 × 3."""
        blue, green, red = (_smooth_log(self.small[..., channel]) for channel in range(3))
        return blue, green, red

    @cached_property
    def halved(self) -> Glance:
        """The same at half the size: four times as fast to compare."""
        height, width = self.log.shape
        small = self.small[: height & ~1, : width & ~1]
        size = (width // 2, height // 2)
        return _glance(np.asarray(cv2.resize(small, size, interpolation=cv2.INTER_AREA), np.uint8), 2 * self.scale)


def glance(image: Image) -> Glance:
    """The small copy of `image` and its logarithms."""
    return _glance(*small_copy(image))


def small_copy(image: Image) -> tuple[Image, int]:
    """`image`, which may be grey, about 364 pixels wide; and how many of its pixels one of the copy is, each way.

    A dime is then some 15 pixels and a millimetre about one.
    """
    height, width = image.shape[:2]
    scale = max(1, round(width / SMALL_WIDTH_PX))
    size = (max(1, width // scale), max(1, height // scale))
    small = image[: size[1] * scale, : size[0] * scale]  # over whole blocks OpenCV takes plain means
    left = scale
    while left % 2 == 0:  # means of 2 × 2 are its fastest path: a third of the time of one step
        left //= 2
        halved = cv2.resize(small, (size[0] * left, size[1] * left), interpolation=cv2.INTER_AREA)
        small = np.asarray(halved, np.uint8)
    return np.asarray(cv2.resize(small, size, interpolation=cv2.INTER_AREA), np.uint8), scale


def _glance(small: Image, scale: int) -> Glance:
    return Glance(small, _smooth_log(cv2.cvtColor(small, cv2.COLOR_BGR2GRAY)), scale)


def change(now: Field, then: Field) -> Field:
    """How much darker (-) or brighter (+) each pixel became, as a fraction, after the change of light is subtracted.

    A gain of g changes log(v + _DARK) by log(g) · v / (v + _DARK), to the second order when v is half-way between the
    two pictures: dark pixels change less. So a step of the exposure leaves nothing, on paper and on coins.
    """
    difference = now - then
    share = 1 - _DARK / levels(now, then)
    difference -= share * _light(difference, share)
    difference -= share * _flicker(difference[:, ::4], share[:, ::4])
    return difference


def _flicker(difference: Field, share: Field) -> Field:
    """(h, 1) the change of each row's light in `difference`; `share`: how much of it each pixel shows.

    A lamp's bands are broad, and every pixel of a row shows them. So the median of a strip of rows counts as light
    where most of the strip's pixels are near it. Other strips, over which a hand or many coins moved, get what lies
    between their neighbours. Last, each row's light is the mean of its pixels, of which none counts for much.
    """
    height = len(difference)
    strips = height // _STRIP
    some = np.s_[: strips * _STRIP, ::2]
    lit = (difference[some] / share[some]).reshape(strips, -1)
    middle = np.median(lit, axis=1)
    near = (np.abs(lit - middle[:, None]) < _OUTLIER).mean(axis=1)
    light = (near > _MOST) & (np.abs(middle) < _FLICKER)
    rows = np.zeros((height, 1), np.float32)
    if light.any():
        centres = _STRIP * (np.flatnonzero(light) + 0.5) - 0.5
        rows[:, 0] = np.interp(np.arange(height), centres, middle[light])
    left = np.clip(difference - share * rows, -_OUTLIER, _OUTLIER)
    return np.asarray(rows + ((left * share).sum(axis=1) / np.square(share).sum(axis=1))[:, None], np.float32)


def levels(now: Field, then: Field) -> Field:
    """Grey levels half-way between two logarithms, plus _DARK: by how many levels a change of 1 changes a pixel."""
    return np.asarray(cv2.exp((now + then) * np.float32(0.5)), np.float32)


def colour_change(now: Glance, then: Glance) -> tuple[Field, Field, Field]:
    """As `change`, of blue, green and red. It shows skin as bright as wood."""
    blue, green, red = (change(one, other) for one, other in zip(now.colours, then.colours, strict=True))
    return blue, green, red


def sway(difference: Field, now: Field, then: Field) -> tuple[Field, float]:
    """The part of `difference` that a small movement of the whole picture explains, and that movement in small pixels.

    A shift, a turn and a zoom change a picture by -(dx · gx + dy · gy), with its gradient g half-way between the two.
    Their four numbers are fitted by least squares, in which large differences hardly count: things that moved.
    """
    mid = (now + then) * np.float32(0.5)
    gx, gy = (np.asarray(cv2.Sobel(mid, cv2.CV_32F, *way, ksize=1, scale=0.5), np.float32) for way in ((1, 0), (0, 1)))
    height, width = mid.shape
    x, y = _axes(width, height)
    every = np.s_[1::2, 1::2]
    terms = np.stack([t[every].ravel() for t in (gx, gy, x * gy - y * gx, x * gx + y * gy)])
    some = difference[every].ravel()
    fit = np.zeros(4, np.float32)
    for _ in range(2):
        weighted = terms / (1 + ((some - fit @ terms) / _SWAYS) ** 2)
        fit = np.linalg.solve(weighted @ terms.T + 1e-3 * np.eye(4, dtype=np.float32), weighted @ some)
    dx, dy, turn, zoom = (float(f) for f in fit)
    explained = (fit[0] - fit[2] * y + fit[3] * x) * gx + (fit[1] + fit[2] * x + fit[3] * y) * gy
    return np.asarray(explained, np.float32), float(np.hypot(dx, dy) + np.hypot(turn, zoom))


def edges(log: Field) -> Field:
    """By how much each pixel differs from its neighbours at most: the most that a shift by one pixel changes it."""
    around = np.ones((3, 3), np.uint8)
    return np.asarray(cv2.dilate(log, around) - cv2.erode(log, around), np.float32)


def noise(difference: Field) -> float:
    """The standard deviation of the noise, robustly: 1.4826 times the median of the differences' sizes."""
    return 1.4826 * float(np.median(np.abs(difference[::5, ::5])))


def shift(now: Field, then: Field) -> tuple[float, float]:
    """The shift of the whole picture from `then` to `now`, (right, down) in small pixels, by phase correlation.

    Where only things on the table moved it is (0, 0).
    """
    height, width = (_transformable(n) for n in now.shape)
    window = _window(width, height)
    # OpenCV 5.0 multiplies the pictures it is given by the window, in place: it gets copies.
    (dx, dy), _ = cv2.phaseCorrelate(then[:height, :width].copy(), now[:height, :width].copy(), window)
    return float(dx), float(dy)


def alignment(now: Glance, then: Glance) -> tuple[NDArray[np.float64], float] | None:
    """The similarity, (2, 3) from `then` to `now` in small pixels, and the share of corners that move by it, 0..1.

    Corners are tracked by optical flow (Lucas and Kanade) from where `shift` puts them, and a rotation, shift and
    scaling is fitted by RANSAC, within one pixel. None when fewer than ten corners could be tracked.
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


def _smooth_log(channel: NDArray[np.generic]) -> Field:
    return np.asarray(cv2.blur(cv2.LUT(np.ascontiguousarray(channel), _LOG), (3, 3)), dtype=np.float32)


@lru_cache(maxsize=4)
def _transformable(count: int) -> int:
    """The largest even length up to `count` that OpenCV transforms without padding, which shifts by half a pixel."""
    return next((n for n in range(count & ~1, 0, -2) if cv2.getOptimalDFTSize(n) == n), count)


@lru_cache(maxsize=4)
def _window(width: int, height: int) -> Field:
    return np.asarray(cv2.createHanningWindow((width, height), cv2.CV_32F), np.float32)


@lru_cache(maxsize=4)
def _basis(width: int, height: int) -> NDArray[np.float32]:
    """(width·height, 6): the terms of the light's field at each cell's centre, with x and y from -1 to 1."""
    x, y = _axes(width, height)
    xx, yy = (a.ravel() for a in np.broadcast_arrays(x, y))
    return np.stack([np.ones_like(xx), xx, yy, xx * xx, xx * yy, yy * yy], axis=1)


def _axes(width: int, height: int) -> tuple[Field, Field]:
    x, y = ((2 * np.arange(count) + 1) / count - 1 for count in (width, height))
    return x[None, :].astype(np.float32), y[:, None].astype(np.float32)


def _light(difference: Field, share: Field) -> Field:
    """The change of light in `difference`, by least squares reweighted by 1 / (1 + (residue / _RESIDUE)²)².

    `share`: how much of it each pixel shows.
    """
    cells, shown = (
        np.asarray(cv2.resize(field, _CELLS, interpolation=cv2.INTER_AREA), np.float32).ravel()
        for field in (difference, share)
    )
    basis = _basis(*_CELLS) * shown[:, None]
    residue = cells - shown * np.median(cells / shown)
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
