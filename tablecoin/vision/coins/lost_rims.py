"""Coins whose rim is half lost in bright light: near a circle that has no coin's size, circles of true sizes.

A silver coin burnt out on white paper shows its rim on the side of its shadow only. Opposite, the fit meets a ring of
the relief, and the circle becomes too small, mostly by up to an eighth. No coin has that size. So the larger coins'
true sizes are tried: a circle of that size, moved each way until the first one touches it from inside, is fitted again.
One that is larger by more than an eighth must meet more of a rim than the first one: else it is that of a shadow around
a coin, which was found well.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from tablecoin.coins import BY_SIZE
from tablecoin.vision.coins import find
from tablecoin.vision.coins.candidates import COVERED, diameters_mm
from tablecoin.vision.coins.refine import Bulge, fitted, stands_out
from tablecoin.vision.frame import Disc, Image
from tablecoin.vision.place.plane import Plane

OFF = 0.022  # log-distance from every coin's diameter, from which a circle has no coin's size
LOST = 0.26  # log-distance by which a circle is too small, at most: a nickel was found as one of 16.5 mm
MOSTLY = 0.125  # up to this log-distance a true size may meet less of a rim: a ring of relief may be met all around
WAYS = 8  # directions in which a circle is moved
RIMMED = 0.75  # share of a circle's rays that must meet a rim
MOST = 12  # circles of no coin's size, of one picture, around which others are tried: more are clutter

_SIZES_MM = np.array([kind.diameter_mm for kind in BY_SIZE])
_ANGLES = np.arange(WAYS) * (2 * np.pi / WAYS)
_MOVES = ((0.0, 0.0), *zip(np.cos(_ANGLES).tolist(), np.sin(_ANGLES).tolist(), strict=True))


def of_true_size(image: Image, rims: Mapping[Disc, float], plane: Plane, bulge_mm: Bulge | None) -> dict[Disc, float]:
    """Further circles beside those of `rims`; both with the share of its rim that each meets.

    At most one of each larger coin's size for each of `rims` that has no coin's size and lies in none that has one.
    """
    if not rims:
        return {}
    circles = list(rims)
    sizes_mm = diameters_mm(plane, circles)
    larger = np.log(_SIZES_MM / sizes_mm[:, None])  # (N, 4): by how much each coin is larger than each circle
    sound = [circles[k] for k in np.flatnonzero((np.abs(larger) <= OFF).any(axis=1)).tolist()]
    of_none = (np.abs(larger) > OFF).all(axis=1, keepdims=True)
    tried = (larger > OFF) & (larger < LOST) & of_none
    lost = [
        k
        for k in np.flatnonzero(tried.any(axis=1)).tolist()
        if all(find.hidden_share(circles[k], coin) <= COVERED for coin in sound)
    ]
    found: dict[Disc, float] = {}
    for k in lost if len(lost) <= MOST else ():
        for size_mm in _SIZES_MM[tried[k]]:
            best = _best(image, circles[k], float(sizes_mm[k]), float(size_mm), plane, bulge_mm)
            if best is not None and (np.log(size_mm / sizes_mm[k]) <= MOSTLY or best[1] > rims[circles[k]]):
                found[best[0]] = best[1]
    return found


def _best(
    image: Image, circle: Disc, size_mm: float, true_mm: float, plane: Plane, bulge_mm: Bulge | None
) -> tuple[Disc, float] | None:
    """The circle of `true_mm` near `circle` that meets most of a rim, and that share; None: none has a clear one."""
    radius = circle.r_px * true_mm / size_mm
    far = abs(radius - circle.r_px)
    starts = [Disc(circle.x_px + far * across, circle.y_px + far * down, radius) for across, down in _MOVES]
    fits, held, _ = fitted(image, starts, plane, bulge_mm)
    off = np.abs(np.log(diameters_mm(plane, fits) / true_mm))
    best = int(np.where(off < OFF, held, 0.0).argmax())
    good = off[best] < OFF and held[best] >= RIMMED and stands_out(image, [fits[best]], plane)[0]
    return (fits[best], float(held[best])) if good else None
