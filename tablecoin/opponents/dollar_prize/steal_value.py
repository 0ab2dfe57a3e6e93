"""The chances in any state of Steal: the turn and the round are searched to their end, the next round is looked up."""

from __future__ import annotations

from tablecoin.opponents.dollar_prize.row_search import Search
from tablecoin.opponents.dollar_prize.steal_player import guess, worth
from tablecoin.opponents.dollar_prize.steal_worth import GOAL
from tablecoin.opponents.value import Estimate
from tablecoin.rules.dollar_prize.rows import Side, Turn
from tablecoin.rules.dollar_prize.steal import GAME, StealState
from tablecoin.rules.toss import results_with_chances

TABLE_ERROR = 0.14  # mean error of the table over random rows
GUESS_ERROR = 0.2  # of the race estimate, played with another goal or freer converting


def value(state: StealState, *, samples: int = 0, seed: int = 0) -> Estimate:
    """What each side's chance to win is worth in `state`. `samples` and `seed` are not needed."""
    by_the_book = state.options.goal == GOAL and not (state.options.multi_convert or state.options.any_equal_convert)
    if ended := GAME.outcome(state):
        return Estimate({side: (side in ended.winners) / max(1, len(ended.winners)) for side in Side})
    heads = _chance(state) if by_the_book else guess(state, Side.HEADS)
    return Estimate({Side.HEADS: heads, Side.TAILS: 1 - heads}, TABLE_ERROR if by_the_book else GUESS_ERROR)


def _chance(state: StealState) -> float:
    if state.phase == "setup":
        due = GAME.toss_due(state)
        assert due
        return sum(
            likely * _chance(GAME.after(state, GAME.toss_action(state, {"tray": coins})))
            for coins, likely in results_with_chances(due)
        )
    if state.phase == "turn" and state.mover is state.first and state.turn != Turn():
        ends = [worth(end, Side.HEADS) for end in Search(GAME, Side.HEADS, guess).ends(state)]
        return max(ends) if state.mover is Side.HEADS else min(ends)
    return worth(state, Side.HEADS)
