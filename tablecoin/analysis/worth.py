"""The worth of states to every seat, each state valued once."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tablecoin.analysis.tosses import essence, outcomes
from tablecoin.opponents.value import Estimate, Valuer
from tablecoin.rules.game import Game, Seat, State


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
            told = self._valuer(state, samples=self._samples, seed=self._seed)
            chance = {str(seat): share for seat, share in told.chance.items()}
            self._known[state] = Estimate(chance, told.error, told.margin)
        return self._known[state]

    def mean(self, state: State) -> Estimate:
        """The chances just before the toss due in `state`: the mean over its outcomes."""
        after = outcomes(self._game, state)
        parts = [(self.of(each), chance) for each, chance in after.states]
        seats = dict.fromkeys(seat for part, _ in parts for seat in part.chance)
        means = {seat: sum(part.chance.get(seat, 0.0) * chance for part, chance in parts) for seat in seats}
        error = sum(part.error * chance for part, chance in parts)  # the same seed: errors may all point one way
        if not after.whole:
            error = max(error, *(_spread(parts, seat, means) for seat in seats))
        return Estimate(means, error)


def _spread(parts: list[tuple[Estimate, float]], seat: Seat, means: Mapping[Seat, float]) -> float:
    """The standard error of a mean over drawn outcomes, each of which was drawn `chance` * n times of n."""
    squares = sum(chance * (part.chance.get(seat, 0.0) - means[seat]) ** 2 for part, chance in parts)
    return float((squares * min(chance for _, chance in parts)) ** 0.5)
