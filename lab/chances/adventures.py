"""Walks through adventures of the book: computers play each to its end many times, with fair tosses."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from math import sqrt
from random import Random
from typing import cast

from lab.chances.selfplay import FIRST, moves
from tablecoin.opponents import Level
from tablecoin.opponents.coin_wars import balance
from tablecoin.rules.coin_wars import GAME, adventures
from tablecoin.rules.coin_wars.adventures import CHANCES, Difficulty
from tablecoin.rules.coin_wars.state import CoinWarsState

SAMPLES = 3000  # imagined adventures behind the chance that is printed: a standard error of at most 0.01
MOST_ACTS = 2000  # a walk that has not ended by then hangs


@dataclass(frozen=True)
class Walked:
    """How an adventure went: how often it was walked, and how often somebody beat its last scene."""

    name: str
    walks: int
    won: int
    acts: float  # of people and computers in a walk, tosses among them, in the mean
    chance: float  # by the value function

    @property
    def promised(self) -> tuple[float, float]:
        return CHANCES[adventures.load(self.name).difficulty]

    @property
    def keeps_its_promise(self) -> bool:
        """Whether the share won lies in the promised range, give or take two standard errors."""
        least, most = self.promised
        share = self.won / self.walks
        slack = 2 * sqrt(0.25 / self.walks)
        return least - slack <= share <= most + slack and least <= self.chance <= most


def walked(name: str, walks: int, level: Level = Level.MIDDLE) -> Walked:
    """Play one adventure `walks` times. RuntimeError where one does not end."""
    adventure = adventures.load(name)
    options = {"adventure": name, "players": [f"Player {place + 1}" for place in range(adventure.players)]}
    won, acts = 0, 0
    for number in range(FIRST, FIRST + walks):
        *_, last = enumerate(islice(moves("coin-wars", number, level, options), MOST_ACTS), 1)
        count, (_, state) = last
        outcome = GAME.outcome(cast(CoinWarsState, state))
        if outcome is None:
            raise RuntimeError(f"{name} has not ended after {MOST_ACTS} acts, number {number}")
        won, acts = won + bool(outcome.winners), acts + count
    return Walked(name, walks, won, acts / walks, balance.chance(name, samples=SAMPLES, seed=FIRST))


def names(new: int, seed: int) -> Iterator[str]:
    """All adventures in files, then `new` made ones of each difficulty and number of players."""
    yield from adventures.shipped()
    dice = Random(seed)
    difficulties: tuple[Difficulty, ...] = tuple(CHANCES)
    for difficulty in difficulties:
        for players in range(1, adventures.MOST_MADE_PLAYERS + 1):
            for _ in range(new):
                yield balance.balanced(difficulty, players, dice.randrange(1 << 30))


def table(found: Iterable[Walked]) -> str:
    """A line for each adventure, as docs/adventures.md has it."""
    rows = ["| adventure | players | promised | value function | won | acts a walk |", "|---|---|---|---|---|---|"]
    for one in found:
        adventure, (least, most) = adventures.load(one.name), one.promised
        title = f"{adventure.title['en']} (`{one.name}`)"
        promise = f"{adventure.difficulty}: {least:.2f} to {most:.2f}"
        won = f"{one.won} of {one.walks}"
        rows.append(f"| {title} | {adventure.players} | {promise} | {one.chance:.2f} | {won} | {one.acts:.0f} |")
    return "\n".join(rows)
