"""A computer player of Coin Age: expectimax over the rest of its turn, the other side's toss and its answer.

`strong` weighs every end of its turn, then the most promising ones by the reply they allow. `easy` looks at its own
turn only, and at a part of the possible ends drawn by lot.
"""

from __future__ import annotations

from functools import cache
from random import Random

from tablecoin.coins import BY_SIZE, Coin, Face, Heap
from tablecoin.opponents import Level
from tablecoin.opponents.coin_age.search import Bank, Board, Node, Step, best_step, board_of, turn_ends, value
from tablecoin.rules.coin_age.maps import Map
from tablecoin.rules.coin_age.score import RANK
from tablecoin.rules.coin_age.state import Capture, CoinAgeAction, CoinAgeState, Done, Move, Pay, Place
from tablecoin.rules.game import Seat

LOOKED_AT = 6  # ends of its turn that `strong` follows into the other side's reply
NOTICED = 3  # ends of its turn that `easy` thinks of


def choose(state: CoinAgeState, seat: Seat, level: Level, seed: int) -> CoinAgeAction:
    """The next action of `seat`'s turn. ValueError when it is not its turn."""
    if state.flip is None or state.mover != seat:
        raise ValueError(f"it is not the turn of {seat}")
    board, start = _board(state.board), _node(state)
    side = 1 if state.mover is Face.HEADS else -1
    if level is Level.STRONG:
        step = best_step(board, start, side, LOOKED_AT)
    else:
        step = _easy_step(board, start, side, Random(seed))
    return _action(state.board, step)


def _easy_step(board: Board, start: Node, side: int, dice: Random) -> Step | None:
    ends = turn_ends(board, start, side)
    noticed = dice.sample(list(ends), min(NOTICED, len(ends)))
    return ends[max(noticed, key=lambda node: side * value(board, node))]


@cache
def _board(map_: Map) -> Board:
    return board_of(map_)


def _node(state: CoinAgeState) -> Node:
    allowed = state.allowed
    return Node(
        stacks=tuple(tuple(map(_signed, stack)) for stack in state.stacks),
        heads=_bank(state.banks[0]),
        tails=_bank(state.banks[1]),
        ready=tuple(sorted(RANK[kind] for kind in state.ready)),
        place=allowed.place,
        pay=allowed.pay,
        move=allowed.move,
        capture=allowed.capture,
    )


def _signed(coin: Coin) -> int:
    return RANK[coin.denomination] if coin.face is Face.HEADS else -RANK[coin.denomination]


def _bank(heap: Heap) -> Bank:
    return heap.dime, heap.penny, heap.nickel, heap.quarter


def _action(map_: Map, step: Step | None) -> CoinAgeAction:
    match step:
        case Step("place", rank, space):
            return Place(BY_SIZE[rank - 1], map_.spaces[space].id)
        case Step("pay", rank):
            return Pay(BY_SIZE[rank - 1])
        case Step("move", _, source, target):
            return Move(map_.spaces[source].id, map_.spaces[target].id)
        case Step("capture", _, space):
            return Capture(map_.spaces[space].id)
        case _:
            return Done()
