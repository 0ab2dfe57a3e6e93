"""The value of What Goes Around, from many imagined games in which everybody plays as strong computers do."""

from __future__ import annotations

import numpy as np

from tablecoin.opponents.goes_around.odds import Table
from tablecoin.opponents.goes_around.strong_play import StrongPlay
from tablecoin.opponents.value import Estimate, decided, standard_error
from tablecoin.rules.goes_around.game import GAME, Commit, GoesAroundState


def value(state: GoesAroundState, *, samples: int, seed: int, margin: bool = True) -> Estimate:
    """Each seat's share of the win. See opponents.value.Valuer.

    It knows everything: sealed choices count, and all uses also with hide_history. Whoever has not chosen is imagined
    to choose. So it may be shown only after the reveal, or for a state without choices and secrets.
    """
    if outcome := GAME.outcome(state):
        return decided(outcome, state.seats)
    dice = np.random.default_rng(seed)
    imagined = StrongPlay(everything(state), samples)
    first = imagined.choices(dice)
    for k, player in enumerate(state.players):
        if made := player.choice:
            first = first.put(k, [Commit(state.seats[k], made.action, made.target, made.amount)] * samples)
    imagined.settle(first)
    sure = imagined.rounds == 0 and not state.undecided
    shares = imagined.shares(dice)
    sums = zip(shares.sum(axis=0), (shares**2).sum(axis=0), strict=True)
    error = 0.0 if sure else max(standard_error(float(total), float(squares), samples) for total, squares in sums)
    return Estimate(dict(zip(state.seats, map(float, shares.mean(axis=0)), strict=True)), error)


def everything(state: GoesAroundState) -> Table:
    """The whole state as arrays."""
    return Table.of(state, [(p.used.steal, p.used.protect, p.used.passed) for p in state.players])
