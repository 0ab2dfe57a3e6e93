"""All coins of one picture lie in one light: silver ones share a colour, copper ones share another beside it.

Which cast the light has is found from the discs themselves: the one under which most of them are silver or copper. A
disc that is neither is no coin of ours, however much its print looks like one: a blue key, a green badge. On photos of
strangers' coins 99.9 % of the labelled coins lie within 0.33 of the nearer of the two.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from tablecoin.vision.coins.crops import DISC_MEAN, cut
from tablecoin.vision.frame import Disc, Image

COPPER = np.array([-0.28, 0.28])  # log of blue and of red against green, beside silver
AGREES = 0.33  # distance from silver or copper that coins under one light do not exceed
SOFT = 0.04  # how much further off a disc is e times less likely a coin
FAR = 0.3  # distances beyond this all speak alike against a cast
FEWEST = 3  # discs; fewer say nothing about the light
DARK = 6.0  # grey levels added: dark pixels have no colour
MOST = 8.0  # log odds against a disc, at most
SMALLER = 0.5  # discs below this share of the largest coin's radius have less to say: a cloth's weave is full of them
LOST = 3.0  # and against all, where most of the seeming coins are of no coin's colour

Array = NDArray[np.float64]


def doubts(image: Image, discs: Sequence[Disc], coins: Array) -> Array:
    """(N,) log odds against each disc's being a coin, 0 where its colour fits; `coins` (N,) says how likely each is."""
    if len(discs) < FEWEST or (coins > 0.5).sum() < FEWEST:
        return np.zeros(len(discs))
    sizes = np.array([disc.r_px for disc in discs])
    coins = coins * np.minimum(1, sizes / (SMALLER * sizes[coins > 0.5].max()))
    off = distances(chroma(image, discs), coins)
    against = np.clip((off - AGREES) / SOFT, 0, MOST)
    lost = coins[off <= AGREES].sum() < 0.5 * coins.sum()
    return np.asarray(against + (LOST if lost else 0.0))


def chroma(image: Image, discs: Sequence[Disc]) -> Array:
    """(N, 2): log of the mean blue and red of each disc against its green."""
    pixels = cut(image, discs).astype(float)
    means = 3 * np.einsum("nyxc,yx->nc", pixels, DISC_MEAN) + DARK
    return np.asarray(np.log(means[:, [0, 2]] / means[:, 1:2]))


def distances(colours: Array, weights: Array) -> Array:
    """(N,) how far each of `colours` (N, 2) is from silver or copper, under the cast that suits the weighted most."""
    casts = np.concatenate([colours, colours - COPPER])
    silver = np.linalg.norm(colours[None] - casts[:, None], axis=2)  # (casts, N)
    copper = np.linalg.norm(colours[None] - casts[:, None] - COPPER, axis=2)
    nearest = np.minimum(silver, copper)
    best = int(np.argmin((weights * np.minimum(nearest, FAR)).sum(axis=1)))
    return np.asarray(nearest[best])
