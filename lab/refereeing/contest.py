"""How well the computers play: whole games of one level in one seat against another level, or random play, in the rest.

Every game has a number, which seeds its tosses and decides the seat; seats take turns. *Coin Wars* is played together,
so there each level goes through the same adventures with a companion of its own level.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from itertools import combinations
from math import sqrt
from random import Random
from typing import Any

import msgspec

from tablecoin import opponents, rules
from tablecoin.opponents import Level
from tablecoin.rules.coin_wars.actions import Draw
from tablecoin.rules.game import TABLE, Action, Game, Seat, State
from tablecoin.rules.random_play import random_action

RANDOM = "random"
PLAYERS = (RANDOM, *(level.value for level in Level))
TOGETHER = "coin-wars"  # the game whose players do not play against each other
COMPANIONS = ("Ann", "Bob")

Pair = tuple[str, str]  # who plays the one seat, who plays all others


class Tally(msgspec.Struct, frozen=True):
    """The results of some games for the player of the one seat."""

    games: int = 0
    points: float = 0.0  # a win counts 1, a prize shared by k players 1/k
    squares: float = 0.0
    slowest_s: float = 0.0  # CPU time of its slowest move

    def __add__(self, other: Tally) -> Tally:
        return Tally(
            self.games + other.games,
            self.points + other.points,
            self.squares + other.squares,
            max(self.slowest_s, other.slowest_s),
        )

    @property
    def mean(self) -> float:
        return self.points / max(1, self.games)

    @property
    def error(self) -> float:
        """The standard error of the mean."""
        spread = self.squares / max(1, self.games) - self.mean**2
        return sqrt(max(0.0, spread) / max(1, self.games - 1))

    def __str__(self) -> str:
        return f"{self.mean:.3f} ± {self.error:.3f}"


def pairings(name: str) -> tuple[Pair, ...]:
    """Every level in the one seat against every weaker one; in the game played together, each with its like."""
    if name == TOGETHER:
        return tuple((player, player) for player in PLAYERS)
    return tuple((better, weaker) for weaker, better in combinations(PLAYERS, 2))


def play(name: str, number: int, one: str = Level.STRONG, other: str = RANDOM, **options: object) -> Tally:
    """One game: `one` in seat `number` (they take turns), `other` in all the others."""
    game = rules.load(name)
    read = game.read_options({"players": COMPANIONS, **options} if name == TOGETHER else options)
    seats = game.seats(read)
    mine, dice = seats[number % len(seats)], Random(number)
    state: State = game.start(read)
    slowest_s = 0.0
    while (outcome := game.outcome(state)) is None:
        seat = next((seat for seat in game.may_act(state) if seat != TABLE), TABLE)
        began_s = time.thread_time()
        action = _action(game, state, seat, one if seat == mine else other, dice)
        if seat == mine:
            slowest_s = max(slowest_s, time.thread_time() - began_s)
        state = game.apply(state, action)
    share = (mine in outcome.winners) / max(1, len(outcome.winners))
    if name == TOGETHER:
        share = float(mine in outcome.winners)
    return Tally(1, share, share**2, slowest_s)


def table(name: str, tallies: Mapping[Pair, Tally]) -> str:
    """The tallies in Markdown: a row for each level in the one seat, a column for each player of the other seats."""
    games = max(tally.games for tally in tallies.values())
    moves = ", ".join(f"{player} {1000 * _slowest_s(player, tallies):.0f} ms" for player in PLAYERS[1:])
    told = f"{games} games a pairing; slowest move: {moves}"
    if name == TOGETHER:
        rows = [f"| {player} | {tallies[player, player]} |" for player in PLAYERS]
        return "\n".join([f"**{name}**, {told}", "", "| level | beats the last scene |", "|---|---|", *rows, ""])
    fair = 1 / max(2, len(rules.load(name).seats(rules.load(name).read_options({}))))
    against = " | ".join(f"against {player}" for player in PLAYERS[:-1])
    head = [f"| share of the wins, {fair:.2f} is even | {against} |"]
    rows = [
        f"| {one} | " + " | ".join(str(tallies.get((one, other), "")) for other in PLAYERS[:-1]) + " |"
        for one in PLAYERS[1:]
    ]
    return "\n".join([f"**{name}**, {told}", "", *head, "|---" * len(PLAYERS) + "|", *rows, ""])


def _slowest_s(player: str, tallies: Mapping[Pair, Tally]) -> float:
    return max(tally.slowest_s for (one, _), tally in tallies.items() if one == player)


def _action(game: Game[Any, Any, Any], state: State, seat: Seat, player: str, dice: Random) -> Action:
    """What `player` does in `seat`; fair tosses and shuffled cards when it is the table's turn."""
    if seat == TABLE:
        if game.name == TOGETHER and not game.tosses_due(state):
            cards: int = len(getattr(state, "scenes", ()))
            return Draw(tuple(dice.sample(range(cards), cards)))
        tossed: Action = random_action(game, state, dice)
        return tossed
    preparing = game.name == TOGETHER and game.phase(state) == "create"  # everybody by the same habits
    if player == RANDOM and not preparing:
        return _careless(game, state, seat, dice)
    level = Level.EASY if player == RANDOM else Level(player)
    chosen: Action = opponents.load(game.name)(state, seat, level, dice.randrange(1 << 30))
    return chosen


def _careless(game: Game[Any, Any, Any], state: State, seat: Seat, dice: Random) -> Action:
    """A random action of a seat.

    In *What Goes Around* the kind of action is drawn first, then the target and amount: there are so many ways to steal
    that the other kinds would hardly ever come up otherwise.
    """
    ways: dict[object, list[Action]] = {}
    for action in game.legal_actions(state):
        if game.actor(state, action) == seat:
            ways.setdefault(getattr(action, "action", None), []).append(action)
    return dice.choice(dice.choice(list(ways.values())))
