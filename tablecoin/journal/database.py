"""The journal's SQLite file: its tables, how it is built, and what of it can be read when it is damaged.

Triggers forbid to change or remove an event. A write-ahead log with synchronous=FULL keeps every committed event over
a power cut (https://www.sqlite.org/wal.html).
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any

import msgspec

from tablecoin.journal.chain import GameNumber, Number, Row, begins, whole
from tablecoin.storage import durable
from tablecoin.storage.regular import open_regular

VERSION = 2  # 1 had no chain, and kept the pictures in a table. It is in the file's header and a mark
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
_FARTHEST = 1 << 22  # no event beyond this number is read: a journal has some hundred events for each game
_AT_ONCE = 4096  # events read at a time
_MOST_MARKS = 10_000
_LONGEST = 1 << 25  # bytes of one value; an event has about 1 kB, two pictures at most 80 kB
# What is no table of rows that lie in the file: a view, a virtual table or a generated column could make up more than
# memory holds. Events have numbers of their own, so that a range of them is found at once.
_UNSTORED = """
select count(*) from sqlite_master as made where lower(name) in
    ('game', 'event', 'apart', 'counted', 'mark', 'evidence', 'picture', 'clip', 'contents')
and (type <> 'table' or not rootpage or exists (select 1 from pragma_table_xinfo(made.name) where hidden)
    or lower(name) = 'event' and not exists (select 1 from pragma_table_info(made.name) where name = 'number' and pk))
"""


class Stored(msgspec.Struct, frozen=True):
    """What can be read of a journal's file."""

    there: bool = False
    sound: bool = False  # every check passed
    version: int = VERSION
    rows: tuple[Row, ...] = ()
    whole_end: bool = True  # false: behind the last of `rows` is at least one event that cannot be read
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
    remove(unfinished)
    unfinished.touch(0o600)
    with whole_or_gone(unfinished):
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


def remove(path: Path) -> None:
    """Delete a database and SQLite's files beside it. Raises OSError."""
    for suffix in SUFFIXES:
        path.with_name(path.name + suffix).unlink(missing_ok=True)


def require_regular(path: Path) -> None:
    """Raises NotRegularFile where a pipe, folder or device has the name of a database or of SQLite's files beside it.

    SQLite would wait for a pipe. Raises OSError.
    """
    for suffix in SUFFIXES:
        with suppress(FileNotFoundError):
            os.close(open_regular(path.with_name(path.name + suffix)))


@contextmanager
def whole_or_gone(unfinished: Path) -> Iterator[None]:
    """Delete a database, with SQLite's files beside it, where making it fails."""
    try:
        yield
    except BaseException:
        with suppress(OSError):
            remove(unfinished)
        raise


def mark(path: Path, marks: Mapping[str, int]) -> None:
    """Write marks into a journal's file; on the disk when this returns. Raises sqlite3.Error, OSError."""
    with closing(connect(path)) as db:
        db.executemany("insert or replace into mark values (?, ?)", list(marks.items()))


def examine(path: Path) -> Stored:
    """Check the whole file, and read what can be read. Raises sqlite3.OperationalError where it cannot be opened."""
    if not path.exists() or not path.stat().st_size:
        return Stored()
    log = path.with_name(f"{path.name}-wal")
    logged = log.read_bytes() if log.exists() else b""  # SQLite deletes it, with all that it cannot read
    try:
        with closing(reading(path)) as db:
            return _examined(db, logged)
    except (sqlite3.DatabaseError, UnicodeError) as error:  # UnicodeError: a message that quotes garbage
        if cannot_open(error):
            raise
        return Stored(there=True)


def reading(path: Path) -> sqlite3.Connection:
    """Open a file that may be damaged or somebody else's. Raises sqlite3.OperationalError."""
    db = sqlite3.connect(path, timeout=2, isolation_level=None)
    db.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, _LONGEST)
    return db


def salvage(db: sqlite3.Connection, version: int = VERSION) -> Stored:
    """What can be read of an open journal, though it may be damaged."""
    queries = {1: (_ROWS_1, _ROWS_1_BARE)}.get(version, (_ROWS,))
    last = _last(db)
    rows = max((tuple(_readable(db, query, last)) for query in queries), key=len)
    apart: list[Row] = []
    with suppress(sqlite3.Error, UnicodeError):  # those before the first that cannot be read
        for each in db.execute("select number, game, at, body, null, '' from apart limit ?", (_FARTHEST,)):
            with suppress(msgspec.ValidationError):
                apart.append(_row(each))
    whole_end = last == max((row.number for row in rows), default=0)
    return Stored(there=True, version=version, rows=rows, whole_end=whole_end, apart=tuple(apart), marks=_marks(db))


def cannot_open(error: Exception) -> bool:
    """Whether the system keeps us from the file, or the disk is full, so that the file itself is not to blame."""
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF  # the low byte is the primary result code
    busy = code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)
    return busy or code in (sqlite3.SQLITE_FULL, sqlite3.SQLITE_PERM, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN)


def _examined(db: sqlite3.Connection, log: bytes) -> Stored:
    (said,) = db.execute("pragma user_version").fetchone()
    (unstored,) = db.execute(_UNSTORED).fetchone()
    if unstored:
        return Stored(there=True)
    # The number in the file's header may be damaged alone, so a mark repeats it. Before that mark a column tells.
    (chained,) = db.execute("select count(*) from pragma_table_info('event') where name = 'link'").fetchone()
    version = (_marks(db) or {}).get("version", max(said, VERSION) if chained else said or 1)
    if version > VERSION:
        return Stored(there=True, version=version)
    found = salvage(db, version)
    found = msgspec.structs.replace(found, whole_end=found.whole_end and not _lost_in_log(db, log))
    return msgspec.structs.replace(found, sound=version == (said or 1) and _is_sound(db, found))


def _lost_in_log(db: sqlite3.Connection, log: bytes) -> bool:
    """Whether SQLite's log has events behind its first frame that is damaged: SQLite silently leaves all of that out.

    A power cut too leaves a damaged frame, but in the last commit. https://www.sqlite.org/fileformat2.html#walformat
    """
    with suppress(sqlite3.Error):
        _, read, _ = db.execute("pragma wal_checkpoint").fetchone()
        (page_bytes,) = db.execute("pragma page_size").fetchone()
        size = 24 + page_bytes
        frames = [log[at : at + size] for at in range(32 + max(0, read) * size, len(log), size)]
        salts = {log[16:24], log[40:48]}  # of the header and the first frame; older frames have others
        frames = [frame for frame in frames if frame[8:16] in salts]
        commits = [number for number, frame in enumerate(frames[:-1], 1) if any(frame[4:8])]
        return bool(commits) and any(b'{"event":' in frame for frame in frames[: commits[-1]])
    return False


def _marks(db: sqlite3.Connection) -> Mapping[str, int] | None:
    with suppress(sqlite3.Error, UnicodeError, msgspec.ValidationError):
        found = db.execute("select name, value from mark limit ?", (_MOST_MARKS,)).fetchall()
        return dict(msgspec.convert(found, tuple[tuple[str, int], ...]))
    return None


def _is_sound(db: sqlite3.Connection, found: Stored) -> bool:
    try:
        (answer,) = db.execute("pragma integrity_check(1)").fetchone()
        if answer != "ok" or found.marks is None or not found.whole_end:
            return False
        if found.version != VERSION:
            return True
        return _expected() <= _names(db) and whole(found.rows) and _games_agree(db, found.rows)
    except (sqlite3.DatabaseError, UnicodeError) as error:
        if cannot_open(error):
            raise
        return False


def _last(db: sqlite3.Connection) -> int | None:
    """The number of the newest event, 0 where there is none; None where it cannot be read."""
    try:
        (last,) = db.execute("select coalesce(max(number), 0) from event").fetchone()
    except (sqlite3.Error, UnicodeError):
        return None
    return last if isinstance(last, int) else None


def _readable(db: sqlite3.Connection, query: str, last: int | None) -> Iterator[Row]:
    """The rows that can be read: a range that cannot be read as a whole is halved."""
    errors = 0
    last = _FARTHEST if last is None else min(last, _FARTHEST)
    ranges = [(first, min(first + _AT_ONCE - 1, last)) for first in reversed(range(1, last + 1, _AT_ONCE))]
    while ranges and errors < _MOST_ERRORS:
        first, last = ranges.pop()
        try:
            told = db.execute(query, (first, last)).fetchmany(last - first + 1)
        except (sqlite3.Error, UnicodeError):
            errors += 1
            middle = (first + last) // 2
            if first < last:
                ranges += [(middle + 1, last), (first, middle)]
            continue
        for each in told:
            try:
                row = _row(each)
                msgspec.json.decode(row.body, type=dict[str, object])
            except (msgspec.DecodeError, RecursionError):
                continue
            if row.link or query != _ROWS:
                yield row


def _row(told: tuple[Any, ...]) -> Row:
    """Raises msgspec.ValidationError where a column holds another type."""
    return Row(*msgspec.convert(told, tuple[Number, GameNumber, str, str, str | None, str], strict=True))


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
