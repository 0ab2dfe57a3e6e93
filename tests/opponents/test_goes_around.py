"""The player of What Goes Around: legal, blind to what is sealed, and its odds are settled by the same rules."""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np
import pytest

from tablecoin.opponents import Level
from tablecoin.opponents.goes_around.mixed import mix
from tablecoin.opponents.goes_around.odds import CARELESS, PATIENT, STYLES, Chosen, likely_styles, settle_all
from tablecoin.opponents.goes_around.player import choose
from tablecoin.rules.goes_around.game import GAME, Commit, GoesAroundState
from tablecoin.rules.goes_around.round import ACTS, Choice, GoesAroundOptions, settle


def random_commit(state: GoesAroundState, seat: str, dice: Random) -> Commit:
    """Any action left to the seat, as likely as any other; then any target and amount."""
    ways = list(GAME.choices(state, seat))
    act = dice.choice(sorted({way.action for way in ways}))
    return dice.choice([way for way in ways if way.action == act])


def play(seed: int, seat: str, level: Level, **options: Any) -> float:
    """What `seat`, played by the computer among random players, has of the win: all, a part or nothing."""
    dice = Random(seed)
    state = GAME.start(GAME.read_options(options))
    while (acting := GAME.to_act(state)) != ():
        if acting == ("table",):
            action = next(GAME.legal_actions(state))
        elif acting[0] == seat:
            action = choose(state, seat, level, seed + state.round)
        else:
            action = random_commit(state, acting[0], dice)
        state = GAME.apply(state, action)
    outcome = GAME.outcome(state)
    assert outcome is not None
    return (seat in outcome.winners) / max(1, len(outcome.winners))


@pytest.mark.parametrize("level", Level)
@pytest.mark.parametrize("options", [{}, {"players": 2, "stake_cap": True}, {"players": 4, "hide_history": True}])
def test_it_plays_whole_games_by_the_rules(level: Level, options: dict[str, Any]) -> None:
    """An illegal choice would be refused."""
    play(1, "2", level, **options)


@pytest.mark.long
def test_strong_wins_more_than_its_share_among_eight_random_players() -> None:
    """One in nine is chance: 9 of 80 games."""
    assert sum(play(seed, str(seed % 9 + 1), Level.STRONG) for seed in range(80)) >= 20


@pytest.mark.parametrize("hide_history", [False, True])
def test_it_sees_only_what_its_seat_may_see(hide_history: bool) -> None:
    """Hiding the others' sealed choices, and with hide_history their past, changes no decision."""
    dice = Random(3)
    state = GAME.start(GAME.read_options({"players": 5, "hide_history": hide_history}))
    thinking = []  # states in which the others may have chosen and seat 4 must choose
    while GAME.outcome(state) is None:
        if state.undecided[:1] == ("4",):
            thinking.append(state)
        if state.undecided:
            state = GAME.apply(state, random_commit(state, state.undecided[0], dice))
        else:
            state = GAME.apply(state, next(GAME.legal_actions(state)))
    assert len(thinking) >= 3
    for state in thinking[:3]:
        visible = GAME.read_state(GAME.public(state, "4"))
        assert mix(state, "4") == mix(visible, "4")
        for level in Level:
            assert choose(state, "4", level, 9) == choose(visible, "4", level, 9)


def test_a_seat_that_has_chosen_is_not_asked_again() -> None:
    state = GAME.apply(GAME.start(GAME.read_options({})), Commit("1", "pass"))
    with pytest.raises(ValueError, match="nothing to choose"):
        choose(state, "1", Level.EASY, 1)
    with pytest.raises(ValueError, match="nothing to choose"):
        mix(state, "1")


def test_mixed_play_is_a_strategy_of_legal_choices_from_which_strong_draws() -> None:
    state = GAME.start(GAME.read_options({"players": 4}))
    mixed = mix(state, "2")
    assert set(mixed) <= set(GAME.choices(state, "2"))
    assert sum(mixed.values()) == pytest.approx(1)
    assert min(mixed.values()) >= 0
    drawn = {choose(state, "2", Level.STRONG, seed) for seed in range(5)}
    assert drawn <= {choice for choice, chance in mixed.items() if chance > 0}


def test_who_has_kept_all_steals_is_thought_to_be_patient() -> None:
    """After three rounds: one player has passed three times, another has done each thing once."""
    left = np.array([[3, 3, 0], [2, 2, 2]], np.float64)
    patient, even = likely_styles(left)
    assert patient.sum() == even.sum() == pytest.approx(1)
    assert patient[STYLES.index(PATIENT)] > 5 * even[STYLES.index(PATIENT)]
    assert even[STYLES.index(CARELESS)] > patient[STYLES.index(CARELESS)]


def test_in_the_last_round_it_takes_from_the_one_who_cannot_protect() -> None:
    """Seat 2 must pass, seat 3 must protect; taking from 2 is the only way to win."""
    written = GAME.write_state(GAME.start(GAME.read_options({"players": 3}))) | {
        "round": 9,
        "banks": {"1": 9, "2": 12, "3": 12},
        "used": {
            "1": {"steal": 2, "protect": 3, "pass": 3},
            "2": {"steal": 3, "protect": 3, "pass": 2},
            "3": {"steal": 3, "protect": 2, "pass": 3},
        },
    }
    choice = choose(GAME.read_state(written), "1", Level.STRONG, 1)
    assert (choice.action, choice.target) == ("steal", "2")
    assert choice.amount is not None
    assert 9 + choice.amount > 12


def test_the_odds_are_settled_as_the_rules_settle() -> None:
    dice = Random(1)
    for _ in range(300):
        count = dice.randint(2, 9)
        options = GoesAroundOptions(players=count, strict_wipeout=dice.random() < 0.5, zero_is_out=dice.random() < 0.5)
        alive = [dice.random() < 0.8 for _ in range(count)]
        banks = [dice.randint(1, 8) if lives else 0 for lives in alive]
        choices: list[Choice | None] = []
        for k, lives in enumerate(alive):
            targets = [t for t in range(count) if t != k and alive[t]]
            act = dice.choice(ACTS if targets else ("pass", "protect"))
            target = dice.choice(targets) if act == "steal" else 0
            stake = Choice("steal", str(target + 1), dice.randint(1, max(1, banks[target])))
            choices.append((stake if act == "steal" else Choice(act)) if lives else None)
        chosen = Chosen(
            np.array([[ACTS.index(c.action) if c else 2 for c in choices]]),
            np.array([[int(c.target or 1) - 1 if c else 0 for c in choices]]),
            np.array([[c.amount or 0 if c else 0 for c in choices]]),
        )
        after, stays = settle_all(np.array([banks]), np.array([alive]), chosen, options)
        deeds = settle(banks, choices, options)
        assert stays[0].tolist() == [d is not None and d.out is None for d in deeds]
        assert after[0].tolist() == [
            0 if d is None or d.out else bank - d.paid + d.gained - d.penalty
            for bank, d in zip(banks, deeds, strict=True)
        ]
