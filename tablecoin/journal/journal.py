"""The journal: every event of every game in one SQLite file. Nothing is ever deleted.

SQLite keeps a write-ahead log with synchronous=FULL: when `append` returns, the events are on the disk, and a power cut
at any moment loses none of them (https://www.sqlite.org/wal.html). Rulings are seconds apart, so the cost of the fsync
does not matter.

Only one referee may write it. A lock on a file beside it keeps a second process out; the system releases that lock when
the process ends, in whatever way.
"""

from __future__ import annotations

import errno
import fcntl
import os
import sqlite3
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from threading import Lock
from typing import Any, Literal

import msgspec

from tablecoin.journal.evidence import Evidence
from tablecoin.referee.events import Event, Started, read_event, write_event
from tablecoin.rules.rulebook import Complaint, Message

Line = tuple[str, Event]  # an event, and when it was written: ISO 8601, UTC

_SCHEMA = 1
_TABLES = """
create table if not exists game (id integer primary key, began text not null, name text not null);
create table if not exists event (
    number integer primary key,
    game integer not null references game (id),
    at text not null,
    body text not null
);
create index if not exists event_game on event (game, number);
create table if not exists evidence (
    number integer primary key references event (number),
    digest text not null,
    body blob not null,
    before blob,
    after blob not null
);
create table if not exists counted (
    game integer primary key references game (id), last integer not null, body blob not null
);
create table if not exists mark (name text primary key, value integer not null);
"""


class JournalError(Complaint, OSError):
    """The journal cannot be read or written: why, and what to do."""


class Journal:
    """One open journal file. Safe to use from several threads; one process at a time."""

    def __init__(self, path: Path) -> None:
        """Open or create the file. Raises JournalError where the file cannot be opened, is no journal, or is in use."""
        self.path = path
        self._lock = Lock()
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            owned = _own(path)
        except OSError as error:
            raise _unopened(path, error) from None
        try:
            self._db = sqlite3.connect(path, timeout=2, isolation_level=None, check_same_thread=False)
            self._db.execute("pragma journal_mode = wal")
            self._db.execute("pragma synchronous = full")
            (version,) = self._db.execute("pragma user_version").fetchone()
            if version > _SCHEMA:
                raise JournalError(Message("journal.newer", {"path": str(path)}))
            self._db.executescript(_TABLES)
            self._db.execute(f"pragma user_version = {_SCHEMA}")
            self._owned: int | None = owned
        except (sqlite3.Error, JournalError, UnicodeError) as error:  # UnicodeError: a message that quotes garbage
            os.close(owned)
            raise _unopened(path, error) from None

    def append(self, events: Sequence[Event], evidence: Evidence | None = None) -> bool:
        """Write the events in one transaction; they are on the disk when this returns. Raises JournalError.

        `evidence` is kept with the last of them. On a full disk the events may still fit without it; then False.
        """
        with self._lock:
            try:
                self._write(events, evidence)
            except sqlite3.Error as error:
                if evidence is None or getattr(error, "sqlite_errorcode", None) != sqlite3.SQLITE_FULL:
                    raise _unwritten(error) from None
            else:
                return True
            try:
                self._write(events, None)
            except sqlite3.Error as error:
                raise _unwritten(error) from None
            return False

    def _write(self, events: Sequence[Event], evidence: Evidence | None) -> None:
        """Write all or nothing. Raises sqlite3.Error."""
        now = datetime.now(UTC).isoformat(timespec="milliseconds")
        try:
            self._db.execute("begin immediate")
            for event in events:
                if isinstance(event, Started):
                    self._db.execute("insert into game (began, name) values (?, ?)", (now, event.game))
                body = msgspec.json.encode(write_event(event)).decode()
                self._db.execute(
                    "insert into event (game, at, body) values ((select max(id) from game), ?, ?)", (now, body)
                )
            if evidence and events:
                row = (evidence.digest, evidence.body, evidence.before, evidence.after)
                self._db.execute("insert into evidence select max(number), ?, ?, ?, ? from event", row)
            self._db.execute("commit")
        except sqlite3.Error:
            if self._db.in_transaction:
                self._db.execute("rollback")
            raise

    def newest_game(self) -> tuple[Line, ...]:
        """The lines of the newest game, oldest first; () before the first game. Raises JournalError."""
        rows = self._rows("select at, body from event where game = (select max(id) from game) order by number")
        return tuple((at, _event(body)) for at, body in rows)

    def game(self, number: int) -> tuple[Line, ...]:
        """The lines of game `number`, oldest first; games are numbered from 1. Raises JournalError."""
        rows = self._rows("select at, body from event where game = ? order by number", number)
        return tuple((at, _event(body)) for at, body in rows)

    def last_events(self) -> dict[int, int]:
        """Game -> the number of its last event. Raises JournalError."""
        return dict(self._rows("select game, max(number) from event group by game order by game"))

    def counted(self) -> dict[int, tuple[int, bytes]]:
        """What `keep_counts` wrote: game -> (its last event then, what was counted). Raises JournalError."""
        return {game: (last, body) for game, last, body in self._rows("select game, last, body from counted")}

    def keep_counts(self, counts: Mapping[int, tuple[int, bytes]]) -> None:
        """Write what was counted of finished games. It follows from the events, so it may be lost. JournalError."""
        with self._lock:
            try:
                self._db.execute("begin immediate")
                rows = [(game, last, body) for game, (last, body) in counts.items()]
                self._db.executemany("insert or replace into counted values (?, ?, ?)", rows)
                self._db.execute("commit")
            except sqlite3.Error as error:
                if self._db.in_transaction:
                    self._db.execute("rollback")
                raise _unwritten(error) from None

    def digests(self) -> tuple[str | None, ...]:
        """The digest of the evidence kept with each event of the newest game, oldest first; None where none is."""
        rows = self._rows(
            "select digest from event left join evidence using (number) "
            "where game = (select max(id) from game) order by number"
        )
        return tuple(digest for (digest,) in rows)

    def evidence(self, number: int) -> tuple[Event, Evidence] | None:
        """Event `number` and the evidence kept with it; None when none was kept. Raises JournalError."""
        rows = self._rows(
            "select event.body, evidence.body, before, after from evidence join event using (number) where number = ?",
            number,
        )
        return (_event(rows[0][0]), Evidence(*rows[0][1:])) if rows else None

    def count(self) -> int:
        """How many events the journal holds, over all games. Raises JournalError."""
        ((number,),) = self._rows("select coalesce(max(number), 0) from event")
        return int(number)

    def _rows(self, query: str, *given: object) -> list[tuple[Any, ...]]:
        with self._lock:
            try:
                return self._db.execute(query, given).fetchall()
            except sqlite3.Error as error:
                facts = {"path": str(self.path), "why": str(error)}
                raise JournalError(Message("journal.unread", facts)) from None

    def reserve(self, name: str, amount: int) -> range:
        """The next `amount` numbers of the counter `name`. No number is ever given twice, not even after a power cut.

        Raises JournalError.
        """
        with self._lock:
            try:
                (start,) = self._db.execute(
                    "insert into mark values (?1, ?2) on conflict (name) do update set value = value + ?2 "
                    "returning value - ?2",
                    (name, amount),
                ).fetchone()
            except sqlite3.Error as error:
                raise _unwritten(error) from None
        return range(int(start), int(start) + amount)

    def close(self) -> None:
        """Close the file and release the lock. A second call does nothing."""
        with self._lock:
            self._db.close()
            if self._owned is not None:
                os.close(self._owned)
                self._owned = None


def _event(body: str) -> Event:
    try:
        return read_event(msgspec.json.decode(body))
    except msgspec.DecodeError as error:
        raise JournalError(Message("journal.line", {"why": str(error)})) from None


def _own(path: Path) -> int:
    """Lock the file that marks the journal's owner, and return it open. Raises JournalError: another process has it."""
    owned = os.open(path.with_name(f"{path.name}.lock"), os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(owned, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(owned)
        raise JournalError(Message("journal.busy", {"path": str(path)})) from None
    return owned


def _unopened(path: Path, error: Exception) -> JournalError:
    if isinstance(error, JournalError):
        return error
    why = error.strerror if isinstance(error, OSError) else error
    return JournalError(Message(f"journal.unopened.{_cause(error)}", {"path": str(path), "why": str(why)}))


def _cause(error: Exception) -> Literal["full", "refused", "broken"]:
    """Why a journal cannot be opened, which tells what to do: only a broken one is to be moved away."""
    if isinstance(error, OSError):
        full = error.errno in (errno.ENOSPC, errno.EDQUOT)
        refused = error.errno in (errno.EACCES, errno.EPERM, errno.EROFS)
    else:
        code = getattr(error, "sqlite_errorcode", 0) & 0xFF  # the low byte is the primary result code
        full = code == sqlite3.SQLITE_FULL
        refused = code in (sqlite3.SQLITE_PERM, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN)
    if full:
        return "full"
    return "refused" if refused else "broken"


def _unwritten(error: sqlite3.Error) -> JournalError:
    return JournalError(Message("journal.unwritten", {"why": str(error)}))
