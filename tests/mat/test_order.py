"""Rows in the order of their values: which coins of a row are out of order."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tablecoin.coins import BY_VALUE, Denomination, Heap
from tablecoin.mat.order import LINE_MM, Lying, out_of_order

KINDS = {"P": Denomination.PENNY, "N": Denomination.NICKEL, "D": Denomination.DIME, "Q": Denomination.QUARTER}
PITCH_MM = 27.0  # between neighbours


def row(letters: str, y_mm: float = 0.0) -> list[Lying]:
    """A line of coins from left to right."""
    return [(KINDS[letter], (PITCH_MM * k, y_mm)) for k, letter in enumerate(letters)]


ROWS: list[tuple[str, list[Lying], Heap]] = [
    ("nothing", [], Heap()),
    ("one kind", row("PPPP"), Heap()),
    ("rising to the right", row("PPNDDQ"), Heap()),
    ("rising to the left, as the other player sees it", row("QDDNPP"), Heap()),
    ("a penny outside a dime", row("PPDP"), Heap(penny=1)),
    ("a quarter among the pennies", row("PPQPPP"), Heap(quarter=1)),
    ("two lines that rise each by itself", row("PPNN") + row("PDQ", 30.0), Heap()),
    ("a snake: the second line runs back", row("PPNN") + row("QDD", 30.0), Heap()),
    ("a coin a few mm beside the line", [*row("PPNN"), (KINDS["P"], (4 * PITCH_MM, 8.0))], Heap(penny=1)),
    ("the second of two lines is out of order", row("PPNN") + row("PDP", 30.0), Heap(penny=1)),
    ("each kind in a column of its own", row("PND") + row("PND", 30.0) + row("PN", 60.0), Heap()),
]


@pytest.mark.parametrize(("coins", "stray"), [case[1:] for case in ROWS], ids=[case[0] for case in ROWS])
def test_the_fewest_coins_to_be_slotted_in_are_named(coins: list[Lying], stray: Heap) -> None:
    assert out_of_order(coins) == stray


@given(
    kinds=st.lists(st.sampled_from(BY_VALUE), max_size=12),
    off_mm=st.lists(st.floats(-LINE_MM / 2, LINE_MM / 2), min_size=12, max_size=12),
)
def test_a_few_mm_never_put_a_sorted_line_out_of_order(kinds: list[Denomination], off_mm: list[float]) -> None:
    rising = sorted(kinds, key=BY_VALUE.index)
    lying = [(kind, (PITCH_MM * k + off_mm[k] / 2, off_mm[k])) for k, kind in enumerate(rising)]
    assert not out_of_order(lying)
