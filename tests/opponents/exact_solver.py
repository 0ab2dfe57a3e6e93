"""The worth of states of a small game, worked out through the rules alone: every action, every toss, to every end."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from tablecoin.rules.dollar_prize.prize import DollarPrize
from tablecoin.rules.dollar_prize.rows import PrizeState, Side
from tablecoin.rules.toss import results_with_chances


class Solver:
    """Chances of Heads, remembered by state; `known` holds every state that was reached, all in round 1.

    `cent`: what each cent by which Heads leads in the end counts beside the prize.
    """

    def __init__(self, game: DollarPrize[Any, Any, Any], cent: float = 0.0) -> None:
        self._game, self._cent = game, cent
        self.known: dict[PrizeState, float] = {}

    def heads(self, state: PrizeState) -> float:
        """The share of the prize that Heads has from `state` when both play perfectly."""
        state = replace(state, round=1)  # what a state is worth does not depend on the round's number
        if state not in self.known:
            self.known[state] = self._worked_out(state)
        return self.known[state]

    def _worked_out(self, state: PrizeState) -> float:
        game = self._game
        if ended := game.outcome(state):
            lead = state.rows[Side.HEADS].cents - state.rows[Side.TAILS].cents
            return ended.winners.count("heads") / max(1, len(ended.winners)) + self._cent * lead
        if due := game.toss_due(state):
            tosses = ((game.toss_action(state, {"tray": coins}), p) for coins, p in results_with_chances(due))
            return sum(p * self.heads(game.apply(state, toss)) for toss, p in tosses)
        after = [self.heads(game.apply(state, action)) for action in game.legal_actions(state)]
        return max(after) if game.to_act(state) == ("heads",) else min(after)
