"""The computer at Exact. `strong` looks ahead; it swaps whenever that gains, and expects the other's swaps.

`easy` plays for speed alone, wastes some turns, and swaps when it gains.
"""

from __future__ import annotations

from random import Random

from tablecoin.opponents import Level
from tablecoin.opponents.dollar_prize.race import standing
from tablecoin.opponents.dollar_prize.row_search import Search
from tablecoin.rules.dollar_prize.exact import GAME, ExactState, Swap
from tablecoin.rules.dollar_prize.rows import PrizeState, Side
from tablecoin.rules.game import Action, Seat

SLIPS = 0.3  # how often the easy level makes a random legal action


def choose(state: ExactState, seat: Seat, level: Level, seed: int) -> Action:
    """What `seat` does. ValueError when it is not its turn."""
    if GAME.to_act(state) != (seat,):
        raise ValueError(f"{seat} does not act now")
    side, dice = Side(seat), Random(seed)
    legal = list(GAME.legal_actions(state))
    if gaining := [a for a in legal if isinstance(a, Swap) and a.take.cents > a.give.cents]:
        return max(gaining, key=lambda swap: guess(GAME.after(state, swap), side))
    if level is Level.STRONG:
        return Search(GAME, side, guess).best(state)
    if dice.random() < SLIPS:
        return dice.choice(legal)
    ends = Search(GAME, side, guess).ends(state)
    return ends[max(ends, key=lambda end: guess(end, side))]


def guess(state: PrizeState, side: Side) -> float:
    """An estimate of the chance of `side` to win: the row that needs fewer turns to exactly the goal."""
    return standing(state, side, state.options.goal, per_turn=0.8, per_cent=0.01)
