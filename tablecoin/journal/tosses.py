"""Every toss of a game: whose it was, what fell, and whether it stands."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import msgspec
from msgspec.structs import replace

from tablecoin.coins import Coin
from tablecoin.referee.events import Acted, Event
from tablecoin.referee.match import Match
from tablecoin.rules.game import TABLE, Seat


class Toss(msgspec.Struct, frozen=True):
    """One toss."""

    game: int  # the number of its game in the journal, from 1
    name: str  # of the game, such as "steal"
    at: str  # when it was written down: ISO 8601, UTC
    seat: Seat  # whose toss it was; "table" where nobody's
    coins: tuple[Coin, ...]
    stands: bool  # it was not taken back or corrected


Falls = Mapping[tuple[Seat, Coin], int]  # how often a coin of that player's came to lie so


class Tossed(NamedTuple):
    """What was counted so far."""

    tosses: tuple[Toss, ...]  # oldest first
    falls: Falls  # of the tosses that stand
    uncounted: int  # events that are not counted yet


class Tosses:
    """The tosses of one game, from its events in their order. A toss taken back or corrected does not stand."""

    def __init__(self, game: int) -> None:
        """`game`: its number."""
        self._game = game
        self._found: list[Toss] = []
        self._standing: list[tuple[int, int]] = []  # (index in `_found`, plies before it) of each that stands

    @property
    def found(self) -> tuple[Toss, ...]:
        """Oldest first."""
        return tuple(self._found)

    def take(self, at: str, event: Event, before: Match, after: Match) -> None:
        """Count an event, written down at the time `at`, between the matches that it led from and to."""
        if isinstance(event, Acted) and event.action.get("do") == "flip" and event.by != "computer":
            self._standing.append((len(self._found), len(before.plies)))
            name = before.started.game
            self._found.append(Toss(self._game, name, at, _seat(before, event), _coins(event), stands=True))
        while self._standing and self._standing[-1][1] >= len(after.plies):
            index, _ = self._standing.pop()
            self._found[index] = replace(self._found[index], stands=False)


def falls_of(tosses: Sequence[Toss]) -> Counter[tuple[Seat, Coin]]:
    """Each coin of a toss that stands fell once."""
    return Counter((toss.seat, coin) for toss in tosses if toss.stands for coin in toss.coins)


def _seat(match: Match, event: Acted) -> str:
    """Whose toss it was: the player it names, else the player to move. In Dollar Prize it is nobody's."""
    named = event.action.get("name") or getattr(match.state, "mover", None)
    return str(named) if named else TABLE


def _coins(event: Acted) -> tuple[Coin, ...]:
    """The coins of a toss, zone by zone."""
    lists = [value for value in event.action.values() if isinstance(value, list | tuple)]
    return tuple(Coin(coin) for shown in lists for coin in shown)
