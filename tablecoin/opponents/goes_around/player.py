"""A computer player of What Goes Around: many imagined games from here for every choice it could make.

Others are imagined to take each action as readily as they have uses of it left, and to steal any amount from anybody.
So a player who has used up protecting is known to be unprotected, and in the last round every action is known. It sees
banks, uses and who is alive; with hide_history it assumes that everybody used all actions evenly.
"""

from __future__ import annotations

from random import Random

import numpy as np

from tablecoin.opponents import Level
from tablecoin.opponents.goes_around.odds import Table, win_shares
from tablecoin.rules.game import Seat
from tablecoin.rules.goes_around.game import GAME, Commit, GoesAroundState
from tablecoin.rules.goes_around.round import USES

GLANCE, STUDY = 100, 600  # imagined games a choice, for all choices and then for the best of them
STUDIED = 6  # how many choices are studied
PARTS = (1.0, 0.75, 0.5, 0.25, 0.0)  # amounts it thinks of, as parts of the most it may steal (at least 1)


def choose(state: GoesAroundState, seat: Seat, level: Level, seed: int) -> Commit:
    """What `seat` commits this round. ValueError when it has nothing to choose."""
    if seat not in state.undecided:
        raise ValueError(f"seat {seat} has nothing to choose now")
    options = _thinkable(state, seat)
    if level is Level.EASY:
        return _easy(state, seat, options, Random(seed))
    return _strong(state, seat, options, seed)


def _strong(state: GoesAroundState, seat: Seat, options: list[Commit], seed: int) -> Commit:
    """The choice that won most of the imagined games."""
    dice = np.random.default_rng(seed)
    table = _table(state, seat)
    mine = int(seat) - 1
    glance = win_shares(table, mine, options, GLANCE, dice)
    best: list[Commit] = [options[int(k)] for k in np.argsort(-glance, kind="stable")[:STUDIED]]
    study = win_shares(table, mine, best, STUDY, dice)
    return best[int(np.argmax(study))]


def _thinkable(state: GoesAroundState, seat: Seat) -> list[Commit]:
    """The seat's legal choices, of the steals only some amounts from each target."""
    every = list(GAME.choices(state, seat))
    most: dict[Seat, int] = {}
    for choice in every:
        if choice.target is not None and choice.amount is not None:
            most[choice.target] = max(choice.amount, most.get(choice.target, 0))
    worth = {(target, max(1, round(part * amount))) for target, amount in most.items() for part in PARTS}
    own = state.player(seat).bank
    worth |= {(target, own) for target, amount in most.items() if 1 <= own <= amount}  # the most it could lose and stay
    return [choice for choice in every if choice.action != "steal" or (choice.target, choice.amount) in worth]


def _easy(state: GoesAroundState, seat: Seat, options: list[Commit], dice: Random) -> Commit:
    """Any action it has left; when stealing, seldom more than it could pay back."""
    act = dice.choice(sorted({choice.action for choice in options}))
    ways = [choice for choice in options if choice.action == act]
    modest = [choice for choice in ways if (choice.amount or 0) <= state.player(seat).bank]
    return dice.choice(modest or ways)


def _table(state: GoesAroundState, seat: Seat) -> Table:
    """What the seat sees, as arrays."""
    evenly = (state.round - 1) / 3
    used = []
    for other, player in zip(state.seats, state.players, strict=True):
        known = other == seat or not state.options.hide_history
        used.append((player.used.steal, player.used.protect, player.used.passed) if known else (evenly,) * 3)
    return Table(
        banks=np.array([player.bank for player in state.players], np.int64),
        left=USES - np.array(used, np.float64),
        alive=np.array([player.alive for player in state.players], bool),
        rounds=state.options.rounds - state.round + 1,
        options=state.options,
    )
