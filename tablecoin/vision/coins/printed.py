"""At which scale a mat was printed, by the coins that lie on it."""

from __future__ import annotations

import numpy as np

from tablecoin.rules.rulebook import Message
from tablecoin.vision.coins.candidates import diameters_mm
from tablecoin.vision.coins.network import Identifier
from tablecoin.vision.coins.reader import Reader
from tablecoin.vision.frame import Frame, Reading
from tablecoin.vision.place.plane import Plane

_OFF = 0.05  # share by which coins seem off together before a photo's mat is blamed
_COINS = 3  # fewer say nothing: one may be read as another kind


def measured_share(frame: Frame, plane: Plane, identifier: Identifier) -> float | None:
    """The coins' diameters by the mat, as a share of their true ones: 1.41 on one printed at 71 %. None: too few coins.

    They are read without the mat, whose scale would hide coins of other sizes than it expects. The median counts,
    because the rim of a single coin may be 10 % off.
    """
    coins = [coin for coin in Reader("none", identifier=identifier).read(frame).coins if coin.sure and coin.coin]
    if len(coins) < _COINS:
        return None
    true_mm = [coin.coin.denomination.diameter_mm for coin in coins if coin.coin]
    return float(np.median(diameters_mm(plane, [coin.disc for coin in coins]) / true_mm))


def wrongly_printed(reading: Reading, frame: Frame, plane: Plane, identifier: Identifier) -> tuple[Message, ...]:
    """The warning that the mat under a photo's coins was printed at another scale. Looked into where `reading`, on this
    mat, is not sure of most coins, or has none."""
    if 2 * sum(coin.sure for coin in reading.coins) > len(reading.coins):
        return ()
    share = measured_share(frame, plane, identifier)
    if share is None or abs(share - 1) <= _OFF:
        return ()
    return (Message("vision.mat.scale", {"percent": round(100 * share)}),)
