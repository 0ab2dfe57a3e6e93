"""The value of What Goes Around, from many imagined games."""

from __future__ import annotations

import numpy as np

from tablecoin.opponents.goes_around.odds import Chosen, Table, imagine, imagined_shares, settle_all, spread
from tablecoin.opponents.value import Estimate, decided
from tablecoin.rules.goes_around.game import GAME, GoesAroundState
from tablecoin.rules.goes_around.round import ACTS, USES


def value(state: GoesAroundState, *, samples: int, seed: int) -> Estimate:
    """Each seat's share of the win. See opponents.value.Valuer.

    It knows everything: sealed choices count, and all uses also with hide_history. Whoever has not chosen is imagined
    to choose. So it is for after the reveal, or for a state without choices.
    """
    if outcome := GAME.outcome(state):
        return decided(outcome, state.seats)
    dice = np.random.default_rng(seed)
    table = everything(state)
    banks, left, alive = spread(table.banks, samples), spread(table.left, samples), spread(table.alive, samples)
    first = _sealed(state, imagine(banks, left, alive, table.options, dice))
    banks, alive = settle_all(banks, alive, first, table.options)
    left = np.maximum(left - (first.act[..., None] == np.arange(3)), 0)
    for _ in range(table.rounds - 1):
        chosen = imagine(banks, left, alive, table.options, dice)
        banks, alive = settle_all(banks, alive, chosen, table.options)
        left = np.maximum(left - (chosen.act[..., None] == np.arange(3)), 0)
    shares = imagined_shares(banks, alive, table.options)
    error = float(shares.std(axis=0, ddof=1).max() / np.sqrt(samples)) if samples > 1 else 0.5
    return Estimate(dict(zip(state.seats, map(float, shares.mean(axis=0)), strict=True)), error)


def everything(state: GoesAroundState) -> Table:
    """The whole state as arrays."""
    used = [(p.used.steal, p.used.protect, p.used.passed) for p in state.players]
    return Table(
        banks=np.array([p.bank for p in state.players], np.int64),
        left=USES - np.array(used, np.float64),
        alive=np.array([p.alive for p in state.players], bool),
        rounds=state.options.rounds - state.round + 1,
        options=state.options,
    )


def _sealed(state: GoesAroundState, chosen: Chosen) -> Chosen:
    """The choices with those already made in place of imagined ones."""
    for k, player in enumerate(state.players):
        if made := player.choice:
            chosen.act[:, k] = ACTS.index(made.action)
            chosen.target[:, k] = int(made.target or k + 1) - 1
            chosen.amount[:, k] = made.amount or 0
    return chosen
