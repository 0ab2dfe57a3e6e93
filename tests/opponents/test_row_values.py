"""What states of Steal and Exact are worth: chances that add up to one, from the first toss to the end."""

from __future__ import annotations

import pytest

from tablecoin.opponents.value import load as load_value
from tablecoin.rules import load
from tablecoin.rules.random_play import random_game

GAMES = ("steal", "exact")


@pytest.mark.parametrize("name", GAMES)
def test_the_chances_of_every_state_add_up_to_one(name: str) -> None:
    game, value = load(name), load_value(name)
    played = [state for _, state in random_game(game, 4)]
    for state in [game.start(game.read_options({})), *played[:: len(played) // 8], played[-1]]:
        found = value(state, samples=1, seed=0)
        assert sum(found.chance.values()) == pytest.approx(1)
        assert found == value(state, samples=1, seed=1)


@pytest.mark.parametrize("name", GAMES)
def test_the_end_of_a_game_is_worth_its_result(name: str) -> None:
    game = load(name)
    for seed in range(3):
        *_, (_, last) = random_game(game, seed)
        outcome = game.outcome(last)
        assert outcome is not None
        found = load_value(name)(last, samples=1, seed=0)
        assert [seat for seat, chance in found.chance.items() if chance] == list(outcome.winners)
        assert found.error == 0
