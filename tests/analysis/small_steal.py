"""Steal to twelve cents, solved by plain recursion over the rules: exact, and apart from the program's own values."""

from __future__ import annotations

from functools import cache
from typing import Any

from msgspec.structs import replace

from tablecoin.opponents.value import Estimate
from tablecoin.rules.dollar_prize.rows import Toss
from tablecoin.rules.dollar_prize.steal import GAME, StealState
from tablecoin.rules.toss import results_with_chances

OPTIONS = {"goal": 12, "starter": "heads"}


def solved(state: Any, *, samples: int = 0, seed: int = 0, margin: bool = True) -> Estimate:
    """The exact chances of both seats in a state with OPTIONS."""
    heads = chance_of_heads(replace(state, round=1))
    return Estimate({"heads": heads, "tails": 1 - heads})


@cache
def chance_of_heads(state: StealState) -> float:
    """The chance that heads wins when both play perfectly; a shared prize counts one half. `round` must be 1."""
    if ended := GAME.outcome(state):
        return ended.winners.count("heads") / len(ended.winners)
    if due := GAME.toss_due(state):
        return sum(chance * _after(state, Toss(coins)) for coins, chance in results_with_chances(due))
    reached = [_after(state, action) for action in GAME.legal_actions(state)]
    return max(reached) if GAME.to_act(state) == ("heads",) else min(reached)


def _after(state: StealState, action: Any) -> float:
    return chance_of_heads(replace(GAME.apply(state, action), round=1))
