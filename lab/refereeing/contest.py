"""How well the computer plays: whole games of the computer in one seat against random play in all others.

Every game has a number, which seeds its tosses and decides the computer's seat; seats take turns.
"""

from __future__ import annotations

import time
from random import Random
from typing import Any

import msgspec

from tablecoin import opponents, rules
from tablecoin.opponents import Level
from tablecoin.rules.game import TABLE, Action, Game, State
from tablecoin.rules.random_play import random_action

CONTESTS = ("steal", "exact", "coin-age", "goes-around")  # not Coin Wars: its players do not play against each other


class Tally(msgspec.Struct, frozen=True):
    """The results of some games."""

    games: int = 0
    won: int = 0
    shared: int = 0
    points: float = 0.0  # a win counts 1, a prize shared by k players 1/k
    slowest_s: float = 0.0  # CPU time of the slowest move

    def __add__(self, other: Tally) -> Tally:
        return Tally(
            self.games + other.games,
            self.won + other.won,
            self.shared + other.shared,
            self.points + other.points,
            max(self.slowest_s, other.slowest_s),
        )

    def __str__(self) -> str:
        shared = f" and shared {self.shared}" if self.shared else ""
        return f"won {self.won}{shared} of {self.games}, {self.points / max(1, self.games):.3f} of the prizes"


def play(name: str, number: int, level: Level = Level.STRONG, **options: object) -> Tally:
    """One game: the computer at `level` in seat `number` (they take turns), random players in all the others."""
    game, choose = rules.load(name), opponents.load(name)
    read = game.read_options(options)
    seats = game.seats(read)
    me, dice = seats[number % len(seats)], Random(number)
    state: State = game.start(read)
    slowest_s = 0.0
    while (outcome := game.outcome(state)) is None:
        if me in game.to_act(state):
            began_s = time.thread_time()
            action: Action = choose(state, me, level, number)
            slowest_s = max(slowest_s, time.thread_time() - began_s)
        else:
            action = _careless(game, state, dice)
        state = game.apply(state, action)
    mine, winners = me in outcome.winners, max(1, len(outcome.winners))
    return Tally(1, int(mine and winners == 1), int(mine and winners > 1), mine / winners, slowest_s)


def _careless(game: Game[Any, Any, Any], state: State, dice: Random) -> Action:
    """A random action of whoever is to act.

    In *What Goes Around* the kind of action is drawn first, then the target and amount: there are so many ways to steal
    that the other kinds would hardly ever come up otherwise.
    """
    seat = game.to_act(state)[0]
    if seat == TABLE:
        tossed: Action = random_action(game, state, dice)
        return tossed
    ways: dict[object, list[Action]] = {}
    for action in game.legal_actions(state):
        if game.actor(state, action) == seat:
            ways.setdefault(getattr(action, "action", None), []).append(action)
    return dice.choice(dice.choice(list(ways.values())))
