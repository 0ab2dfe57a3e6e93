"""The chances in any state of Exact: the round is searched to its end, the starts of the next one are known.

A game to a dollar by the plain rules is solved (`tables.EXACT`). A game to a few cents is solved when first asked for.
With other house rules the swaps are followed through the rules, and what comes after is estimated (`guess`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache

from tablecoin.coins import Heap
from tablecoin.opponents.dollar_prize.bare import (
    BEGUN,
    MOST_KNOWN,
    Counts,
    cents,
    counts,
    nearly_plain,
    plain,
    turn_ends,
)
from tablecoin.opponents.dollar_prize.exact_rounds import ExactRounds, become, kinds_to_swap
from tablecoin.opponents.dollar_prize.induction import LEAD, SOLVED_AT_ONCE, share, solve
from tablecoin.opponents.dollar_prize.lead import final_lead, lead_by, with_lead
from tablecoin.opponents.dollar_prize.race import standing
from tablecoin.opponents.dollar_prize.row_search import chances
from tablecoin.opponents.dollar_prize.tables import EXACT, EXACT_LEAD
from tablecoin.opponents.value import Estimate, decided
from tablecoin.rules.dollar_prize.exact import FEWEST_SWAPPED, GAME, ExactOptions, ExactState, rows_before
from tablecoin.rules.dollar_prize.rows import PrizeOptions, PrizeState, Rows, Side, Turn
from tablecoin.rules.game import Seat
from tablecoin.rules.toss import results_with_chances

# Standard errors of an estimate. The house rules that can be solved moved a chance by 0.007 to 0.03 (rms) in games to
# 40 cents; with a margin for those that cannot. The race missed by 0.25 (rms over 2,000 random starts of a round).
PLAIN_ERROR, RACE_ERROR = 0.1, 0.25
PLAIN_WEIGHT = 0.75  # of the plain rules in a guess; the rest is the race, which tells lost positions apart

Begins = Callable[[Counts, Counts], float]  # the first player's chance when a round begins with these rows
Pair = tuple[Counts, Counts]  # the first player's row, the other's


def value(state: ExactState, *, samples: int = 0, seed: int = 0, margin: bool = True) -> Estimate:
    """The chance of each side to win from `state`. `samples` and `seed` are not needed."""
    if ended := GAME.outcome(state):
        return decided(ended, Side, final_lead(state))
    if solved := solution(state.options):
        heads = solved.chance(state, Side.HEADS)
        return Estimate({Side.HEADS: heads, Side.TAILS: 1 - heads}, margin=solved.margin(state) if margin else None)
    error = PLAIN_ERROR if guided(state.options) else RACE_ERROR
    return Estimate(chances(GAME, state, guess), error)


def race(state: PrizeState, side: Side) -> float:
    """A rough chance of `side`: the row counts that needs fewer turns to exactly the goal."""
    return standing(state, side, state.options.goal, per_turn=0.8, per_cent=0.01)


def guided(options: PrizeOptions) -> bool:
    """Whether the game by the plain rules is a guide to the game by these, which is not solved."""
    return nearly_plain(options) and isinstance(options, ExactOptions) and not options.swap_consent


def guess(state: PrizeState, side: Side) -> float:
    """The chance of `side` at a turn of a game that is not solved."""
    if state.phase != "turn" or not guided(state.options) or not isinstance(state, ExactState):
        return race(state, side)
    return PLAIN_WEIGHT * _plain().chance(state, side) + (1 - PLAIN_WEIGHT) * race(state, side)


class Solution:
    """A solved game: what every state of it is worth.

    `leading`: the same game in which each cent of the final lead counts LEAD of the prize, where that is known.
    """

    def __init__(
        self, options: ExactOptions, begins: Begins, cent: float = 0.0, leading: Solution | None = None
    ) -> None:
        """`begins`: the worth of each start of a round, in which a cent of the lead counts `cent`."""
        self._cent, self._leading = cent, leading
        self._goal, self._begins, self._kinds = options.goal, begins, kinds_to_swap(options)
        self._in_turn = options.round_order == "alternate"
        self._order = (0, 1) if options.swap_order == "round" else (1, 0)  # who may swap; 0 played first
        self._known = dict[tuple[Counts, Counts], float]()  # of `_ended`

    def chance(self, state: ExactState, side: Side) -> float:
        """The chance of `side` in a state of a game that goes on."""
        if state.phase == "setup":
            tosses = results_with_chances(GAME.toss_due(state) or Heap())
            begun = ((GAME.after(state, GAME.toss_action(state, {"tray": coins})), p) for coins, p in tosses)
            return sum(p * self.chance(after, side) for after, p in begun)
        assert state.first
        first = self._first(state, state.first)
        return first if side is state.first else 1 - first

    def margin(self, state: ExactState) -> dict[Seat, float] | None:
        """By how many cents each side is expected to lead in the end; None where that is not known."""
        if not self._leading:
            return None
        return lead_by(self._leading.chance(state, Side.HEADS) - self.chance(state, Side.HEADS))

    def _first(self, state: ExactState, side: Side) -> float:
        """The chance of `side`, which plays first in each round."""
        a, b = _pair(state.rows, side)
        if state.phase == "swap":
            asker = 0 if state.mover is side else 1
            before = _pair(rows_before(state.rows, state.swapped), side) if state.swapped else None
            return self._swaps_due(a, b, self._order[self._order.index(asker) :], before)
        if state.mover is not side:
            return self._replied(a, b, state.turn)
        if state.turn == BEGUN:
            return self._begins(a, b)
        return max(self._replied(end, b, BEGUN) for end in turn_ends(a, self._goal, state.turn))

    def _ended(self, a: Counts, b: Counts) -> float:
        """The chance when both have played, before any swap. An lru_cache over it would keep this object for ever."""
        known = self._known.get((a, b))
        if known is None:
            if len(self._known) >= MOST_KNOWN:
                self._known.clear()
            known = self._known[a, b] = self._swaps_due(a, b, self._order, None)
        return known

    def _replied(self, a: Counts, b: Counts, turn: Turn) -> float:
        return min(self._ended(a, end) for end in turn_ends(b, self._goal, turn))

    def _swaps_due(self, a: Counts, b: Counts, askers: tuple[int, ...], before: Pair | None) -> float:
        """The chance while `askers` may still swap in turn, but not back to the rows as they lay `before` a swap."""
        if not askers:
            first, other = cents(a), cents(b)
            if max(first, other) == self._goal:
                return share(first, other, self._cent)
            return 1 - self._begins(b, a) if self._in_turn else self._begins(a, b)
        asker, *later = askers
        chances = [self._swaps_due(a, b, tuple(later), None)]
        for rows in self._swapped(a, b, asker):
            if rows != before:
                chances.append(self._swaps_due(*rows, tuple(later), (a, b)))
        return min(chances) if asker else max(chances)

    def _swapped(self, a: Counts, b: Counts, asker: int) -> Iterator[Pair]:
        """The rows after each swap that `asker` may ask for."""
        mine, theirs = (b, a) if asker else (a, b)
        for give, take in self._kinds:
            if mine[give] == theirs[take] >= FEWEST_SWAPPED:
                x, y = become(mine, give, take), become(theirs, take, give)
                if max(cents(x), cents(y)) <= self._goal:
                    yield (y, x) if asker else (x, y)


def _pair(rows: Rows, first: Side) -> Pair:
    return counts(rows[first]), counts(rows[first.other])


def _plain() -> Solution:
    """The game to a dollar by the plain rules."""
    solved = _solved(ExactOptions())
    assert solved
    return solved


@cache
def _solved(options: ExactOptions) -> Solution | None:
    if options == ExactOptions():
        leading = Solution(options, with_lead(EXACT, EXACT_LEAD), LEAD)
        return Solution(options, EXACT.worth, leading=leading)
    if options.goal > SOLVED_AT_ONCE:
        return None
    rounds = ExactRounds(options)
    begun, number = solve(rounds.rows, rounds), rounds.rows.number
    return Solution(options, lambda first, other: float(begun[number[first], number[other]]))


def solution(options: ExactOptions) -> Solution | None:
    """The solved game with these house rules, if it is solved: by the plain rules, to a dollar or to a few cents."""
    if options.swap_consent or not plain(options):
        return None
    played = ExactOptions(
        goal=options.goal,
        swap_any=options.swap_any,
        swap_order=options.swap_order,
        round_order=options.round_order,
    )
    return _solved(played)
