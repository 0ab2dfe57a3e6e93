"""`analyse`: every toss of a record weighed as luck, every decision as skill.

**What one decision is.** Each action is one, also within a turn of several: what it gave away is counted there, and
what a turn could still bring is in the chance after it. An action is judged when its seat had another that leads
elsewhere; with one legal action there was nothing to decide. What was refused, undone or corrected away is not judged.
Tossing at once where help could have been called (Coin Wars) is a decision too: not to call it.

**What it cost.** The best action's chance less the chosen one's. Where values are worked out every action is compared.
Where they come from imagined games only the strong computer's choice is, because the best of many guesses looks better
than it is; then a cost may also be below nothing, so that errors cancel in the sum. Only one above its error is named.

**Sealed choices** (What Goes Around) are made at once and in secret. Each is weighed alone, against what the others
play on average. Its cost is the chance before it less the chance with it: what the seat itself plays on average is the
decision it is measured by. What everybody chose this time is luck, and falls at the reveal.

**Ended by people.** That is the last step, an act. To resign is a decision: it costs the seat the chance that it had.
What both sides agreed on, and a clock, are no decision of one seat and no luck: what they gave is in the rest.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import sqrt
from typing import Any, Literal

import msgspec

from tablecoin import opponents
from tablecoin.analysis.line import Line, Move, from_the_draw, line_of
from tablecoin.analysis.tosses import essence
from tablecoin.analysis.worth import Worth
from tablecoin.journal.record import Record
from tablecoin.opponents import Level, value
from tablecoin.opponents.value import Estimate, Valuer, decided
from tablecoin.referee.events import Ended
from tablecoin.referee.match import outcome_of
from tablecoin.rules.coin_wars.actions import Narrate
from tablecoin.rules.game import TABLE, Action, Seat, State

DEAREST = 3  # decisions named for each seat
MOST_COMPARED = 1000  # actions compared in a decision; the solved games have some 30
TRIFLE = 0.0005  # a smaller cost is none: half of a tenth of a point
SAMPLES = 200  # imagined games a state, where a game's value is sampled

Chances = Mapping[Seat, float]


class Judged(msgspec.Struct, frozen=True):
    """One action that stands: its line `n` in the record, the chances after it, and what it was worth.

    `luck` is each seat's, null where nothing was tossed; `cost` is the seat's own, null where it had nothing to decide;
    `best` is what would have been better and `missed` by how much, null where nothing was. `error` is the standard
    error of both. `lead`: how far ahead each seat is expected to end, in the game's own unit, null where no game tells.
    """

    n: int
    kind: Literal["toss", "act"]
    seat: Seat
    chance: Chances
    luck: Chances | None = None
    cost: float | None = None
    best: Mapping[str, Any] | None = None
    missed: float | None = None
    error: float = 0.0
    lead: Mapping[Seat, float] | None = None


class Player(msgspec.Struct, frozen=True):
    """One seat's game in chances: end − start = luck − lost + others + rest.

    `lost` adds up what its decisions cost; `error` is the standard error of `lost` and of `rest`, if those of single
    chances are independent. `adjusted` is its result with the luck taken out. `worst` are the lines of its dearest
    decisions, dearest first.
    """

    luck: float
    lost: float
    others: float
    rest: float
    decisions: int
    worst: tuple[int, ...]
    adjusted: float
    error: float


class Analysis(msgspec.Struct, frozen=True):
    """A game explained. `turning_point` is the line that moved a chance most; `error` the largest of a chance.

    `start_lead` is the `lead` of Judged before the first action.
    """

    game: str
    start: Chances
    end: Chances
    events: tuple[Judged, ...]
    players: Mapping[Seat, Player]
    turning_point: int | None
    exact: bool
    error: float
    start_lead: Mapping[Seat, float] | None = None


def analyse(record: Record, samples: int = SAMPLES, seed: int = 0, valuer: Valuer | None = None) -> Analysis:
    """Luck and skill of a record, by the game's own value function unless another is given.

    Raises RecordError where the record departs from the rules, InputError for a game that has no value function.
    """
    line = from_the_draw(line_of(record))
    return judge(line, Worth(line, valuer or value.load(line.game.name), samples, seed), seed)


def judge(line: Line, worth: Worth, seed: int = 0) -> Analysis:
    """The analysis of a line of play. Its states are valued by `worth`."""
    known = line.game.name != "coin-wars" or getattr(line.start, "scene", None) is not None
    start = worth.of(line.start) if known else Estimate({})
    steps = list(_Weighing(line, worth, start, seed).steps()) if known else []
    seats = tuple(start.chance)
    end = steps[-1].after if steps else start
    events = tuple(msgspec.structs.replace(step.judged, lead=step.after.margin) for step in steps)
    error = max([start.error, *(step.after.error for step in steps)])
    return Analysis(
        line.game.name,
        start.chance,
        end.chance,
        events,
        {seat: _player(seat, steps, start.chance, end.chance) for seat in seats},
        _turning_point(steps),
        error == 0 and all(judged.error == 0 for judged in events),
        error,
        start.margin,
    )


@dataclass(frozen=True)
class _Step:
    """A judged action, the chances before and after it, and what its decision gave to the other seats."""

    judged: Judged
    before: Estimate
    after: Estimate
    gave: Chances


@dataclass(frozen=True)
class _Choice:
    """What a decision cost its seat, what would have been better and by how much, and the standard error of both."""

    cost: float
    best: Mapping[str, Any] | None
    missed: float | None
    error: float


class _Weighing:
    """One walk along a line of play."""

    def __init__(self, line: Line, worth: Worth, start: Estimate, seed: int) -> None:
        self._line, self._game, self._worth, self._seed = line, line.game, worth, seed
        self._now = start  # the chances before the next move
        self._sealed_at: State | None = None  # where the choices that are still sealed began
        self._sealed: dict[Seat, float] = {}  # each seat's chance with its sealed choice

    def steps(self) -> Iterator[_Step]:
        for move in self._line.moves:
            step = self._step(move)
            self._now = step.after
            yield step
        if self._line.ended:
            yield self._end(*self._line.ended)

    def _end(self, number: int, ended: Ended) -> _Step:
        """People ended the game before its rules did."""
        after = decided(outcome_of(ended), self._now.chance)
        seat = ended.seat or TABLE
        if ended.how != "resigned" or seat not in after.chance:
            return _Step(Judged(number, "act", seat, after.chance), self._now, after, {})
        given = _less(after.chance, self._now.chance)
        judged = Judged(number, "act", seat, after.chance, cost=-given[seat], error=self._now.error)
        return _Step(judged, self._now, after, _of_others(given, seat))

    def _step(self, move: Move) -> _Step:
        if self._game.seals(move.action):
            return self._seal(move)
        if isinstance(move.action, self._game.unsealing):
            return self._unseal(move)
        after = self._worth.of(move.after)
        if move.seat == TABLE:
            return self._toss(move, after)
        choice = self._choice(move.before, move.action, after, move.seat)
        gave = _of_others(_less(after.chance, self._now.chance), move.seat) if choice else {}
        return _Step(_told(move, move.seat, after.chance, None, choice), self._now, after, gave)

    def _toss(self, move: Move, after: Estimate) -> _Step:
        """A toss. A seat that could have acted before it decided to toss at once."""
        mean = self._worth.mean(move.before)
        luck = _less(after.chance, mean.chance)
        helper = self._helper(move.before)
        choice = self._choice(move.before, None, mean, helper) if helper else None
        if not helper or not choice:
            return _Step(_told(move, TABLE, after.chance, luck, None), self._now, after, {})
        gave = _of_others(_less(mean.chance, self._now.chance), helper)
        return _Step(_told(move, helper, after.chance, luck, choice), self._now, after, gave)

    def _helper(self, state: State) -> Seat | None:
        """Who could have done something about a toss before it. Telling how a scene went is nothing."""
        for seat in self._game.may_act(state):
            acts = (act for act in self._game.legal_actions(state) if self._game.actor(state, act) == seat)
            if seat != TABLE and any(not isinstance(act, Narrate) for act in acts):
                return seat
        return None

    def _seal(self, move: Move) -> _Step:
        if self._sealed_at is None:
            self._sealed_at = move.before
        alone = self._worth.of(self._game.apply(self._sealed_at, move.action))
        choice = self._choice(self._sealed_at, move.action, alone, move.seat)
        if choice:
            self._sealed[move.seat] = alone.chance[move.seat]
            choice = replace(choice, cost=self._now.chance[move.seat] - alone.chance[move.seat])
        return _Step(_told(move, move.seat, self._now.chance, None, choice), self._now, self._now, {})

    def _unseal(self, move: Move) -> _Step:
        after = self._worth.of(move.after)
        luck = _less(after.chance, {**self._now.chance, **self._sealed})
        self._sealed_at, self._sealed = None, {}
        return _Step(_told(move, TABLE, after.chance, luck, None), self._now, after, {})

    def _choice(self, state: State, chosen: Action | None, reached: Estimate, seat: Seat) -> _Choice | None:
        """What choosing `chosen` in `state` cost `seat`; None chosen: the coins were tossed at once.

        None where nothing was to be decided.
        """
        imagined = self._worth.imagines and self._now.error > 0
        ends = self._ends(state, seat, most=2 if imagined else MOST_COMPARED)
        if len(ends) + (chosen is None) < 2:
            return None
        if imagined:
            thought: Action = opponents.load(self._game.name)(state, seat, Level.STRONG, self._seed)
            ends = {essence(self._game.apply(state, thought)): thought}
        valued = [(self._worth.of(end), action) for end, action in ends.items()]
        best, action = max(valued, key=lambda pair: pair[0].chance[seat])
        cost, error = best.chance[seat] - reached.chance[seat], sqrt(best.error**2 + reached.error**2)
        if cost <= max(TRIFLE, error) or action == chosen:
            return _Choice(cost, None, None, error)
        return _Choice(cost, self._game.write_action(action), cost, error)

    def _ends(self, state: State, seat: Seat, most: int) -> dict[State, Action]:
        """Where the legal actions of `seat` lead, each state once; the first `most` of them."""
        ends: dict[State, Action] = {}
        for action in self._game.legal_actions(state):
            if self._game.actor(state, action) == seat:
                ends[essence(self._game.apply(state, action))] = action
            if len(ends) == most:
                break
        return ends


def _told(move: Move, seat: Seat, chance: Chances, luck: Chances | None, choice: _Choice | None) -> Judged:
    kind: Literal["toss", "act"] = "act" if luck is None else "toss"
    if choice is None:
        return Judged(move.number, kind, seat, chance, luck)
    return Judged(
        move.number, kind, seat, chance, luck, choice.cost, choice.best, choice.missed, choice.error
    )  # fmt: skip


def _less(after: Chances, before: Chances) -> dict[Seat, float]:
    return {seat: after.get(seat, 0.0) - before[seat] for seat in before}


def _of_others(chances: Chances, seat: Seat) -> Chances:
    return {other: chance for other, chance in chances.items() if other != seat}


def _player(seat: Seat, steps: Sequence[_Step], start: Chances, end: Chances) -> Player:
    judged = [step.judged for step in steps if step.judged.seat == seat and step.judged.cost is not None]
    dear = sorted((one for one in judged if one.best), key=lambda one: -(one.missed or 0.0))
    luck = sum(step.judged.luck[seat] for step in steps if step.judged.luck)
    lost = sum(one.cost or 0.0 for one in judged)
    others = sum(step.gave.get(seat, 0.0) for step in steps)
    return Player(
        luck=luck,
        lost=lost,
        others=others,
        rest=end[seat] - start[seat] - luck + lost - others,
        decisions=len(judged),
        worst=tuple(one.n for one in dear[:DEAREST]),
        adjusted=end[seat] - luck,
        error=sqrt(sum(step.before.error**2 + step.after.error**2 for step in steps if not step.judged.luck)),
    )


def _turning_point(steps: Sequence[_Step]) -> int | None:
    """The line that moved somebody's chance most; None where nothing happened."""
    moved = [max(map(abs, _less(step.after.chance, step.before.chance).values()), default=0.0) for step in steps]
    return steps[moved.index(max(moved))].judged.n if moved else None
