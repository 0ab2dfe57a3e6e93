"""What the value function looks at in a position of Coin Age, as numbers of about one.

A position stands between two turns: `own` has just ended one, `other` tosses next.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tablecoin.opponents.coin_age.search import RANKS, Board, Node

Floats = NDArray[np.float32]

_RANK = np.array(RANKS, np.float32)
_NONE = 5.0  # above every rank: of an empty bank


def regions_of(board: Board) -> Floats:
    """(spaces, regions): 1 where a space lies in a region."""
    inside = np.zeros((len(board.neighbours), len(board.regions)), np.float32)
    for k, region in enumerate(board.regions):
        inside[list(region), k] = 1
    return inside


def positions(nodes: Sequence[Node], side: int) -> tuple[Floats, Floats, Floats]:
    """(top coins (N, spaces), own bank (N, 4), the other's (N, 4)) as `side` sees them.

    A top coin is its rank, negative where it is the other side's, and 0 on an empty space.
    """
    tops = np.array([[stack[-1] if stack else 0 for stack in node.stacks] for node in nodes], np.float32) * side
    heads, tails = np.array([[node.heads, node.tails] for node in nodes], np.float32).transpose(1, 0, 2)
    return (tops, heads, tails) if side > 0 else (tops, tails, heads)


def points(regions: Floats, tops: Floats, own: NDArray[Any], other: NDArray[Any]) -> Floats:
    """(...) the own score less the other's, as `search.margin` counts it."""
    ours, theirs, held = _regions(regions, tops)
    lead: Floats = (ours * (1 + (held > 0)) - theirs * (1 + (held < 0))).sum(axis=-1)
    lead += own.sum(axis=-1) - other.sum(axis=-1)
    return lead


def features(regions: Floats, tops: Floats, own: Floats, other: Floats) -> Floats:
    """(..., features) of positions whose arrays end with axes (spaces,), (4,) and (4,)."""
    ours, theirs, held = _regions(regions, tops)
    lead = points(regions, tops, own, other) / 10
    smallest = [np.where(bank > 0, _RANK, _NONE).min(axis=-1) for bank in (own, other)]
    # Top coins that the other side could cover: it still has a smaller coin.
    ours_bare, theirs_bare = tops * (tops > smallest[1][..., None]), -tops * (-tops > smallest[0][..., None])
    free = (tops == 0).astype(np.float32)
    room, open_ = free.sum(axis=-1), free @ regions > 0
    left = own.sum(axis=-1), other.sum(axis=-1)
    ends = np.minimum(np.minimum(*left), room)  # coins that the game may still take
    near = np.exp(-ends / 2), np.exp(-ends / 5)
    nearly = np.exp(-left[0] / 2), np.exp(-left[1] / 2), np.exp(-room / 2)
    columns = [
        lead,
        *np.moveaxis(own / 2, -1, 0), *np.moveaxis(other / 2, -1, 0),
        *((tops == rank).sum(axis=-1) / 4 for rank in (*RANKS, *(-rank for rank in RANKS))),
        ours_bare.sum(axis=-1) / 10, theirs_bare.sum(axis=-1) / 10,
        (ours_bare @ regions * (held > 0)).sum(axis=-1) / 10, (theirs_bare @ regions * (held < 0)).sum(axis=-1) / 10,
        # regions that one coin more would turn
        ((held == 1) * ours).sum(axis=-1) / 10, ((held == -1) * theirs).sum(axis=-1) / 10,
        ((held == 0) * (ours - theirs)).sum(axis=-1) / 10,
        ((held == 1) & open_).sum(axis=-1) / 3, ((held == -1) & open_).sum(axis=-1) / 3,
        (held >= 2).sum(axis=-1) / 3, (held <= -2).sum(axis=-1) / 3,
        (smallest[0] - 3) / 2, (smallest[1] - 3) / 2,
        room / 10, left[0] / 10, left[1] / 10,
        *near, *(lead * each for each in near), *nearly, *(lead * each for each in nearly),
    ]  # fmt: skip
    return np.stack([np.asarray(column, np.float32) for column in columns], axis=-1)


def _regions(regions: Floats, tops: Floats) -> tuple[Floats, Floats, Floats]:
    """Of each region: the ranks of the own top coins, those of the other's, and how many more the own are."""
    return np.maximum(tops, 0) @ regions, np.maximum(-tops, 0) @ regions, np.sign(tops) @ regions
