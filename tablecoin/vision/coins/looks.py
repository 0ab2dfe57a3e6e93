"""What discs look like to the networks, without regard to their sizes: log-probabilities, one row a disc."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tablecoin.coins import BY_VALUE

# The columns of every array over kinds: each of BY_VALUE in its order, then NOT_A_COIN.
OURS = slice(0, len(BY_VALUE))  # the US coins the games are played with
NOT_A_COIN = len(BY_VALUE)  # anything else: another coin, a button, print
KINDS = len(BY_VALUE) + 1

Array = NDArray[np.float64]
Rows = Sequence[int] | NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class Looks:
    """What the networks say of N discs."""

    kinds: Array  # (N, KINDS) log-probabilities
    faces: Array  # (N, OURS) log-odds of heads against tails, should the disc be of that kind
    views: NDArray[np.int64]  # (N,) number of views of the disc whose opinions were averaged; 0: not looked at yet

    @classmethod
    def unseen(cls, count: int) -> Looks:
        """Of `count` discs that nobody looked at: every kind and face is equally likely."""
        return cls(np.full((count, KINDS), -np.log(KINDS)), np.zeros((count, NOT_A_COIN)), np.zeros(count, np.int64))

    def __getitem__(self, rows: Rows) -> Looks:
        return Looks(self.kinds[rows], self.faces[rows], self.views[rows])

    def put(self, rows: Rows, others: Looks) -> Looks:
        """These, with `others` in place of `rows`."""
        kinds, faces, views = self.kinds.copy(), self.faces.copy(), self.views.copy()
        kinds[rows], faces[rows], views[rows] = others.kinds, others.faces, others.views
        return Looks(kinds, faces, views)

    def joined(self, others: Looks) -> Looks:
        """The mean over all views of these and of `others`, further views of the same discs: a logarithmic pool."""
        views = self.views + others.views
        mine = (self.views / views)[:, None]
        kinds = mine * self.kinds + (1 - mine) * others.kinds
        return Looks(normalised(kinds), mine * self.faces + (1 - mine) * others.faces, views)


def heads_if(faces: Array) -> Array:
    """(N, OURS) probability of heads, should it be of that kind, by the log-odds of `faces`."""
    return np.asarray(1 / (1 + np.exp(-faces)))


def normalised(logs: Array) -> Array:
    """(N, K) log-weights shifted so that each row's probabilities sum to 1."""
    return np.asarray(logs - np.logaddexp.reduce(logs, axis=1, keepdims=True))
