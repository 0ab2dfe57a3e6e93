"""A computer player of What Goes Around.

`strong` draws from the mixed play that won most of many imagined games (`mixed`). `middle` and `easy` play by one style
each: they keep their steals for the end, when others have little protection left, `middle` longer and with better
aim. They see banks, uses and who is alive; with hide_history they assume that everybody used all actions evenly.
"""

from __future__ import annotations

from random import Random

import numpy as np

from tablecoin.opponents import Level
from tablecoin.opponents.goes_around.mixed import mix, seen_by
from tablecoin.opponents.goes_around.odds import Style, imagine
from tablecoin.rules.game import Seat
from tablecoin.rules.goes_around.game import Commit, GoesAroundState
from tablecoin.rules.goes_around.round import ACTS

# Shares won at nine among random players, where 0.11 is fair: see docs/computers.md.
STYLES = {
    Level.EASY: Style(steal=0.3, protect=0.5, rich=1, bare=1, least=0, most=1),
    Level.MIDDLE: Style(steal=0.1, protect=0.3, rich=1, bare=3, least=0.2, most=0.9),
}


def choose(state: GoesAroundState, seat: Seat, level: Level, seed: int) -> Commit:
    """What `seat` commits this round. ValueError when it has nothing to choose."""
    if seat not in state.undecided:
        raise ValueError(f"seat {seat} has nothing to choose now")
    if level in STYLES:
        return _by_style(state, seat, STYLES[level], np.random.default_rng(seed))
    mixed = mix(state, seat)
    return Random(seed).choices(list(mixed), list(mixed.values()))[0]


def _by_style(state: GoesAroundState, seat: Seat, style: Style, dice: np.random.Generator) -> Commit:
    """One choice of one imagined game in which everybody plays by `style`."""
    table, mine = seen_by(state, seat), int(seat) - 1
    banks, left, alive = table.banks[None], table.left[None], table.alive[None]
    everybody = np.tile(np.array(style), (*banks.shape, 1))
    chosen = imagine(banks, left, alive, table.options, everybody, dice)
    act = ACTS[int(chosen.act[0, mine])]
    if act != "steal":
        return Commit(seat, act)
    return Commit(seat, act, str(chosen.target[0, mine] + 1), int(chosen.amount[0, mine]))
