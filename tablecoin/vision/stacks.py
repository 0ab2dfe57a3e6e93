"""The coin on top of a stack: a smaller circle within a coin's own, which a search for single circles passes over.

In Coin Age smaller coins lie on larger ones. Seen from above, the lower coin's rim is the strongest circle about, and
the upper coin's a second one inside it, of one of three radii that are known once the outer one is. For each of them
the place is found where most of the circle runs along an edge that faces its centre.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from tablecoin.coins import BY_SIZE, BY_VALUE, Denomination
from tablecoin.vision.frame import Disc, Image
from tablecoin.vision.identify import Identifier

ROUND_PX = 40  # the outer coin's radius at which its inside is searched
ANGLES = 72
EDGE = 0.055  # a change a pixel of this share of the coin's brightness, or more, is an edge
LEAST_EDGE = 0.5  # share of a circle that must run along an edge to be worth a look
USUAL_EDGE = 0.7  # the share at which the edge speaks neither for nor against a coin on top
EDGE_WEIGHT = 10.0  # how much the log odds of a coin on top grow with that share
SMALLER = 0.965  # a coin on top is at most so wide, measured by the one below
OTHER_SIZE = 0.5  # an edge is placed a little wrong now and then, so another kind than the circle's is half as likely
SAME_RIM_PX = 2.0  # what lies so near the lower coin's rim proves no second one
PLAIN = 0.995  # what is this surely one coin is not looked into

Array = NDArray[np.float64]

_TURN = np.arange(ANGLES) * (2 * np.pi / ANGLES)
_RAYS = np.column_stack([np.cos(_TURN), np.sin(_TURN)])
_RAYS_32 = _RAYS.astype(np.float32)


@dataclass(frozen=True, slots=True)
class Top:
    """What a doubtful circle turned out to be: the coin on top, or after all the single coin it seemed."""

    disc: Disc
    kinds: Array  # (5,) as of scale.of_known; the doubt about which of the two it is goes to "not one of ours"
    heads: float


def tops(
    image: Image, discs: Sequence[Disc], kinds: Array, heads: Array, px_per_mm: Sequence[float], identify: Identifier
) -> dict[int, Top]:
    """For each of `discs` that is not plainly one coin and has a likely coin inside it: what lies on top there.

    `kinds` (N, 5) and `heads` (N,) are what each disc seems to be, `px_per_mm` (N,) the scale where it lies. The two
    readings, one coin or a coin on another, are weighed by what the network says of either circle and by how much of
    the inner one runs along an edge.
    """
    doubtful = [k for k in range(len(discs)) if kinds[k, :4].max() < PLAIN]
    within = [(k, *one) for k in doubtful for one in inside(image, discs[k], px_per_mm[k])]
    if not within:
        return {}
    looks = identify(image, [disc for _, _, disc, _ in within], turns=4)
    best: dict[int, tuple[float, int, Array]] = {}
    for n, (k, kind, _, share) in enumerate(within):
        row = _smaller(looks.kinds[n], 2 * discs[k].r_px / px_per_mm[k], kind)
        for_it = _log_odds(row[:4].max()) + EDGE_WEIGHT * (share - USUAL_EDGE)
        if k not in best or for_it > best[k][0]:
            best[k] = for_it, n, row
    found = {}
    for k, (for_it, n, row) in best.items():
        stacked = float(1 / (1 + np.exp(_log_odds(kinds[k, :4].max()) - for_it)))
        if stacked >= 0.5:
            found[k] = Top(within[n][2], _doubted(row, stacked), float(looks.heads[n]))
        else:
            found[k] = Top(discs[k], _doubted(kinds[k], 1 - stacked), float(heads[k]))
    return found


def _smaller(log_looks: Array, diameter_mm: float, kind: Denomination) -> Array:
    """(5,) what lies on a coin of `diameter_mm`: only smaller ones can, and likeliest the one of `kind`."""
    fits = np.array([one.diameter_mm < SMALLER * diameter_mm for one in BY_VALUE] + [True])
    row = np.exp(log_looks) * fits * np.array([1.0 if one is kind else OTHER_SIZE for one in BY_VALUE] + [OTHER_SIZE])
    return np.asarray(row / row.sum())


def _log_odds(share: float) -> float:
    return float(np.log(max(share, 1e-4) / max(1 - share, 1e-4)))


def _doubted(row: Array, share: float) -> Array:
    """`row` believed only so far; the rest says nothing."""
    return np.append(row[:4] * share, 1 - row[:4].sum() * share)


def inside(image: Image, disc: Disc, px_per_mm: float) -> list[tuple[Denomination, Disc, float]]:
    """Circles of smaller coins within `disc`, with the share (0..1) of each that runs along an edge."""
    zoom = ROUND_PX / disc.r_px
    half = round(ROUND_PX * 1.1)
    corner = disc.x_px - half / zoom, disc.y_px - half / zoom
    cut = np.array(((1 / zoom, 0, corner[0]), (0, 1 / zoom, corner[1])))
    way = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    patch = cv2.warpAffine(image, cut, (2 * half + 1, 2 * half + 1), flags=way, borderMode=cv2.BORDER_REPLICATE)
    smooth = cv2.GaussianBlur(patch, (0, 0), max(0.8, 0.5 * zoom)).astype(np.float32)
    level = 32 * EDGE * max(float(smooth.mean()), 1.0)
    across = np.asarray(cv2.Scharr(smooth, cv2.CV_32F, 1, 0) / level, np.float32)
    down = np.asarray(cv2.Scharr(smooth, cv2.CV_32F, 0, 1) / level, np.float32)
    found = []
    for kind in BY_SIZE:
        radius = kind.diameter_mm / 2 * px_per_mm * zoom
        if radius > ROUND_PX * SMALLER:
            break
        reach = int(np.ceil(ROUND_PX - radius)) + 1
        steps = np.arange(-reach, reach + 1, dtype=float)
        x, y = (grid.ravel() for grid in np.meshgrid(steps, steps))
        close = np.hypot(x, y) <= reach
        share = _edge_share(across, down, half, x[close], y[close], radius)
        best = int(share.argmax())
        if share[best] >= LEAST_EDGE:
            at = corner[0] + (half + x[close][best]) / zoom, corner[1] + (half + y[close][best]) / zoom
            found.append((kind, Disc(float(at[0]), float(at[1]), float(radius / zoom)), float(share[best])))
    return found


def _edge_share(
    across: NDArray[np.float32], down: NDArray[np.float32], middle: int, x: Array, y: Array, radius: float
) -> Array:
    """(N,) for circles about (x, y) from the middle: the share of their rays that meet an edge at the rim.

    Rays that meet it where the lower coin's own rim runs count for nothing.
    """
    strongest = np.zeros((len(x), ANGLES), np.float32)
    for r in (radius - 1, radius, radius + 1):
        map_x = (middle + x[:, None] + r * _RAYS[None, :, 0]).astype(np.float32)
        map_y = (middle + y[:, None] + r * _RAYS[None, :, 1]).astype(np.float32)
        gx, gy = (cv2.remap(g, map_x, map_y, cv2.INTER_LINEAR) for g in (across, down))
        along = np.abs(gx * _RAYS_32[:, :1] + gy * _RAYS_32[:, 1:])
        for channel in range(3):  # one by one: a maximum over a last axis of three is slow
            np.maximum(strongest, along[..., channel], out=strongest)
    far = np.hypot(x[:, None] + radius * _RAYS[None, :, 0], y[:, None] + radius * _RAYS[None, :, 1])
    counts = far < ROUND_PX - SAME_RIM_PX
    return np.asarray(((strongest >= 1) & counts).sum(axis=1) / np.maximum(counts.sum(axis=1), ANGLES / 4), float)
