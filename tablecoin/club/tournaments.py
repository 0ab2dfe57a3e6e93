"""The club's tournaments: each is what its kept events make of it.

An event is on the disk before anybody sees what it changes. Results come from the tables by themselves: a game that was
played for an assignment tells its id.
"""

from __future__ import annotations

import logging
import threading
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import cached_property
from typing import NamedTuple

import msgspec

from tablecoin.club.database import Database, GameRow
from tablecoin.club.deadlines import Deadlines, written
from tablecoin.club.hall import MatchAt
from tablecoin.mqtt.messages import Assignment, GameResult, Texts
from tablecoin.rules import load
from tablecoin.rules.game import RulesError, Seat
from tablecoin.rules.rulebook import Complaint, Message
from tablecoin.tournament.field import Match, Plan, Player
from tablecoin.tournament.pairing import next_round
from tablecoin.tournament.tournament import (
    Entered,
    Event,
    Impossible,
    Moved,
    Paired,
    Reopened,
    Resulted,
    Timed,
    Tournament,
    halves_for,
)

log = logging.getLogger(__name__)

_AGAIN = "."  # in an assignment, before the number of times that its match was opened again

_event = msgspec.json.Decoder(Event)


class Refused(Complaint):
    """A tournament cannot do this: one sentence in every language."""


class Change(NamedTuple):
    """A line of a tournament's history."""

    at: str
    event: Event


@dataclass(frozen=True)
class _Held:
    founded: str
    stands: Tournament
    changes: tuple[Change, ...]

    @cached_property
    def reopened(self) -> Mapping[str, int]:
        """Match -> how often the organiser opened it again."""
        return Counter(event.match for _, event in self.changes if isinstance(event, Reopened) and event.by != "table")

    @cached_property
    def told(self) -> Mapping[str, Mapping[str, Mapping[Player, int]]]:
        """Match -> game -> the result that a table told, and did not take back. It may no longer be the match's."""
        found: dict[str, dict[str, Mapping[Player, int]]] = {}
        newest: dict[str, str] = {}  # match -> the game that decides it
        for _, event in self.changes:
            match event:
                case Resulted(by="table"):
                    found.setdefault(event.match, {})[event.game] = event.halves
                    newest[event.match] = event.game
                case Reopened(by="table"):
                    found[event.match].pop(newest[event.match], None)
        return found


def utc_now() -> str:
    """ISO 8601, UTC, to the second."""
    return written(datetime.now(UTC))


class Tournaments:
    """Every tournament of the club, for any thread."""

    def __init__(
        self,
        database: Database,
        club: str,
        now: Callable[[], str] = utc_now,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """`club`: a word of this club's alone, at the front of its assignments. `clock`: steady, in seconds.

        Raises DatabaseError.
        """
        self._database, self._club, self._now = database, club, now
        self._deadlines = Deadlines(clock)
        self._lock = threading.RLock()
        self._all: dict[int, _Held] = {}
        self._left: dict[tuple[int, str], Texts] = {}
        self._drawn: dict[tuple[int, str], set[str]] = {}  # match of a knock-out -> its games that nobody won
        for number, at, body in database.tournaments():
            stands = Tournament(msgspec.json.decode(body, type=Plan))
            changes = []
            for each in database.happened(number):
                changes.append(Change(each.at, _event.decode(each.body)))
                stands = stands.take(changes[-1].event)
            self._all[number] = _Held(at, stands, tuple(changes))

    def all(self) -> dict[int, Tournament]:
        """By number, newest first."""
        with self._lock:
            return {number: self._all[number].stands for number in sorted(self._all, reverse=True)}

    def get(self, number: int) -> Tournament:
        """The tournament of that number. Raises Refused."""
        with self._lock:
            if number not in self._all:
                raise Refused(Message("club.no_tournament", {"number": number}))
            return self._all[number].stands

    def match(self, number: int, name: str) -> Match:
        """The match of a tournament whose id is `name`. Raises Refused."""
        try:
            return self.get(number).match(name)
        except Impossible as error:
            raise _refused(error) from None

    def changes(self, number: int) -> tuple[Change, ...]:
        """Everything that happened in it."""
        with self._lock:
            self.get(number)
            return self._all[number].changes

    def left(self, number: int) -> dict[str, Texts]:
        """Matches whose result, as a table told it, the tournament did not take, and why: the organiser decides."""
        with self._lock:
            open_now = {match.id for match in self.get(number).open_matches}
            return {match: why for (of, match), why in self._left.items() if of == number and match in open_now}

    def found(self, plan: Plan, names: Sequence[str]) -> int:
        """A new tournament with these players; its number. Raises Refused, DatabaseError."""
        _check(plan)
        stands, events = Tournament(plan), [Entered(name) for name in names]
        for event in events:
            stands = _take(stands, event)
        with self._lock:
            at = self._now()
            number = self._database.found(at, msgspec.json.encode(plan), [msgspec.json.encode(each) for each in events])
            self._all[number] = _Held(at, stands, tuple(Change(at, event) for event in events))
        return number

    def do(self, number: int, event: Event) -> Tournament:
        """Let something happen; how it stands then. Raises Refused, and nothing is changed; DatabaseError."""
        with self._lock:
            return self._do(number, _take(self.get(number), event), event)

    def time_in(self, minutes: int) -> str:
        """The time so many minutes from now."""
        return written(datetime.fromisoformat(self._now()) + timedelta(minutes=minutes))

    def keep_time(self) -> bool:
        """Let rounds end when their minutes are over, also where the clock was set meanwhile; whether one had to move.

        Call it often. Raises DatabaseError.
        """
        changed = False
        with self._lock:
            for number, held in self._all.items():
                newest = held.stands.rounds[-1] if held.stands.rounds else None
                if held.stands.over or not newest or not newest.published or not newest.ends:
                    continue
                told = next(at for at, event in reversed(held.changes) if getattr(event, "ends", "") == newest.ends)
                if ends := self._deadlines.moved(number, newest.ends, told, self._now()):
                    self._do(number, _take(held.stands, Timed(ends)), Timed(ends))
                    changed = True
        return changed

    def pair(self, number: int) -> Tournament:
        """Pair the next round. Raises Refused, DatabaseError."""
        with self._lock:
            stands = self.get(number)
            try:
                event = Paired(next_round(stands))
            except Impossible as error:
                raise _refused(error) from None
            return self._do(number, _take(stands, event), event)

    def _do(self, number: int, stands: Tournament, event: Event) -> Tournament:
        held, at = self._all[number], self._now()
        self._database.happen(number, len(held.changes) + 1, at, [msgspec.json.encode(event)])
        self._all[number] = _Held(held.founded, stands, (*held.changes, Change(at, event)))
        return stands

    # -- what tables play -----------------------------------------------------------------------------------------

    def assignments(self) -> dict[str, list[Assignment]]:
        """Table -> what it should play, in this order: the open matches of each tournament's published rounds."""
        found: dict[str, list[Assignment]] = {}
        for number, stands in self.all().items():
            for of, one in enumerate(stands.rounds, 1):
                if stands.over or not one.published:
                    continue
                for match in sorted(stands.open_in(one), key=lambda each: each.wave):
                    if match.table:
                        found.setdefault(match.table, []).append(self._assignment(number, stands, of, match))
        return found

    def tables(self) -> set[str]:
        """Every table that may have been offered a match."""
        found = set[str]()
        with self._lock:
            for held in self._all.values():
                found.update(held.stands.plan.tables)
                for _, event in held.changes:
                    match event:
                        case Moved():
                            found.add(event.table)
                        case Paired():  # also at a table that the tournament is not played at any more
                            found.update(match.table for match in event.matches if match.table)
        return found

    def assignment(self, table: str) -> Assignment | None:
        """What that table should play now."""
        return next(iter(self.assignments().get(table, ())), None)

    def _assignment(self, number: int, stands: Tournament, of: int, match: Match) -> Assignment:
        plan = stands.plan
        return Assignment(
            table=match.table or "",
            id=self._id(number, match),
            event=plan.name,
            round=of,
            game=plan.game,
            options=_options(plan, match),
            names={seat: stands.names[player] for seat, player in zip(seats(plan, match), match.players, strict=True)},
            clock_s=plan.clock_s or None,
            increment_s=plan.increment_s,
            at_zero=plan.at_zero,
        )

    def _id(self, number: int, match: Match) -> str:
        """The assignment of a match. One that is to be played anew, because the organiser opened it again or nobody
        won where somebody must, is another: a table begins each only once."""
        again = self._all[number].reopened.get(match.id, 0) + len(self._drawn.get((number, match.id), ()))
        return f"{self._club}-{number}-{match.id}" + (f"{_AGAIN}{again}" if again else "")

    def heard(self, game: GameRow) -> int | None:
        """A game ended, or goes on again: where it was a match, the tournament it belongs to.

        Raises DatabaseError. What the tournament does not take is left to the organiser: see `left`.
        """
        if game.result:
            return self._ended(game.result)
        return self._taken_back(game_key(game.table, game.journal, game.number))

    def catch_up(self, games: Sequence[GameRow]) -> bool:
        """Hear of all these games what was not heard: the club was killed, or its disk was full, before it could.

        Whether a tournament changed. Raises DatabaseError.
        """
        going = {game_key(game.table, game.journal, game.number) for game in games if game.result is None}
        changed = False
        with self._lock:
            for number, stands in self.all().items():
                for match, result in () if stands.over else stands.results.items():
                    if result.by == "table" and result.game in going:
                        changed = self._heard(number, Reopened(match, "table")) is not None or changed
            for game in games:
                changed = (game.result is not None and self._ended(game.result, late=True) is not None) or changed
        return changed

    def _ended(self, result: GameResult, *, late: bool = False) -> int | None:
        """`late`: it may have ended before the organiser said what they said last."""
        found = self._match(result.assignment)
        if found is None:
            return None
        number, match = found
        with self._lock:
            held = self._all[number]
            before = held.stands.results.get(match.id)
            sat = _sat(held.stands, match, result)
            winners = frozenset(sat[seat] for seat in result.winners if seat in sat) if sat else frozenset()
            key = game_key(result.table, result.journal, result.number)
            is_drawn = sat is not None and held.stands.plan.system == "knock-out" and len(winners) != 1
            if is_drawn:
                self._drawn.setdefault((number, match.id), set()).add(key)
            if held.stands.over or (before and before.by == "organiser"):
                return None
            if sat is None:
                return self._leave(number, match.id, Refused(Message("club.others", {"table": result.table})))
            event = Resulted(match.id, halves_for(match, winners), "table", key)
            if is_drawn:
                return None if before else self._heard(number, event)
            if held.told.get(match.id, {}).get(key) == event.halves:
                return None  # the organiser may have said something else since
            if late and result.assignment != self._id(number, match):
                return self._leave(number, match.id, Refused(Message("club.earlier", {"table": result.table})))
            return self._heard(number, event)

    def _taken_back(self, key: str) -> int | None:
        with self._lock:
            for (number, match), games in self._drawn.items():
                if key in games:
                    games.remove(key)
                    self._left.pop((number, match), None)
                    return number
            for number, stands in self.all().items():
                for match, result in () if stands.over else stands.results.items():
                    if result.game == key and result.by == "table":
                        return self._heard(number, Reopened(match, "table"))
        return None

    def _heard(self, number: int, event: Resulted | Reopened) -> int | None:
        try:
            self.do(number, event)
            self._left.pop((number, event.match), None)
        except Refused as error:
            self._leave(number, event.match, error)
        return number

    def _leave(self, number: int, match: str, why: Refused) -> int:
        self._left[number, match] = why.texts
        log.warning("tournament %d does not take what a table tells of match %s: %s", number, match, why)
        return number

    def place(self, assignment: str) -> MatchAt | None:
        """The match that is played for an assignment; None where it is none of this club's."""
        found = self._match(assignment)
        return MatchAt(found[0], found[1].id) if found else None

    def _match(self, assignment: str) -> tuple[int, Match] | None:
        """The match of an assignment of this club's."""
        head, _, rest = assignment.partition(f"{self._club}-")
        number, _, match = rest.partition(_AGAIN)[0].partition("-")
        if head or not number.isdecimal() or int(number) not in self._all:
            return None
        try:
            return int(number), self.get(int(number)).match(match)
        except Impossible:
            return None


def _sat(stands: Tournament, match: Match, result: GameResult) -> dict[Seat, Player] | None:
    """Who of the match sat where: people may have changed seats, so it is by their names. None: others sat there."""
    by_name = {stands.names[player]: player for player in match.players}
    found = {seat: by_name[name] for seat, name in result.how.names.items() if name in by_name}
    return found if set(found.values()) == set(match.players) else None


def game_key(table: str, journal: str, game: int) -> str:
    """What names one game of all tables."""
    return f"{table}/{journal}/{game}"


def seats(plan: Plan, match: Match) -> tuple[Seat, ...]:
    """The seats of a match's players, in their order."""
    game = load(plan.game)
    return tuple(game.seats(game.read_options(_options(plan, match))))


def _options(plan: Plan, match: Match) -> dict[str, object]:
    options = dict(plan.options)
    if plan.system == "ring":
        options["players"] = len(match.players)
    return options


def _check(plan: Plan) -> None:
    """Raises Refused for a game that such a tournament cannot be played with."""
    try:
        game = load(plan.game)
        places = game.seats(game.read_options(dict(plan.options)))
    except RulesError as error:
        raise Refused(Message("club.plan", {"why": error.message})) from None
    if (plan.system == "ring") != (plan.game == "goes-around") or (plan.system != "ring" and len(places) != 2):
        raise Refused(Message("club.plan.game", {"game": game.title}))


def _take(stands: Tournament, event: Event) -> Tournament:
    try:
        return stands.take(event)
    except Impossible as error:
        raise _refused(error) from None


def _refused(error: Impossible) -> Refused:
    return Refused(Message(f"club.cannot.{error.reason}", error.facts))
