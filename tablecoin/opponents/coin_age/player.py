"""A computer player of Coin Age.

`strong` weighs every end of its turn by the learned value function, and the best of them by the other side's toss and
answer (`value`). `middle` takes the end that looks best as it stands. `easy` does so among a few ends drawn by lot.
"""

from __future__ import annotations

from random import Random

from tablecoin.opponents import Level
from tablecoin.opponents.coin_age.bare import as_action, bare_board, bare_node, side_of
from tablecoin.opponents.coin_age.search import turn_ends, value
from tablecoin.opponents.coin_age.value import best_end
from tablecoin.rules.coin_age.state import CoinAgeAction, CoinAgeState
from tablecoin.rules.game import Seat

FOLLOWED = 4  # ends of its turn that `strong` follows into the reply
NOTICED = (1, 2)  # ends of its turn that `easy` thinks of, by lot: always two of them beat random play too often


def choose(state: CoinAgeState, seat: Seat, level: Level, seed: int) -> CoinAgeAction:
    """The next action of `seat`'s turn. ValueError when it is not its turn."""
    if state.flip is None or state.mover != seat:
        raise ValueError(f"it is not the turn of {seat}")
    board, start, side = bare_board(state.board), bare_node(state), side_of(state)
    ends = turn_ends(board, start, side)
    if level is Level.STRONG:
        end = best_end(board, list(ends), side, FOLLOWED)
    else:
        dice = Random(seed)
        noticed = list(ends) if level is Level.MIDDLE else dice.sample(list(ends), min(dice.choice(NOTICED), len(ends)))
        end = max(noticed, key=lambda node: side * value(board, node))
    return as_action(state.board, ends[end])
