"""What tests that look at a table load once for all of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.scenes import Scenes


@pytest.fixture(scope="session")
def loaded(scenes: Scenes) -> None:
    """The drawn mat, the textures of coins and the reader's networks: loaded before the first table is looked at."""
    from tablecoin import mat as mats
    from tablecoin.coins import Coin
    from tablecoin.virtual.camera import VirtualCamera
    from tablecoin.virtual.table import VirtualCoin, VirtualTable
    from tablecoin.vision.coins.reader import Reader

    table = VirtualTable(mats.load("two-row"), seed=1)
    table.put([VirtualCoin(Coin.DIME_TAILS.denomination, Coin.DIME_TAILS.face, 150, 150)])
    Reader("two-row").read(VirtualCamera(table, fps=0).read(1.0))
