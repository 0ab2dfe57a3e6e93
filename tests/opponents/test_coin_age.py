"""The Coin Age player: always legal, the same for the same seed, takes a win that lies open, beats random play."""

from __future__ import annotations

from random import Random

import pytest

from tablecoin.coins import Coin, Denomination, Heap
from tablecoin.opponents import Level
from tablecoin.opponents.coin_age.player import choose
from tablecoin.rules.coin_age.game import GAME
from tablecoin.rules.coin_age.state import CoinAgeState, Done, Place, Toss
from tablecoin.rules.game import TABLE


def play(seed: int, seat: str, level: Level, **options: object) -> tuple[str, ...]:
    """The winners of a game in which `seat` is the computer and the other side plays at random."""
    dice = Random(seed)
    state = GAME.start(GAME.read_options(options))
    while (acting := GAME.to_act(state)) != ():
        legal = list(GAME.legal_actions(state))
        action = choose(state, seat, level, seed) if acting == (seat,) else dice.choice(legal)
        assert action in legal
        state = GAME.apply(state, action)
    outcome = GAME.outcome(state)
    assert outcome is not None
    return outcome.winners


@pytest.mark.parametrize("options", [{}, {"map": "lagoon", "finish_turn": True}])
def test_easy_plays_whole_games_by_the_rules(options: dict[str, object]) -> None:
    for seed in range(3):
        play(seed, "tails", Level.EASY, **options)


@pytest.mark.long
@pytest.mark.timeout(900)
def test_strong_beats_random_play() -> None:
    """Nine in ten is asked for. A player as good as random would win 33 of 40 once in 50,000 tries."""
    won = sum(
        play(seed, ("heads", "tails")[seed % 2], Level.STRONG) == (("heads", "tails")[seed % 2],) for seed in range(40)
    )
    assert won >= 33


def endgame(**banks: Heap) -> CoinAgeState:
    """Heads to toss, one space left; heads leads by far."""
    state = GAME.start(GAME.read_options({}))
    spaces = {space.id: ["nickel:heads"] for space in state.board.spaces[:3]} | {
        space.id: ["dime:tails"] for space in state.board.spaces[3:7]
    } | {space.id: ["penny:heads"] for space in state.board.spaces[7:9]}  # fmt: skip
    return GAME.read_state(GAME.write_state(state) | {"spaces": spaces, "banks": banks})


def test_it_ends_the_game_when_that_wins() -> None:
    state = endgame(heads=Heap(quarter=1, dime=1), tails=Heap(dime=2, nickel=1, quarter=1, penny=3))
    state = GAME.apply(state, Toss((Coin.QUARTER_HEADS, Coin.DIME_TAILS)))
    action = choose(state, "heads", Level.STRONG, 0)
    assert action == Place(Denomination.QUARTER, "C1")
    outcome = GAME.outcome(GAME.apply(state, action))
    assert outcome is not None
    assert outcome.winners == ("heads",)


def test_it_plays_only_on_its_own_turn_and_repeats_itself() -> None:
    state = GAME.start(GAME.read_options({}))
    with pytest.raises(ValueError, match="not the turn"):
        choose(state, "heads", Level.EASY, 1)
    state = GAME.apply(state, next(GAME.legal_actions(state)))
    with pytest.raises(ValueError, match="not the turn"):
        choose(state, "tails", Level.EASY, 1)
    assert GAME.to_act(state) != (TABLE,)
    for level in Level:
        assert choose(state, "heads", level, 5) == choose(state, "heads", level, 5)


def test_with_nothing_to_do_it_is_done() -> None:
    state = GAME.start(GAME.read_options({}))
    none = next(a for a in GAME.legal_actions(state) if isinstance(a, Toss) and all(c.face == "tails" for c in a.coins))
    assert choose(GAME.apply(state, none), "heads", Level.STRONG, 1) == Done()
