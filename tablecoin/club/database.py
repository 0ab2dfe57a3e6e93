"""The club's SQLite file: rulings, results, players and tournaments.

A write-ahead log with synchronous=FULL keeps what was committed over a power cut (https://www.sqlite.org/wal.html).
Rulings are committed several at a time: what a power cut takes of them is asked for again, because every table's
journal has it. What an organiser did stands nowhere else, and each of it is committed by itself.
"""

from __future__ import annotations

import os
import sqlite3
import threading
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import NamedTuple

import msgspec

from tablecoin.mqtt.messages import GameResult, Ruling
from tablecoin.rules.rulebook import Complaint, Message
from tablecoin.storage.regular import NotRegularFile, open_regular

FILE = "club.db"
VERSION = 1
_SUFFIXES = ("-wal", "-shm", "-journal")  # of SQLite's files beside it
_LOCKED_S = 2.0  # how long another program may use the file

_TABLES = """
create table ruling (
    tab text not null, journal text not null, number integer not null, game integer not null, at text not null,
    body blob not null, primary key (tab, journal, number)
) without rowid;
create table result (
    tab text not null, journal text not null, game integer not null, number integer not null, body blob,
    primary key (tab, journal, game)
) without rowid;
create table tournament (id integer primary key, at text not null, body blob not null);
create table happening (
    tournament integer not null references tournament (id), number integer not null, at text not null,
    body blob not null, primary key (tournament, number)
) without rowid;
create table joined (number integer primary key, at text not null, name text not null, person text not null);
create trigger happening_kept before delete on happening begin select raise(abort, 'kept'); end;
create trigger happening_fixed before update on happening begin select raise(abort, 'kept'); end;
create trigger ruling_kept before delete on ruling begin select raise(abort, 'kept'); end;
create trigger ruling_fixed before update on ruling begin select raise(abort, 'kept'); end;
"""
# In which order the club heard that games are over. Results that an older club kept have no number.
_HEARD = """
create table if not exists heard (
    number integer primary key autoincrement, tab text not null, journal text not null, game integer not null,
    unique (tab, journal, game)
)
"""
# A game's result is what the newest of its rulings says: an undo takes it away again. `number` is that ruling's.
_RESULT = """
insert into result values (?, ?, ?, ?, ?) on conflict do update set number = excluded.number, body = excluded.body
where excluded.number > result.number
"""


class DatabaseError(Complaint):
    """The club's file cannot be used: one sentence that says what is wrong and what to do."""


class Happened(NamedTuple):
    """One event of a tournament, as it is kept."""

    number: int
    at: str  # ISO 8601, UTC
    body: bytes


class Kept(NamedTuple):
    """A ruling that was new."""

    ruling: Ruling
    changed: bool  # the result of its game is another now: it ended, or goes on again


class GameRow(NamedTuple):
    """One game of a journal, and its result while it is over."""

    table: str
    journal: str
    number: int
    result: GameResult | None


class GameGoing(NamedTuple):
    """A game that is not over, of a table whose rulings are not heard."""

    table: str
    journal: str
    number: int
    last: int  # the number of its newest ruling


class Held(NamedTuple):
    """What is there of one journal."""

    table: str
    journal: str
    numbers: Sequence[int]  # in order; where nothing is missing, the newest alone
    whole: bool


class Database:
    """The club's file, for any thread."""

    def __init__(self, folder: Path) -> None:
        """Opens or makes the file. Raises DatabaseError."""
        self.path = folder / FILE
        self._lock = threading.RLock()
        try:
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            os.close(open_regular(self.path, os.O_CREAT | os.O_WRONLY))
            for suffix in _SUFFIXES:  # SQLite would wait for a pipe
                with suppress(FileNotFoundError):
                    os.close(open_regular(folder / f"{FILE}{suffix}"))
            self._db = sqlite3.connect(self.path, timeout=_LOCKED_S, isolation_level=None, check_same_thread=False)
            try:
                self._open()
            except BaseException:
                self._db.close()
                raise
        except NotRegularFile as error:
            raise DatabaseError(Message("club.database", {"path": error.filename, "why": error.strerror})) from None
        except (sqlite3.Error, OSError) as error:
            raise DatabaseError(Message("club.database", {"path": str(self.path), "why": str(error)})) from None

    def _open(self) -> None:
        db = self._db
        db.execute("pragma locking_mode = exclusive")  # two clubs on one file would count the same twice
        db.execute("pragma journal_mode = wal")
        db.execute("pragma synchronous = full")
        db.execute("pragma recursive_triggers = on")
        (version,) = db.execute("pragma user_version").fetchone()
        if version > VERSION:
            raise DatabaseError(Message("club.newer", {"path": str(self.path)}))
        if not version:
            with self._changes():
                for statement in _statements(_TABLES):
                    db.execute(statement)
                db.execute(f"pragma user_version = {VERSION}")
        else:
            db.execute("begin immediate")  # takes the lock now, so that a second club is told at its start
            db.execute("commit")
        db.execute(_HEARD)

    def close(self) -> None:
        """Close the file; everything kept is in its one main file then."""
        with self._lock:
            self._db.close()

    @contextmanager
    def _changes(self) -> Iterator[sqlite3.Connection]:
        """One transaction. What fails is rolled back and raised as DatabaseError."""
        with self._lock:
            try:
                self._db.execute("begin immediate")
                try:
                    yield self._db
                except BaseException:
                    self._db.execute("rollback")
                    raise
                self._db.execute("commit")
            except sqlite3.Error as error:
                if self._db.in_transaction:
                    self._db.execute("rollback")
                raise DatabaseError(Message("club.database", {"path": str(self.path), "why": str(error)})) from None

    # -- rulings ------------------------------------------------------------------------------------------------------

    def keep(self, rulings: Iterable[Ruling]) -> list[Kept]:
        """Keep these rulings; those that were new, in their order. One that is there already changes nothing."""
        new: list[Kept] = []
        with self._changes() as db:
            for one in rulings:
                key = (one.table, one.journal, one.number, one.game, one.at, msgspec.json.encode(one))
                if db.execute("insert or ignore into ruling values (?, ?, ?, ?, ?, ?)", key).rowcount:
                    game = GameRow(one.table, one.journal, one.game, one.result)
                    new.append(Kept(one, changed=_keep(db, game, one.number)))
        return new

    def keep_results(self, over: Iterable[GameResult], going: Iterable[GameGoing] = ()) -> list[GameRow]:
        """Keep results of tables whose rulings are not heard; those of games that are going on again are taken away.

        The games whose result is another now: what is told again, or is older than what is known, changes nothing.
        """
        with self._changes() as db:
            told = [(GameRow(one.table, one.journal, one.number, one), one.last) for one in over]
            told += [(GameRow(each.table, each.journal, each.number, None), each.last) for each in going]
            return [game for game, number in told if _keep(db, game, number)]

    def held(self) -> list[Held]:
        """What is there of every journal."""
        found = []
        with self._lock:
            counted = self._db.execute(
                "select tab, journal, count(*), min(number), max(number) from ruling group by tab, journal"
            ).fetchall()
            for table, journal, many, first, last in counted:
                if first == 1 and many == last:
                    found.append(Held(table, journal, (last,), True))
                    continue
                asked = "select number from ruling where tab = ? and journal = ? order by number"
                numbers = [number for (number,) in self._db.execute(asked, (table, journal))]
                found.append(Held(table, journal, numbers, False))
        return found

    def rulings(self, kinds: Sequence[str]) -> list[Ruling]:
        """Every ruling of these kinds, in the order of each journal."""
        asked = (
            "select body from ruling where json_extract(cast(body as text), '$.kind') "
            f"in ({','.join('?' * len(kinds))}) order by tab, journal, number"
        )
        with self._lock:
            return [msgspec.json.decode(body, type=Ruling) for (body,) in self._db.execute(asked, kinds)]

    def count(self) -> int:
        """How many rulings are kept."""
        with self._lock:
            (many,) = self._db.execute("select count(*) from ruling").fetchone()
        return int(many)

    def games(self) -> list[GameRow]:
        """Every game that was heard of."""
        with self._lock:
            rows = self._db.execute("select tab, journal, game, body from result").fetchall()
        return [
            GameRow(table, journal, game, msgspec.json.decode(body, type=GameResult) if body else None)
            for table, journal, game, body in rows
        ]

    def results(self) -> list[GameResult]:
        """Every game that is over, in the order in which the club heard of them. Those of one journal keep its order.

        Times tell no order, because the clock of a table may be wrong. Only results that an older club kept are sorted
        by them, and come first. A game that was heard of twice, as from a journal that was restored under another name,
        is there once.
        """
        asked = (
            "select result.body, heard.number from result left join heard using (tab, journal, game) "
            "where body is not null order by tab, journal, game"
        )
        with self._lock:
            rows = self._db.execute(asked).fetchall()
        once: dict[object, tuple[int, GameResult]] = {}
        for body, number in rows:
            each = msgspec.json.decode(body, type=GameResult)
            same = (each.began, each.number, each.how.game, *sorted(each.how.names.items()))
            if same not in once or (number or 0) <= once[same][0]:
                once[same] = number or 0, each
        old = [each for number, each in once.values() if not number]
        old.sort(key=lambda each: (each.ended, each.table, each.number))
        return old + _in_order([(number, each) for number, each in once.values() if number])

    # -- players ------------------------------------------------------------------------------------------------------

    def join(self, at: str, name: str, person: str) -> None:
        """From now on `name` is another name of `person`; a name joined with itself stands alone again."""
        with self._changes() as db:
            db.execute("insert into joined (at, name, person) values (?, ?, ?)", (at, name, person))

    def joined(self) -> list[tuple[str, str]]:
        """(name, person) in the order in which an organiser joined them."""
        with self._lock:
            return list(self._db.execute("select name, person from joined order by number"))

    # -- tournaments --------------------------------------------------------------------------------------------------

    def found(self, at: str, body: bytes, events: Sequence[bytes] = ()) -> int:
        """Keep a new tournament and its first events, all or none; its number. Raises DatabaseError."""
        with self._changes() as db:
            number = int(db.execute("insert into tournament (at, body) values (?, ?)", (at, body)).lastrowid or 0)
            _happen(db, number, 1, at, events)
        return number

    def tournaments(self) -> list[tuple[int, str, bytes]]:
        """(number, when it was founded, its plan) of each tournament."""
        with self._lock:
            return list(self._db.execute("select id, at, body from tournament order by id"))

    def happen(self, tournament: int, number: int, at: str, bodies: Sequence[bytes]) -> None:
        """Keep events of a tournament, all or none, numbered from `number` on. Raises DatabaseError."""
        with self._changes() as db:
            _happen(db, tournament, number, at, bodies)

    def happened(self, tournament: int) -> list[Happened]:
        """Every event of a tournament."""
        asked = "select number, at, body from happening where tournament = ? order by number"
        with self._lock:
            return [Happened(*row) for row in self._db.execute(asked, (tournament,))]


def _happen(db: sqlite3.Connection, tournament: int, number: int, at: str, bodies: Sequence[bytes]) -> None:
    rows = [(tournament, number + i, at, body) for i, body in enumerate(bodies)]
    db.executemany("insert into happening values (?, ?, ?, ?)", rows)


def _keep(db: sqlite3.Connection, game: GameRow, number: int) -> bool:
    """Keep what ruling `number` says of the game's result; whether the result is another now."""
    key = game.table, game.journal, game.number
    before = db.execute("select body from result where tab = ? and journal = ? and game = ?", key).fetchone() or (None,)
    body = msgspec.json.encode(game.result) if game.result else None
    if db.execute(_RESULT, (*key, number, body)).rowcount != 1 or body == before[0]:
        return False
    if before[0] is None:  # heard only now, or once more after an undo
        db.execute("insert or replace into heard (tab, journal, game) values (?, ?, ?)", key)
    return True


def _in_order(heard: list[tuple[int, GameResult]]) -> list[GameResult]:
    """The games as they were heard of; those of one journal change places so that their own numbers grow."""
    heard.sort(key=lambda each: each[0])
    own: dict[tuple[str, str], list[GameResult]] = {}
    for _, each in heard:
        own.setdefault((each.table, each.journal), []).append(each)
    due = {key: iter(sorted(games, key=lambda each: each.number)) for key, games in own.items()}
    return [next(due[each.table, each.journal]) for _, each in heard]


def _statements(script: str) -> Iterator[str]:
    """Each statement of a script; `executescript` would end the transaction."""
    held = ""
    for line in script.splitlines(keepends=True):
        held += line
        if sqlite3.complete_statement(held):
            yield held
            held = ""
