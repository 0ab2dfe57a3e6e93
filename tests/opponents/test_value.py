"""Every value function: finished games are exact, chances are shares of one win, seeds repeat."""

from __future__ import annotations

from typing import Any

import pytest

from tablecoin import rules
from tablecoin.coins import Face
from tablecoin.opponents.coin_age.value import ERROR
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
    for state in course(name, 1)[::25]:
        worth = value(state, samples=32, seed=3)
        assert all(0 <= chance <= 1 for chance in worth.chance.values())
        assert sum(worth.chance.values()) <= 1 + 1e-6
        assert worth.error >= 0
        assert worth == value(state, samples=32, seed=3)


def close(one: float, other: float, error: float) -> bool:
    return abs(one - other) <= 4 * error + 1e-9


@pytest.mark.parametrize("seeds", [(4,), pytest.param((4, 5), marks=pytest.mark.long)])
def test_coin_age_is_worth_about_as_much_before_a_toss_as_after_it_on_average(seeds: tuple[int, ...]) -> None:
    game, value = rules.load("coin-age"), load("coin-age")
    gaps = []
    waiting = [state for seed in seeds for state in course("coin-age", seed) if game.phase(state) == "flip"]
    for state in waiting:
        before = value(state, samples=1, seed=1)
        after = [value(game.apply(state, toss), samples=1, seed=1) for toss in game.legal_actions(state)]
        gaps.append(before.chance["heads"] - sum(each.chance["heads"] for each in after) / len(after))
    assert len(gaps) >= 10
    assert abs(sum(gaps)) / len(gaps) < ERROR, "neither side is favoured"
    assert (sum(gap**2 for gap in gaps) / len(gaps)) ** 0.5 < 2 * ERROR, "it never saw random games"


def test_coin_age_is_exact_where_the_mover_wins_this_turn() -> None:
    """One space is left and heads leads by far: with any coin it covers the space."""
    game = rules.load("coin-age")
    start = game.write_state(game.start(game.read_options({})))
    ids = list(start["spaces"])
    spaces = (
        {space: ["penny:heads"] for space in ids[:3]}
        | {space: ["nickel:heads"] for space in ids[3:6]}
        | {space: ["dime:heads"] for space in ids[6:9]}
    )
    banks = {"heads": {"quarter": 1, "dime": 1}, "tails": {"dime": 4, "penny": 3}}
    state = game.read_state(start | {"spaces": spaces, "banks": banks})
    before = load("coin-age")(state, samples=320, seed=1)
    toss = next(each for each in game.legal_actions(state) if all(coin.face is Face.HEADS for coin in each.coins))
    after = load("coin-age")(game.apply(state, toss), samples=16, seed=1)
    assert (after.chance, after.error) == ({"heads": 1, "tails": 0}, 0)
    assert 0.75 < before.chance["heads"] <= 1


def test_sealed_choices_are_worth_what_their_reveal_brings() -> None:
    game, value = rules.load("goes-around"), load("goes-around")
    sealed = [state for state in course("goes-around", 2) if game.phase(state) == "reveal"]
    assert sealed
    for state in sealed:
        before, after = (
            value(state, samples=100, seed=1),
            value(game.apply(state, next(game.legal_actions(state))), samples=100, seed=2),
        )
        for seat, chance in before.chance.items():
            assert close(chance, after.chance[seat], before.error + after.error)


def test_coin_wars_is_worth_the_mean_of_both_faces_of_a_coin_tossed_again() -> None:
    game, value = rules.load("coin-wars"), load("coin-wars")
    again = [state for seed in range(12) for state in course("coin-wars", seed) if state.reflip]
    assert again
    for state in again[:3]:
        falls = [
            value(game.apply(state, toss), samples=50, seed=1)
            for toss in game.legal_actions(state)
            if game.actor(state, toss) == "table"
        ]
        assert len(falls) == len(Face)
        for name, chance in value(state, samples=50, seed=1).chance.items():
            assert chance == pytest.approx(sum(fall.chance[name] for fall in falls) / len(falls))
