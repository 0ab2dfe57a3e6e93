"""The journal in one file, to keep elsewhere: made while a table runs, and put back while none does."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import msgspec

from tablecoin.journal import database, second_copy
from tablecoin.journal.chain import Row, merge
from tablecoin.journal.evidence import Evidence
from tablecoin.journal.evidence_folder import EvidenceFolder
from tablecoin.journal.files import name_aside, set_aside
from tablecoin.journal.opening import own
from tablecoin.rules.rulebook import Complaint, Message
from tablecoin.storage import durable
from tablecoin.storage.regular import NotRegularFile

# The pictures of a ruling as EvidenceFolder keeps them, and its clip. Backups made before there were clips hold none.
_PICTURES = "create table picture (digest text primary key, body blob not null)"
_CLIPS = "create table clip (digest text primary key, body blob not null)"


class BackupError(Complaint, OSError):
    """A backup cannot be made or put back: why, and what to do."""


class Backup(msgspec.Struct, frozen=True):
    """What a backup holds."""

    games: int
    events: int
    pictures: int
    clips: int


def back_up(journal: Path, file: Path) -> Backup:
    """Write the journal, with its pictures, into a new file. Safe while a table runs. Raises BackupError.

    The events are copied in one step: SQLite begins a copy in many steps again whenever somebody writes.
    """
    if not journal.exists():
        raise BackupError(Message("backup.no_journal", {"path": str(journal)}))
    if file.exists():
        raise BackupError(Message("backup.exists", {"path": str(file)}))
    unfinished = file.with_name(f"{file.name}{durable.UNFINISHED}")
    with _said(file):
        database.require_regular(journal)
        database.remove(unfinished)
        unfinished.touch(0o600)
        with database.whole_or_gone(unfinished):
            with (
                closing(sqlite3.connect(f"{journal.resolve().as_uri()}?mode=ro", uri=True, timeout=10)) as source,
                closing(sqlite3.connect(unfinished, isolation_level=None)) as target,
            ):
                target.execute("pragma journal_mode = off")  # what fails is deleted whole
                source.backup(target, pages=-1)
                target.execute("pragma journal_mode = delete")
            stored = database.examine(unfinished)
            if not stored.sound or stored.version != database.VERSION:
                raise BackupError(Message("backup.unsound", {"path": str(journal)}))
            digests = {row.evidence for row in stored.rows if row.evidence}
            pictures, clips = _take_pictures(EvidenceFolder(journal.parent / "evidence"), digests, unfinished)
            durable.rename(unfinished, file)
    return Backup(len({row.game for row in stored.rows}), len(stored.rows), pictures, clips)


def _take_pictures(folder: EvidenceFolder, digests: Iterable[str], file: Path) -> tuple[int, int]:
    """Copy pictures and clips into the file, one at a time, for all together may be a gigabyte; how many of each."""
    pictures = clips = 0
    with closing(sqlite3.connect(file, isolation_level=None)) as target:
        target.execute("pragma journal_mode = off")
        target.execute("begin")
        target.execute(_PICTURES)
        target.execute(_CLIPS)
        for digest in digests:
            if kept := folder.find(digest):
                target.execute("insert into picture values (?, ?)", (digest, msgspec.msgpack.encode(kept)))
                pictures += 1
            if clip := folder.clip(digest):
                target.execute("insert into clip values (?, ?)", (digest, clip))
                clips += 1
        target.execute("commit")
    return pictures, clips


def restore(file: Path, journal: Path) -> tuple[Backup, Path | None]:
    """Make the backup the journal; what it holds, and where the journal that stood there is kept now.

    Raises BackupError: the file is no sound backup, a table runs, or the disk is full. The journal that stood there
    is there then. After a power cut the next start finds it or the backup, whole, in the journal or its second copy.
    """
    if not file.is_file():
        raise BackupError(Message("restore.no_file", {"path": str(file)}))
    with _said(journal):
        for each in (file, journal):
            database.require_regular(each)
        stored = database.examine(file)
        if not stored.sound or stored.version > database.VERSION:
            raise BackupError(Message("restore.unsound", {"path": str(file)}))
        for _ in _pictures(file):
            pass  # one that cannot be read is said before anything is changed
        journal.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        lock = own(journal)
        try:
            return _put_back(file, stored, journal)
        finally:
            os.close(lock)


def _put_back(file: Path, stored: database.Stored, journal: Path) -> tuple[Backup, Path | None]:
    # The pictures come first: they take long, and named by their digests they harm nothing where the rest fails.
    folder, clips = EvidenceFolder(journal.parent / "evidence"), 0
    pictures = {folder.keep(evidence) for evidence in _pictures(file)}
    for digest, clip in _clips(file):
        if digest in pictures:  # a digest names a file, so one from a backup is never taken as it is
            folder.keep_clip(digest, clip)
            clips += 1
    rows = merge(stored.rows).rows
    aside = _exchange(journal, rows, stored)
    return Backup(len({row.game for row in rows}), len(rows), len(pictures), clips), aside


def _exchange(journal: Path, rows: tuple[Row, ...], stored: database.Stored) -> Path | None:
    """Put a journal with these rows in the place of the one that is there; where that is kept, if there was one.

    The second copy is exchanged in one step while there is no journal: at every moment one of the two is whole, and
    never does either stand beside the other's, which the next start would take for one journal and merge.
    """
    old, copy = database.examine(journal), journal.with_suffix(".jsonl")
    copied = second_copy.read(copy)
    aside = name_aside(journal, "before-restore")
    kept = merge(old.rows, copied.rows, summed=copied.summed).rows
    marks = {**(stored.marks or {}), "seq": max((each.marks or {}).get("seq", 0) for each in (old, stored))}
    stood = {path for path in (journal, copy) if path.exists()}
    try:
        if copied.there:
            durable.replace(aside.with_suffix(".jsonl"), copy.read_bytes(), 0o600)
        elif old.rows:
            second_copy.rewrite(aside.with_suffix(".jsonl"), kept)
        if old.rows and copied.rows != kept:  # for a moment it is all there is
            second_copy.rewrite(copy, kept)
        set_aside(journal, aside)
        second_copy.rewrite(copy, rows)
        database.build(journal, rows, stored.apart, marks)
    except BaseException:
        _undo(journal, aside, stood)
        raise
    return aside if old.there else None


def _undo(journal: Path, aside: Path, stood: set[Path]) -> None:
    """Put the files that were set aside back into their places, the second copy first. `stood`: what was there."""
    copy, kept = journal.with_suffix(".jsonl"), aside.with_suffix(".jsonl")
    if aside.exists() or journal not in stood:
        journal.unlink(missing_ok=True)  # the new one
    if kept.exists():
        durable.rename(kept, copy)
    elif copy not in stood:
        copy.unlink(missing_ok=True)
    set_aside(aside, journal)


def _pictures(file: Path) -> Iterator[Evidence]:
    for _, body in _kept(file, "picture"):
        yield msgspec.msgpack.decode(body, type=Evidence)


def _clips(file: Path) -> Iterator[tuple[str, bytes]]:
    """(digest of the ruling's pictures, clip) of each clip."""
    return _kept(file, "clip")


def _kept(file: Path, table: str) -> Iterator[tuple[str, bytes]]:
    """The rows of one table; none where an older backup lacks it."""
    with closing(sqlite3.connect(file)) as db:
        if db.execute("select count(*) from sqlite_master where name = ?", (table,)).fetchone() == (1,):
            yield from db.execute(f"select digest, body from {table}")


@contextmanager
def _said(path: Path) -> Iterator[None]:
    """Say in one sentence what the system or SQLite complains of."""
    try:
        yield
    except Complaint:
        raise
    except (OSError, sqlite3.Error, msgspec.DecodeError) as error:
        why = error.strerror if isinstance(error, OSError) else str(error)
        named = error.filename if isinstance(error, NotRegularFile) else path
        raise BackupError(Message("backup.failed", {"path": str(named), "why": str(why)})) from None
