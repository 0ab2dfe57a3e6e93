"""What the value function says within a time: the chances in a state, and the strong computer's move beside the best
other one. The clock is given, and the more time there is, the more games are imagined."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import hypot
from typing import Any

from tablecoin import opponents, rules
from tablecoin.opponents import Level
from tablecoin.opponents.value import Estimate, Valuer, load
from tablecoin.rules.game import Action, Seat, State

Clock = Callable[[], float]  # seconds, from any beginning
Stopped = Callable[[], bool]  # whether nobody wants the answer any more

_FIRST = 8  # imagined games of the first batch; each further batch doubles all before it...
_BATCH_S = 0.15  # ...but takes no longer, so that newer questions need not wait
_PRECISE = 0.01  # a standard error of one point of chance: a bar shows no finer
_GLANCE = 4  # imagined games for each act that is compared with the computer's
_GLANCES = 0.6  # the share of the time for that; the rest goes to the two that are told
_MOST = 120  # acts compared at most
_LEVEL = 0.005  # two acts whose chances differ by less are level: both read the same in whole games of 100


@dataclass(frozen=True)
class Valued:
    """An act, and the chance of its seat to win after it; of all seats where they play together."""

    action: Action
    chance: float


@dataclass(frozen=True)
class Advice:
    """The best act and the next best one; None where there is no other. `error`: of each chance.

    The computer's move is the best, unless the other is clearly better.
    """

    best: Valued
    other: Valued | None
    error: float


def clearly_better(chance: float, than: float, error: float) -> bool:
    """Whether an act is better than another, by chances of which each has this standard error."""
    return chance - than > max(_LEVEL, 2 * error)


def chances(
    value: Valuer, state: State, *, seed: int, until_s: float, clock: Clock, stopped: Stopped = lambda: False
) -> Estimate:
    """The worth of `state`: batches of imagined games, until the next would end after `until_s` or says no more.

    The first batch is made in any case.
    """
    began_s, done = clock(), _FIRST
    found = value(state, samples=done, seed=seed)
    while found.error > _PRECISE and not stopped():
        now_s = clock()
        each_s = max((now_s - began_s) / done, 1e-9)
        samples = max(1, min(done, round(_BATCH_S / each_s)))
        if now_s + samples * each_s * 1.2 > until_s:  # it may take a bit longer than those before
            break
        more = value(state, samples=samples, seed=seed + done)
        if more == found:  # it rests on no imagined games: as many as one likes would say the same
            break
        found, done = _mean(found, done, more, samples), done + samples
    return found


def advise(
    name: str, state: State, seat: Seat, *, seed: int, until_s: float, clock: Clock, stopped: Stopped = lambda: False
) -> Advice:
    """What the strong computer does for `seat` in `state`, and the best of the other acts that there was time for.

    All are valued with the same imagined chance. The computer weighs by fewer games, and in Coin Wars for more than the
    win; so an act that is clearly likelier to win goes before its own. Raises InputError for a game without computer or
    value function.
    """
    game, value = rules.load(name), load(name)
    chosen: Action = opponents.load(name)(state, seat, Level.STRONG, seed)
    others = [each for each in game.legal_actions(state) if each != chosen and game.actor(state, each) == seat][:_MOST]
    glances_s = clock() + (until_s - clock()) * _GLANCES

    def worth(action: Action, samples: int) -> Estimate:
        return value(game.apply(state, action), samples=samples, seed=seed, margin=False)

    def chance(found: Estimate) -> float:
        return sum(found.chance.values()) if game.together else found.chance[seat]

    seen: list[Valued] = []
    for each in others:
        if seen and (clock() > glances_s or stopped()):
            break
        seen.append(Valued(each, chance(worth(each, _GLANCE))))
    rival = max(seen, key=lambda one: one.chance, default=None)
    began_s, samples = clock(), _FIRST
    first = best, other = _pair(worth, chosen, rival, samples)
    while max(best.error, other.error if other else 0.0) > _PRECISE and not stopped():
        now_s = clock()
        if now_s + (now_s - began_s) * 1.2 > until_s:  # as many games again as all so far, or a few more
            break
        samples *= 2
        best, other = _pair(worth, chosen, rival, samples)
        if (best, other) == first:  # they rest on no imagined games
            break
    own = Valued(chosen, chance(best))
    if not rival or not other:
        return Advice(own, None, best.error)
    second, error = Valued(rival.action, chance(other)), max(best.error, other.error)
    if clearly_better(second.chance, own.chance, error):
        return Advice(second, own, error)
    return Advice(own, second, error)


def _pair(
    worth: Callable[[Action, int], Estimate], chosen: Action, rival: Valued | None, samples: int
) -> tuple[Estimate, Estimate | None]:
    return worth(chosen, samples), worth(rival.action, samples) if rival else None


def _mean(one: Estimate, games: int, other: Estimate, more: int) -> Estimate:
    """The mean of two estimates that rest on so many games each."""
    part = more / (games + more)
    chance: Mapping[Any, float] = {seat: p * (1 - part) + other.chance[seat] * part for seat, p in one.chance.items()}
    return Estimate(chance, hypot(one.error * (1 - part), other.error * part), one.margin)
