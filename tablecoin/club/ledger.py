"""Takes in what tables say: keeps rulings, notices what is missing, and lets tournaments and hall know."""

from __future__ import annotations

import logging
import secrets
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path

from tablecoin.club.database import Database, DatabaseError, GameGoing, GameRow
from tablecoin.club.disputes import KINDS as DISPUTES
from tablecoin.club.disputes import Disputes
from tablecoin.club.gaps import Gaps
from tablecoin.club.hall import Brief, Hall
from tablecoin.club.ratings import Rated, rated
from tablecoin.club.tournaments import Tournaments
from tablecoin.mqtt import topics
from tablecoin.mqtt.connection import Received
from tablecoin.mqtt.messages import (
    KINDS,
    MOST_ASKED,
    Ask,
    Assignment,
    GameResult,
    Health,
    Message,
    Reply,
    Ruling,
    Summary,
    Unreadable,
    read,
)
from tablecoin.mqtt.unreadable import UnreadableLog
from tablecoin.rules.rulebook import Message as Sentence
from tablecoin.storage import durable

log = logging.getLogger(__name__)

_LARGEST_PICTURE = 2 << 20  # bytes
_MARK = "club.id"
_LEADERS = 5
_MOST_ASKS = 16
_CATCH_UP_S = 5.0  # between two tries, while the disk is full


class Ledger:
    """Everything that the club knows. `take` is called on one thread; the rest from any."""

    def __init__(
        self, folder: Path, name: str, hall: Hall | None = None, clock: Callable[[], float] = time.monotonic
    ) -> None:
        """Raises DatabaseError."""
        self.database = Database(folder)
        self.hall = hall or Hall(name)
        self.tournaments = Tournaments(self.database, mark(folder), clock=clock)
        self.hall.find_match = self.tournaments.place
        self._disputes = Disputes(self.database.rulings(DISPUTES))
        for each in self._disputes.open:
            self.hall.disputed(each.table, each.said)
        self._clock = clock
        self._unreadable = UnreadableLog(log)
        self._gaps: dict[tuple[str, str], Gaps] = {}
        self._journals: dict[str, str] = {}  # table -> its newest journal
        self._count = self.database.count()
        self._ratings: tuple[Rated, ...] | None = None
        self._assigned: Mapping[str, Assignment | None] = {}  # table -> what it was told; None: nobody knows
        for held in self.database.held():
            gaps = self._gaps.setdefault((held.table, held.journal), Gaps(MOST_ASKED))
            gaps.upto = held.numbers[0] if held.whole else 0
            gaps.got(held.numbers, self._clock())
        self._behind_s: float | None = None  # since when tournaments lack results that are kept
        self._catch_up()
        self._or_later(self.tournaments.keep_time)
        self._tell()

    def close(self) -> None:
        """Close the file."""
        self.database.close()

    # -- what is heard ------------------------------------------------------------------------------------------------

    def take(self, heard: Iterable[Received]) -> None:
        """Take in these messages. What is no message of a table is said, and changes nothing."""
        with self.hall.together():
            self._take_all(heard)

    def _take_all(self, heard: Iterable[Received]) -> None:
        rulings: list[Ruling] = []
        for one in heard:
            topic = topics.taken_apart(one.topic)
            if topic is None:
                continue
            try:
                if topic.major != topics.MAJOR:
                    facts = {"table": topic.table, "major": topic.major, "own": topics.MAJOR}
                    self.hall.note(Sentence("club.major", facts), topic.table)
                elif topic.kind == topics.UP and not one.payload:
                    self.hall.gone(topic.table)
                elif topic.kind == topics.UP:
                    self.hall.up(topic.table, one.payload == topics.ONLINE.encode())
                elif topic.kind == topics.PICTURE:
                    if one.payload[:2] == b"\xff\xd8" and len(one.payload) <= _LARGEST_PICTURE:
                        self.hall.shown(topic.table, one.payload)
                elif topic.kind in KINDS and one.payload:
                    message = read(KINDS[topic.kind], one.payload, topic.table)
                    if isinstance(message, Ruling):
                        rulings.append(message)
                    else:
                        self._take(message, one.retained)
                    self.hall.unnote("club.unreadable", topic.table)
                elif topic.kind == topics.REPLY:
                    self._nothing_offered(topic.table)
            except Unreadable as error:
                self._unreadable.add(error, topic.kind)
                self.hall.note(error.message, topic.table, slot="club.unreadable")
        if rulings:
            self._keep(rulings)
        if self._behind_s is not None and self._clock() - self._behind_s > _CATCH_UP_S and self._catch_up():
            self._tell()
        self.keep_time()

    def _take(self, message: Message, retained: bool) -> None:
        match message:
            case Summary():
                self.hall.summary(message, self._clock(), None if retained else _clock_off(message.sent))
                if message.journal:
                    self._journals[message.table] = message.journal
                    gaps = self._gaps.setdefault((message.table, message.journal), Gaps(MOST_ASKED))
                    gaps.hear(message.newest, self._clock())
            case Health():
                self.hall.health(message)
            case Reply() if self.tournaments.place(message.id):
                self.hall.reply(message)
            case Reply() if self.tournaments.assignment(message.table):
                self.hall.elsewhere(message.table)

    def _nothing_offered(self, table: str) -> None:
        """What a club wanted at a table was taken back. What this one wants there was overwritten before, or is now."""
        self.hall.nothing_offered(table)
        if self._assigned.get(table):
            self._assigned = {**self._assigned, table: None}

    def _keep(self, rulings: Sequence[Ruling]) -> None:
        try:
            new = self.database.keep(rulings)
            self.hall.unnote("club.disk")
        except DatabaseError as error:  # they stay missing, and are asked for again
            log.error("%s", error)
            self.hall.note(Sentence("club.disk", {"why": error.message}))
            for one in rulings:
                self._of(one).hear(one.number, self._clock())
            return
        for one in rulings:
            self._of(one).got([one.number], self._clock())
        self._count += len(new)
        told = False
        for one, changed in new:
            self.hall.ruling(one)
            if self._disputes.take(one):
                self._tell_dispute(one)
            told = (changed and self._settle(GameRow(one.table, one.journal, one.game, one.result))) or told
        if told:
            self._tell()

    def _tell_dispute(self, one: Ruling) -> None:
        if one.kind == "dispute":
            self.hall.disputed(one.table, one.said)
        else:
            self.hall.settled(one.table)

    def _of(self, one: Ruling) -> Gaps:
        return self._gaps.setdefault((one.table, one.journal), Gaps(MOST_ASKED))

    def _settle(self, game: GameRow) -> bool:
        """Whether a tournament changes with the result of this game. The ratings do."""
        self._ratings = None
        return self._or_later(lambda: self.tournaments.heard(game) is not None)

    def _catch_up(self) -> bool:
        """Whether a tournament changes with results that are kept, and that it was not told of."""
        self._behind_s = None
        changed = self._or_later(lambda: self.tournaments.catch_up(self.database.games()))
        if self._behind_s is None:
            self.hall.unnote("club.disk")
        return changed

    def _or_later(self, work: Callable[[], bool]) -> bool:
        """What `work` returns; where it fails it is caught up on later."""
        try:
            return work()
        except DatabaseError as error:
            log.error("%s", error)
            self.hall.note(Sentence("club.disk", {"why": error.message}))
            self._behind_s = self._clock()
            return False

    def keep_time(self) -> None:
        """Let rounds end when their minutes are over, whatever the clock does. Call it often."""
        if self._or_later(self.tournaments.keep_time):
            self._tell()

    # -- what is to be said -------------------------------------------------------------------------------------------

    def asks(self, most: int = _MOST_ASKS) -> list[Ask]:
        """What is to be asked of the tables now, `most` questions at a time."""
        now_s, found = self._clock(), list[Ask]()
        missing: dict[str, int] = {}
        for (table, journal), gaps in self._gaps.items():
            if self._journals.get(table, journal) != journal:
                continue  # the table has begun another journal: nobody can answer for this one
            missing[table] = missing.get(table, 0) + gaps.missing
            if len(found) < most:
                found += [Ask(table=table, journal=journal, first=a, last=b) for a, b in gaps.due(now_s)]
        self.hall.held(self._count, missing)
        return found

    def assignments(self) -> list[Assignment | str]:
        """What changed since the last call: an assignment to send, or a table whose assignment is taken back."""
        wanted = {table: each[0] for table, each in self.tournaments.assignments().items()}
        changed: list[Assignment | str] = [table for table in self._assigned if table not in wanted]
        changed += [each for table, each in wanted.items() if self._assigned.get(table) != each]
        self._assigned = wanted
        return changed

    def forget_assigned(self) -> None:
        """All assignments are to be sent again, and taken back where there is none: the broker may have lost either."""
        self._assigned = dict.fromkeys(self.tournaments.tables())

    def ratings(self) -> tuple[Rated, ...]:
        """Everybody's rating. Raises DatabaseError."""
        found = self._ratings
        if found is None:
            found = self._ratings = rated(self.database.results(), self.database.joined())
        return found

    def join(self, at: str, name: str, person: str) -> None:
        """Two names are one person's from now on. Raises DatabaseError."""
        self.database.join(at, name, person)
        self._ratings = None

    def take_results(self, over: Sequence[GameResult], going: Sequence[GameGoing]) -> None:
        """What a table without a broker tells of its games: those over, and the others. Raises DatabaseError."""
        changed = [self._settle(game) for game in self.database.keep_results(over, going)]
        if self._behind_s is not None:
            changed.append(self._catch_up())
        if any(changed):
            self._tell()

    def tell(self) -> None:
        """A tournament changed: the hall shows it."""
        self._tell()

    def _tell(self) -> None:
        briefs = []
        for number, stands in self.tournaments.all().items():
            newest = stands.rounds[-1] if stands.rounds and stands.rounds[-1].published else None
            best = () if stands.over else stands.standings()[:_LEADERS]
            rounds = len(stands.rounds) if newest else max(0, len(stands.rounds) - 1)
            briefs.append(
                Brief(
                    number=number,
                    name=stands.plan.name,
                    round=rounds,
                    rounds=stands.rounds_planned,
                    open=sum(len(stands.open_in(each)) for each in stands.rounds if each.published),
                    changes=len(self.tournaments.changes(number)),
                    left=len(self.tournaments.left(number)),
                    ends=newest.ends if newest else None,
                    leaders=tuple((stands.names[line.player], line.halves) for line in best),
                    clock_s=stands.plan.clock_s,
                    increment_s=stands.plan.increment_s,
                    at_zero=stands.plan.at_zero,
                    over=stands.over,
                )
            )
        self.hall.tournaments(tuple(briefs))


def mark(folder: Path) -> str:
    """A word of this club's alone, kept in its folder: it names its assignments and its connection."""
    file = folder / _MARK
    try:
        kept = durable.read(file, 100).decode().strip()
        if kept.isalnum() and kept.isascii():
            return kept
    except FileNotFoundError:
        pass
    except (OSError, UnicodeDecodeError) as error:
        log.warning("%s cannot be read (%s): tables see a new club", file, error)
    made = secrets.token_hex(4)
    try:
        durable.replace(file, made.encode() + b"\n")
    except OSError as error:
        log.warning("the club's word cannot be kept in %s (%s)", file, error.strerror)
    return made


def _clock_off(sent: str) -> float | None:
    """A table's clock less ours, in seconds; None where it is no time."""
    try:
        told = datetime.fromisoformat(sent)
    except ValueError:
        return None
    return (told.replace(tzinfo=told.tzinfo or UTC) - datetime.now(UTC)).total_seconds()
