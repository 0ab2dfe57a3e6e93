"""Whole games of Coin Age imagined at once, in arrays: what a position is worth when both sides play plainly on.

A stack holds at most one coin of each rank, and the smallest lies on top. So one number tells a stack: the sum of
WEIGHT[rank], added for the side to move and subtracted for the other. Its size and sign tell the top coin (TOP). Before
each turn all signs are turned, so that the mover's coins are always positive.

The policy takes the action that betters `search.estimate` most, one after another, until none does.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tablecoin.opponents.coin_age.search import EXPOSED, HELD, RANKS, WON, Board, Node

Ints = NDArray[np.int16]
Floats = NDArray[np.float32]
Bools = NDArray[np.bool_]

WEIGHT = np.array([64, 16, 4, 1], np.int16)  # of ranks 1 to 4: each outweighs all larger coins together
_MOST = int(WEIGHT.sum())
LONGEST = 60  # turns imagined at most; a game that goes on longer is counted as it stands
_RANK = np.array(RANKS, np.float32)


def _top(code: int) -> int:
    rank = next((k + 1 for k, (least) in enumerate((43, 11, 3, 1)) if abs(code) >= least), 0)
    return rank if code > 0 else -rank


TOP = np.array([_top(code) for code in range(-_MOST, _MOST + 1)], np.float32)  # of code + _MOST: the top, signed


@dataclass
class Games:
    """Many games before or within the mover's turn. G games, S spaces."""

    codes: Ints  # (G, S)
    own: Ints  # (G, 4) the mover's bank by rank
    other: Ints  # (G, 4)

    def __len__(self) -> int:
        return len(self.codes)

    def take(self, which: Bools | NDArray[np.intp]) -> Games:
        return Games(self.codes[which], self.own[which], self.other[which])

    def turned(self) -> Games:
        """As the other side sees them."""
        return Games(-self.codes, self.other, self.own)


@dataclass
class Turns:
    """What each mover may still do. `ready` (G, 4): ranks that may be placed; counts (G,)."""

    ready: Bools
    place: Ints
    move: Bools
    capture: Bools


class Field:
    """The map as arrays."""

    def __init__(self, board: Board) -> None:
        count = len(board.neighbours)
        self.regions = np.zeros((count, len(board.regions)), np.float32)
        for k, region in enumerate(board.regions):
            self.regions[list(region), k] = 1
        edges = [(k, other) for k, near in enumerate(board.neighbours) for other in near]
        self.source, self.target = (np.array(ends, np.intp) for ends in zip(*edges, strict=True))
        self.one = np.eye(count, dtype=np.float32)


def games_of(nodes: list[Node], side: int) -> Games:
    """The positions as the side to move sees them."""
    codes = [[sum(int(WEIGHT[abs(c) - 1]) * (1 if c > 0 else -1) for c in s) for s in node.stacks] for node in nodes]
    heads, tails = [node.heads for node in nodes], [node.tails for node in nodes]
    own, other = (heads, tails) if side > 0 else (tails, heads)
    return Games(np.array(codes, np.int16) * np.int16(side), np.array(own, np.int16), np.array(other, np.int16))


def turns_of(nodes: list[Node]) -> Turns:
    return Turns(
        np.array([[rank in node.ready for rank in RANKS] for node in nodes], bool),
        np.array([node.place for node in nodes], np.int16),
        np.array([node.move > 0 for node in nodes], bool),
        np.array([node.capture > 0 for node in nodes], bool),
    )


def repeated(games: Games, times: int) -> Games:
    """Each game `times` times, its copies one after the other."""
    return Games(*(np.repeat(part, times, axis=0) for part in (games.codes, games.own, games.other)))


def turns_repeated(turns: Turns, times: int) -> Turns:
    return Turns(
        np.repeat(turns.ready, times, axis=0),
        np.repeat(turns.place, times),
        np.repeat(turns.move, times),
        np.repeat(turns.capture, times),
    )


def turns_after(games: Games, faces: Bools) -> Turns:
    """The turns after tosses: `faces` (G, 4) tells which coin would show the mover's side. Paying is ignored."""
    ready = faces & (games.own > 0)
    count = ready.sum(axis=1)
    return Turns(ready, np.minimum(count, 2).astype(np.int16), count <= 1, count == 0)


def play_on(field: Field, games: Games, turns: Turns | None, faces: Bools) -> tuple[Floats, Floats]:
    """(the first mover's share of the win, its final margin) of each game, (G,) each.

    `faces` (turns, G, 4) are the tosses to come, one a turn; the first is left unused where `turns` is given: the rest
    of a turn after its toss. A position before a turn that has ended already is counted as it is.
    """
    count = len(games)
    share, margin = np.zeros(count, np.float32), np.zeros(count, np.float32)
    at, sign = np.arange(count), 1
    for now in range(len(faces)):
        over = np.zeros(len(games), bool) if now == 0 and turns is not None else ended(games)
        if over.any():
            share[at[over]], margin[at[over]] = _counted(field, games.take(over), sign)
            games, at = games.take(~over), at[~over]
        if not len(games):
            break
        due = turns if now == 0 and turns is not None else turns_after(games, faces[now][at])
        _play_turn(field, games, due)
        games, sign = games.turned(), -sign
    if len(games):
        share[at], margin[at] = _counted(field, games, sign)
    return share, margin


def ended(games: Games) -> Bools:
    over: Bools = (games.codes != 0).all(axis=1) | ~games.own.any(axis=1) | ~games.other.any(axis=1)
    return over


def worth(field: Field, tops: Floats, own: Ints, other: Ints) -> Floats:
    """`search.estimate` of positions as the mover sees them, and the result of finished ones; shapes (..., S or 4)."""
    points = _points(field, tops, own, other)
    held = ((own - other) * _RANK).sum(axis=-1)
    value = points + np.float32(HELD) * held
    least = np.where(other > 0, _RANK, 5).min(axis=-1)[..., None], np.where(own > 0, _RANK, 5).min(axis=-1)[..., None]
    exposed = np.where(tops > 0, tops > least[0], -tops > least[1])
    value -= np.float32(EXPOSED) * (tops * exposed).sum(axis=-1)
    over = (tops != 0).all(axis=-1) | ~own.any(axis=-1) | ~other.any(axis=-1)
    final = points + np.float32(WON) * np.sign(points + held / 100)
    worths: Floats = np.where(over, final, value)
    return worths


def _points(field: Field, tops: Floats, own: Ints, other: Ints) -> Floats:
    """The mover's score less the other's."""
    ours, theirs = np.maximum(tops, 0) @ field.regions, np.maximum(-tops, 0) @ field.regions
    more = np.sign(tops) @ field.regions
    points: Floats = (ours * (1 + (more > 0)) - theirs * (1 + (more < 0))).sum(axis=-1)
    points += own.sum(axis=-1) - other.sum(axis=-1)
    return points


def _counted(field: Field, games: Games, sign: int) -> tuple[Floats, Floats]:
    points = _points(field, tops_of(games.codes), games.own, games.other)
    held = ((games.own - games.other) * _RANK).sum(axis=-1)
    decided = np.sign(points + held / 100)
    return ((1 + sign * decided) / 2).astype(np.float32), sign * points


def tops_of(codes: Ints) -> Floats:
    tops: Floats = TOP[codes + _MOST]
    return tops


def _play_turn(field: Field, games: Games, turns: Turns) -> None:
    """The turns are played by the policy; `games` and `turns` change."""
    while True:
        going = np.flatnonzero((turns.place > 0) & turns.ready.any(axis=1) & ~ended(games))
        if not len(going):
            break
        _place(field, games, turns, going)
    going = np.flatnonzero(turns.capture & ~ended(games))
    if len(going):
        _capture(field, games, going)
    going = np.flatnonzero(turns.move & ~ended(games))
    if len(going):
        _move(field, games, going)


def _place(field: Field, games: Games, turns: Turns, going: NDArray[np.intp]) -> None:
    some = games.take(going)
    tops = tops_of(some.codes)
    count, spaces = tops.shape
    rank = np.arange(1, 5, dtype=np.float32)
    open_ = (tops[:, None] == 0) | (np.abs(tops)[:, None] > rank[:, None])  # (g, 4, S)
    open_ &= turns.ready[going][:, :, None]
    change = (rank[:, None] - tops[:, None])[..., None] * field.one  # (g, 4, S, S)
    banks = some.own[:, None, :] - np.eye(4, dtype=np.int16)  # (g, 4, 4)
    tried = tops[:, None, None] + change
    values = worth(
        field,
        tried,
        np.broadcast_to(banks[:, :, None], (count, 4, spaces, 4)),
        np.broadcast_to(some.other[:, None, None], (count, 4, spaces, 4)),
    )
    best = _better(field, some, tops, np.where(open_, values, -np.inf).reshape(count, -1))
    turns.place[going[best < 0]] = 0
    going, best = going[best >= 0], best[best >= 0]
    kind, space = np.divmod(best, spaces)
    games.codes[going, space] += WEIGHT[kind]
    games.own[going, kind] -= 1
    turns.ready[going, kind] = False
    turns.place[going] -= 1


def _move(field: Field, games: Games, going: NDArray[np.intp]) -> None:
    some = games.take(going)
    tops = tops_of(some.codes)
    lifted, free = tops[:, field.source], tops[:, field.target] == 0
    tried = tops[:, None] + lifted[..., None] * (field.one[field.target] - field.one[field.source])
    shape = (*lifted.shape, 4)
    values = worth(
        field, tried, np.broadcast_to(some.own[:, None], shape), np.broadcast_to(some.other[:, None], shape)
    )  # fmt: skip
    best = _better(field, some, tops, np.where((lifted != 0) & free, values, -np.inf))
    going, best = going[best >= 0], best[best >= 0]
    source, target = field.source[best], field.target[best]
    games.codes[going, target] = games.codes[going, source]
    games.codes[going, source] = 0


def _capture(field: Field, games: Games, going: NDArray[np.intp]) -> None:
    some = games.take(going)
    tops = tops_of(some.codes)
    kind = np.maximum(np.abs(tops).astype(np.intp) - 1, 0)  # (g, S)
    without = tops_of(some.codes - (np.sign(tops) * WEIGHT[kind]).astype(np.int16))
    tried = tops[:, None] + (without - tops)[..., None] * field.one
    banks = some.own[:, None] + np.eye(4, dtype=np.int16)[kind]
    values = worth(field, tried, banks, np.broadcast_to(some.other[:, None], banks.shape))
    best = _better(field, some, tops, np.where(tops != 0, values, -np.inf))
    which = np.flatnonzero(best >= 0)
    going, best = going[which], best[which]
    rank = kind[which, best]
    games.codes[going, best] -= (np.sign(tops[which, best]) * WEIGHT[rank]).astype(np.int16)
    games.own[going, rank] += 1


def _better(field: Field, some: Games, tops: Floats, values: Floats) -> NDArray[np.intp]:
    """The index of each game's best action, or -1 where none betters the position."""
    best = values.argmax(axis=1)
    better = values.max(axis=1) > worth(field, tops, some.own, some.other) + 1e-4
    chosen: NDArray[np.intp] = np.where(better, best, -1)
    return chosen
