"""Places of coins that are laid as closely as they may lie."""

from __future__ import annotations

import pytest

from tablecoin.coins import Denomination
from tablecoin.mat import Rectangle
from tablecoin.virtual.places import packed

QUARTER, DIME, PENNY = Denomination.QUARTER, Denomination.DIME, Denomination.PENNY


def test_coins_are_packed_line_after_line_as_close_as_they_may_lie() -> None:
    """A quarter and a dime fill the first line: 1 mm to the outline, 2 mm between coins and between lines."""
    places = packed(Rectangle(x_mm=10, y_mm=20, width_mm=50, height_mm=47.4), [QUARTER, DIME, PENNY])
    assert places is not None
    assert [x for x, _ in places] == pytest.approx(
        [10 + 1 + 24.26 / 2, 10 + 1 + 24.26 + 2 + 17.91 / 2, 10 + 1 + 19.05 / 2]
    )
    assert [y for _, y in places] == pytest.approx(
        [20 + 1 + 24.26 / 2, 20 + 1 + 24.26 / 2, 20 + 1 + 24.26 + 2 + 19.05 / 2]
    )


def test_coins_without_room_are_not_packed() -> None:
    assert packed(Rectangle(x_mm=10, y_mm=20, width_mm=50, height_mm=47.2), [QUARTER, DIME, PENNY]) is None
