"""The history of a table: every game and every toss in its journal. Each event is counted once, a few at a time.

What was counted stays in memory, so no question replays a game; of every finished game it is written into the journal
too, so that a restart does not begin anew. It follows from the events, so nothing is lost with it: what is missing, or
was written by another version, is counted again.
"""

from __future__ import annotations

import logging
import threading
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import msgspec
from msgspec.structs import replace

from tablecoin.coins import Coin
from tablecoin.journal.journal import Journal, JournalError
from tablecoin.journal.played import Counted, Counting, PlayedGame
from tablecoin.journal.tosses import Toss, Tossed, falls_of
from tablecoin.rules.game import Seat

log = logging.getLogger(__name__)

_decoder = msgspec.json.Decoder(Counted)


class Games(NamedTuple):
    """Every game counted so far."""

    games: tuple[PlayedGame, ...]  # oldest first
    falls: Mapping[tuple[str, Coin], int]  # how often the coins of the person of that name fell so; see `person`
    uncounted: int  # events that are not counted yet


class History:
    """The history of one journal, for any thread."""

    def __init__(self, journal: Journal) -> None:
        self._journal = journal
        self._counting = threading.Lock()
        self._begin()

    def _begin(self) -> None:
        self._games: list[PlayedGame] = []  # those before the newest that was counted, like all that follows
        self._tosses: list[Toss] = []
        self._falls: Counter[tuple[Seat, Coin]] = Counter()
        self._own_falls: Counter[tuple[str, Coin]] = Counter()  # by the person
        self._newest = Counting(0)
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
                        counted = self._newest.counted
                        finished[self._newest.number] = self._last, msgspec.json.encode(counted)
                        self._close(counted)
                    self._newest = Counting(line.game)
                self._newest.take_line(line)
                self._last = line.number
            self._store(finished)
            return max(0, held - self._last)

    def tossed(self) -> Tossed:
        """Every toss that was counted. Raises JournalError."""
        with self._counting:
            newest = self._newest.counted.tosses
            return Tossed((*self._tosses, *newest), self._falls + falls_of(newest), self._uncounted())

    def games(self) -> Games:
        """Every game that was counted, the one under way included. Raises JournalError."""
        with self._counting:
            newest = self._newest.counted
            games = (*self._games, newest.played) if newest.played else tuple(self._games)
            doubtful = self._journal.unverified
            games = tuple(replace(one, verified=False) if one.number in doubtful else one for one in games)
            return Games(games, self._own_falls + _own_falls(newest), self._uncounted())

    def _uncounted(self) -> int:
        return max(0, self._journal.count() - self._last)

    def _close(self, counted: Counted) -> None:
        if counted.played:
            self._games.append(counted.played)
        self._tosses += counted.tosses
        self._falls += falls_of(counted.tosses)
        self._own_falls += _own_falls(counted)

    def _take_stored(self) -> None:
        """Begin behind the first games whose counts the journal holds. Another version's counts are made again."""
        stored = self._journal.counted()
        for game, last in self._journal.last_events().items():
            counted_last, body = stored.get(game, (0, b""))
            if counted_last != last:
                break
            try:
                self._close(_decoder.decode(body))
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


def person(name: str) -> str:
    """What tells one person from another: the name in any case."""
    return name.casefold()


def people(played: PlayedGame) -> dict[Seat, str]:
    """Who sat where: the seats of people who gave their names."""
    return {seat: name for seat, name in played.names.items() if played.seats.get(seat) == "person"}


def found(games: Sequence[PlayedGame], player: str = "", game: str = "") -> Iterator[PlayedGame]:
    """The games of a person, of a kind of game, or of both, newest first.

    `player` is a name in any case; where nobody is called so, it is a part of names. "" asks for everybody.
    """
    wanted = person(player)
    known = {person(name) for played in games for name in played.names.values()} if wanted else set()
    for played in reversed(games):
        names = {person(name) for name in played.names.values()}
        fits = wanted in names if wanted in known else any(wanted in name for name in names)
        if (fits or not wanted) and game in ("", played.game):
            yield played


def _own_falls(counted: Counted) -> Counter[tuple[str, Coin]]:
    """The tosses of a game by the person whose they were."""
    if counted.played is None:
        return Counter()
    sat = people(counted.played)
    falls: Counter[tuple[str, Coin]] = Counter()
    for (seat, coin), times in falls_of(counted.tosses).items():
        if seat in sat:
            falls[person(sat[seat]), coin] += times
    return falls
