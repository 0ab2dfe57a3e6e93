"""The page gets a new row for each game that was measured, and keeps the others."""

from __future__ import annotations

import pytest

from lab.chances.calibration import Told
from lab.chances.closing import Closed
from lab.chances.page import PAGE, pictures, tables, updated

TOLD = [Told("coin-age", k, 1, "strong", [[0.25], [0.75]], [float(k % 2)], 0.0) for k in range(10)]
CLOSED = [
    Closed("goes-around", 1, 8, "strong", False, [0.02], [0.01], [0.3], [0.0], [0.2], [1.0], 9, 4, 0.1),
]


def test_the_measured_rows_are_new_and_the_others_stay() -> None:
    before = PAGE.read_text("utf-8")
    after = updated(before, TOLD, CLOSED)
    changed = [line for line in after.splitlines() if line not in before.splitlines()]
    assert changed == [
        "| goes-around | strong | 8 | 1 | 0.02 | +2.00, 0.00 | 1 of 1 | +0.300 ± 0.000 | 0.000 | 0.000 | 25.00 |",
        "| *Coin Age* | 10 | 20 | 0.312 [0.312, 0.312] | 0.0625 | 0.0000 | 0.2500 |",
    ]
    assert len(after.splitlines()) == len(before.splitlines())
    assert updated(after, TOLD, CLOSED) == after


def test_a_page_without_the_row_is_refused() -> None:
    with pytest.raises(ValueError, match=r"0 rows that begin with '. goes-around"):
        updated("# Luck and skill", [], CLOSED)


def test_pictures_and_tables_are_of_the_games_in_the_logs() -> None:
    assert [name for name, _ in pictures(TOLD)] == ["calibration-coin-age.svg"]
    (table,) = tables(TOLD)
    assert table.startswith("**coin-age**: 10 games, 20 positions.")
