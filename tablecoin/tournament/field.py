"""The words of a tournament: entries, matches, results and rounds, as immutable values.

Scores are counted in half points, so that they stay whole numbers: 2 for a win, 1 for a draw or a shared win.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

import msgspec

Player = str  # the number of an entry in its tournament: "1", "2", ...
System = Literal["swiss", "round-robin", "knock-out", "ring"]
AtZero = Literal["said", "lost"]  # when the time of a side is over: the table is told, or it has lost
By = Literal["table", "organiser", "walkover"]  # who told a result

WIN, DRAW, LOSS = 2, 1, 0  # half points
MOST_IN_RING = 9  # seats of What Goes Around
MOST_PLAYERS = 512


class Plan(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What an organiser decides before the first round."""

    name: str
    system: System
    game: str
    tables: tuple[str, ...] = ()  # ids of the tables that it is played on; empty: the organiser calls the tables out
    rounds: int = 0  # of a Swiss or a ring; 0: as many as a Swiss needs for one winner
    options: Mapping[str, Any] = {}  # house rules
    clock_s: int = 0  # thinking time of each side; 0: none
    increment_s: int = 0  # more of it for each turn
    at_zero: AtZero = "said"


class Match(msgspec.Struct, frozen=True):
    """One game of a round. A single player has a bye."""

    id: str  # round and board: "2-3". Told to the table, and told back with the result
    players: tuple[Player, ...]  # in the order of the seats
    table: str | None = None
    wave: int = 0  # 0: at once; 1: after the first game at that table; and so on

    @property
    def is_bye(self) -> bool:
        return len(self.players) == 1


class Result(msgspec.Struct, frozen=True):
    """How a match ended."""

    halves: Mapping[Player, int]  # half points for each player
    by: By
    game: str = ""  # which record tells it: table, journal and game


class Round(msgspec.Struct, frozen=True):
    """The matches of one round."""

    matches: tuple[Match, ...]
    published: bool = False  # players and tables may see it
    ends: str | None = None  # when its time is over: ISO 8601, UTC; null: no time was set
