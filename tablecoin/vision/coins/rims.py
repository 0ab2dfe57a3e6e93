"""Rims of smaller coins inside a disc: circles along which most of the picture is an edge that faces their centre.

In a stack the lowest coin's rim is the strongest circle. The rims of the coins above lie inside it, each with one of
at most three radii, which are known once the outer one is. All places are tried at once for each radius: a Hough
transform, computed as a correlation of the edges with rings.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from functools import cache
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from tablecoin.coins import BY_SIZE, Denomination
from tablecoin.vision.frame import Disc, Image

SIDE_PX = 72  # side of the patch in which a coin's inside is searched
ROUND_PX = 29.0  # the outer coin's radius in it
STRONG = 0.02  # gradient, as a share of the coin's brightness a pixel, from which an edge counts fully
SOFT_PX = 0.5  # standard deviation of the smoothing before
THICK_PX = 0.7  # standard deviation of the rings that edges are correlated with
RATIOS = np.arange(0.68, 0.985, 0.0125)  # radii searched, as shares of the outer coin's
ABOUT = 0.02  # log-distance of a radius from a coin's true one: a coin on a stack is nearer to the camera
SAME_RIM_PX = 1.5  # edges this near the outer rim belong to it and are ignored
LEAST_SEEN = 0.45  # share of an inner circle that must lie further in than that
# Places tried for each radius, and their least distance: in a blurred picture the best is not always the true one.
PEAKS, APART_PX = 2, 3
LEAST_EDGE = 0.72  # share of a circle that must run along an edge to be looked at; true rims in noise have 0.76
SMALLER = 0.965  # diameter of a coin on top, as a share of the one below, at most

Array = NDArray[np.float32]
Rows = NDArray[np.signedinteger[Any]]

_MIDDLE = (SIDE_PX - 1) / 2
_FAR = np.hypot(*(np.mgrid[:SIDE_PX, :SIDE_PX] - _MIDDLE))
_WITHIN = _FAR < ROUND_PX
_INNER = np.clip(ROUND_PX - SAME_RIM_PX - _FAR + 0.5, 0, 1).astype(np.float32)  # 1 within the coin, 0 along its rim
_FIRST = 3 * np.arange(SIDE_PX * SIDE_PX)  # index of each pixel's first channel


@dataclass(frozen=True, slots=True)
class Inner:
    """A circle inside another disc."""

    disc: Disc
    edge: float  # share of it, 0..1, that runs along an edge facing its centre


def inside(image: Image, disc: Disc, px_per_mm: float, kinds: Collection[Denomination] = BY_SIZE) -> list[Inner]:
    """The circles inside `disc`, of the sizes of the smaller coins among `kinds`, that run along edges most.

    At most PEAKS for each size; fewer where no circle has LEAST_EDGE of it along an edge.
    """
    sizes = [kind.diameter_mm / 2 / (disc.r_px / px_per_mm) for kind in BY_SIZE if kind in kinds]
    near = [np.flatnonzero(np.abs(np.log(RATIOS / size)) < ABOUT) for size in sizes if size < SMALLER]
    rows = [some for some in near if len(some)]
    if not rows:
        return []
    zoom = disc.r_px / ROUND_PX
    edges = _edges(image, disc, zoom)
    waves = np.fft.rfft2(edges).astype(np.complex64)
    found = []
    for some in rows:
        shares = _edge_shares(waves, some)
        for _ in range(PEAKS):
            size, y, x = np.unravel_index(int(shares.argmax()), shares.shape)
            share = float(shares[size, y, x])
            if share < LEAST_EDGE:
                break
            x_px, y_px = (
                float(v + _vertex(line))
                for v, line in ((x, shares[size, y, x - 1 : x + 2]), (y, shares[size, y - 1 : y + 2, x]))
            )
            at = Disc(
                disc.x_px + zoom * (x_px - _MIDDLE),
                disc.y_px + zoom * (y_px - _MIDDLE),
                float(disc.r_px * RATIOS[some[size]]),
            )
            found.append(Inner(at, share))
            shares[:, max(0, y - APART_PX) : y + APART_PX + 1, max(0, x - APART_PX) : x + APART_PX + 1] = 0.0
    return found


def _edges(image: Image, disc: Disc, zoom: float) -> Array:
    """(3, SIDE, SIDE): edge strength e of each pixel, 0..1, and e cos 2a, e sin 2a with a the gradient's direction.

    The gradient is that of the channel where it is steepest. All are 0 along the outer coin's own rim.
    """
    corner = disc.x_px - zoom * _MIDDLE, disc.y_px - zoom * _MIDDLE
    cut = np.array([[zoom, 0, corner[0]], [0, zoom, corner[1]]])
    way = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    patch = cv2.warpAffine(image, cut, (SIDE_PX, SIDE_PX), flags=way, borderMode=cv2.BORDER_REPLICATE)
    soft = cv2.GaussianBlur(patch, (0, 0), SOFT_PX)
    slopes = (np.asarray(cv2.Scharr(soft, cv2.CV_32F, *axis, scale=1 / 32)) for axis in ((1, 0), (0, 1)))
    across, down = slopes
    channel = _FIRST + (across * across + down * down).reshape(-1, 3).argmax(axis=1)
    across, down = (np.take(slope, channel).reshape(SIDE_PX, SIDE_PX) for slope in (across, down))
    steep = np.hypot(across, down) + np.float32(1e-6)
    strong = np.float32(STRONG * max(float(soft[_WITHIN].mean()), 1.0))
    edge = np.minimum(steep / strong, 1) * _INNER
    way_x, way_y = across / steep, down / steep
    return np.stack([edge, edge * (way_x * way_x - way_y * way_y), edge * 2 * way_x * way_y])


def _edge_shares(waves: NDArray[np.complex64], rows: Rows) -> Array:
    """(R, SIDE, SIDE): the share along an edge of the circles around each pixel, for those rows of RATIOS.

    `waves` is the Fourier transform of what `_edges` gave. An edge counts by the squared cosine of the angle a between
    its gradient and the centre: (1 + cos 2a) / 2. The share is 0 where a circle leaves the coin.
    """
    rings, weights = _rings()
    votes = np.fft.irfft2((waves * rings[rows]).sum(axis=1), s=(SIDE_PX, SIDE_PX))
    return np.asarray(votes * weights[rows], np.float32)


@cache
def _rings() -> tuple[NDArray[np.complex64], Array]:
    """(R, 3, ...): for each of RATIOS the Fourier transforms of the rings that `_edges` is correlated with.

    And (R, SIDE, SIDE): what the votes for a circle around each pixel are multiplied with, so that the greatest
    possible share is 1; 0 where a circle leaves the coin, or lies too much on its own rim.
    """
    steps = (np.arange(SIDE_PX) + SIDE_PX // 2) % SIDE_PX - SIDE_PX // 2
    x, y = np.meshgrid(steps, steps)
    turn, radii = 2 * np.arctan2(y, x), ROUND_PX * RATIOS[:, None, None]
    rings = np.exp(-0.5 * ((np.hypot(x, y) - radii) / THICK_PX) ** 2)
    rings /= rings.sum(axis=(1, 2), keepdims=True)
    waves = np.conj(np.fft.rfft2(np.stack([rings, rings * np.cos(turn), rings * np.sin(turn)], axis=1)))
    seen = np.fft.irfft2(np.fft.rfft2(_INNER) * waves[:, 0], s=_INNER.shape)
    within = _FAR[None] < ROUND_PX * (1 - RATIOS[:, None, None]) + 1.5
    weights = np.where(within & (seen > LEAST_SEEN), 0.5 / np.maximum(seen, LEAST_SEEN), 0.0)
    return waves.astype(np.complex64), weights.astype(np.float32)


def _vertex(values: Array) -> float:
    """The vertex of the parabola through three values, the middle one the largest: -0.5 to 0.5 from it."""
    before, at, after = values
    bend = before - 2 * at + after
    return float(np.clip((before - after) / (2 * bend), -0.5, 0.5)) if bend < -1e-9 else 0.0
