"""The arithmetic of calibration, on games whose chances are known."""

from __future__ import annotations

from random import Random

import pytest

from lab.chances.calibration import Told, calibration, table, wilson
from lab.chances.diagram import diagram


def game(number: int, chances: list[float], share: float) -> Told:
    return Told("toy", number, 1, "strong", [[chance] for chance in chances], [share], 0.0)


def tossed(said: float, true: float, games: int) -> list[Told]:
    """Games of one position, each won with chance `true` and said to be won with chance `said`."""
    dice = Random(1)
    return [game(k, [said], float(dice.random() < true)) for k in range(games)]


@pytest.mark.parametrize(
    ("won", "count", "low", "high"), [(0.5, 100, 0.4038, 0.5962), (0.0, 10, 0.0, 0.2775), (1, 1, 0.2065, 1)]
)
def test_wilson_intervals_of_the_textbook(won: float, count: int, low: float, high: float) -> None:
    assert wilson(won, count) == pytest.approx((low, high), abs=1e-4)


def test_no_trial_has_no_interval() -> None:
    with pytest.raises(ValueError, match="no trial"):
        wilson(0.5, 0)


def test_what_is_called_seventy_percent_is_won_so_often() -> None:
    found = calibration(tossed(0.7, 0.7, 2000))
    (one,) = [each for each in found.bins if each]
    assert one.low < 0.7 < one.high
    assert found.brier == pytest.approx(0.21, abs=0.01)
    assert found.low < found.brier < found.high


def test_chances_that_are_too_bold_are_found_out() -> None:
    found = calibration(tossed(0.9, 0.6, 2000))
    (one,) = [each for each in found.bins if each]
    assert one.high < 0.9
    assert found.reliability == pytest.approx(0.09, abs=0.02)


def test_the_score_is_reliability_less_resolution_and_uncertainty() -> None:
    found = calibration(tossed(0.25, 0.2, 300) + tossed(0.85, 0.9, 300))
    assert found.brier == pytest.approx(found.reliability - found.resolution + found.uncertainty)


def test_many_positions_of_a_game_do_not_make_it_surer() -> None:
    once = calibration([game(k, [0.5], k % 2) for k in range(50)])
    often = calibration([game(k, [0.5] * 20, k % 2) for k in range(50)])
    assert [each.low for each in often.bins if each] == [each.low for each in once.bins if each]
    assert often.positions == 20 * once.positions


def test_the_table_and_the_diagram_tell_the_counts() -> None:
    found = calibration(tossed(0.7, 0.7, 40))
    assert "40 games, 40 positions" in table("toy", found)
    assert diagram("Toy & Co", found).startswith("<svg")
    assert "Toy &amp; Co: 40 games" in diagram("Toy & Co", found)
