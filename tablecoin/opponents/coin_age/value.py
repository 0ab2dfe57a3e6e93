"""The value of Coin Age: won this turn where that can be searched, else many games imagined to their end."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import product

import numpy as np

from tablecoin.coins import Face
from tablecoin.opponents.coin_age.bare import bare_board, bare_node, side_of
from tablecoin.opponents.coin_age.playouts import (
    LONGEST,
    Bools,
    Field,
    Floats,
    games_of,
    play_on,
    repeated,
    turns_after,
    turns_of,
    turns_repeated,
)
from tablecoin.opponents.coin_age.search import RANKS, Board, Node, ended, margin, result, tossed, turn_ends
from tablecoin.opponents.value import Estimate, decided, standard_error
from tablecoin.rules.coin_age.game import GAME
from tablecoin.rules.coin_age.state import CoinAgeState
from tablecoin.rules.game import Seat

SEATS: tuple[Seat, Seat] = ("heads", "tails")
EVERY = np.array(list(product((False, True), repeat=len(RANKS))))  # (16, 4) every toss of all kinds of coins
POINT = 0.01  # what a point of margin is worth beside a win of 1


def value(state: CoinAgeState, *, samples: int, seed: int) -> Estimate:
    """Each side's chance to win, a draw counted half, and its expected margin in points. See opponents.value.Valuer.

    Exact where the game is over, and where the mover can win this turn whatever is tossed. Before a toss its results
    come up equally often.
    """
    if outcome := GAME.outcome(state):
        points = state.tally.score
        lead = points[Face.HEADS] - points[Face.TAILS]
        return decided(outcome, SEATS, {"heads": lead, "tails": -lead})
    board, node, side = bare_board(state.board), bare_node(state), side_of(state)
    starts = [node] if state.flip is not None else list(tossed(node, side))
    sure = {} if state.options.finish_turn else _won_now(board, starts, side)
    if len(sure) == len(starts):
        return _estimate(state, 1.0, sum(sure.values()) / len(starts), 0.0)
    faces, games = tosses(samples, seed), repeated(games_of([node], side), samples)
    turns = turns_after(games, faces[0]) if state.flip is None else turns_repeated(turns_of([node]), samples)
    begun = [tuple(ready) for ready in turns.ready.tolist()]
    share, leads = play_on(field_of(board), games, turns, faces)
    for k, ready in enumerate(begun):
        if (lead_now := sure.get(ready)) is not None:
            share[k], leads[k] = 1.0, lead_now
    error = standard_error(float(share.sum()), float((share**2).sum()), samples)
    return _estimate(state, float(share.mean()), float(leads.mean()), error)


def chances_after(board: Board, ends: Sequence[Node], side: int, *, samples: int, seed: int) -> Floats:
    """(ends,) the chance of `side` to win after each of these ends of its turn; all meet the same tosses.

    A win by more points counts a little more, so that one goes on well in a game that is won or lost.
    """
    faces = np.tile(tosses(samples, seed), (1, len(ends), 1))
    share, leads = play_on(field_of(board), repeated(games_of(list(ends), -side), samples), None, faces)
    theirs: Floats = (share + POINT * leads).reshape(len(ends), samples).mean(axis=1)
    return 1 - theirs


def tosses(samples: int, seed: int) -> Bools:
    """(LONGEST, samples, 4) which coins show the mover's side, turn by turn; each first toss is as frequent."""
    faces: Bools = np.random.default_rng(seed).random((LONGEST, samples, 4)) < 0.5
    whole = samples - samples % len(EVERY)
    faces[0, :whole] = np.tile(EVERY, (whole // len(EVERY), 1))
    return faces


def _won_now(board: Board, starts: Sequence[Node], side: int) -> dict[tuple[bool, ...], float]:
    """Which ranks are ready -> the best margin of a win this turn, of those starts of a turn that allow one."""
    found = {}
    for start in starts:
        bank = start.heads if side > 0 else start.tails
        if min(start.stacks.count(()), sum(bank)) <= start.place + start.pay:
            leads = [
                side * margin(board, end)
                for end in turn_ends(board, start, side)
                if ended(end) and side * result(board, end) > 0
            ]
            if leads:
                found[tuple(rank in start.ready for rank in RANKS)] = float(max(leads))
    return found


def _estimate(state: CoinAgeState, chance: float, lead: float, error: float) -> Estimate:
    """By the mover's chance and lead."""
    mover, other = state.mover.value, state.mover.other.value
    return Estimate({mover: chance, other: 1 - chance}, error, {mover: lead, other: -lead})


@cache
def field_of(board: Board) -> Field:
    return Field(board)
