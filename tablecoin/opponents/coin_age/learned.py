"""The learned value function of Coin Age: a small network over the features of a position, trained by self-play.

`python -m lab train coin-age` writes its weights. It has one hidden layer, beside which the features go straight to the
two results: the logarithm of the odds of winning, and the expected lead in tens of points.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from importlib.resources import files

import msgspec
import numpy as np
from numpy.typing import NDArray

from tablecoin.opponents.coin_age.features import Floats, features, positions, regions_of
from tablecoin.opponents.coin_age.search import Board, Node, ended, margin, result
from tablecoin.storage import arrays

FILE = "learned.npz"
_MOST_BYTES = 1 << 20


class Weights(msgspec.Struct, frozen=True):
    """F features, H hidden units. A feature is taken as (feature - mean) / scale."""

    mean: Floats  # (F,)
    scale: Floats  # (F,)
    hidden: Floats  # (F, H)
    hidden_bias: Floats  # (H,)
    out: Floats  # (H, 2)
    straight: Floats  # (F, 2)
    bias: Floats  # (2,)

    def __call__(self, seen: Floats) -> Floats:
        """(..., 2) log odds and lead of `seen`, (..., F)."""
        scaled = (seen - self.mean) / self.scale
        lit = np.tanh(scaled @ self.hidden + self.hidden_bias)
        return np.asarray(lit @ self.out + scaled @ self.straight + self.bias, np.float32)


def weighed(board: Board, nodes: Sequence[Node], side: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """(the chance of `side` to win, its expected lead in points) where it ends its turn at each of these nodes, (N,).

    Finished games are exact; a draw counts half.
    """
    told = shipped()(features(_regions(board), *positions(nodes, side))).astype(np.float64)
    chances, leads = 1 / (1 + np.exp(-np.clip(told[:, 0], -30, 30))), 10 * told[:, 1]
    for k, node in enumerate(nodes):
        if ended(node):
            chances[k], leads[k] = (1 + np.sign(side * result(board, node))) / 2, side * margin(board, node)
    return chances, leads


@cache
def shipped() -> Weights:
    """The weights the program comes with."""
    found = arrays.unpacked((files("tablecoin.opponents.coin_age") / FILE).read_bytes(), _MOST_BYTES)
    return Weights(**{name: found[name].astype(np.float32) for name in Weights.__struct_fields__})


@cache
def _regions(board: Board) -> Floats:
    return regions_of(board)
