"""A computer player of What Goes Around: many imagined games from here for every choice it could make.

Others are imagined to take each action as readily as they have uses of it left, and to steal any amount from anybody.
So a player who has used up protecting is known to be unprotected, and in the last round every action is known. It sees
banks, uses and who is alive; with hide_history it assumes that everybody used all actions evenly.
"""

from __future__ import annotations

from random import Random

import numpy as np

from tablecoin.opponents import Level
from tablecoin.opponents.goes_around.mixed import seen_by, thinkable
from tablecoin.opponents.goes_around.odds import win_shares
from tablecoin.rules.game import Seat
from tablecoin.rules.goes_around.game import Commit, GoesAroundState

GLANCE, STUDY = 100, 600  # imagined games a choice, for all choices and then for the best of them
STUDIED = 6  # how many choices are studied


def choose(state: GoesAroundState, seat: Seat, level: Level, seed: int) -> Commit:
    """What `seat` commits this round. ValueError when it has nothing to choose."""
    if seat not in state.undecided:
        raise ValueError(f"seat {seat} has nothing to choose now")
    options = thinkable(state, seat)
    if level is Level.EASY:
        return _easy(state, seat, options, Random(seed))
    return _strong(state, seat, options, seed)


def _strong(state: GoesAroundState, seat: Seat, options: list[Commit], seed: int) -> Commit:
    """The choice that won most of the imagined games."""
    dice = np.random.default_rng(seed)
    table = seen_by(state, seat)
    mine = int(seat) - 1
    glance = win_shares(table, mine, options, GLANCE, dice)
    best: list[Commit] = [options[int(k)] for k in np.argsort(-glance, kind="stable")[:STUDIED]]
    study = win_shares(table, mine, best, STUDY, dice)
    return best[int(np.argmax(study))]


def _easy(state: GoesAroundState, seat: Seat, options: list[Commit], dice: Random) -> Commit:
    """Any action it has left; when stealing, seldom more than it could pay back."""
    act = dice.choice(sorted({choice.action for choice in options}))
    ways = [choice for choice in options if choice.action == act]
    modest = [choice for choice in ways if (choice.amount or 0) <= state.player(seat).bank]
    return dice.choice(modest or ways)
