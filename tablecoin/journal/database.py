"""The journal's SQLite file: its tables, how it is built, and what of it can be read when it is damaged.

Triggers forbid to change or remove an event. A write-ahead log with synchronous=FULL keeps every committed event over
a power cut (https://www.sqlite.org/wal.html).
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

import msgspec

from tablecoin.journal.chain import Row, begins, whole
from tablecoin.storage import durable

VERSION = 2  # 1 had no chain, and kept the pictures in a table
WAIT_S = 0.3  # the longest wait for another program's lock; the referee waits with it
SUFFIXES = ("-wal", "-shm", "-journal", "")  # SQLite's files; a log that outlives its file would spoil the next one

_TABLES = """
create table game (id integer primary key, began text not null, name text not null);
create table event (
    number integer primary key,
    game integer not null references game (id),
    at text not null,
    body text not null,
    evidence text,
    link text not null
);
create index event_game on event (game, number);
create table apart (number integer not null, game integer not null, at text not null, body text not null);
create table counted (game integer primary key, last integer not null, body blob not null);
create table mark (name text primary key, value integer not null);
"""
_TRIGGERS = """
create trigger event_kept before delete on event begin select raise(abort, 'events are never removed'); end;
create trigger event_fixed before update on event begin select raise(abort, 'events are never changed'); end;
create trigger event_once before insert on event when exists (select 1 from event where number = new.number)
begin select raise(abort, 'events are never replaced'); end;
create trigger game_once before insert on game when exists (select 1 from game where id = new.id)
begin select raise(abort, 'games are never replaced'); end;
create trigger game_kept before delete on game begin select raise(abort, 'games are never removed'); end;
create trigger game_fixed before update on game begin select raise(abort, 'games are never changed'); end;
"""
_ROWS = "select number, game, at, body, evidence, link from event where number between ? and ? order by number"
_ROWS_1 = (
    "select event.number, game, at, event.body, digest, '' from event left join evidence using (number) "
    "where event.number between ? and ? order by event.number"
)
_ROWS_1_BARE = "select number, game, at, body, null, '' from event where number between ? and ? order by number"
_MOST_ERRORS = 50_000  # after so many a file is given up; 1 MB of damage gives about 6,000
_FARTHEST = 1 << 22  # events looked for where a damaged file cannot tell its newest


class Stored(msgspec.Struct, frozen=True):
    """What can be read of a journal's file."""

    there: bool = False
    sound: bool = False  # every check passed
    version: int = VERSION
    rows: tuple[Row, ...] = ()
    apart: tuple[Row, ...] = ()
    marks: Mapping[str, int] | None = None  # None: they cannot be read


def connect(path: Path) -> sqlite3.Connection:
    """Open a journal's file for writing. Raises sqlite3.Error, OSError."""
    db = sqlite3.connect(path, timeout=WAIT_S, isolation_level=None, check_same_thread=False)
    try:
        db.execute("pragma journal_mode = wal")
        durable.sync(path.parent)  # a rollback journal that came back after a power cut would undo what follows
        db.execute("pragma synchronous = full")
        db.execute("pragma wal_autocheckpoint = 0")  # `checkpoint` alone changes the main file
        db.execute("pragma recursive_triggers = on")  # `insert or replace` fires the trigger against delete too
        # The first read makes the log's file. Made later, it would be taken for another program's.
        db.execute("select max(number) from event").fetchone()
    except (sqlite3.Error, OSError):
        db.close()
        raise
    return db


def build(path: Path, rows: Iterable[Row], apart: Iterable[Row], marks: Mapping[str, int]) -> None:
    """Put a new journal's file with these rows at `path`, on the disk when this returns.

    It stands under another name until it is whole. Raises sqlite3.Error, OSError.
    """
    unfinished = path.with_name(f"{path.name}.new")
    for suffix in SUFFIXES:
        unfinished.with_name(unfinished.name + suffix).unlink(missing_ok=True)
    unfinished.touch(0o600)
    with durable.whole(unfinished):
        with closing(sqlite3.connect(unfinished, isolation_level=None)) as db:
            db.executescript(f"pragma journal_mode = off; pragma synchronous = off; {_TABLES}")  # synced below
            db.execute("begin")
            for row in rows:
                if begins(row):
                    db.execute("insert into game values (?, ?, ?)", (row.game, row.at, _name(row)))
                db.execute("insert into event values (?, ?, ?, ?, ?, ?)", msgspec.structs.astuple(row))
            db.executemany("insert into apart values (?, ?, ?, ?)", [(r.number, r.game, r.at, r.body) for r in apart])
            db.executemany("insert into mark values (?, ?)", list(marks.items()))
            db.execute("commit")
            db.executescript(f"{_TRIGGERS} pragma user_version = {VERSION}")
        durable.sync(unfinished)
        durable.rename(unfinished, path)


def examine(path: Path) -> Stored:
    """Check the whole file, and read what can be read. Raises sqlite3.OperationalError where it cannot be opened."""
    if not path.exists() or not path.stat().st_size:
        return Stored()
    try:
        with closing(sqlite3.connect(path, timeout=WAIT_S, isolation_level=None)) as db:
            return _examined(db)
    except (sqlite3.DatabaseError, UnicodeError) as error:  # UnicodeError: a message that quotes garbage
        if cannot_open(error):
            raise
        return Stored(there=True)


def salvage(db: sqlite3.Connection, version: int = VERSION) -> Stored:
    """What can be read of an open journal, though it may be damaged."""
    queries = {1: (_ROWS_1, _ROWS_1_BARE)}.get(version, (_ROWS,))
    rows = max((tuple(_readable(db, query)) for query in queries), key=len)
    apart: tuple[Row, ...] = ()
    marks = None
    with suppress(sqlite3.Error):
        told = db.execute("select number, game, at, body from apart")
        apart = tuple(Row(number, game, at, body, None, "") for number, game, at, body in told)
    with suppress(sqlite3.Error, ValueError, TypeError):
        marks = {str(name): int(value) for name, value in db.execute("select name, value from mark")}
    return Stored(there=True, version=version, rows=rows, apart=apart, marks=marks)


def cannot_open(error: Exception) -> bool:
    """Whether the system keeps us from the file, or the disk is full, so that the file itself is not to blame."""
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF  # the low byte is the primary result code
    busy = code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)
    return busy or code in (sqlite3.SQLITE_FULL, sqlite3.SQLITE_PERM, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN)


def _examined(db: sqlite3.Connection) -> Stored:
    (version,) = db.execute("pragma user_version").fetchone()
    if version > VERSION:
        return Stored(there=True, version=version)
    found = salvage(db, version or 1)
    (answer,) = db.execute("pragma quick_check(1)").fetchone()
    sound = answer == "ok" and found.marks is not None
    if version == VERSION:
        sound = sound and _expected() <= _names(db) and whole(found.rows) and _games_agree(db, found.rows)
    return msgspec.structs.replace(found, sound=sound)


def _readable(db: sqlite3.Connection, query: str) -> Iterator[Row]:
    """The rows that can be read: a range that cannot be read as a whole is halved."""
    errors = 0
    try:
        (last,) = db.execute("select max(number) from event").fetchone()
    except (sqlite3.Error, UnicodeError):
        last = _FARTHEST
    ranges = [(1, last if isinstance(last, int) else 0)]
    while ranges and errors < _MOST_ERRORS:
        first, last = ranges.pop()
        try:
            told = db.execute(query, (first, last)).fetchall()
        except (sqlite3.Error, UnicodeError):
            errors += 1
            middle = (first + last) // 2
            if first < last:
                ranges += [(middle + 1, last), (first, middle)]
            continue
        for each in told:
            try:
                row = msgspec.convert(each, tuple[int, int, str, str, str | None, str], strict=True)
                msgspec.json.decode(row[3], type=dict[str, object])
            except msgspec.DecodeError:
                continue
            yield Row(*row)


def _name(row: Row) -> str:
    """The game that a row begins."""
    return str(msgspec.json.decode(row.body, type=dict[str, object]).get("game", ""))


def _games_agree(db: sqlite3.Connection, rows: Iterable[Row]) -> bool:
    begun = [(row.game, row.at, _name(row)) for row in rows if begins(row)]
    return db.execute("select id, began, name from game order by id").fetchall() == begun


def _names(db: sqlite3.Connection) -> set[Any]:
    return {name for (name,) in db.execute("select name from sqlite_master where name not like 'sqlite_%'")}


def _expected() -> set[Any]:
    with closing(sqlite3.connect(":memory:")) as fresh:
        fresh.executescript(_TABLES + _TRIGGERS)
        return _names(fresh)
