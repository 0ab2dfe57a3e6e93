"""How often training draws each crop."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from lab.training.cropset import NONE, CropSet


def weights(crops: CropSet, shares: Mapping[str, float], kind_shares: Sequence[float]) -> NDArray[np.float64]:
    """(N,), the sum is 1: sources by the square root of their size, all sides of coins about equally.

    `shares` gives some sources another weight. `kind_shares` holds a factor for each kind, applied last.
    """
    side = crops.kind * 3 + crops.heads + 1
    result = np.zeros(len(crops))
    for source in np.unique(crops.source):
        mine = crops.source == source
        share = shares.get(str(source), math.sqrt(mine.sum()))
        even = np.zeros(len(crops))
        for value in np.unique(side[mine]):
            even[mine & (side == value)] = (mine & (side == value)).sum() ** -0.5
        result += share * even / even.sum()
    ours = crops.kind != NONE
    totals = {value: result[ours & (side == value)].sum() for value in np.unique(side[ours])}
    for value, total in totals.items():
        result[ours & (side == value)] *= total**-0.5
    result *= np.array(kind_shares)[crops.kind]
    return np.asarray(result / result.sum())
