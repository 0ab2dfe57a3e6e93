"""Expectimax search for both Dollar Prize games: over whole turns and every toss, with an estimate at the leaves.

It moves only through the game's own rules, so every house rule is respected. A toss that is due is averaged over all
its results (expectimax). The search deepens turn by turn until it has looked at `BUDGET` positions: a
budget of positions, not of seconds, keeps the answer a pure function of the state.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from tablecoin.coins import Coin, Heap
from tablecoin.rules.dollar_prize.prize import DollarPrize
from tablecoin.rules.dollar_prize.rows import PrizeState, Side
from tablecoin.rules.game import Action, Seat
from tablecoin.rules.toss import results_with_chances

BUDGET = 150  # positions expanded for one decision: about 30 ms on one core
STEPS = 1200  # states within turns looked at in one decision: house rules for converting make turns longer
MOST = 200  # states looked at in one turn: there may be hundreds of ways to convert, shortest first
WIDTH = 5  # replies followed below the root: the best by the estimate, for whoever moves
DEEPEST = 6  # turns

Results = Callable[[PrizeState, Heap], Iterable[tuple[tuple[Coin, ...], float]]]
AnyPrize = DollarPrize[Any, Any, Any]
Guess = Callable[[PrizeState, Side], float]  # the chance of a side to win, roughly, at the start of a turn


def every_result(state: PrizeState, due: Heap) -> Iterable[tuple[tuple[Coin, ...], float]]:
    """All that the coins due may show, each as likely as fair coins make it."""
    return results_with_chances(due)


def chances(game: AnyPrize, state: PrizeState, guess: Guess, results: Results = every_result) -> dict[Seat, float]:
    """The chance of each side to win from `state`. Where the bank can run dry, the game may be drawn: that part of the
    chance is nobody's.
    """
    heads = Search(game, Side.HEADS, guess, results).worth(state)
    if state.options.bank == "unlimited":
        return {Side.HEADS: heads, Side.TAILS: 1 - heads}
    return {Side.HEADS: heads, Side.TAILS: Search(game, Side.TAILS, guess, results).worth(state)}


class _Spent(Exception):
    pass


class Search:
    """One decision of `side`: what positions are worth to it, as its chance to win."""

    def __init__(self, game: AnyPrize, side: Side, guess: Guess, results: Results = every_result) -> None:
        """`results` gives what a toss of the coins due can mean in a state of this game, and how likely each is."""
        self._game, self._side, self._guess, self._results = game, side, guess, results
        self._left, self._steps = BUDGET, STEPS

    def best(self, state: PrizeState, turns: int = DEEPEST) -> Action:
        """The action that begins the best way to end this turn, or the best answer to what is asked.

        At most `turns` turns are looked at, this one among them.
        """
        ends = self.ends(state)
        ranked = list(ends)
        if len(ranked) > 1:
            for depth in range(turns):
                try:
                    worth = {end: self.worth(end, depth) for end in ranked}
                except _Spent:
                    if not depth:  # too many ways to look even one turn ahead
                        ranked.sort(key=lambda end: self._guess(end, self._side), reverse=True)
                    break
                ranked.sort(key=worth.__getitem__, reverse=True)
        return ends[ranked[0]]

    def ends(self, state: PrizeState) -> dict[PrizeState, Action]:
        """Every state in which the mover's turn can end, and the first action on the way there; see MOST."""
        ends: dict[PrizeState, Action] = {}
        seen = {state}
        waiting: list[tuple[PrizeState, Action | None]] = [(state, None)]
        for here, first in waiting:
            self._steps -= 1
            for action in self._game.legal_actions(here):
                there = self._game.after(here, action)
                if there in seen:
                    continue
                seen.add(there)
                if there.phase == "turn" == state.phase and there.mover is state.mover and there.round == state.round:
                    if len(waiting) < MOST:
                        waiting.append((there, first or action))
                else:
                    ends[there] = first or action
        return ends

    def worth(self, state: PrizeState, depth: int = 0) -> float:
        """The chance of our side in `state`, `depth` turns searched beyond what the toss or the swaps decide."""
        outcome = self._game.outcome(state)
        if outcome is not None:
            return outcome.winners.count(self._side) / max(1, len(outcome.winners))
        if due := self._game.toss_due(state):
            following: dict[PrizeState, float] = {}
            for coins, likely in self._results(state, due):
                after = self._game.after(state, self._game.toss_action(state, {"tray": coins}))
                following[after] = following.get(after, 0.0) + likely
            return sum(likely * self.worth(after, depth) for after, likely in following.items())
        if state.phase == "turn" and depth == 0:
            return self._guess(state, self._side)
        return self._choice(state, depth)

    def _choice(self, state: PrizeState, depth: int) -> float:
        """What the best choice of whoever acts is worth to our side."""
        if self._left == 0 or self._steps <= 0:
            raise _Spent
        self._left -= 1
        mine = self._game.to_act(state) == (self._side.value,)
        if state.phase != "turn":
            worths = [self.worth(after, depth) for after in self.ends(state)]
        else:
            mover = self._side if mine else self._side.other
            promising = sorted(self.ends(state), key=lambda end: self._guess(end, mover), reverse=True)[:WIDTH]
            worths = [self.worth(end, depth - 1) for end in promising]
        return max(worths) if mine else min(worths)
