"""The worth of states to every seat, each state valued once."""

from __future__ import annotations

from math import sqrt
from typing import Any

from tablecoin.analysis.tosses import SAMPLED, essence, outcomes
from tablecoin.opponents.value import Estimate, Valuer
from tablecoin.rules.game import Game, State

FEWEST = 4  # samples of one outcome of a toss


class Worth:
    """The value function of one game with a memory, so that a state is worth the same wherever it is met."""

    def __init__(self, game: Game[Any, Any, Any], valuer: Valuer, samples: int, seed: int) -> None:
        self._game, self._valuer, self._samples, self._seed = game, valuer, samples, seed
        self._known: dict[State, Estimate] = {}

    def __len__(self) -> int:
        """How many states were valued."""
        return len(self._known)

    def of(self, state: State) -> Estimate:
        """The chances in `state`, whatever is due there."""
        state = essence(state)
        if state not in self._known:
            self._known[state] = self._valued(state, self._samples, self._seed)
        return self._known[state]

    def mean(self, state: State) -> Estimate:
        """The chances just before the toss due in `state`: the mean over its outcomes, each with its true chance.

        Where chances are sampled, all outcomes together are given about as many samples as one state, and seeds of
        their own, so that their errors are independent.
        """
        after = outcomes(self._game, state)
        before = self.of(state)
        samples = max(FEWEST, self._samples // len(after.states)) if before.error else self._samples
        means = dict.fromkeys(before.chance, 0.0)
        squares = dict(means)
        for number, (each, chance) in enumerate(after.states, 1):
            part = self._valued(each, samples, self._seed + number) if before.error else self.of(each)
            for seat in means:
                share = part.chance.get(seat, 0.0)
                means[seat] += chance * share
                squares[seat] += chance * share * share
        doubled = sum(chance * chance for _, chance in after.states)  # 1 / how many equal outcomes these are worth
        error = before.error * sqrt(doubled * self._samples / samples)
        if not after.whole:
            spread = max(squares[seat] - means[seat] ** 2 for seat in means)
            error = sqrt(error**2 + max(0.0, spread) / SAMPLED)
        return Estimate(means, error)

    def _valued(self, state: State, samples: int, seed: int) -> Estimate:
        told = self._valuer(state, samples=samples, seed=seed)
        chance = {str(seat): share for seat, share in told.chance.items()}
        return Estimate(chance, told.error, told.margin)
