"""The worth of states to every seat, each state valued once."""

from __future__ import annotations

from math import sqrt

from tablecoin.analysis.line import Line
from tablecoin.analysis.tosses import SAMPLED, essence, outcomes
from tablecoin.opponents.value import Estimate, Valuer
from tablecoin.rules.game import State

ASKED_AGAIN = 5  # uncertain states valued with a second seed, to tell whether games are imagined


class Worth:
    """The value function of one game with a memory, so that a state is worth the same wherever it is met.

    `imagines` says whether chances come from imagined games: then another seed gives others. It is found out at the
    first states whose chances are not exact.
    """

    def __init__(self, line: Line, valuer: Valuer, samples: int, seed: int) -> None:
        self._game, self._valuer, self._samples, self._seed = line.game, valuer, samples, seed
        self._known: dict[State, Estimate] = {}
        self.imagines = False
        self._to_ask = ASKED_AGAIN

    def __len__(self) -> int:
        """How many states were valued."""
        return len(self._known)

    def of(self, state: State) -> Estimate:
        """The chances in `state`, whatever is due there."""
        state = essence(state)
        if state not in self._known:
            self._known[state] = self._valued(state, self._seed)
            if self._known[state].error and self._to_ask and not self.imagines:
                self._to_ask -= 1
                self.imagines = self._valued(state, self._seed + 1) != self._known[state]
        return self._known[state]

    def mean(self, state: State) -> Estimate:
        """The chances just before the toss due in `state`: the mean over its outcomes, each with its true chance.

        Where chances come from imagined games they are those of `state` itself: each of these games tosses the coins,
        and as many of them spread over the outcomes would tell the mean no better.
        """
        before = self.of(state)
        if before.error and self.imagines:
            return before
        after = outcomes(self._game, state)
        parts = [(self.of(each), chance) for each, chance in after.states]
        means = {seat: sum(part.chance.get(seat, 0.0) * chance for part, chance in parts) for seat in before.chance}
        error = sum(part.error * chance for part, chance in parts)
        if not after.whole:
            spread = max(
                sum(chance * (part.chance.get(seat, 0.0) - means[seat]) ** 2 for part, chance in parts)
                for seat in means
            )
            error = sqrt(error**2 + spread / SAMPLED)
        return Estimate(means, error)

    def _valued(self, state: State, seed: int) -> Estimate:
        told = self._valuer(state, samples=self._samples, seed=seed)
        chance = {str(seat): share for seat, share in told.chance.items()}
        return Estimate(chance, told.error, told.margin)
