"""How many turns a row needs to the goal: the estimate behind both Dollar Prize players.

The row is played alone and greedily: convert whenever that raises the highest coin, and place the highest coin allowed.
The number of turns predicts the winner better than the row's worth: a quarter brings 25 cents every turn.
"""

from __future__ import annotations

from functools import lru_cache
from math import exp

from tablecoin.coins import BY_VALUE, Denomination, Heap
from tablecoin.rules.change import RECIPES
from tablecoin.rules.dollar_prize.rows import PrizeState, Side

FOREVER = 99  # turns: more than any row needs


@lru_cache(maxsize=1 << 16)
def turns_to(row: Heap, goal: int, ceiling: int) -> int:
    """Turns until `row` is worth `goal` cents, placing and converting greedily and never exceeding `ceiling` cents."""
    turns = 0
    while row.cents < goal and turns < FOREVER:
        row, converted = _raised(row)
        row += Heap.of([_highest_allowed(row, ceiling)])
        if not converted:
            row, _ = _raised(row)
        turns += 1
    return turns


def standing(state: PrizeState, side: Side, ceiling: int, per_turn: float, per_cent: float) -> float:
    """An estimate of the chance of `side` to win: a logistic function of the turns and the cents it is ahead."""
    goal = state.options.goal
    turns = {who: turns_to(state.rows[who], goal, ceiling) for who in Side}
    if state.mover and state.mover is not state.first:
        turns[state.mover] -= 1  # this turn still belongs to the round under way
    ahead = turns[side.other] - turns[side]
    cents = state.rows[side].cents - state.rows[side.other].cents
    return 1 / (1 + exp(-per_turn * ahead - per_cent * cents))


def _raised(row: Heap) -> tuple[Heap, bool]:
    """The row after the conversion to the highest coin, if one beats the coins the row has."""
    for give, take in reversed(RECIPES):
        if give in row and (row.highest is None or take.cents > row.highest.cents):
            return row - give + Heap.of([take]), True
    return row, False


def _highest_allowed(row: Heap, ceiling: int) -> Denomination:
    highest = row.highest.cents if row.highest else 1
    allowed = [kind for kind in BY_VALUE if kind.cents <= min(highest, ceiling - row.cents)]
    return allowed[-1] if allowed else Denomination.PENNY
