"""Whole games of random legal play: each ends, nothing stumbles, and what must never change never does."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import Any

import pytest

from tablecoin.coins import Heap
from tablecoin.rules import NAMES, load
from tablecoin.rules.coin_age.state import CoinAgeState, covers
from tablecoin.rules.coin_wars.character import FULL
from tablecoin.rules.coin_wars.scene import CLASSES
from tablecoin.rules.coin_wars.state import CoinWarsState
from tablecoin.rules.coin_wars.traits import TRAITS
from tablecoin.rules.dollar_prize.exact import ExactState
from tablecoin.rules.dollar_prize.rows import PrizeState
from tablecoin.rules.dollar_prize.steal import StealState
from tablecoin.rules.game import State
from tablecoin.rules.goes_around.game import GoesAroundState
from tablecoin.rules.goes_around.round import USES
from tablecoin.rules.random_play import random_game

COINS_OF_COIN_AGE = Heap(penny=6, nickel=4, dime=8, quarter=2)


def steal(before: StealState, after: StealState) -> None:
    """Coins change hands, but the two rows together only grow; the game ends by round 97.

    Each round adds at least two cents, and both rows together are never worth 200 before the game ends."""
    prize(before, after)
    assert after.round <= 97


def exact(before: ExactState, after: ExactState) -> None:
    """No row is ever worth more than the goal."""
    prize(before, after)
    assert after.rows.richest_cents <= after.options.goal


def prize(before: PrizeState, after: PrizeState) -> None:
    money = [state.rows.heads.cents + state.rows.tails.cents for state in (before, after)]
    gained = money[1] - money[0]
    assert gained in ((5,) if before.phase == "setup" else (0, 1, 5, 10, 25))
    if after.round > before.round:
        assert money[1] >= 5 + 2 * before.round, "each round both place at least a penny"


def goes_around(before: GoesAroundState, after: GoesAroundState) -> None:
    """Every penny is in a bank or has left the game; nobody acts more often than three times; nobody comes back."""
    options = after.options
    assert sum(player.bank for player in after.players) + after.left_game == options.players * options.start
    assert set(after.alive) <= set(before.alive)
    for player in after.players:
        assert player.bank >= 0
        assert player.alive or not player.bank
        assert max(player.used.steal, player.used.protect) <= USES


def coin_age(before: CoinAgeState, after: CoinAgeState) -> None:
    """All twenty coins are on the map or in a bank, and every coin of a stack is smaller than the one below."""
    lying = Heap.of(coin.denomination for stack in after.stacks for coin in stack)
    assert lying + after.banks[0] + after.banks[1] == COINS_OF_COIN_AGE
    for stack in after.stacks:
        assert all(covers(upper.denomination, lower) for lower, upper in pairwise(stack))


def coin_wars(before: CoinWarsState, after: CoinWarsState) -> None:
    """Traits stay between nothing and their rating, components between nothing and what their card says."""
    for each in after.characters:
        assert all(0 <= each.traits[name].now <= each.traits[name].rating for name in TRAITS)
        assert 0 <= each.twelfths < FULL
        assert 0 <= each.experience <= each.career
    for fighter in after.facing:
        assert all(0 <= fighter.left[name] <= after.current.components[name] for name in TRAITS)
    assert all(scene.points(after.options) in CLASSES for scene in after.scenes)


LAWS: dict[str, Callable[[Any, Any], None]] = {
    "steal": steal,
    "exact": exact,
    "goes-around": goes_around,
    "coin-wars": coin_wars,
    "coin-age": coin_age,
}


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("games", [20, pytest.param(2_000, marks=pytest.mark.long)])
def test_random_games_end_and_keep_the_laws(name: str, games: int) -> None:
    game = load(name)
    for seed in range(games):
        before: State | None = None
        for action, state in random_game(game, seed):
            if before is not None and action is not None:
                LAWS[name](before, state)
            before = state
        assert before is not None
        assert game.outcome(before) is not None, f"seed {seed}"
