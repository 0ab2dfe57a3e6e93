"""The value of Coin Age: the learned value function, and one reply ahead of it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from tablecoin.coins import Face
from tablecoin.opponents.coin_age.bare import bare_board, bare_node, side_of
from tablecoin.opponents.coin_age.learned import weighed
from tablecoin.opponents.coin_age.search import Board, Node, distinct, ended, tossed, turn_ends
from tablecoin.opponents.value import Estimate, decided
from tablecoin.rules.coin_age.game import GAME
from tablecoin.rules.coin_age.state import CoinAgeState
from tablecoin.rules.game import Seat

SEATS: tuple[Seat, Seat] = ("heads", "tails")
# How far the chance before a toss is off the mean of those after it: rms over 1,300 turns of self-played games. On
# average it is .06 below, because the best of many ends is one that is valued too highly.
ERROR = 0.08


def value(state: CoinAgeState, *, samples: int, seed: int, margin: bool = True) -> Estimate:
    """Each side's chance to win, a draw counted half, and its expected lead in points. See opponents.value.Valuer.

    Within a turn it is the best end's. Exact where the game is over or is won this turn.
    """
    if outcome := GAME.outcome(state):
        points = state.tally.score
        lead = points[Face.HEADS] - points[Face.TAILS]
        return decided(outcome, SEATS, {"heads": lead, "tails": -lead})
    board, node, side = bare_board(state.board), bare_node(state), side_of(state)
    if state.flip is None:  # the other side has just ended its turn here
        chances, leads = weighed(board, [node], -side)
        return _estimate(state, 1 - float(chances[0]), -float(leads[0]), ERROR)
    ends = list(turn_ends(board, node, side))
    chances, leads = weighed(board, ends, side)
    best = _best(chances, leads)
    won = ended(ends[best]) and chances[best] == 1
    return _estimate(state, float(chances[best]), float(leads[best]), 0.0 if won else ERROR)


def best_end(board: Board, ends: Sequence[Node], side: int, followed: int) -> Node:
    """The end of a turn after which `side` wins most often: the likeliest `followed` are weighed by the reply."""
    ends = distinct(ends)
    chances, leads = weighed(board, ends, side)
    likely = sorted(range(len(ends)), key=lambda k: (-chances[k], -leads[k]))[:followed]
    if ended(ends[likely[0]]) and chances[likely[0]] == 1:
        return ends[likely[0]]
    return max((ends[k] for k in likely), key=lambda end: _after_the_reply(board, end, side))


def _after_the_reply(board: Board, end: Node, side: int) -> float:
    """The chance of `side` once the other has tossed and ended its turn best: the mean over its tosses."""
    if ended(end):
        return float(weighed(board, [end], side)[0][0])
    replies = [distinct(list(turn_ends(board, start, -side))) for start in tossed(end, -side)]
    chances, _ = weighed(board, [node for each in replies for node in each], -side)
    firsts = np.cumsum([0, *map(len, replies)])
    best = np.maximum.reduceat(chances, firsts[:-1])
    return 1 - float(best.mean())


def _best(chances: NDArray[np.float64], leads: NDArray[np.float64]) -> int:
    """The likeliest win, and of several sure ones that by most points."""
    return int(np.lexsort((leads, chances))[-1])


def _estimate(state: CoinAgeState, chance: float, lead: float, error: float) -> Estimate:
    """By the mover's chance and lead; heads comes first, whoever moves."""
    heads, tails = Face.HEADS.value, Face.TAILS.value
    if state.mover is Face.TAILS:
        chance, lead = 1 - chance, -lead
    return Estimate({heads: chance, tails: 1 - chance}, error, {heads: lead, tails: -lead})
