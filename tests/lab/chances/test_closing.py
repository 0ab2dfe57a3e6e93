"""Self-played games of every game are analysed, and the sum of luck and skill closes."""

from __future__ import annotations

import pytest

from lab.chances.calibration import told
from lab.chances.closing import Closed, analysed, table
from lab.chances.selfplay import FIRST, played
from tablecoin.journal.record import replay

TABLES = [
    ("exact", 40),
    ("goes-around", 4),
    *(
        pytest.param(*many, marks=pytest.mark.long)
        for many in (("steal", 40), ("goes-around", 24), ("coin-wars", 24), ("coin-age", 4))
    ),
]


@pytest.mark.parametrize(("game", "samples"), TABLES)
def test_the_sum_closes_within_its_error(game: str, samples: int) -> None:
    found = analysed(game, samples, "strong", FIRST + 1)
    assert abs(found.gap) <= max(3 * found.error[0], 1e-9)
    assert sum(found.end) <= 1 + 1e-9
    assert found.states > 0


def test_a_game_in_which_nobody_errs_loses_nothing() -> None:
    """Strong against strong in the solved games: the result is the start and the luck."""
    exact = analysed("exact", 1, "strong", FIRST + 1)
    assert exact.exact
    assert [*exact.lost, exact.gap] == pytest.approx([0, 0, 0], abs=1e-9)


@pytest.mark.parametrize("game", ["steal", pytest.param("coin-wars", marks=pytest.mark.long)])
def test_a_number_always_gives_the_same_game(game: str) -> None:
    record = played(game, FIRST + 3)
    assert record == played(game, FIRST + 3)
    *_, last = replay(record)
    assert last.ok


def test_a_game_is_told_by_its_chances_and_its_end() -> None:
    one = told("steal", 1, "strong", FIRST)
    assert one.shares in ([0.0], [0.5], [1.0])
    assert len(one.chances) > 10
    assert all(0 <= chance <= 1 for (chance,) in one.chances)


def test_the_table_has_a_row_a_game() -> None:
    one = Closed(
        "steal", 1, 8, "strong", False, [0.02, -0.01], [0.01, 0.01], [0.3, -0.3], [0, 0], [0.2, 0.8], [1, 0], 9, 4, 0.1
    )
    assert one.gap == pytest.approx(0.03)
    assert "| steal | strong | 8 | 1 | 0.03 | +3.00, 0.00 | 1 of 1 |" in table([one])
