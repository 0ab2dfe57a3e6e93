"""What the hall shows: every table as it stands now, what is wrong, and which game is the biggest. Kept in memory."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from typing import NamedTuple

import msgspec
from msgspec.structs import replace

from tablecoin.mqtt.messages import Fault, Health, Reply, Ruling, Seated, Summary, Texts
from tablecoin.rules.game import Seat
from tablecoin.rules.rulebook import Message, texts
from tablecoin.tournament.field import AtZero

_CLOCK_OFF_S = 120.0  # from here on a table's clock is called wrong
_CLOCK_SAME_S = 2.0  # below this it is not told from a message's way
_TWINS_S = 300.0  # another device under a name within this time: two tables share it
_MOST_TABLES = 5000
_DISPUTE = "club.dispute"  # the notice of a dispute, which calls the organiser
_ELSEWHERE = "club.elsewhere"  # the notice that another club's game is on offer


class MatchAt(msgspec.Struct, frozen=True):
    """A match of one of the club's tournaments."""

    tournament: int
    id: str


class Notice(msgspec.Struct, frozen=True):
    """Something that the organiser should know. `code` is its key in the catalogue."""

    code: str
    texts: Texts
    table: str = ""
    url: str = ""  # of a dispute: the table's page, which shows the pictures of the ruling
    match: MatchAt | None = None  # of a dispute: the match that is played there


class TableNow(msgspec.Struct, frozen=True):
    """A table as the hall shows it."""

    id: str
    name: str
    up: bool = False  # it is connected to the broker, or answers
    url: str = ""
    game: str | None = None
    title: Texts = {}
    phase: str = ""
    prompt: str = ""
    said: Texts = {}
    seats: tuple[Seated, ...] = ()
    turn: tuple[Seat, ...] = ()
    since: str = ""
    winners: tuple[Seat, ...] | None = None
    ruling: Texts = {}
    faults: tuple[Fault, ...] = ()
    assignment: str = ""  # the assignment that is played
    reply: Reply | None = None  # to the newest assignment
    newest: int = 0  # the number of the newest ruling that is shown
    missing: int = 0  # rulings that the club lacks and asks for
    picture: int | None = None  # the number of its newest picture


class Brief(msgspec.Struct, frozen=True):
    """A tournament as the hall shows it."""

    number: int
    name: str
    round: int
    rounds: int
    open: int  # matches without a result
    changes: int  # that happened in it: with another number, its page shows something else
    left: int  # matches whose result, as a table told it, is left to the organiser
    ends: str | None
    leaders: tuple[tuple[str, int], ...]  # names and half points, best first; () once it is over
    clock_s: int = 0  # thinking time of each side of a game; 0: none
    increment_s: int = 0
    at_zero: AtZero = "said"
    over: bool = False


class HallNow(msgspec.Struct, frozen=True):
    """The hall at one moment."""

    seq: int
    club: str
    at: str  # the club's clock: ISO 8601, UTC
    tables: tuple[TableNow, ...]
    biggest: str | None  # the id of the table to show large
    notices: tuple[Notice, ...]
    tournaments: tuple[Brief, ...]
    rulings: int  # that the club holds


class _Device(NamedTuple):
    name: str
    since_s: float


class Hall:
    """For any thread. `changed` is called after every change, without the lock."""

    def __init__(
        self,
        club: str,
        changed: Callable[[], None] = lambda: None,
        now: Callable[[], float] = time.time,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """`now`: the club's clock, in seconds since 1970; `clock`: a steady one."""
        self.changed = changed
        self._now, self._clock = now, clock
        self.find_match: Callable[[str], MatchAt | None] = lambda assignment: None  # whose match an assignment is
        self._club = club
        self._lock = threading.Lock()
        self._seq = 1
        self._gathering = 0
        self._tables: dict[str, TableNow] = {}
        self._devices: dict[str, _Device] = {}
        self._clocks: dict[str, float] = {}  # table -> its clock less ours, in seconds, when it was heard last
        self._heard: dict[str, float] = {}  # table -> our clock less the steady one, when it was heard last
        self._pictures: dict[str, bytes] = {}
        self._notices: dict[tuple[str, str], Notice] = {}
        self._disputes: dict[str, Texts] = {}  # by table: what it is about
        self._tournaments: tuple[Brief, ...] = ()
        self._rulings = 0

    @property
    def seq(self) -> int:
        """Grows with every change."""
        return self._seq

    def now(self) -> HallNow:
        """The hall as it stands."""
        with self._lock:
            now_s = self._now()
            apart_s = now_s - self._clock()
            stand = [_moved(each, apart_s - self._heard.get(each.id, apart_s)) for each in self._tables.values()]
            tables = tuple(sorted(stand, key=lambda each: (each.name.casefold(), each.id)))
            notices = tuple(self._notices[key] for key in sorted(self._notices))
            disputes = [(self._table(table), said) for table, said in sorted(self._disputes.items())]
            seq, briefs, rulings = self._seq, self._tournaments, self._rulings
        at = datetime.fromtimestamp(now_s, UTC).isoformat(timespec="seconds").replace("+00:00", "Z")
        called = tuple(self._called(table, said) for table, said in disputes)
        return HallNow(seq, self._club, at, tables, biggest(tables), called + notices, briefs, rulings)

    def picture(self, table: str) -> bytes | None:
        """The newest picture of a table, JPEG."""
        with self._lock:
            return self._pictures.get(table)

    @contextmanager
    def together(self) -> Iterator[None]:
        """Everything that changes meanwhile is told once, at the end."""
        before = self._seq
        with self._lock:
            self._gathering += 1
        try:
            yield
        finally:
            with self._lock:
                self._gathering -= 1
            if self._seq != before:
                self.changed()

    # -- what is heard ------------------------------------------------------------------------------------------------

    def summary(self, told: Summary, now_s: float, clock_s: float | None) -> None:
        """A table says how it stands. `clock_s`: its clock less ours; None where the message is not fresh."""
        with self._lock:
            device = self._devices.get(told.table)
            if device and device.name != told.device and now_s - device.since_s < _TWINS_S:
                self._note("club.twins", told.table, table=told.table)
            if not device or device.name != told.device:
                self._devices[told.table] = _Device(told.device, now_s)
            if clock_s is not None:
                self._clocks[told.table] = clock_s
                self._set(
                    "club.clock", told.table, abs(clock_s) > _CLOCK_OFF_S, name=told.name, minutes=_minutes(clock_s)
                )
            before = self._table(told.table)
            self._heard[told.table] = self._now() - self._clock()
            self._tables[told.table] = replace(
                before,
                **{key: getattr(told, key) for key in _SAME},
                seats=tuple(_by_our_clock(each, self._clocks.get(told.table, 0.0)) for each in told.seats),
                newest=max(before.newest, told.newest) if told.device == (device and device.name) else told.newest,
            )
        self._ring()

    def ruling(self, told: Ruling) -> None:
        """A table ruled; the hall shows it before the summary comes."""
        with self._lock:
            table = self._table(told.table)
            if told.number > table.newest:
                self._tables[told.table] = replace(table, ruling=told.said, newest=told.number)
        self._ring()

    def disputed(self, table: str, said: Texts) -> None:
        """A ruling is disputed at a table; `said`: which."""
        with self._lock:
            self._disputes[table] = said
        self._ring()

    def settled(self, table: str) -> None:
        """Nothing is disputed at a table any more."""
        with self._lock:
            found = self._disputes.pop(table, None)
        if found is not None:
            self._ring()

    def health(self, told: Health) -> None:
        """A table says what is wrong with it."""
        with self._lock:
            self._tables[told.table] = replace(self._table(told.table), faults=told.faults)
        self._ring()

    def up(self, table: str, is_up: bool) -> None:
        """A table came or went."""
        with self._lock:
            self._tables[table] = replace(self._table(table), up=is_up)
        self._ring()

    def gone(self, table: str) -> None:
        """A table took everything away: it publishes no more, or under another name."""
        with self._lock:
            self._tables.pop(table, None)
            self._pictures.pop(table, None)
            self._notices = {key: notice for key, notice in self._notices.items() if key[1] != table}
        self._ring()

    def reply(self, told: Reply) -> None:
        """A table's owner answered an assignment."""
        with self._lock:
            table = self._table(told.table)
            self._tables[told.table] = replace(table, reply=told)
            declined = told.answer in ("declined", "refused")
            self._set("club.declined", told.table, declined, name=table.name, said=told.said or _NOTHING)
            self._notices.pop((_ELSEWHERE, told.table), None)
        self._ring()

    def elsewhere(self, table: str) -> None:
        """Another club's game is on offer at a table where a match of this one is to be played."""
        with self._lock:
            self._note(_ELSEWHERE, table, name=self._table(table).name)
        self._ring()

    def nothing_offered(self, table: str) -> None:
        """No club's game is on offer at a table, and none was declined."""
        with self._lock:
            self._tables[table] = replace(self._table(table), reply=None)
            for code in ("club.declined", _ELSEWHERE):
                self._notices.pop((code, table), None)
        self._ring()

    def shown(self, table: str, jpeg: bytes) -> None:
        """A table's newest picture."""
        with self._lock:
            before = self._table(table)
            self._pictures[table] = jpeg
            self._tables[table] = replace(before, picture=(before.picture or 0) + 1)
        self._ring()

    def held(self, rulings: int, missing: Mapping[str, int]) -> None:
        """How many rulings the club has, and how many of each table it lacks."""
        with self._lock:
            same = rulings == self._rulings
            self._rulings = rulings
            for table, many in missing.items():
                shown = self._tables.get(table)
                if shown and shown.missing != many:
                    same = False
                    self._tables[table] = replace(shown, missing=many)
        if not same:
            self._ring()

    def tournaments(self, briefs: tuple[Brief, ...]) -> None:
        """How the tournaments stand."""
        with self._lock:
            self._tournaments = briefs
        self._ring()

    def note(self, message: Message, table: str = "", slot: str = "") -> None:
        """Something is wrong, until `unnote`. `slot`: what it takes the place of; "" for its own key."""
        notice = Notice(slot or message.key, texts(message), table)
        with self._lock:
            same = self._notices.get((notice.code, table)) == notice
            self._notices[notice.code, table] = notice
        if not same:
            self._ring()

    def unnote(self, code: str, table: str = "") -> None:
        """It is not wrong any more, or the organiser has seen it."""
        with self._lock:
            found = self._disputes.pop(table, None) if code == _DISPUTE else self._notices.pop((code, table), None)
        if found is not None:
            self._ring()

    def _called(self, table: TableNow, said: Texts) -> Notice:
        """The notice of a dispute."""
        about = texts(Message(_DISPUTE, {"name": table.name, "said": said}))
        return Notice(_DISPUTE, about, table.id, table.url, self.find_match(table.assignment))

    # -- inside: with the lock held -----------------------------------------------------------------------------------

    def _table(self, table: str) -> TableNow:
        if table not in self._tables and len(self._tables) >= _MOST_TABLES:
            return TableNow(table, table)
        return self._tables.setdefault(table, TableNow(table, table))

    def _set(self, code: str, table: str, wrong: bool, /, **facts: object) -> None:
        if wrong:
            self._note(code, table, **facts)
        else:
            self._notices.pop((code, table), None)

    def _note(self, code: str, table: str, /, **facts: object) -> None:
        self._notices[code, table] = Notice(code, texts(Message(code, facts)), table)

    def _ring(self) -> None:
        with self._lock:
            self._seq += 1
            if self._gathering:
                return
        self.changed()


_SAME = (
    "name", "url", "game", "title", "phase", "prompt", "said", "turn", "since", "winners", "ruling", "assignment",
)  # fmt: skip
_NOTHING = {"en": "", "zh": ""}


def biggest(tables: tuple[TableNow, ...]) -> str | None:
    """The game to show large: one under way before one that is over, a tournament's before others, then most seats."""

    def size(table: TableNow) -> tuple[bool, bool, int, int]:
        return (table.winners is None, bool(table.assignment), len(table.seats), table.newest)

    playing = [table for table in tables if table.up and table.game]
    return max(playing, key=size).id if playing else None


def _moved(table: TableNow, set_s: float) -> TableNow:
    """The same after our clock was set by so many seconds."""
    return replace(table, seats=tuple(_by_our_clock(each, -set_s) for each in table.seats))


def _by_our_clock(seated: Seated, ahead_s: float) -> Seated:
    """The same with its time by the club's clock. `ahead_s`: the table's clock less ours."""
    if not seated.zero_at:
        return seated
    try:
        ours = datetime.fromisoformat(seated.zero_at) - timedelta(seconds=ahead_s)
    except (ValueError, OverflowError):
        return replace(seated, zero_at="")
    return seated if abs(ahead_s) < _CLOCK_SAME_S else replace(seated, zero_at=ours.isoformat(timespec="seconds"))


def _minutes(seconds: float) -> int:
    return round(abs(seconds) / 60)
