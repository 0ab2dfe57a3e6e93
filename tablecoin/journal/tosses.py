"""Every toss in the journal: each game is replayed once to find its own."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import msgspec
from msgspec.structs import replace

from tablecoin.coins import Coin
from tablecoin.journal.journal import BadLine, Journal, JournalError, Line
from tablecoin.referee.events import Acted, Started
from tablecoin.referee.match import Match
from tablecoin.rules.game import TABLE, RulesError, Seat

log = logging.getLogger(__name__)


class Toss(msgspec.Struct, frozen=True):
    """One toss."""

    game: int  # the number of its game in the journal, from 1
    name: str  # of the game, such as "steal"
    at: str  # when it was written down: ISO 8601, UTC
    seat: Seat  # whose toss it was; "table" where nobody's
    coins: tuple[Coin, ...]
    stands: bool  # it was not taken back or corrected


class _Counted(NamedTuple):
    last: int  # the game's last event when it was counted
    tosses: tuple[Toss, ...]


class TossHistory:
    """Every toss of a journal, for any thread. A game is replayed once, and again only when it has new events.

    What was counted stays in memory; of every game but the newest, which may go on, it is written into the journal.
    """

    def __init__(self, journal: Journal) -> None:
        self._journal = journal
        # Replaced as a whole, so it needs no lock: two requests at once may both count a game, with the same result.
        self._games: Mapping[int, _Counted] | None = None  # None: what the journal holds was not read yet

    def tosses(self) -> tuple[Toss, ...]:
        """The tosses of all games, oldest first. Raises JournalError."""
        games = dict(self._stored() if self._games is None else self._games)
        lasts = self._journal.last_events()
        newest = max(lasts, default=0)
        fresh: dict[int, _Counted] = {}
        for game, last in lasts.items():
            if game not in games or games[game].last != last:
                fresh[game] = _Counted(last, self._tosses_of(game))
        self._games = games | fresh
        self._store({game: counted for game, counted in fresh.items() if game != newest})
        return tuple(toss for game in sorted(self._games) for toss in self._games[game].tosses)

    def _tosses_of(self, game: int) -> tuple[Toss, ...]:
        """The tosses of a game; none where one of its events cannot be read, for that must not hide other games'."""
        try:
            return tosses_of(game, self._journal.game(game))
        except BadLine as error:
            log.warning("the tosses of game %d are not counted: %s", game, error)
            return ()

    def _stored(self) -> dict[int, _Counted]:
        """What the journal holds; nothing where another version of tablecoin wrote it."""
        try:
            stored = self._journal.counted().items()
            return {
                game: _Counted(last, msgspec.json.decode(body, type=tuple[Toss, ...])) for game, (last, body) in stored
            }
        except msgspec.DecodeError:
            return {}

    def _store(self, games: Mapping[int, _Counted]) -> None:
        try:
            if games:
                self._journal.keep_counts({k: (one.last, msgspec.json.encode(one.tosses)) for k, one in games.items()})
        except JournalError as error:
            log.warning("what was counted of finished games is not kept: %s", error)


def tosses_of(game: int, lines: Sequence[Line]) -> tuple[Toss, ...]:
    """The tosses in the lines of game number `game`, oldest first. A toss taken back or corrected does not stand.

    An old game that today's rules refuse at some line is counted up to that line.
    """
    match: Match | None = None
    found: list[Toss] = []
    standing: list[tuple[int, int]] = []  # (index in `found`, plies before it) of each toss that stands
    for at, event in lines:
        try:
            if isinstance(event, Started):
                match = Match.begin(event)
                continue
            if match is None:
                break
            before, match = match, match.take(event)
        except RulesError:
            break
        if isinstance(event, Acted) and event.action.get("do") == "flip" and event.by != "computer":
            standing.append((len(found), len(before.plies)))
            found.append(Toss(game, match.started.game, at, _seat(before, event), _coins(event), stands=True))
        while standing and standing[-1][1] >= len(match.plies):
            index, _ = standing.pop()
            found[index] = replace(found[index], stands=False)
    return tuple(found)


def _seat(match: Match, event: Acted) -> str:
    """Whose toss it was: the player it names, else the player to move. In Dollar Prize it is nobody's."""
    named = event.action.get("name") or getattr(match.state, "mover", None)
    return str(named) if named else TABLE


def _coins(event: Acted) -> tuple[Coin, ...]:
    """The coins of a toss, zone by zone."""
    lists = [value for value in event.action.values() if isinstance(value, list | tuple)]
    return tuple(Coin(coin) for shown in lists for coin in shown)
