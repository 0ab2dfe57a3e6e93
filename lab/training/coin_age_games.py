"""Whole games of Coin Age at once, in arrays: the material on which the value function is trained.

A stack holds at most one coin of each rank, and the smallest lies on top. So one number tells a stack: the sum of
WEIGHT[rank], added for the side to move and subtracted for the other. Its size and sign tell the top coin (TOP). Before
each turn all signs are turned, so that the mover's coins are always positive.

A side takes the action that betters its worth of the position most, one after another, until none does.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tablecoin.opponents.coin_age.features import Floats, points, regions_of
from tablecoin.opponents.coin_age.search import EXPOSED, HELD, RANKS, WON, Board, Node

Ints = NDArray[np.int16]
Bools = NDArray[np.bool_]
Worth = Callable[["Field", Floats, Ints, Ints], Floats]  # of positions as the mover sees them: (..., S or 4) -> (...)

WEIGHT = np.array([64, 16, 4, 1], np.int16)  # of ranks 1 to 4: each outweighs all larger coins together
_MOST = int(WEIGHT.sum())
LONGEST = 120  # turns at most; a game that goes on longer is counted as it stands
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
        self.regions = regions_of(board)
        edges = [(k, other) for k, near in enumerate(board.neighbours) for other in near]
        self.source, self.target = (np.array(ends, np.intp) for ends in zip(*edges, strict=True))
        self.one = np.eye(len(board.neighbours), dtype=np.float32)


def games_of(start: Node, count: int) -> Games:
    """`count` games before the first turn of heads."""
    codes = [sum(int(WEIGHT[abs(c) - 1]) * (1 if c > 0 else -1) for c in stack) for stack in start.stacks]
    stacks, heads, tails = (np.array(part, np.int16) for part in (codes, start.heads, start.tails))
    return Games(np.tile(stacks, (count, 1)), np.tile(heads, (count, 1)), np.tile(tails, (count, 1)))


def turns_after(games: Games, faces: Bools) -> Turns:
    """The turns after tosses: `faces` (G, 4) tells which coin would show the mover's side. Paying is ignored."""
    ready = faces & (games.own > 0)
    count = ready.sum(axis=1)
    return Turns(ready, np.minimum(count, 2).astype(np.int16), count <= 1, count == 0)


class Between(NamedTuple):
    """Positions after a turn, as the side sees them that ended it, and what became of their games for that side."""

    tops: Floats  # (N, S)
    own: Ints  # (N, 4)
    other: Ints  # (N, 4)
    share: Floats  # (N,) of the win
    lead: Floats  # (N,) in points


def played(field: Field, start: Node, count: int, players: tuple[Worth, Worth], seed: int) -> tuple[Floats, Between]:
    """(heads' share of the win in each game, (count,); the positions between the turns) of so many games.

    `players`: by which worth heads and tails play.
    """
    chance = np.random.default_rng(seed)
    games, at = games_of(start, count), np.arange(count)
    share, lead = np.zeros(count, np.float32), np.zeros(count, np.float32)
    seen: list[tuple[Games, NDArray[np.intp], int]] = []
    sign = 1
    for _ in range(LONGEST):
        over = ended(games)
        share[at[over]], lead[at[over]] = _counted(field, games.take(over), sign)
        games, at = games.take(~over), at[~over]
        if not len(games):
            break
        turns = turns_after(games, chance.random((len(games), len(RANKS))) < 0.5)
        _play_turn(field, games, turns, players[0 if sign > 0 else 1])
        going = ~ended(games)
        seen.append((games.take(going), at[going], sign))
        games, sign = games.turned(), -sign
    share[at], lead[at] = _counted(field, games, sign)
    return share, _between(seen, share, lead)


def _between(seen: list[tuple[Games, NDArray[np.intp], int]], share: Floats, lead: Floats) -> Between:
    parts = [
        Between(
            tops_of(games.codes), games.own, games.other,
            share[at] if sign > 0 else 1 - share[at], sign * lead[at],
        )
        for games, at, sign in seen
    ]  # fmt: skip
    return Between(*(np.concatenate(each) for each in zip(*parts, strict=True)))


def ended(games: Games) -> Bools:
    over: Bools = (games.codes != 0).all(axis=1) | ~games.own.any(axis=1) | ~games.other.any(axis=1)
    return over


def plain(field: Field, tops: Floats, own: Ints, other: Ints) -> Floats:
    """`search.estimate` of positions, and the result of finished ones: how the middle computer weighs them."""
    lead = points(field.regions, tops, own, other)
    held = ((own - other) * _RANK).sum(axis=-1)
    value = lead + np.float32(HELD) * held
    least = np.where(other > 0, _RANK, 5).min(axis=-1)[..., None], np.where(own > 0, _RANK, 5).min(axis=-1)[..., None]
    exposed = np.where(tops > 0, tops > least[0], -tops > least[1])
    value -= np.float32(EXPOSED) * (tops * exposed).sum(axis=-1)
    return decided(field, tops, own, other, value)


def decided(field: Field, tops: Floats, own: Ints, other: Ints, value: Floats) -> Floats:
    """`value`, but of finished games their result, which outweighs everything."""
    lead, held = points(field.regions, tops, own, other), ((own - other) * _RANK).sum(axis=-1)
    over = (tops != 0).all(axis=-1) | ~own.any(axis=-1) | ~other.any(axis=-1)
    worths: Floats = np.where(over, lead + np.float32(WON) * np.sign(lead + held / 100), value)
    return worths


def _counted(field: Field, games: Games, sign: int) -> tuple[Floats, Floats]:
    """(heads' share of the win, its lead) as the games stand; `sign`: whose turn it is."""
    lead = points(field.regions, tops_of(games.codes), games.own, games.other)
    held = ((games.own - games.other) * _RANK).sum(axis=-1)
    return ((1 + sign * np.sign(lead + held / 100)) / 2).astype(np.float32), sign * lead


def tops_of(codes: Ints) -> Floats:
    tops: Floats = TOP[codes + _MOST]
    return tops


def _play_turn(field: Field, games: Games, turns: Turns, worth: Worth) -> None:
    """The turns are played; `games` and `turns` change."""
    while True:
        going = np.flatnonzero((turns.place > 0) & turns.ready.any(axis=1) & ~ended(games))
        if not len(going):
            break
        _place(field, games, turns, going, worth)
    going = np.flatnonzero(turns.capture & ~ended(games))
    if len(going):
        _capture(field, games, going, worth)
    going = np.flatnonzero(turns.move & ~ended(games))
    if len(going):
        _move(field, games, going, worth)


def _place(field: Field, games: Games, turns: Turns, going: NDArray[np.intp], worth: Worth) -> None:
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
    best = _better(worth(field, tops, some.own, some.other), np.where(open_, values, -np.inf).reshape(count, -1))
    turns.place[going[best < 0]] = 0
    going, best = going[best >= 0], best[best >= 0]
    kind, space = np.divmod(best, spaces)
    games.codes[going, space] += WEIGHT[kind]
    games.own[going, kind] -= 1
    turns.ready[going, kind] = False
    turns.place[going] -= 1


def _move(field: Field, games: Games, going: NDArray[np.intp], worth: Worth) -> None:
    some = games.take(going)
    tops = tops_of(some.codes)
    lifted, free = tops[:, field.source], tops[:, field.target] == 0
    tried = tops[:, None] + lifted[..., None] * (field.one[field.target] - field.one[field.source])
    shape = (*lifted.shape, 4)
    values = worth(
        field, tried, np.broadcast_to(some.own[:, None], shape), np.broadcast_to(some.other[:, None], shape)
    )  # fmt: skip
    best = _better(worth(field, tops, some.own, some.other), np.where((lifted != 0) & free, values, -np.inf))
    going, best = going[best >= 0], best[best >= 0]
    source, target = field.source[best], field.target[best]
    games.codes[going, target] = games.codes[going, source]
    games.codes[going, source] = 0


def _capture(field: Field, games: Games, going: NDArray[np.intp], worth: Worth) -> None:
    some = games.take(going)
    tops = tops_of(some.codes)
    kind = np.maximum(np.abs(tops).astype(np.intp) - 1, 0)  # (g, S)
    without = tops_of(some.codes - (np.sign(tops) * WEIGHT[kind]).astype(np.int16))
    tried = tops[:, None] + (without - tops)[..., None] * field.one
    banks = some.own[:, None] + np.eye(4, dtype=np.int16)[kind]
    values = worth(field, tried, banks, np.broadcast_to(some.other[:, None], banks.shape))
    best = _better(worth(field, tops, some.own, some.other), np.where(tops != 0, values, -np.inf))
    which = np.flatnonzero(best >= 0)
    going, best = going[which], best[which]
    rank = kind[which, best]
    games.codes[going, best] -= (np.sign(tops[which, best]) * WEIGHT[rank]).astype(np.int16)
    games.own[going, rank] += 1


def _better(now: Floats, values: Floats) -> NDArray[np.intp]:
    """The index of each game's best action, or -1 where none betters what the position is worth now."""
    best = values.argmax(axis=1)
    better = values.max(axis=1) > now + 1e-4
    chosen: NDArray[np.intp] = np.where(better, best, -1)
    return chosen
