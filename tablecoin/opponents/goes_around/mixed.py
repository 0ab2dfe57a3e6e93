"""The mixed play of a strong player of What Goes Around: the chance of each choice, from what its seat may see."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from tablecoin.opponents.goes_around.odds import PROTECT, Table, win_shares
from tablecoin.rules.game import Seat
from tablecoin.rules.goes_around.game import GAME, Commit, GoesAroundState

GLANCE, STUDY = 60, 400  # imagined games a choice, for all choices and then for the best of them
STUDIED = 6  # how many choices are studied
DOUBT = 0.01  # a choice this much worse, in shares of the win, is made less often by a factor e
TARGETS = 4  # how many others it thinks of robbing
PARTS = (1.0, 0.9, 0.7, 0.5, 0.25)  # amounts thought of, as parts of the most that may be stolen (at least 1)


def mix(state: GoesAroundState, seat: Seat) -> Mapping[Commit, float]:
    """How likely a strong player in `seat` makes each choice: the strategy is its decision, the draw is chance.

    Choices left out are never made. It looks only at what the seat may see. ValueError when the seat has nothing to
    choose.
    """
    if seat not in state.undecided:
        raise ValueError(f"seat {seat} has nothing to choose now")
    dice = np.random.default_rng(0)
    table, mine = seen_by(state, seat), int(seat) - 1
    options = thinkable(state, seat, table)
    if len(options) > STUDIED:
        glance = win_shares(table, mine, options, GLANCE, dice)
        options = [options[int(k)] for k in np.argsort(-glance, kind="stable")[:STUDIED]]
    shares = win_shares(table, mine, options, STUDY, dice)
    weights = np.exp((shares - shares.max()) / DOUBT)
    return dict(zip(options, map(float, weights / weights.sum()), strict=True))


def thinkable(state: GoesAroundState, seat: Seat, table: Table) -> list[Commit]:
    """The seat's legal choices, of the steals only some amounts from those with most to lose."""
    every = list(GAME.choices(state, seat))
    most: dict[Seat, int] = {}
    for choice in every:
        if choice.target is not None and choice.amount is not None:
            most[choice.target] = max(choice.amount, most.get(choice.target, 0))
    bare = 1.02 - table.left[:, PROTECT] / np.maximum(table.left.sum(axis=1), 1)
    targets = sorted(most, key=lambda other: -most[other] * bare[int(other) - 1])[:TARGETS]
    worth = {(target, max(1, round(part * most[target]))) for target in targets for part in PARTS}
    own = state.player(seat).bank
    worth |= {(target, own) for target in targets if 1 <= own <= most[target]}  # the most it could lose and stay
    return [choice for choice in every if choice.action != "steal" or (choice.target, choice.amount) in worth]


def seen_by(state: GoesAroundState, seat: Seat) -> Table:
    """What the seat sees, as arrays; with hide_history the others are taken to have used all actions evenly."""
    evenly = (state.round - 1) / 3
    used = []
    for other, player in zip(state.seats, state.players, strict=True):
        known = other == seat or not state.options.hide_history
        used.append((player.used.steal, player.used.protect, player.used.passed) if known else (evenly,) * 3)
    return Table.of(state, used)
