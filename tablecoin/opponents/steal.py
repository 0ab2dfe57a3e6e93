"""The computer at Steal. Strong looks ahead over every toss; easy plays for speed alone and wastes some turns."""

from __future__ import annotations

from functools import cache
from random import Random

from tablecoin.coins import Coin, Face, Heap
from tablecoin.opponents import Level
from tablecoin.opponents.race import standing
from tablecoin.opponents.row_search import Search
from tablecoin.rules.game import Action, Seat
from tablecoin.rules.rows import PrizeState, Side
from tablecoin.rules.steal import GAME, StealState

SLIPS = 0.3  # how often the easy level does just anything
DEAREST = 25  # cents: the most the last coin placed can add beyond the goal


def choose(state: StealState, seat: Seat, level: Level, seed: int) -> Action:
    """What `seat` does. ValueError when it is not its turn."""
    if GAME.to_act(state) != (seat,):
        raise ValueError(f"{seat} does not act now")
    if level is Level.STRONG:
        return Search(GAME, Side(seat), guess, decisive_results).best(state)
    dice = Random(seed)
    legal = list(GAME.legal_actions(state))
    if dice.random() < SLIPS:
        return dice.choice(legal)
    ends = Search(GAME, Side(seat), guess).ends(state)
    return ends[max(ends, key=lambda end: guess(end, Side(seat)))]


def guess(state: PrizeState, side: Side) -> float:
    """The chance of `side` to win, roughly: the faster row, and a little for what it is worth already."""
    return standing(state, side, state.options.goal + DEAREST, per_turn=0.6, per_cent=0.015)


@cache
def decisive_results(coins: Heap) -> tuple[tuple[tuple[Coin, ...], float], ...]:
    """The results of a steal's toss that differ in what they decide: the first heads, from the highest coin down.

    The i-th coin decides with chance 2**-i, none of n with 2**-n (rule 5.3).
    """
    kinds = list(reversed(list(coins)))
    results: list[tuple[tuple[Coin, ...], float]] = []
    for decisive in kinds:
        faces = [Face.HEADS if kind is decisive else Face.TAILS for kind in kinds]
        results.append((tuple(map(Coin.of, kinds, faces)), 0.5 ** (len(results) + 1)))
    return (*results, (tuple(Coin.of(kind, Face.TAILS) for kind in kinds), 0.5 ** len(kinds)))
