"""The journal in one file, to keep elsewhere: made while a table runs, and put back while none does."""

from __future__ import annotations

import hashlib
import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from functools import cached_property
from pathlib import Path
from typing import Literal, NamedTuple

import msgspec

from tablecoin.journal import database, second_copy
from tablecoin.journal.chain import Row, merge
from tablecoin.journal.evidence import Evidence
from tablecoin.journal.evidence_folder import EvidenceFolder, KeptClip, seal, unsealed
from tablecoin.journal.files import name_aside, set_aside
from tablecoin.journal.opening import own
from tablecoin.rules.rulebook import Complaint, Message
from tablecoin.storage import durable
from tablecoin.storage.regular import NotRegularFile

# The pictures of a ruling as EvidenceFolder keeps them, its clip with the clip's seal, and the sum of all that neither
# the events' chain nor a digest nor a seal covers. The oldest backups hold no clips, older ones neither seals nor sum.
_PICTURES = "create table picture (digest text primary key, body blob not null)"
_CLIPS = "create table clip (digest text primary key, body blob not null, seal blob not null)"
_CONTENTS = "create table contents (sum text not null)"
_OLD_TABLES = {"game", "event", "apart", "counted", "mark", "evidence", "picture", "clip"}
_DIGEST = re.compile("[0-9a-f]{64}")  # it names a file, so another one from a backup is never taken as it is


class BackupError(Complaint, OSError):
    """A backup cannot be made or put back: why, and what to do."""


class Backup(msgspec.Struct, frozen=True):
    """What a backup holds."""

    games: int
    events: int
    pictures: int
    clips: int


class Damaged(NamedTuple):
    """Pictures or a clip that are damaged in a backup, and the event that they belong to; 0: nobody knows which."""

    what: Literal["pictures", "clip"]
    event: int
    game: int


class Restored(NamedTuple):
    """What was put back."""

    held: Backup
    aside: Path | None  # where the journal that stood there is kept now
    damaged: tuple[Damaged, ...]  # left out
    unchecked: int  # clips of an older backup, in which damage does not show


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
            pictures, clips = _take_pictures(EvidenceFolder(journal.parent / "evidence"), stored, unfinished)
            durable.rename(unfinished, file)
    return Backup(len({row.game for row in stored.rows}), len(stored.rows), pictures, clips)


def _take_pictures(folder: EvidenceFolder, stored: database.Stored, file: Path) -> tuple[int, int]:
    """Copy pictures and clips into the file, one at a time, for all together may be a gigabyte; how many of each."""
    pictures = clips = 0
    with closing(sqlite3.connect(file, isolation_level=None)) as target:
        target.execute("pragma journal_mode = off")
        target.execute("begin")
        target.execute(_PICTURES)
        target.execute(_CLIPS)
        for digest in {row.evidence for row in stored.rows if row.evidence}:
            if kept := folder.find(digest):
                target.execute("insert into picture values (?, ?)", (digest, msgspec.msgpack.encode(kept)))
                pictures += 1
            if clip := folder.clip(digest):
                target.execute("insert into clip values (?, ?, ?)", (digest, clip.clip, clip.seal))
                clips += 1
        target.execute(_CONTENTS)
        target.execute("insert into contents values (?)", (_sum(stored, pictures, clips),))
        target.execute("commit")
    return pictures, clips


def _sum(stored: database.Stored, pictures: int, clips: int) -> str:
    """SHA-256 over what a backup holds besides sound events, pictures and clips, and over how many of them it holds."""
    last = stored.rows[-1].link if stored.rows else ""
    told = (last, stored.apart, sorted((stored.marks or {}).items()), pictures, clips)
    return hashlib.sha256(msgspec.json.encode(told)).hexdigest()


def restore(file: Path, journal: Path) -> Restored:
    """Make the backup the journal. Pictures and clips that are damaged in it are left out.

    Raises BackupError: the file is no sound backup, a table runs, or the disk is full. The journal that stood there
    is there then. After a power cut the next start finds it or the backup, whole, in the journal or its second copy.
    """
    if not file.is_file():
        raise BackupError(Message("restore.no_file", {"path": str(file)}))
    with _said(file):
        database.require_regular(file)
        stored = database.examine(file)
        content = _Content(file, stored)
        if not stored.sound or stored.version > database.VERSION or not content.is_complete():
            raise BackupError(Message("restore.unsound", {"path": str(file)}))
    with _said(journal):
        database.require_regular(journal)
        journal.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        lock = own(journal)
        try:
            return _put_back(content, stored, journal)
        finally:
            lock.close()


class _Content:
    """The pictures and clips of a backup whose events are sound. Each is read when it is wanted: all may be 1 GB."""

    def __init__(self, file: Path, stored: database.Stored) -> None:
        self._file, self._stored = file, stored
        self._events = {row.evidence: row for row in stored.rows if row.evidence and _DIGEST.fullmatch(row.evidence)}

    def is_complete(self) -> bool:
        """Whether nothing is missing or added. Raises sqlite3.Error, UnicodeError."""
        pictures, clips = sum(1 for _ in self.pictures()), sum(1 for _ in self.clips())
        if max(pictures, clips) > len(self._events):
            return False
        tables = {name for name, _ in self._columns}
        if ("clip", "seal") not in self._columns and "contents" not in tables:  # an older backup
            return tables <= _OLD_TABLES  # an unknown name shows that the name of a table is damaged
        return list(self._rows("contents", "sum")) == [(_sum(self._stored, pictures, clips).encode(),)]

    def pictures(self) -> Iterator[Evidence | Damaged]:
        """What is sound, or what is not."""
        for digest, body in self._rows("picture", "digest", "body"):
            try:
                found = msgspec.msgpack.decode(body, type=Evidence) if isinstance(body, bytes) else None
            except msgspec.DecodeError:
                found = None
            is_sound = found is not None and found.digest == _text(digest) and found.digest in self._events
            yield found if found and is_sound else self._damaged("pictures", digest)

    def clips(self) -> Iterator[tuple[str, KeptClip] | Damaged]:
        """(digest of the ruling's pictures, clip) of what is sound, or of what cannot be checked; or what is not."""
        is_sealed = ("clip", "seal") in self._columns
        for key, clip, told in self._rows("clip", "digest", "body", "seal" if is_sealed else "null"):
            found, digest = None, _text(key)
            if digest in self._events and isinstance(clip, bytes):
                found = unsealed(digest, clip, told if is_sealed else seal(digest, clip, checked=False))
            yield (digest, found) if found else self._damaged("clip", key)

    def event(self, digest: str) -> int:
        """The newest event that names these pictures."""
        return self._events[digest].number

    def _damaged(self, what: Literal["pictures", "clip"], digest: object) -> Damaged:
        row = self._events.get(_text(digest))
        return Damaged(what, row.number if row else 0, row.game if row else 0)

    @cached_property
    def _columns(self) -> set[tuple[str, str]]:
        """(table, column) of all tables."""
        asked = (
            "select lower(made.name), lower(held.name) from sqlite_master as made, pragma_table_info(made.name) as held"
            " where made.type = 'table' and made.name not like 'sqlite_%' limit 1000"
        )
        with closing(database.reading(self._file)) as db:
            return set(db.execute(asked))

    def _rows(self, table: str, *columns: str) -> Iterator[tuple[object, ...]]:
        """The rows of one table; none where an older backup lacks it. Text comes as bytes: it may be damaged."""
        if any(name == table for name, _ in self._columns):
            with closing(database.reading(self._file)) as db:
                db.text_factory = bytes
                most = len(self._events) + 1
                yield from db.execute(f"select {', '.join(columns)} from {table} limit {most}")


def _text(key: object) -> str:
    return key.decode(errors="replace") if isinstance(key, bytes) else ""


def _put_back(content: _Content, stored: database.Stored, journal: Path) -> Restored:
    # The pictures come first: they take long, and named by their digests they harm nothing where the rest fails.
    folder = EvidenceFolder(journal.parent / "evidence")
    damaged: list[Damaged] = []
    pictures = clips = unchecked = 0
    for one in content.pictures():
        if isinstance(one, Damaged):
            damaged.append(one)
            continue
        folder.named(folder.keep(one), content.event(one.digest))
        pictures += 1
    for each in content.clips():
        if isinstance(each, Damaged):
            damaged.append(each)
            continue
        digest, kept = each
        folder.keep_clip(digest, kept.clip, checked=kept.checked)
        clips += 1
        unchecked += not kept.checked
    rows = merge(stored.rows).rows
    aside = _exchange(journal, rows, stored)
    held = Backup(len({row.game for row in rows}), len(rows), pictures, clips)
    return Restored(held, aside, tuple(damaged), unchecked)


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


@contextmanager
def _said(path: Path) -> Iterator[None]:
    """Say in one sentence what the system or SQLite complains of."""
    try:
        yield
    except Complaint:
        raise
    except (OSError, sqlite3.Error, UnicodeError) as error:
        why = error.strerror if isinstance(error, OSError) else str(error)
        named = error.filename if isinstance(error, NotRegularFile) else path
        raise BackupError(Message("backup.failed", {"path": str(named), "why": str(why)})) from None
