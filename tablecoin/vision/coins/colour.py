"""Colour as evidence against a disc: all coins of one picture are silver or copper under one light.

The colour cast of the light is estimated from the discs themselves: the one under which most of them are silver or
copper. A disc of another colour is not a coin of ours, even if its print looks like one: a blue key, a green badge. On
photos by people kept out of the training 99.9 % of the labelled coins lie within 0.33 of silver or copper.

Within one coin: a copper coin that lies on a silver one is redder than what shows of that one around it.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from tablecoin.vision.coins.crops import CROP_PX, DISC_MEAN, MARGIN, cut
from tablecoin.vision.frame import Disc, Image

COPPER = np.array([-0.28, 0.28])  # log(blue/green), log(red/green) of copper, less those of silver
AGREES = 0.33  # distance from silver or copper, in these logarithms, up to which a disc may be a coin
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


def doubts(image: Image, discs: Sequence[Disc], coins: Array) -> Array:
    """(N,) log-odds against each disc, 0 where its colour fits; `coins` (N,) is the probability that it is a coin."""
    if len(discs) < FEWEST or (coins > 0.5).sum() < FEWEST:
        return np.zeros(len(discs))
    sizes = np.array([disc.r_px for disc in discs])
    coins = coins * np.minimum(1, sizes / (SMALLER * sizes[coins > 0.5].max()))
    off = distances(chroma(image, discs), coins)
    against = np.clip((off - AGREES) / SOFT, 0, MOST)
    lost = coins[off <= AGREES].sum() < 0.5 * coins.sum()
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
    """(N,) distance of `colours` (N, 2) from silver or copper, under the cast with the least weighted distance."""
    casts = np.concatenate([colours, colours - COPPER])
    silver = np.linalg.norm(colours[None] - casts[:, None], axis=2)  # (casts, N)
    copper = np.linalg.norm(colours[None] - casts[:, None] - COPPER, axis=2)
    nearest = np.minimum(silver, copper)
    best = int(np.argmin((weights * np.minimum(nearest, FAR)).sum(axis=1)))
    return np.asarray(nearest[best])
