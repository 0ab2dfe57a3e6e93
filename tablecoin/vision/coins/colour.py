"""Colour as evidence against a disc: all coins of one picture are silver or copper under one light.

The colour cast of the light is estimated from the discs themselves: the one under which most of them have the colours
of the kinds that they seem to be. A disc of another colour is not a coin of ours, even if its print looks like one: a
blue key, a green badge. A disc as red as copper is no nickel, dime or quarter: the golden dollars look like quarters.
A penny may have lost its red.

Within one coin: a copper coin that lies on a silver one is redder than what shows of that one around it.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from tablecoin.coins import BY_VALUE, Denomination
from tablecoin.vision.coins.crops import CROP_PX, DISC_MEAN, MARGIN, cut
from tablecoin.vision.frame import Disc, Image

COPPER = np.array([-0.28, 0.28])  # log(blue/green), log(red/green) of copper, less those of silver
# Distance in these logarithms up to which a disc may be a penny (from silver or copper) and another coin (from silver).
# In photos by people kept out of the training 99.9 % of the labelled coins lie within the first, and 99.8 % of those of
# silver within the second of the median of the others in their photo; of 31 golden dollars none does.
AGREES = np.array([0.33, 0.2, 0.2, 0.2])
SOFT = 0.04  # beyond it, each such distance more makes a coin e times less likely
FAR = 0.3  # larger distances count as this one when casts are compared: a robust loss
FEWEST = 3  # likely coins; fewer do not tell the cast
DARK = 6.0  # grey levels added to each channel: the colour of dark pixels is noise
MOST = 8.0  # log-odds against one disc, at most
# Discs below this share of the largest coin's radius get less weight in the cast: a cloth's weave has very many.
SMALLER = 0.5
LOST = 3.0  # log-odds against every disc, where most of the seeming coins have no coin's colour
# Widths, in radii of the lower coin, where a blur mixes colours: in its rim, around the upper coin's, and in that one.
OWN_EDGE, BESIDE, WITHIN = 0.035, 0.017, 0.05

_FROM_MIDDLE = np.mgrid[:CROP_PX, :CROP_PX] - (CROP_PX - 1) / 2  # (2, 80, 80): down and across, in crop pixels

Array = NDArray[np.float64]


def doubts(image: Image, discs: Sequence[Disc], ours: Array) -> Array:
    """(N, 4) log-odds against each disc's being a coin of each kind, 0 where its colour fits.

    `ours` (N, 4) are the probabilities of the kinds by everything else.
    """
    seeming = ours.sum(axis=1) > 0.5
    if seeming.sum() < FEWEST:
        return np.zeros_like(ours)
    sizes = np.array([disc.r_px for disc in discs])
    weights = ours * np.minimum(1, sizes / (SMALLER * sizes[seeming].max()))[:, None]
    off = distances(chroma(image, discs), weights)
    against = np.clip((off - AGREES) / SOFT, 0, MOST)
    coloured = (off <= AGREES).any(axis=1)
    lost = weights[coloured].sum() < 0.5 * weights.sum()
    return np.asarray(against + (LOST if lost else 0.0))


def chroma(image: Image, discs: Sequence[Disc]) -> Array:
    """(N, 2): log(blue/green) and log(red/green) of the mean colour of each disc."""
    pixels = cut(image, discs).astype(float)
    means = 3 * np.einsum("nyxc,yx->nc", pixels, DISC_MEAN) + DARK
    return np.asarray(np.log(means[:, [0, 2]] / means[:, 1:2]))


def redder(image: Image, inner: Sequence[Disc], outer: Sequence[Disc]) -> Array:
    """(N,) log(red/blue) of each disc of `inner`, less that of what shows around it of the disc of `outer` it lies in.

    0 where nothing shows.
    """
    apart = np.zeros(len(outer))
    for k, (crop, small, large) in enumerate(zip(cut(image, outer), inner, outer, strict=True)):
        down, across = _FROM_MIDDLE * (MARGIN / (CROP_PX / 2))  # in radii of the outer disc, as all that follows
        x, y = (small.x_px - large.x_px) / large.r_px, (small.y_px - large.y_px) / large.r_px
        beyond = np.hypot(across - x, down - y) - small.r_px / large.r_px
        ring = (beyond > BESIDE) & (np.hypot(across, down) < 1 - OWN_EDGE)
        within = beyond < -WITHIN
        if ring.any() and within.any():
            (blue, _, red), (ring_blue, _, ring_red) = (np.log(crop[at].mean(axis=0) + DARK) for at in (within, ring))
            apart[k] = (red - blue) - (ring_red - ring_blue)
    return apart


def distances(colours: Array, weights: Array) -> Array:
    """(N, 4) distance of `colours` (N, 2) from those of each kind, under the cast with the least distance weighted by
    `weights` (N, 4). Of a penny it is that from copper or, where this is nearer, from silver.
    """
    casts = np.concatenate([colours, colours - COPPER])
    silver = np.linalg.norm(colours[None] - casts[:, None], axis=2)  # (casts, N)
    either = np.minimum(silver, np.linalg.norm(colours[None] - casts[:, None] - COPPER, axis=2))
    off = np.stack([either if kind is Denomination.PENNY else silver for kind in BY_VALUE], axis=2)
    best = int(np.argmin((weights * np.minimum(off, FAR)).sum(axis=(1, 2))))
    return np.asarray(off[best])
