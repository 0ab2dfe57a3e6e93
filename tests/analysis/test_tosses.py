"""What a toss could have come to: each state once, with its true chance."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from tablecoin.analysis.tosses import outcomes
from tablecoin.coins import Coin, Heap
from tablecoin.rules import load


class Thrown:
    """A game of one toss that counts the heads."""

    def __init__(self, **due: Heap) -> None:
        self.due = due

    def tosses_due(self, state: Any) -> Mapping[str, Heap]:
        return self.due

    def toss_action(self, state: Any, seen: Mapping[str, tuple[Coin, ...]]) -> int:
        return sum(coin.face == "heads" for coins in seen.values() for coin in coins)

    def apply(self, state: Any, action: int) -> int:
        return action


def thrown(**due: Heap) -> dict[Any, float]:
    """The chance of each number of heads."""
    game: Any = Thrown(**due)
    start: Any = 0
    return dict(outcomes(game, start).states)


def test_the_setup_of_steal_has_six_outcomes_with_binomial_chances() -> None:
    game = load("steal")
    found = outcomes(game, game.start(game.read_options({"starter": "heads"})))
    assert [chance * 32 for _, chance in found.states] == [1, 5, 10, 10, 5, 1]
    assert found.whole


def test_results_that_lead_to_the_same_state_are_one() -> None:
    found = thrown(tray=Heap(penny=1, dime=1), other=Heap(nickel=2))
    assert found == {0: 1 / 16, 1: 4 / 16, 2: 6 / 16, 3: 4 / 16, 4: 1 / 16}


def test_a_hundred_pennies_are_counted_not_sampled() -> None:
    found = thrown(tray=Heap(penny=100))
    assert len(found) == 101
    assert sum(found.values()) == pytest.approx(1)
    assert found[50] == pytest.approx(0.0795892, abs=1e-7)


def test_beyond_the_bound_the_same_results_are_drawn_again() -> None:
    many = Heap(penny=10, nickel=10, dime=10)
    found = thrown(tray=many)
    assert sum(found.values()) == pytest.approx(1)
    assert found[15] != pytest.approx(0.1444644, abs=1e-7)  # a sample
    assert sum(heads * chance for heads, chance in found.items()) == pytest.approx(15, abs=0.5)
    assert found == thrown(tray=many)


def test_no_toss_is_due() -> None:
    with pytest.raises(ValueError, match="no toss"):
        thrown()
