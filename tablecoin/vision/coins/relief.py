"""How much relief a coin shows. Of one that shows none, worn smooth or washed out, little can be known.

A first look may be sure of the face of such a coin, though there is nothing to tell heads from tails by, and a table
remembers smooth coins that look alike whichever side lies up. So a first look at it is never clear (`identify`), and
remembered coins can only confirm its face (`network`): the fine network decides, which has learned from such coins.

Relief is what the picture shows in a band of widths, between the noise of single pixels and the broad shade that lies
on any disc: the standard deviation of the grey there, as a share of the coin's brightness. What noise adds to the band
follows from the noise that the coin's own pixels show, and is taken off.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import cv2
import numpy as np

from tablecoin.vision.coins.crops import Halvings
from tablecoin.vision.coins.looks import Array
from tablecoin.vision.frame import Disc

FINE, BROAD = 0.03, 0.06  # standard deviations of the two Gaussian blurs that bound the band, in radii
WITHIN = 0.75  # radius, in radii, in which relief is measured: the rim, and what lies beyond it, do not leak in
# Relief below which nothing tells a face. Of drawn coins blurred by 0.16 radii 99 % show less in any light, of other
# people's coins that are rightly sure 0.3 %; half of those show over 0.028.
NONE = 0.006
LITTLE = 2 * NONE  # relief below which faces look more alike than their features say
# What shows within INNER radii, noise included, below which a disc of a photo is no coin, not even a smooth one: bare
# paper in a key ring shows 0.002, the smoothest of 3,420 coins in other people's photos 0.0046.
BARE, INNER = NONE / 2, 0.6
AGAINST = 8.0  # log-odds against such a disc
FULL_PX = 64.0  # radius beyond which a coin is measured in a halved picture
DARK = 4.0  # grey levels added to the brightness, so that noise in the dark is no relief
# The measured noise counts for somewhat more, as a variance: a sum over few pixels errs.
NOISIER = 1.3
_NOISE = np.array([[1, -2, 1], [-2, 4, -2], [1, -2, 1]], np.float32) / 6  # of white noise it keeps the variance
_MEDIAN = 0.6745  # the median of |x|, in standard deviations of Gaussian noise x


def shown(picture: Halvings, discs: Sequence[Disc]) -> Array:
    """(N,) the relief that `picture` shows on each of `discs`, as a share of its brightness."""
    return np.array([_band(picture, disc, WITHIN, NOISIER) for disc in discs], float)


def doubts(picture: Halvings, discs: Sequence[Disc]) -> Array:
    """(N,) log-odds against each of `discs`: nothing shows in a ring, a hole or on a plain button.

    Noise counts as relief here, because it may hide some.
    """
    return np.array([AGAINST if _band(picture, disc, INNER, 0) < BARE else 0.0 for disc in discs], float)


def _band(picture: Halvings, disc: Disc, within: float, noisier: float) -> float:
    """What shows in the band `within` so many radii, less `noisier` times what noise adds, as a share of brightness."""
    level = max(0, math.ceil(math.log2(max(disc.r_px, 1.0) / FULL_PX)))
    image, level = picture.at(level)
    shrink = 2.0**-level
    x, y, r = (disc.x_px + 0.5) * shrink - 0.5, (disc.y_px + 0.5) * shrink - 0.5, disc.r_px * shrink
    left, top = (max(0, math.floor(at - r)) for at in (x, y))
    part = image[top : max(top, math.ceil(y + r)) + 1, left : max(left, math.ceil(x + r)) + 1]
    if not part.size:
        return 0.0
    grey = cv2.cvtColor(part, cv2.COLOR_BGR2GRAY).astype(np.float32)
    down, across = np.ogrid[: grey.shape[0], : grey.shape[1]]
    inside = (across + (left - x)) ** 2 + (down + (top - y)) ** 2 <= (within * r) ** 2
    if not inside.any():
        return 0.0
    fine, broad = FINE * r, BROAD * r
    band = (cv2.GaussianBlur(grey, (0, 0), fine) - cv2.GaussianBlur(grey, (0, 0), broad))[inside]
    noise = float(np.median(np.abs(cv2.filter2D(grey, -1, _NOISE)[inside]))) / _MEDIAN
    of_noise = noise**2 * (1 / fine**2 + 1 / broad**2 - 4 / (fine**2 + broad**2)) / (4 * math.pi)
    return math.sqrt(max(0.0, float(band.var()) - noisier * of_noise)) / (float(grey[inside].mean()) + DARK)
