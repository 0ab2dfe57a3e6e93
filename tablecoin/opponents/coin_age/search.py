"""Searching Coin Age: a turn is a small tree of placings, moves and captures; the next one begins with a toss.

Positions here are bare tuples, because a strong move looks at thousands of them. A coin is its rank (dime 1, penny 2,
nickel 3, quarter 4), negative when it shows tails; sides are +1 (heads) and -1 (tails); values are heads' advantage.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import product
from typing import NamedTuple

from tablecoin.rules.coin_age.maps import Map

Stacks = tuple[tuple[int, ...], ...]  # each bottom to top, in the order of the map's spaces
Bank = tuple[int, int, int, int]  # dimes, pennies, nickels, quarters
RANKS = (1, 2, 3, 4)
WON = 1000.0  # added to the margin in a finished game, so that winning counts first
HELD = 0.35  # value of a coin in a bank beyond its point, times its rank: it can still be placed
EXPOSED = 0.25  # share of a top coin's value discounted while the other side can cover it


class Board(NamedTuple):
    """The map as indices: for each space its neighbours, for each region its spaces."""

    neighbours: tuple[tuple[int, ...], ...]
    regions: tuple[tuple[int, ...], ...]


class Step(NamedTuple):
    """One action: what is done, with a coin's rank (place, pay) and one or two space indices."""

    do: str
    rank: int = 0
    space: int = -1
    target: int = -1


class Node(NamedTuple):
    """A point within a turn: the position and what may still be done."""

    stacks: Stacks
    heads: Bank
    tails: Bank
    ready: tuple[int, ...]  # ranks that may be placed or paid
    place: int
    pay: int
    move: int
    capture: int


def board_of(map_: Map) -> Board:
    """The bare form of a map."""
    index = {space.id: k for k, space in enumerate(map_.spaces)}
    neighbours = tuple(tuple(index[other] for other in space.neighbours) for space in map_.spaces)
    regions = tuple(tuple(index[space.id] for space in map_.within(region.id)) for region in map_.regions)
    return Board(neighbours, regions)


def margin(board: Board, node: Node) -> int:
    """Heads' score less tails', as tablecoin.rules.coin_age.score counts it."""
    total = sum(node.heads) - sum(node.tails)
    for region in board.regions:
        ours = theirs = held = 0
        for k in region:
            stack = node.stacks[k]
            if stack:
                top = stack[-1]
                if top > 0:
                    ours += top
                    held += 1
                else:
                    theirs -= top
                    held -= 1
        total += ours - theirs
        if held:
            total += ours if held > 0 else -theirs
    return total


def ended(node: Node) -> bool:
    """The last space is covered or a bank is empty."""
    return all(node.stacks) or not any(node.heads) or not any(node.tails)


def result(board: Board, node: Node) -> float:
    """The value of a finished game; equal scores are decided by the ranks left in the banks."""
    points = margin(board, node)
    tie = sum(rank * (h - t) for rank, h, t in zip(RANKS, node.heads, node.tails, strict=True))
    decided = points or tie
    return (WON if decided > 0 else -WON if decided < 0 else 0.0) + points


def estimate(board: Board, node: Node) -> float:
    """The value of a position between turns: the score as it stands, coins to come, and coins that may be covered."""
    value = float(margin(board, node))
    for rank, ours, theirs in zip(RANKS, node.heads, node.tails, strict=True):
        value += HELD * rank * (ours - theirs)
    least = {1: _smallest(node.tails), -1: _smallest(node.heads)}
    for stack in node.stacks:
        if stack:
            top = stack[-1]
            side = 1 if top > 0 else -1
            if abs(top) > least[side]:
                value -= EXPOSED * top
    return value


def steps(board: Board, node: Node, side: int) -> Iterator[tuple[Step, Node]]:
    """Actions of the turn but ending it, with the points they lead to: together they reach every end of the turn.

    Placings on different spaces commute, and on one space the larger coin goes first. So while the game cannot end
    half-way, paying comes before placing and larger coins before smaller ones; the other orders lead nowhere else.
    """
    stacks = node.stacks
    if node.place:
        ordered = _roomy(node, side)
        pay = 0 if ordered else node.pay
        for rank in node.ready:
            left = tuple(other for other in node.ready if (other < rank if ordered else other != rank))
            heads, tails = _take(node, side, rank)
            for k, stack in enumerate(stacks):
                if not stack or abs(stack[-1]) > rank:
                    placed = (*stacks[:k], (*stack, side * rank), *stacks[k + 1 :])
                    after = Node(placed, heads, tails, left, node.place - 1, pay, node.move, node.capture)
                    yield Step("place", rank, k), after
    if node.pay:
        for rank in node.ready:
            left = tuple(other for other in node.ready if other != rank)
            heads, tails = _take(node, side, rank)
            given = _more(tails, rank) if side > 0 else _more(heads, rank)
            heads, tails = (heads, given) if side > 0 else (given, tails)
            yield Step("pay", rank), Node(stacks, heads, tails, left, node.place + 1, 0, node.move, node.capture)
    if node.move:
        for k, stack in enumerate(stacks):
            for other in board.neighbours[k] if stack else ():
                if not stacks[other]:
                    moved = list(stacks)
                    moved[k], moved[other] = (), stack
                    yield Step("move", 0, k, other), node._replace(stacks=tuple(moved), move=0)
    if node.capture:
        for k, stack in enumerate(stacks):
            if stack:
                left_over = (*stacks[:k], stack[:-1], *stacks[k + 1 :])
                rank = abs(stack[-1])
                heads = _more(node.heads, rank) if side > 0 else node.heads
                tails = node.tails if side > 0 else _more(node.tails, rank)
                yield Step("capture", 0, k), node._replace(stacks=left_over, heads=heads, tails=tails, capture=0)


def turn_ends(board: Board, start: Node, side: int) -> dict[Node, Step | None]:
    """Every point the turn may be ended at -> the first action on a way there (None: end it at once).

    A point where the game is over is an end that nothing follows.
    """
    first: dict[Node, Step | None] = {start: None}
    todo = [start]
    while todo:
        node = todo.pop()
        if node is not start and ended(node):
            continue
        for step, after in steps(board, node, side):
            if after not in first:
                first[after] = first[node] or step
                todo.append(after)
    return first


def tossed(node: Node, side: int) -> Iterator[Node]:
    """The equally likely beginnings of `side`'s turn from a position between turns. Paying is ignored."""
    bank = node.heads if side > 0 else node.tails
    kinds = [rank for rank, count in zip(RANKS, bank, strict=True) if count]
    for faces in product((False, True), repeat=len(kinds)):
        ready = tuple(rank for rank, mine in zip(kinds, faces, strict=True) if mine)
        few = len(ready)
        yield Node(node.stacks, node.heads, node.tails, ready, min(few, 2), 0, int(few <= 1), int(few == 0))


def value(board: Board, node: Node) -> float:
    return result(board, node) if ended(node) else estimate(board, node)


def distinct(ends: Iterable[Node]) -> list[Node]:
    """The ends of a turn that differ in the position, whatever was left undone: of those alike the first."""
    seen: dict[tuple[Stacks, Bank, Bank], Node] = {}
    for node in ends:
        seen.setdefault((node.stacks, node.heads, node.tails), node)
    return list(seen.values())


def _roomy(node: Node, side: int) -> bool:
    """Whether no placing of this turn but the last can end the game."""
    most = node.place + node.pay
    return node.stacks.count(()) >= most and sum(node.heads if side > 0 else node.tails) >= most + node.pay


def _take(node: Node, side: int, rank: int) -> tuple[Bank, Bank]:
    if side > 0:
        return _more(node.heads, rank, -1), node.tails
    return node.heads, _more(node.tails, rank, -1)


def _more(bank: Bank, rank: int, count: int = 1) -> Bank:
    dimes, pennies, nickels, quarters = bank
    match rank:
        case 1:
            return dimes + count, pennies, nickels, quarters
        case 2:
            return dimes, pennies + count, nickels, quarters
        case 3:
            return dimes, pennies, nickels + count, quarters
        case _:
            return dimes, pennies, nickels, quarters + count


def _smallest(bank: Bank) -> int:
    """The smallest rank in a bank; above every rank when it is empty."""
    return next((rank for rank, count in zip(RANKS, bank, strict=True) if count), 5)
