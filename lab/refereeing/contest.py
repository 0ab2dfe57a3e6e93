"""How well the computer plays, measured: whole games of one seat against random play everywhere else.

    python -m lab.refereeing.contest steal --games 200

Every game has a number, which decides its dice and the computer's seat; seats take turns. A line is printed every ten
games, so that a run that is stopped has told what it found.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence
from random import Random
from typing import Any

import msgspec

from tablecoin import opponents, rules
from tablecoin.opponents import Level
from tablecoin.rules.game import TABLE, Action, Game, State
from tablecoin.rules.random_play import random_action

CONTESTS = ("steal", "exact", "coin-age", "goes-around")  # in Coin Wars nobody plays against anybody


class Tally(msgspec.Struct, frozen=True):
    """What some games came to. `points`: a win counts 1, a prize shared by k counts 1/k. `slowest_s`: of one move."""

    games: int = 0
    won: int = 0
    shared: int = 0
    points: float = 0.0
    slowest_s: float = 0.0

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
    """A random act of whoever is due: in What Goes Around first what to do, then how.

    Stealing has many targets and amounts, and would otherwise crowd out the other choices.
    """
    seat = game.to_act(state)[0]
    if seat == TABLE:
        return random_action(game, state, dice)
    ways: dict[object, list[Action]] = {}
    for action in game.legal_actions(state):
        if game.actor(state, action) == seat:
            ways.setdefault(getattr(action, "action", None), []).append(action)
    return dice.choice(dice.choice(list(ways.values())))


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m lab.refereeing.contest", description=__doc__.split("\n")[0])
    parser.add_argument("game", choices=CONTESTS)
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--first", type=int, default=0, help="the number of the first game")
    parser.add_argument("--level", type=Level, choices=list(Level), default=Level.STRONG)
    chosen = parser.parse_args(arguments)
    tally = Tally()
    for number in range(chosen.first, chosen.first + chosen.games):
        tally += play(chosen.game, number, chosen.level)
        if tally.games % 10 == 0 or tally.games == chosen.games:
            print(f"{chosen.game}, {chosen.level}: {tally}; slowest move {1000 * tally.slowest_s:.0f} ms", flush=True)


if __name__ == "__main__":
    main()
