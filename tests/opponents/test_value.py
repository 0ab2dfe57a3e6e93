"""Every value function: finished games are exact, chances are shares of one win, seeds repeat."""

from __future__ import annotations

from typing import Any

import pytest

from tablecoin import rules
from tablecoin.opponents.value import load
from tablecoin.rules.random_play import random_game

OPTIONS: dict[str, dict[str, object]] = {
    "goes-around": {"players": 4},
    "coin-wars": {"players": ["Ann", "Bob"]},
    "coin-age": {},
}


def course(name: str, seed: int) -> list[Any]:
    """The states of a game played at random."""
    game = rules.load(name)
    return [state for _, state in random_game(game, seed, start=game.start(game.read_options(OPTIONS[name])))]


@pytest.mark.parametrize("name", OPTIONS)
def test_a_finished_game_is_worth_what_its_outcome_says(name: str) -> None:
    game = rules.load(name)
    for seed in range(5):
        end = course(name, seed)[-1]
        outcome = game.outcome(end)
        assert outcome is not None
        worth = load(name)(end, samples=10, seed=0)
        shares = {seat: worth.chance[seat] for seat in outcome.winners}
        assert shares == dict.fromkeys(outcome.winners, 1 / max(1, len(outcome.winners)))
        assert sum(worth.chance.values()) == pytest.approx(float(bool(outcome.winners)))
        assert worth.error == 0


@pytest.mark.parametrize("name", OPTIONS)
def test_chances_are_shares_of_one_win_and_seeds_repeat(name: str) -> None:
    value = load(name)
    for state in course(name, 1)[::9]:
        worth = value(state, samples=32, seed=3)
        assert all(0 <= chance <= 1 for chance in worth.chance.values())
        assert sum(worth.chance.values()) <= 1 + 1e-6
        assert worth.error >= 0
        assert worth == value(state, samples=32, seed=3)
