"""The chances in any state of Steal: the round is searched to its end, the starts of the next one are known.

A game to a dollar by the plain rules is solved (`tables.STEAL`). A game to a few cents is solved when first asked for.
With other house rules the toss is followed through the rules, and what comes after is estimated (`guess`).
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from tablecoin.coins import BY_VALUE, Heap
from tablecoin.opponents.dollar_prize.bare import (
    BEGUN,
    MOST_KNOWN,
    Counts,
    cents,
    counts,
    highest,
    more,
    nearly_plain,
    one,
    plain,
    turn_ends,
)
from tablecoin.opponents.dollar_prize.induction import LEAD, SOLVED_AT_ONCE, share, solve
from tablecoin.opponents.dollar_prize.lead import final_lead, lead_by, with_lead
from tablecoin.opponents.dollar_prize.race import standing
from tablecoin.opponents.dollar_prize.row_search import chances
from tablecoin.opponents.dollar_prize.steal_rounds import DEAREST, StealRounds, chances_to_decide, ways_to_hold
from tablecoin.opponents.dollar_prize.steal_tosses import results
from tablecoin.opponents.dollar_prize.tables import STEAL, STEAL_LEAD
from tablecoin.opponents.value import Estimate, decided
from tablecoin.rules.dollar_prize.rows import PrizeState, Side, Turn
from tablecoin.rules.dollar_prize.steal import GAME, STEAL_FROM_CENTS, StealOptions, StealState
from tablecoin.rules.game import Seat
from tablecoin.rules.toss import results_with_chances

# Standard errors of an estimate. The house rules that can be solved moved a chance by 0.004 to 0.02 (rms) in games to
# 40 cents; with a margin for those that cannot. The race missed by 0.22 (rms over 2,000 random starts of a round).
PLAIN_ERROR, RACE_ERROR = 0.1, 0.25

Begins = Callable[[Counts, Counts], float]  # the first player's chance when a round begins with these rows


def value(state: StealState, *, samples: int = 0, seed: int = 0, margin: bool = True) -> Estimate:
    """The chance of each side to win from `state`. `samples` and `seed` are not needed."""
    if ended := GAME.outcome(state):
        return decided(ended, Side, final_lead(state))
    if solved := solution(state.options):
        heads = solved.chance(state, Side.HEADS)
        return Estimate(
            {Side.HEADS: heads, Side.TAILS: 1 - heads}, solved.error, solved.margin(state) if margin else None
        )
    error = PLAIN_ERROR if nearly_plain(state.options) else RACE_ERROR
    return Estimate(chances(GAME, state, guess, results), error)


def race(state: PrizeState, side: Side) -> float:
    """A rough chance of `side`: the faster row counts, and a little its worth."""
    return standing(state, side, state.options.goal + DEAREST, per_turn=0.6, per_cent=0.015)


def guess(state: PrizeState, side: Side) -> float:
    """The chance of `side` at a turn of a game that is not solved: to a dollar the one by the plain rules."""
    if state.phase != "turn" or not nearly_plain(state.options) or not isinstance(state, StealState):
        return race(state, side)
    if state.mover is not state.first or state.turn != BEGUN:
        return _plain().chance(state, side)
    assert state.first  # a round begins: its start is looked up, not searched
    first = STEAL.worth(counts(state.rows[state.first]), counts(state.rows[state.first.other]))
    return first if side is state.first else 1 - first


class Solution:
    """A solved game: what every state of it is worth. `error` is the largest error of a chance.

    `leading`: the same game in which each cent of the final lead counts LEAD of the prize, where that is known.
    """

    def __init__(
        self, options: StealOptions, begins: Begins, error: float, cent: float = 0.0, leading: Solution | None = None
    ) -> None:
        """`begins`: the worth of each start of a round, in which a cent of the lead counts `cent`."""
        self.error, self._cent, self._leading = error, cent, leading
        self._options, self._begins, self._ceiling = options, begins, options.goal + DEAREST
        self._ways = [ways_to_hold(coin, options) for coin in BY_VALUE]
        self._known = dict[tuple[Counts, Counts, int], float]()  # of `_ended`

    def chance(self, state: StealState, side: Side) -> float:
        """The chance of `side` in a state of a game that goes on."""
        if state.phase == "setup":
            tosses = results_with_chances(GAME.toss_due(state) or Heap())
            begun = ((GAME.after(state, GAME.toss_action(state, {"tray": coins})), p) for coins, p in tosses)
            return sum(p * self.chance(after, side) for after, p in begun)
        assert state.first
        first = self._first(state, counts(state.rows[state.first]), counts(state.rows[state.first.other]))
        return first if side is state.first else 1 - first

    def margin(self, state: StealState) -> dict[Seat, float] | None:
        """By how many cents each side is expected to lead in the end; None where that is not known."""
        if not self._leading:
            return None
        return lead_by(self._leading.chance(state, Side.HEADS) - self.chance(state, Side.HEADS))

    def _first(self, state: StealState, a: Counts, b: Counts) -> float:
        """The chance of whoever plays first in each round and has row `a`, against row `b`."""
        if state.phase == "steal":
            return self._ended(a, b, min(1, state.extra))
        if state.phase == "break" and state.steal:
            kind = BY_VALUE.index(state.steal.coin)
            if state.steal.receiver is state.first:
                return self._received_by_first(more(a, one(kind, -1)), b, kind, min(1, state.extra))
            return self._received_by_other(a, more(b, one(kind, -1)), kind, min(1, state.extra))
        if state.mover is not state.first:
            return self._replied(a, b, state.turn)
        return max(self._replied(end, b, BEGUN) for end in turn_ends(a, self._ceiling, state.turn))

    def _replied(self, a: Counts, b: Counts, turn: Turn) -> float:
        return min(self._ended(a, end, 0) for end in turn_ends(b, self._ceiling, turn))

    def _ended(self, a: Counts, b: Counts, extra: int) -> float:
        """`_before_the_toss`, each worked out once. An lru_cache over the method would keep this object for ever."""
        known = self._known.get((a, b, extra))
        if known is None:
            if len(self._known) >= MOST_KNOWN:
                self._known.clear()
            known = self._known[a, b, extra] = self._before_the_toss(a, b, extra)
        return known

    def _before_the_toss(self, a: Counts, b: Counts, extra: int) -> float:
        """The chance when both have played, before the steal: the round's, or the `extra` one that ends a tie."""
        if max(cents(a), cents(b)) < STEAL_FROM_CENTS:
            return self._begins(a, b)
        likely = chances_to_decide(max(highest(a), highest(b)))
        nothing, moved = 1 - sum(likely), 0.0
        for kind, p in enumerate(likely):
            if a[kind] == b[kind]:
                nothing += p
            elif a[kind] > b[kind]:
                moved += p * self._received_by_other(more(a, one(kind, -1)), b, kind, extra)
            else:
                moved += p * self._received_by_first(a, more(b, one(kind, -1)), kind, extra)
        if extra and self._options.tie_flips == "until":
            return moved / (1 - nothing)  # what decides nothing is tossed again
        return moved + nothing * self._settled(a, b, extra)

    def _received_by_first(self, a: Counts, b: Counts, kind: int, extra: int) -> float:
        """The chance when the first player adds a stolen coin to row `a`, whole or broken, whichever is best."""
        return max(self._settled(more(a, way), b, extra) for way in self._ways[kind])

    def _received_by_other(self, a: Counts, b: Counts, kind: int, extra: int) -> float:
        return min(self._settled(a, more(b, way), extra) for way in self._ways[kind])

    def _settled(self, a: Counts, b: Counts, extra: int) -> float:
        """The chance once the steal is over."""
        first, other = cents(a), cents(b)
        if max(first, other) < self._options.goal:
            return self._begins(a, b)
        flips = self._options.tie_flips
        if first != other or flips == extra or flips == 0 or a == b:
            return share(first, other, self._cent)  # equal rows stay equal in every steal
        return self._ended(a, b, 1)


def _plain() -> Solution:
    """The game to a dollar by the plain rules."""
    solved = _solved(StealOptions())
    assert solved
    return solved


@cache
def _solved(options: StealOptions) -> Solution | None:
    if options == StealOptions():
        leading = Solution(options, with_lead(STEAL, STEAL_LEAD), STEAL.error, LEAD)
        return Solution(options, STEAL.worth, STEAL.error, leading=leading)
    if options.goal > SOLVED_AT_ONCE:
        return None
    rounds = StealRounds(options)
    begun, number = solve(rounds.rows, rounds), rounds.rows.number
    return Solution(options, lambda first, other: float(begun[number[first], number[other]]), 0.0)


def solution(options: StealOptions) -> Solution | None:
    """The solved game with these house rules, if it is solved: by the plain rules, to a dollar or to a few cents."""
    if not plain(options):
        return None
    played = StealOptions(goal=options.goal, break_one_step=options.break_one_step, tie_flips=options.tie_flips)
    return _solved(played)
