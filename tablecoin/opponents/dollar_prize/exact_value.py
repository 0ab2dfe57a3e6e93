"""The chances in any state of Exact, estimated by which row needs fewer turns to the goal."""

from __future__ import annotations

from tablecoin.opponents.dollar_prize.exact_player import guess
from tablecoin.opponents.value import Estimate
from tablecoin.rules.dollar_prize.exact import GAME, ExactState
from tablecoin.rules.dollar_prize.rows import Side

GUESS_ERROR = 0.2  # of the race estimate


def value(state: ExactState, *, samples: int = 0, seed: int = 0) -> Estimate:
    """What each side's chance to win is worth in `state`. `samples` and `seed` are not needed."""
    if ended := GAME.outcome(state):
        return Estimate({side: (side in ended.winners) / max(1, len(ended.winners)) for side in Side})
    heads = guess(state, Side.HEADS)
    return Estimate({Side.HEADS: heads, Side.TAILS: 1 - heads}, GUESS_ERROR)
