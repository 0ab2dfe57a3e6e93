"""The computer at Steal. `strong` follows every reply and every toss of the round; `easy` looks at its own turn only.

At the next round's start the worth is looked up (`steal_worth`). That table is of games to a dollar by the four
recipes, one a turn; with another goal, or freer converting, both levels go by which row is faster.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from random import Random

from tablecoin.coins import Coin, Face, Heap
from tablecoin.opponents import Level
from tablecoin.opponents.dollar_prize.race import standing
from tablecoin.opponents.dollar_prize.row_search import Search
from tablecoin.opponents.dollar_prize.steal_worth import GOAL, chance
from tablecoin.rules.change import breaks
from tablecoin.rules.dollar_prize.rows import PrizeState, Rows, Side, Toss
from tablecoin.rules.dollar_prize.steal import GAME, Keep, StealState
from tablecoin.rules.game import Action, Seat

SLIPS = 0.3  # how often the easy level makes a random legal action
DEAREST = 25  # cents: the most the last coin placed can add beyond the goal


def choose(state: StealState, seat: Seat, level: Level, seed: int) -> Action:
    """What `seat` does. ValueError when it is not its turn."""
    if GAME.to_act(state) != (seat,):
        raise ValueError(f"{seat} does not act now")
    side, dice = Side(seat), Random(seed)
    search = Search(GAME, side, guess, results)
    by_the_book = state.options.goal == GOAL and not (state.options.multi_convert or state.options.any_equal_convert)
    if level is Level.STRONG and by_the_book:
        ends = search.ends(state)
        return ends[max(ends, key=lambda end: worth(end, side))]
    if level is Level.STRONG:
        return search.best(state)
    legal = list(GAME.legal_actions(state))
    if dice.random() < SLIPS:
        return dice.choice(legal)
    ends = search.ends(state)
    return ends[max(ends, key=lambda end: guess(end, side))]


def guess(state: PrizeState, side: Side) -> float:
    """An estimate of the chance of `side` to win: the faster row, and a little for its worth."""
    return standing(state, side, state.options.goal + DEAREST, per_turn=0.6, per_cent=0.015)


def worth(state: PrizeState, side: Side) -> float:
    """The chance of `side` to win when both play perfectly from here; `state` stands at the end of a turn or choice."""
    assert isinstance(state, StealState)
    if ended := GAME.outcome(state):
        return ended.winners.count(side) / max(1, len(ended.winners))
    if due := GAME.toss_due(state):
        tossed = ((GAME.after(state, Toss(coins)), likely) for coins, likely in results(state, due))
        return sum(likely * worth(after, side) for after, likely in tossed)
    first = state.first or side
    if state.phase == "break":
        return _broken(state, first, side)
    if state.mover is first:
        return _begins(state.rows, first, side)
    replies = [worth(end, side) for end in Search(GAME, side, guess).ends(state)]
    return max(replies) if state.mover is side else min(replies)


def _broken(state: StealState, first: Side, side: Side) -> float:
    """The worth of a stolen coin, kept or broken as its receiver likes best."""
    assert state.steal
    receiver, coin = state.steal.receiver, Heap.of([state.steal.coin])
    if GAME.reached(state):
        return worth(GAME.after(state, Keep()), side)  # breaking changes no total
    left = state.rows.put(receiver, state.rows[receiver] - coin)
    ways = [left.put(receiver, left[receiver] + way) for way in (coin, *breaks(state.steal.coin))]
    worths = [_begins(rows, first, side) for rows in ways]
    return max(worths) if receiver is side else min(worths)


def _begins(rows: Rows, first: Side, side: Side) -> float:
    """The worth of a round about to begin."""
    won = chance(rows[first], rows[first.other])
    return won if first is side else 1 - won


def results(state: PrizeState, due: Heap) -> Sequence[tuple[tuple[Coin, ...], float]]:
    """What the toss due in `state` can come to. A tie-break is repeated until something is decided.

    With `tie_flips` "until" the results after which it is only repeated drop out; the others share their chance.
    """
    every = decisive_results(due)
    if not isinstance(state, StealState) or state.options.tie_flips != "until":
        return every
    last = [(coins, likely) for coins, likely in every if not GAME.toss_due(GAME.after(state, Toss(coins)))]
    decided = sum(likely for _, likely in last)
    return [(coins, likely / decided) for coins, likely in last]


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
