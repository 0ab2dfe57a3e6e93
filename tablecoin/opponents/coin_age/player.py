"""A computer player of Coin Age: expectimax over the rest of its turn, the other side's toss and its answer.

`strong` weighs every end of its turn, then the most promising ones by the reply they allow. `easy` looks at its own
turn only, and at a part of the possible ends drawn by lot.
"""

from __future__ import annotations

from random import Random

from tablecoin.opponents import Level
from tablecoin.opponents.coin_age.bare import as_action, bare_board, bare_node, side_of
from tablecoin.opponents.coin_age.search import Board, Node, Step, best_step, turn_ends, value
from tablecoin.rules.coin_age.state import CoinAgeAction, CoinAgeState
from tablecoin.rules.game import Seat

LOOKED_AT = 6  # ends of its turn that `strong` follows into the other side's reply
NOTICED = 3  # ends of its turn that `easy` thinks of


def choose(state: CoinAgeState, seat: Seat, level: Level, seed: int) -> CoinAgeAction:
    """The next action of `seat`'s turn. ValueError when it is not its turn."""
    if state.flip is None or state.mover != seat:
        raise ValueError(f"it is not the turn of {seat}")
    board, start, side = bare_board(state.board), bare_node(state), side_of(state)
    if level is Level.STRONG:
        step = best_step(board, start, side, LOOKED_AT)
    else:
        step = _easy_step(board, start, side, Random(seed))
    return as_action(state.board, step)


def _easy_step(board: Board, start: Node, side: int, dice: Random) -> Step | None:
    ends = turn_ends(board, start, side)
    noticed = dice.sample(list(ends), min(NOTICED, len(ends)))
    return ends[max(noticed, key=lambda node: side * value(board, node))]
