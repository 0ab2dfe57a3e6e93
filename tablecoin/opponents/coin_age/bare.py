"""States of Coin Age in the bare form of the search, and its steps as actions of the rules."""

from __future__ import annotations

from functools import cache

from tablecoin.coins import BY_SIZE, Coin, Face, Heap
from tablecoin.opponents.coin_age.search import Bank, Board, Node, Step, board_of
from tablecoin.rules.coin_age.maps import Map
from tablecoin.rules.coin_age.score import RANK
from tablecoin.rules.coin_age.state import Capture, CoinAgeAction, CoinAgeState, Done, Move, Pay, Place


@cache
def bare_board(map_: Map) -> Board:
    return board_of(map_)


def bare_node(state: CoinAgeState) -> Node:
    """The point within a turn at which `state` stands; before the toss nothing may be done."""
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


def side_of(state: CoinAgeState) -> int:
    """The mover: +1 for heads, -1 for tails."""
    return 1 if state.mover is Face.HEADS else -1


def as_action(map_: Map, step: Step | None) -> CoinAgeAction:
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


def _signed(coin: Coin) -> int:
    return RANK[coin.denomination] if coin.face is Face.HEADS else -RANK[coin.denomination]


def _bank(heap: Heap) -> Bank:
    return heap.dime, heap.penny, heap.nickel, heap.quarter
