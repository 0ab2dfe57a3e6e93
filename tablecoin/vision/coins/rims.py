"""Rims of smaller coins inside a disc: circles along which most of the picture is an edge that faces their centre.

In a stack the lowest coin's rim is the strongest circle. The rims of the coins above lie inside it, each with one of
at most three radii, which are known once the outer one is. All places are tried for each radius: a Hough transform,
computed by gathering the edges along each circle.
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

SIDE_PX = 64  # side of the patch in which a coin's inside is searched
ROUND_PX = 29.0  # the outer coin's radius in it
STRONG = 0.02  # gradient, as a share of the coin's brightness a pixel, from which an edge counts fully
SOFT_PX = 0.5  # standard deviation of the smoothing before
THICK_PX = 0.7  # standard deviation of the blur of edges: a circle need not run through a pixel's middle
POINTS = 48  # along a circle
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
_WITHIN = np.asarray(_FAR < ROUND_PX, np.uint8)
_INNER = np.clip(ROUND_PX - SAME_RIM_PX - _FAR + 0.5, 0, 1).astype(np.float32)  # 1 within the coin, 0 along its rim
_ANGLES = np.arange(POINTS) * (2 * np.pi / POINTS)
# By how much an edge at each point of a circle counts for it: (1 + cos 2a) / 2, the squared cosine of the angle between
# its gradient and the centre, from 1, cos and sin of twice the gradient's direction.
_FACING = np.stack([np.ones(POINTS), np.cos(2 * _ANGLES), np.sin(2 * _ANGLES)]).astype(np.float32) / (2 * POINTS)


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
    found = []
    for some in rows:
        shares = _edge_shares(edges, int(some[0]), len(some))
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
    planes = np.ascontiguousarray(patch.transpose(2, 0, 1)).reshape(-1, SIDE_PX)  # three channels below each other
    soft = cv2.GaussianBlur(planes, (0, 0), SOFT_PX)
    x, y = (
        np.asarray(cv2.Scharr(soft, cv2.CV_32F, *axis, scale=1 / 32)).reshape(3, SIDE_PX, SIDE_PX)
        for axis in ((1, 0), (0, 1))
    )
    squares = x * x + y * y
    square = squares.max(axis=0)
    across, down = x[2], y[2]
    for channel in (1, 0):
        steepest = squares[channel] == square
        across, down = np.where(steepest, x[channel], across), np.where(steepest, y[channel], down)
    strong = np.float32(STRONG * max(sum(cv2.mean(patch, _WITHIN)) / 3, 1.0))
    edge = np.minimum(np.sqrt(square) / strong, 1) * _INNER
    turned = edge / (square + np.float32(1e-12))
    edges = np.stack([edge, turned * (across * across - down * down), turned * (2 * across * down)])
    return _softened(edges)


def _softened(fields: Array) -> Array:
    """(K, SIDE, SIDE) fields blurred by THICK_PX."""
    tall = cv2.GaussianBlur(fields.reshape(-1, SIDE_PX), (5, 5), THICK_PX)
    return np.asarray(tall, np.float32).reshape(fields.shape)


def _edge_shares(edges: Array, first: int, count: int) -> Array:
    """(R, SIDE, SIDE): the share along an edge of the circles around each pixel, for `count` rows of RATIOS.

    The share is 0 where a circle leaves the coin, or lies too much on its rim.
    """
    centres, points, weights = _circles(first, count)
    votes = sum(np.take(field, points) @ facing for field, facing in zip(edges, _FACING, strict=True))
    shares = np.zeros((count, SIDE_PX * SIDE_PX), np.float32)
    shares[:, centres] = votes * weights
    return shares.reshape(count, SIDE_PX, SIDE_PX)


@cache
def _circles(first: int, count: int) -> tuple[Rows, Rows, Array]:
    """(C,) the pixels that may be centres of circles of these rows of RATIOS, and (R, C, POINTS) those along them.

    And (R, C): what their votes are multiplied with, so that the greatest possible share is 1; 0 for a circle that
    leaves the coin, or of which less than LEAST_SEEN lies inside the coin's own rim.
    """
    ratios = RATIOS[first : first + count, None]
    far = _FAR.ravel()
    centres = np.flatnonzero(far < ROUND_PX * (1 - ratios.min()) + 1.5)
    x, y = (np.rint(ROUND_PX * ratios * way(_ANGLES)).astype(np.int64) for way in (np.cos, np.sin))
    points = centres[None, :, None] + (y * SIDE_PX + x)[:, None, :]
    seen = np.take(_softened(_INNER[None])[0], points).mean(axis=2)
    within = (far[centres] < ROUND_PX * (1 - ratios) + 1.5) & (seen > LEAST_SEEN)
    return centres, points, np.where(within, 1 / np.maximum(seen, LEAST_SEEN), 0.0).astype(np.float32)


def _vertex(values: Array) -> float:
    """The vertex of the parabola through three values, the middle one the largest: -0.5 to 0.5 from it."""
    before, at, after = values
    bend = before - 2 * at + after
    return float(np.clip((before - after) / (2 * bend), -0.5, 0.5)) if bend < -1e-9 else 0.0
