"""Every toss in the journal. Each event is counted once, in its order and a few at a time, whoever asks how often."""

from __future__ import annotations

import logging
import threading
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import msgspec
from msgspec.structs import replace

from tablecoin.coins import Coin
from tablecoin.journal.journal import BadLine, Journal, JournalError, Line, Numbered
from tablecoin.referee.events import Acted, Event, Started
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


Falls = Mapping[tuple[Seat, Coin], int]  # how often a coin of that player's came to lie so


class Tossed(NamedTuple):
    """What was counted so far."""

    tosses: tuple[Toss, ...]  # oldest first
    falls: Falls  # of the tosses that stand
    uncounted: int  # events that are not counted yet


class TossHistory:
    """Every toss of a journal, for any thread.

    The count stays in memory; of every finished game it is written into the journal too, so that a restart does not
    begin anew. It follows from the events, so nothing is lost with it.
    """

    def __init__(self, journal: Journal) -> None:
        self._journal = journal
        self._counting = threading.Lock()
        self._begin()

    def _begin(self) -> None:
        self._tosses: list[Toss] = []  # of the games before the newest that was counted
        self._falls: Counter[tuple[Seat, Coin]] = Counter()
        self._newest = _Game(0)
        self._last = 0  # the last event that was counted
        self._knows_stored = False

    def count(self, most: int) -> int:
        """Count up to `most` further events; how many are left. Raises JournalError."""
        with self._counting:
            held = self._journal.count()
            if held < self._last:  # another journal took the place of the one that was counted
                self._begin()
            if not self._knows_stored:
                self._take_stored()
            finished: dict[int, tuple[int, bytes]] = {}
            for line in self._journal.lines_after(self._last, most):
                if line.game != self._newest.number:
                    if self._newest.number:
                        finished[self._newest.number] = self._last, msgspec.json.encode(self._newest.tosses)
                        self._close(self._newest.tosses)
                    self._newest = _Game(line.game)
                self._newest.take_line(line)
                self._last = line.number
            self._store(finished)
            return max(0, held - self._last)

    def tossed(self) -> Tossed:
        """Everything that was counted. Raises JournalError."""
        with self._counting:
            falls = self._falls + falls_of(self._newest.tosses)
            return Tossed((*self._tosses, *self._newest.tosses), falls, self._journal.count() - self._last)

    def _close(self, tosses: Sequence[Toss]) -> None:
        self._tosses += tosses
        self._falls += falls_of(tosses)

    def _take_stored(self) -> None:
        """Begin behind the first games whose counts the journal holds. Another version's counts are made again."""
        stored = self._journal.counted()
        for game, last in self._journal.last_events().items():
            counted_last, body = stored.get(game, (0, b""))
            if counted_last != last:
                break
            try:
                self._close(msgspec.json.decode(body, type=tuple[Toss, ...]))
            except msgspec.DecodeError:
                break
            self._last = last
        self._knows_stored = True

    def _store(self, games: Mapping[int, tuple[int, bytes]]) -> None:
        try:
            if games:
                self._journal.keep_counts(games)
        except JournalError as error:
            log.warning("what was counted of finished games is not kept: %s", error)


class _Game:
    """The tosses of one game, from its events in their order.

    A toss taken back or corrected does not stand. An old game that today's rules refuse at some line is counted up to
    that line. One event that cannot be read hides all tosses of its game, and no other's.
    """

    def __init__(self, number: int) -> None:
        self.number = number
        self.tosses: list[Toss] = []
        self._match: Match | None = None
        self._standing: list[tuple[int, int]] = []  # (index in `tosses`, plies before it) of each that stands
        self._ended = False

    def take_line(self, line: Numbered) -> None:
        """Count the next event, as it is written."""
        try:
            self.take(line.at, line.event)
        except BadLine as error:
            log.warning("the tosses of game %d are not counted: %s", self.number, error)
            self.tosses, self._ended = [], True

    def take(self, at: str, event: Event) -> None:
        """Count the next event, written down at the time `at`."""
        if self._ended:
            return
        try:
            if isinstance(event, Started):
                self._match = Match.begin(event)
                return
            if self._match is None:
                self._ended = True
                return
            before, self._match = self._match, self._match.take(event)
        except RulesError:
            self._ended = True
            return
        if isinstance(event, Acted) and event.action.get("do") == "flip" and event.by != "computer":
            self._standing.append((len(self.tosses), len(before.plies)))
            name = self._match.started.game
            self.tosses.append(Toss(self.number, name, at, _seat(before, event), _coins(event), stands=True))
        while self._standing and self._standing[-1][1] >= len(self._match.plies):
            index, _ = self._standing.pop()
            self.tosses[index] = replace(self.tosses[index], stands=False)


def tosses_of(game: int, lines: Sequence[Line]) -> tuple[Toss, ...]:
    """The tosses in the lines of game number `game`, oldest first."""
    counted = _Game(game)
    for at, event in lines:
        counted.take(at, event)
    return tuple(counted.tosses)


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
