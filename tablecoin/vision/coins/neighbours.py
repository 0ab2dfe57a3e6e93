"""Votes of coins that look alike: a kernel regression over the fine network's features.

(Nadaraya, On Estimating Regression, 1964.) The voters are coins that a table met before (`remembered`), or those of the
same picture that are sure (`propagation`).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tablecoin.coins import BY_VALUE
from tablecoin.vision.coins.looks import KINDS, Array

Features = NDArray[np.float32] | Array

FEATURES = 320  # inputs of the fine network's last layer
NEIGHBOURS = 5  # so many of the most similar coins vote
# Logits that a clear vote adds to each fine look; in the mean with the first look that is SHARE of it. On photos of
# people kept out of the training two denominations of 3,111 were wrong and sure by looks alone (lab/log, 2026-11-25).
WEIGHT = 8.0
SHARE = 0.75
LEAST = 0.8  # cosine similarity from which a coin may vote
WIDTH = 0.02  # of the kernel: a neighbour of similarity 1 - WIDTH counts e times less than one of similarity 1
# Weight of the case that none of them is like this coin: a neighbour of similarity 1 alone gives 91 % of a clear vote,
# one of 0.954 half of it.
PRIOR = 0.1


def votes(
    like: Array,
    kinds: NDArray[np.int64],
    heads: Array,
    least: float = LEAST,
    on_faces: NDArray[np.bool_] | None = None,
) -> Array:
    """(..., KINDS + OURS): what M voters, each at least as similar as `least`, add to the logits of coins to which they
    are as similar as `like`, (..., M): of the kinds, then of heads for each kind that it may be.

    `kinds` (M,) are their columns; `heads` (M,) is 1 for heads, -1 for tails, 0 where the face is not known. Heads of a
    kind are voted on by coins of that kind whose face is known, and by no others. `on_faces` (..., M): by which of the
    voters at all; None: by every one.
    """
    near = np.where(like >= least, np.exp((like - 1) / WIDTH), 0.0)
    on_face = near if on_faces is None else np.where(on_faces, near, 0.0)
    told = np.zeros((*like.shape[:-1], KINDS + len(BY_VALUE)))
    told[..., :KINDS] = WEIGHT * _regression(near, np.eye(KINDS)[kinds])
    for kind in set(kinds.tolist()):
        rows = np.flatnonzero((kinds == kind) & (heads != 0))
        told[..., KINDS + kind] = WEIGHT * _regression(on_face[..., rows], heads[rows, None])[..., 0]
    return told


def unit(features: Features) -> NDArray[np.float32]:
    """`features` (..., F), each scaled to length 1: their products are cosine similarities."""
    numbers = np.asarray(features, np.float32)
    length = np.sqrt((numbers * numbers).sum(axis=-1, keepdims=True)) + np.float32(1e-9)
    return np.asarray(numbers / length, np.float32)


def _regression(near: Array, says: Array) -> Array:
    """(..., K): the mean of what the nearest NEIGHBOURS say, (M, K), by their weights near (..., M); PRIOR says 0."""
    if near.shape[-1] > NEIGHBOURS:
        near = np.where(near >= np.partition(near, -NEIGHBOURS, axis=-1)[..., -NEIGHBOURS, None], near, 0.0)
    return np.asarray(near @ says / (near.sum(axis=-1) + PRIOR)[..., None])
