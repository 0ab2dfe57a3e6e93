"""How likely each round thing of a photo is a coin of ours, by what the others are.

Who photographs coins photographs mostly coins of one country: where all the others are ours, so is this one, with the
odds of Laplace's rule of succession (Essai philosophique sur les probabilités, 1814).
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from tablecoin.vision.coins.looks import OURS, Array, Looks, normalised


def heard(looks: Looks, ours: Array) -> Looks:
    """The looks at N discs with these prior odds; `ours` (N,) is the probability that each is a coin of ours."""
    others = ours.sum() - ours
    odds = np.log1p(others) - np.log1p(len(ours) - 1 - others)
    kinds = looks.kinds.copy()
    kinds[:, OURS] += odds[:, None]
    return replace(looks, kinds=normalised(kinds))
