"""The journal: every event of every game, in an SQLite file and a second copy beside it. Nothing is ever deleted.

When `append` returns, the events are on the disk, and a power cut at any moment loses none of them. Rulings are seconds
apart, so the cost of the fsync does not matter. Files that are damaged, replaced or gone are noticed, at the start and
while the table runs, and built anew from what is left; `said` tells people of it.

Only one referee may write it. A lock on a file beside it keeps a second process out; the system releases that lock when
the process ends, in whatever way.
"""

from __future__ import annotations

import contextlib
import logging
import sqlite3
import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from threading import Lock
from typing import Any, NamedTuple

import msgspec

from tablecoin.journal import database, stopwatch
from tablecoin.journal.chain import START, Row, linked
from tablecoin.journal.evidence import Evidence
from tablecoin.journal.evidence_folder import KeptClip
from tablecoin.journal.files import Files, NewerVersion, acknowledge, name_aside, open_files, set_aside
from tablecoin.journal.opening import JournalError as JournalError
from tablecoin.journal.opening import Owned, lock_of, make_folder, own, unopened
from tablecoin.journal.stopwatch import Stopwatch
from tablecoin.journal.unwritten import try_disk, unwritten
from tablecoin.referee.events import Event, Started, read_event, write_event
from tablecoin.rules.rulebook import Message, sentence

log = logging.getLogger(__name__)

Line = tuple[str, Event]  # an event, and when it was written: ISO 8601, UTC
_LONG_LOG_BYTES = 4 << 20  # SQLite's log is written into the main file at this length: some hundred rulings


class BadLine(JournalError):
    """One event of the journal cannot be read by this tablecoin; the others can."""


class Numbered(NamedTuple):
    """An event as it is written, with its number and its game's."""

    number: int
    game: int
    at: str  # when it was written: ISO 8601, UTC
    body: str  # JSON

    @property
    def event(self) -> Event:
        """Raises BadLine."""
        return _event(self.body)


class Journal:
    """One open journal. Safe to use from several threads; one process at a time."""

    def __init__(self, path: Path, clock: Callable[[], float] = time.monotonic) -> None:
        """Open or create the journal. A damaged one is mended, and `said` tells of it. `clock`: steady, in seconds.

        Where the system keeps it from its files, such as on a full disk, it stays unopened: it reads as empty, nothing
        can be written, `said` says why, and `mend` tries again. Raises JournalError where the journal is in use, a
        newer tablecoin wrote it, or its place is no folder.
        """
        self.path = path
        self._lock = Lock()
        self._watch = Stopwatch(clock)
        self._replaced: list[sqlite3.Connection] = []  # to files without a name; closing one would delete our log
        self._owned: Owned | None = None
        self._files: Files | None = None
        self._seen: tuple[_Stat | None, ...] = ()
        self._unpictured: OSError | None = None  # why the last pictures were not kept
        self._unopened: JournalError | None = None
        try:
            self._open()
        except JournalError as error:
            if not error.passes:
                raise
            self._unopened = error
        for message in self.said:
            log.warning("%s", sentence(message))

    @property
    def said(self) -> tuple[Message, ...]:
        """Damage found since the program began, losses that the owner has not read yet, and what is wrong now."""
        if self._files is None:
            return (self._unopened.message,) if self._unopened else ()
        unread = self._files.unread
        found = [message for message in self._files.said if message not in unread]
        now = {"journal.copy_behind": self._files.copy.trouble, "journal.unpictured": self._unpictured}
        return (*unread, *found, *(unwritten(key, why, self.path.parent) for key, why in now.items() if why))

    @property
    def unread(self) -> tuple[Message, ...]:
        """Those of `said` that tell of lost or doubtful events, over all starts, until `acknowledge`."""
        return self._files.unread if self._files else ()

    @property
    def unverified(self) -> frozenset[int]:
        """Games that damage may have altered: it took the events that would prove their first one."""
        return self._files.unverified if self._files else frozenset()

    def acknowledge(self, read: Collection[Message]) -> None:
        """Say these no longer: the owner has read them. Raises JournalError."""
        with self._lock, self._writing() as files:
            left = acknowledge(files.db, read)
            said = tuple(message for message in files.said if message not in read)
            self._files = replace(files, unread=left, said=said)

    def append(self, events: Sequence[Event], evidence: Evidence | None = None) -> bool:
        """Write the events in one transaction; they are on the disk when this returns. Raises JournalError.

        `evidence` is kept with the last of them. On a full disk the events may still fit without it; then False, and
        `said` tells why.
        """
        digest = unpictured = None
        with self._lock:
            with self._writing() as files:
                if evidence and events:
                    try:
                        digest = files.evidence.keep(evidence)
                    except OSError as error:
                        log.warning("the pictures of a ruling cannot be kept: %s", error)
                        unpictured = error
                rows = _write(files.db, events, digest, self._watch)
                files.copy.append(rows)
                if digest:
                    files.evidence.named(digest, rows[-1].number)
            if evidence:
                self._unpictured = unpictured
            written_log = self._seen[1]
            if written_log and written_log.size > _LONG_LOG_BYTES:
                self._checkpoint()
        return evidence is None or digest is not None

    def newest_game(self) -> tuple[Line, ...]:
        """The lines of the newest game, oldest first; () before the first game. Raises JournalError."""
        rows = self._rows("select at, body from event where game = (select max(id) from game) order by number")
        return tuple((at, _event(body)) for at, body in rows)

    def game(self, number: int) -> tuple[Line, ...]:
        """The lines of game `number`, oldest first; games are numbered from 1. Raises JournalError, BadLine."""
        rows = self._rows("select at, body from event where game = ? order by number", number)
        return tuple((at, _event(body)) for at, body in rows)

    def whole_game(self, number: int) -> tuple[tuple[Numbered, str | None], ...]:
        """The events of game `number`, oldest first, each with the digest of its evidence. Raises JournalError."""
        wanted = "select number, game, at, body, evidence from event where game = ? order by number"
        return tuple((Numbered(*row[:4]), row[4]) for row in self._rows(wanted, number))

    def newest_number(self) -> int:
        """The number of the newest game; 0 before the first. Raises JournalError."""
        rows = self._rows("select coalesce(max(id), 0) from game")
        return int(rows[0][0]) if rows else 0

    def lines_after(self, number: int, most: int) -> tuple[Numbered, ...]:
        """Up to `most` events of all games behind event `number`, oldest first. Raises JournalError."""
        wanted = "select number, game, at, body from event where number > ? order by number limit ?"
        rows = self._rows(wanted, number, most)
        return tuple(Numbered(*row) for row in rows)

    def last_events(self) -> dict[int, int]:
        """Game -> the number of its last event. Raises JournalError."""
        return dict(self._rows("select game, max(number) from event group by game order by game"))

    def counted(self) -> dict[int, tuple[int, bytes]]:
        """What `keep_counts` wrote: game -> (its last event then, what was counted). Raises JournalError."""
        return {game: (last, body) for game, last, body in self._rows("select game, last, body from counted")}

    def keep_counts(self, counts: Mapping[int, tuple[int, bytes]]) -> None:
        """Write what was counted of finished games. It follows from the events, so it may be lost. JournalError."""
        rows = [(game, last, body) for game, (last, body) in counts.items()]
        with self._lock, self._writing() as files, _transaction(files.db):
            files.db.executemany("insert or replace into counted values (?, ?, ?)", rows)

    def digests(self) -> tuple[str | None, ...]:
        """The digest of the evidence kept with each event of the newest game, oldest first; None where none was."""
        rows = self._rows("select evidence from event where game = (select max(id) from game) order by number")
        return tuple(digest for (digest,) in rows)

    def evidence(self, number: int) -> tuple[Event, Evidence] | None:
        """Event `number` and the evidence kept with it; None when none is. Raises JournalError."""
        rows = self._rows("select body, evidence from event where number = ? and evidence is not null", number)
        kept = self._files.evidence.find(rows[0][1]) if rows and self._files else None
        return (_event(rows[0][0]), kept) if kept else None

    def digest(self, number: int) -> str | None:
        """The digest of the evidence kept with event `number`; None where none was. Raises JournalError."""
        rows = self._rows("select evidence from event where number = ?", number)
        return rows[0][0] if rows else None

    def link(self, number: int) -> str | None:
        """The link of event `number`: a digest of it and all before it. None: there is none. Raises JournalError."""
        rows = self._rows("select link from event where number = ?", number)
        return rows[0][0] if rows else None

    def keep_clip(self, digest: str, clip: bytes) -> None:
        """Keep a clip beside the evidence with this digest; on the disk when this returns. Raises OSError.

        Unlike events it holds up nobody: the journal can be read and written meanwhile.
        """
        if files := self._files:
            files.evidence.keep_clip(digest, clip)

    def clip(self, digest: str) -> KeptClip | None:
        """The clip kept beside the evidence with this digest; None where it is not there or damaged."""
        return self._files.evidence.clip(digest) if self._files else None

    def count(self) -> int:
        """How many events the journal holds, over all games. Raises JournalError."""
        rows = self._rows("select coalesce(max(number), 0) from event")
        return int(rows[0][0]) if rows else 0

    def reserve(self, name: str, amount: int) -> range:
        """The next `amount` numbers of the counter `name`. No number is ever given twice, not even after a power cut.

        Raises JournalError.
        """
        with self._lock, self._writing() as files:
            (start,) = files.db.execute(
                "insert into mark values (?1, ?2) on conflict (name) do update set value = value + ?2 "
                "returning value - ?2",
                (name, amount),
            ).fetchone()
        return range(int(start), int(start) + amount)

    def checkpoint(self) -> None:
        """Write SQLite's log into the main file, which then holds every event alone."""
        with self._lock:
            self._checkpoint()

    def mend(self) -> bool:
        """Notice files that are gone, replaced or changed by others, and build them anew; open an unopened journal.

        True where it could only now be opened: then its newest game is to be taken up. Raises JournalError.
        """
        with self._lock:
            if self._files is None and self._unopened:
                self._open()
                self._unopened = None
                return True
            self._mend()
            if self._files:
                try:
                    self._keep_locks()
                except OSError as error:
                    raise unopened(self.path, error) from None
                self._catch_up(self._files)
        return False

    def try_disk(self) -> None:
        """Write a small file beside the journal and delete it. Raises JournalError where the disk does not take it."""
        try:
            try_disk(self.path.parent)
        except OSError as error:
            raise JournalError(unwritten("journal.unwritten", error, self.path.parent)) from None

    def try_write(self) -> None:
        """Write something into the journal that means nothing. Raises JournalError."""
        with self._lock, self._writing() as files, _transaction(files.db):
            files.db.execute("insert or replace into mark values ('tried', 0)")

    def close(self) -> None:
        """Close the files and release the lock. A second call does nothing."""
        with self._lock:
            self._unopened = None
            if self._files:
                with contextlib.suppress(sqlite3.Error), _transaction(self._files.db):
                    self._watch.keep(self._files.db)
                with contextlib.suppress(sqlite3.Error):
                    self._files.db.execute("pragma wal_checkpoint(truncate)")
                self._files.db.close()
                self._files.copy.close()
                self._files = None
            while self._replaced:  # our log is empty and gone: it cannot be lost any more
                with contextlib.suppress(sqlite3.Error):
                    self._replaced.pop().close()
            if self._owned is not None:
                self._owned.close()
                self._owned = None

    def _open(self) -> None:
        """Raises JournalError."""
        try:
            make_folder(self.path)
            self._owned = own(self.path)
            self._files = open_files(self.path)
        except (sqlite3.Error, OSError, NewerVersion) as error:
            raise unopened(self.path, error) from None
        finally:
            if self._files is None and self._owned is not None:
                self._owned.close()
                self._owned = None
        self._watch.take_up(self._files.db, self._files.newest.number if self._files.newest else 0)
        self._seen = self._fingerprint()

    def _rows(self, query: str, *given: object) -> list[tuple[Any, ...]]:
        with self._lock:
            if self._files is None:
                return []
            try:
                return self._files.db.execute(query, given).fetchall()
            except (sqlite3.Error, UnicodeError) as error:
                facts = {"path": str(self.path), "why": str(error)}
                raise JournalError(Message("journal.unread", facts)) from None

    @contextlib.contextmanager
    def _writing(self) -> Iterator[Files]:
        """Mend the files where others changed them; then write. Raises JournalError."""
        self._mend()
        if self._files is None:
            raise self._unopened or JournalError(Message("journal.closed"))
        db, wait_s = self._files.db, 0.0
        try:
            yield self._files
            wait_s = database.WAIT_S
        except sqlite3.Error as error:
            raise JournalError(unwritten("journal.unwritten", error, self.path.parent)) from None
        finally:
            # Of many writes that another program's lock keeps out only the first waits for it: people wait for those.
            db.execute(f"pragma busy_timeout = {1000 * wait_s:.0f}")
            self._seen = self._fingerprint()

    def _keep_locks(self) -> None:
        """Lock again what others deleted, and say so. Raises OSError, JournalError."""
        if self._files and self._owned and self._owned.renew():
            message = Message("journal.lock_gone", {"file": lock_of(self.path).name})
            log.warning("%s", sentence(message))
            self._files = replace(self._files, said=(*self._files.said, message))

    def _catch_up(self, files: Files) -> None:
        """Write what the second copy lacks, and try whether pictures can be written again."""
        if files.copy.trouble:
            files.copy.append(())
            self._seen = self._fingerprint()
        if self._unpictured:
            try:
                files.evidence.try_write()
            except OSError as error:
                self._unpictured = error
            else:
                self._unpictured = None

    def _checkpoint(self) -> None:
        with contextlib.suppress(JournalError), self._writing() as files:  # the log holds the events else
            files.db.execute("pragma wal_checkpoint(truncate)")

    def _mend(self) -> None:
        before = self._files
        if before is None or self._seen == self._fingerprint():
            return
        try:
            make_folder(self.path)
            self._keep_locks()
            held = database.salvage(before.db)
            if not _same(self._seen[1], _stat(_log_of(self.path))):  # our log has no name: what we write now is lost
                set_aside(self.path, name_aside(self.path))
            # The folder of the pictures stays the one object that it was: another thread may be writing a clip there.
            fresh = open_files(self.path, held, before.copy.read(), before.evidence)
        except (JournalError, NewerVersion) as error:
            raise unopened(self.path, error) from None
        except (sqlite3.Error, OSError) as error:
            raise JournalError(unwritten("journal.unwritten", error, self.path.parent)) from None
        before.copy.close()
        if _same(self._seen[0], _stat(self.path)):  # others wrote to it, and it is sound
            fresh.db.close()
            fresh = replace(fresh, db=before.db)
        else:
            self._replaced.append(before.db)
        self._files = replace(fresh, said=self._files.said + fresh.said if self._files else fresh.said)
        for message in fresh.said:
            log.warning("%s", sentence(message))
        self._seen = self._fingerprint()

    def _fingerprint(self) -> tuple[_Stat | None, ...]:
        """What changes when another program touches the main file, SQLite's log or the second copy."""
        return _stat(self.path), _stat(_log_of(self.path)), _stat(self.path.with_suffix(".jsonl"))


class _Stat(NamedTuple):
    """What tells one file from another, and from itself after a change."""

    device: int
    inode: int
    size: int
    mtime_ns: int


def _stat(path: Path) -> _Stat | None:
    try:
        told = path.stat()
    except OSError:
        return None
    return _Stat(told.st_dev, told.st_ino, told.st_size, told.st_mtime_ns)


def _same(one: _Stat | None, other: _Stat | None) -> bool:
    """Whether both are the same file, whatever was written into it."""
    return one is not None and other is not None and (one.device, one.inode) == (other.device, other.inode)


def _write(db: sqlite3.Connection, events: Sequence[Event], digest: str | None, watch: Stopwatch) -> list[Row]:
    """Write all or nothing into the database. Raises sqlite3.Error."""
    rows: list[Row] = []
    now = datetime.now(UTC).isoformat(timespec="milliseconds")
    with _transaction(db):
        newest = db.execute("select number, link, body from event order by number desc").fetchone()
        number, before, body = newest or (0, START, "{}")
        played_s = watch.played_s(number, body)
        (game,) = db.execute("select coalesce(max(id), 0) from game").fetchone()
        for k, event in enumerate(events, 1):
            if isinstance(event, Started):
                game, played_s = game + 1, 0.0
                db.execute("insert into game values (?, ?, ?)", (game, now, event.game))
            timed = {} if played_s is None else {stopwatch.KEY: played_s}
            body = msgspec.json.encode(write_event(event) | timed).decode()
            row = linked(before, number + k, game, now, body, digest if k == len(events) else None)
            db.execute("insert into event values (?, ?, ?, ?, ?, ?)", msgspec.structs.astuple(row))
            rows.append(row)
            before = row.link
    watch.note(number + len(events))
    return rows


@contextlib.contextmanager
def _transaction(db: sqlite3.Connection) -> Iterator[None]:
    """All of it, or nothing. Raises sqlite3.Error."""
    db.execute("begin immediate")
    try:
        yield
        db.execute("commit")
    finally:
        if db.in_transaction:
            db.execute("rollback")


def _event(body: str) -> Event:
    try:
        return read_event(msgspec.json.decode(body))
    except msgspec.DecodeError as error:
        raise BadLine(Message("journal.line", {"why": str(error)})) from None


def _log_of(path: Path) -> Path:
    """SQLite's write-ahead log."""
    return path.with_name(f"{path.name}-wal")
