"""The journal's two files, opened: each is checked, and what is damaged is set aside and built anew from what is left.

No fault of a file keeps the journal from opening; only the system can: a full disk, a folder that may not be written.
"""

from __future__ import annotations

import logging
import sqlite3
import time
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import chain, count
from pathlib import Path

import msgspec

from tablecoin.journal import database, second_copy
from tablecoin.journal.chain import Merged, Row, merge
from tablecoin.journal.database import Stored
from tablecoin.journal.evidence_folder import EvidenceFolder
from tablecoin.journal.second_copy import Copied, SecondCopy
from tablecoin.rules.rulebook import Complaint, Message, texts
from tablecoin.storage import durable

log = logging.getLogger(__name__)


class NewerVersion(Complaint, ValueError):
    """A newer tablecoin wrote the journal."""


# How the names of marks begin that say a game is not verified, or what the owner has not read yet. Version 1b859819
# keeps marks that it does not know.
_UNVERIFIED, _UNREAD = "unverified ", "unread "


@dataclass(frozen=True)
class Files:
    """The journal's files, open and sound."""

    db: sqlite3.Connection
    copy: SecondCopy
    evidence: EvidenceFolder
    newest: Row | None  # the newest event
    said: tuple[Message, ...]  # what was found damaged, and what became of it
    unread: tuple[Message, ...]  # losses, now and before, until the owner has read them
    unverified: frozenset[int]  # games that damage may have altered


def open_files(
    path: Path,
    held: Stored | None = None,
    held_copy: Copied | None = None,
    evidence: EvidenceFolder | None = None,
) -> Files:
    """Open the journal at `path`, and mend it where it is damaged.

    `held` and `held_copy` are what open files still hold while their names are gone: they are trusted most.
    `evidence` is the folder of the pictures where it is open already.
    Raises sqlite3.Error, OSError, NewerVersion.
    """
    copy_path = path.with_suffix(".jsonl")
    odd = tuple(_set_odd_aside(path, copy_path))
    stored, copied = database.examine(path), second_copy.read(copy_path)
    if stored.version > database.VERSION:
        raise NewerVersion(Message("journal.newer", {"path": str(path)}))
    held, held_copy = held or Stored(), held_copy or Copied()
    merged = _merged((held, stored), (held_copy, copied))
    evidence = evidence or EvidenceFolder(path.parent / "evidence")
    aside = name_aside(path, "version-1" if stored.sound and stored.version == 1 else "damaged")
    good = stored.there and stored.sound and stored.version == database.VERSION and merged.rows == stored.rows
    copy_left = copied.rows or copied.torn or not copied.sound
    known = stored.there or held.rows or held_copy.rows or copy_left  # else it is a new journal
    marks = {**(_marks(held, stored) if known else {}), "version": database.VERSION}
    marked = {game for name, game in marks.items() if name.startswith(_UNVERIFIED)}
    suspects = merged.unverified | copied.unverified | held_copy.unverified | marked
    unverified = suspects & {row.game for row in merged.rows}
    witnessed = held.there or _reaches_the_end(copied, merged)
    said: tuple[Message, ...] = ()
    if known:
        said = _copy_said(copied, merged, witnessed) if good else _journal_said(stored, merged, aside, witnessed)
    marks |= {f"{_UNVERIFIED}{game}": game for game in unverified}
    lost = merged.lost or merged.apart or merged.unverified or not witnessed
    marks |= {_UNREAD + msgspec.json.encode(message).decode(): int(time.time()) for message in said if lost}
    if good and marks != stored.marks:  # first, because the copy may be all that shows the loss
        with suppress(*([] if said and lost else [sqlite3.Error])):  # on a full disk the next start does it
            database.mark(path, marks)
    size = _mend_copy(copy_path, copied, merged, unverified, aside)  # then all is there while the journal is not
    if not good:
        if stored.version == 1 and stored.there:
            evidence.take_from(path)
        set_aside(path, aside)
        database.build(path, merged.rows, (*stored.apart, *merged.apart), marks)
    path.chmod(0o600)
    evidence.order(merged.rows)
    newest = merged.rows[-1] if merged.rows else None
    copy, unread = SecondCopy(copy_path, size), tuple(_unread(marks))
    return Files(database.connect(path), copy, evidence, newest, odd + said, unread, frozenset(unverified))


def _mend_copy(path: Path, copied: Copied, merged: Merged, unverified: Collection[int], aside: Path) -> int:
    """Have the second copy hold what is left; its size in bytes. Raises OSError."""
    whole = copied.there and copied.sound and not copied.torn
    if whole and (copied.rows, copied.unverified) == (merged.rows, unverified):
        return copied.size_bytes
    if copied.there and (copied.rows != merged.rows[: len(copied.rows)] or merged.lost_behind):
        durable.rename(path, aside.with_suffix(path.suffix))
    return second_copy.rewrite(path, merged.rows, unverified)


def acknowledge(db: sqlite3.Connection, read: Collection[Message]) -> tuple[Message, ...]:
    """Forget losses that the owner has read; those that are left. Raises sqlite3.Error."""
    names = [name for (name,) in db.execute("select name from mark")]
    gone = [name for name in names if any(message in read for message in _unread([name]))]
    db.executemany("delete from mark where name = ?1", ([name] for name in gone))
    return tuple(message for message in _unread(names) if message not in read)


def _set_odd_aside(path: Path, copy_path: Path) -> Iterator[Message]:
    """Rename folders, pipes and devices in the place of the journal's files: SQLite would wait for a pipe."""
    aside = name_aside(path)
    places = {path.with_name(path.name + suffix): aside.with_name(aside.name + suffix) for suffix in database.SUFFIXES}
    for file, kept in (*places.items(), (copy_path, aside.with_suffix(copy_path.suffix))):
        if file.exists() and not file.is_file():
            durable.rename(file, kept)
            yield Message("journal.odd", {"file": file.name, "kept": kept.name})


def _merged(stored: Sequence[Stored], copied: Sequence[Copied]) -> Merged:
    """What the copies hold together. Of events behind the last that can be read, one is known to be lost."""
    summed = frozenset[Row]().union(*(each.summed for each in copied))
    merged = merge(*(each.rows for each in stored), *(each.rows for each in copied), summed=summed)
    newest = _newest((*merged.rows, *merged.apart))
    unread = any(not each.whole_end and _newest(each.rows) >= newest > 0 for each in stored)
    if (unread or copied[-1].held_more((*merged.rows, *merged.apart))) and not merged.lost_behind:
        return Merged(merged.rows, merged.apart, merged.lost + 1, 1, merged.unverified)
    return merged


def _reaches_the_end(copied: Copied, merged: Merged) -> bool:
    """Whether the second copy has the newest event, but for one append, which a power cut may keep from it.

    Else nobody can know whether the journal lost its newest events, because SQLite's log may be cut off too.
    """
    newest = _newest(row for row in copied.rows if row.number <= _newest(merged.rows))
    return copied.there and len({row.at for row in merged.rows if row.number > newest}) <= 1


def _newest(rows: Iterable[Row]) -> int:
    return max((row.number for row in rows), default=0)


def set_aside(path: Path, aside: Path) -> None:
    """Rename a journal's files, SQLite's log first, so that nobody takes them for the new one's. Raises OSError."""
    for suffix in database.SUFFIXES:
        old = path.with_name(path.name + suffix)
        if suffix == "-shm" and old.is_file():
            old.unlink()
        elif old.exists():
            durable.rename(old, aside.with_name(aside.name + suffix))


def name_aside(path: Path, why: str = "damaged") -> Path:
    """A name beside `path` that no file has yet."""
    first = path.with_name(f"{path.stem}-{why}-{datetime.now(UTC):%Y%m%d-%H%M%S}{path.suffix}")
    names = (first.with_stem(f"{first.stem}{more}") for more in chain([""], (f"-{k}" for k in count(2))))
    return next(name for name in names if not any(name.parent.glob(f"{name.stem}.*")))


def _journal_said(stored: Stored, merged: Merged, aside: Path, witnessed: bool) -> tuple[Message, ...]:
    """What people should know of a journal that was built anew."""
    facts = {"file": aside.name, "kept": len(merged.rows), "lost": merged.lost, "apart": len(merged.apart)}
    if not stored.there:
        return (Message("journal.gone", facts), *_unverified_said(merged))
    if stored.sound and stored.version == 1 and not merged.lost and not merged.apart:
        log.info("the journal has a new format; the old file stays as %s", aside)
        return ()
    if not merged.rows or merged.lost or merged.apart:
        key = "journal.rescued.part"
    else:
        key = "journal.rescued" if witnessed else "journal.rescued.perhaps"
    return (Message(key, facts), *_unverified_said(merged))


def _unverified_said(merged: Merged) -> Iterator[Message]:
    if merged.unverified:
        yield Message("journal.unverified", {"games": ", ".join(str(game) for game in sorted(merged.unverified))})


def _copy_said(copied: Copied, merged: Merged, witnessed: bool) -> tuple[Message, ...]:
    """What people should know of a second copy that did not hold the same as the journal."""
    behind = {row.at for row in merged.rows[len(copied.rows) :]}
    if merged.lost:
        return (Message("journal.end_lost", {"kept": len(merged.rows), "lost": merged.lost}),)
    if not merged.rows or (copied.rows == merged.rows and copied.sound):
        return ()
    if not witnessed:
        return (Message("journal.copy_gone", {"kept": len(merged.rows)}),)
    if copied.there and copied.sound and copied.rows == merged.rows[: len(copied.rows)] and len(behind) == 1:
        return ()  # a power cut between the two writes
    return (Message("journal.copy_mended", {"kept": len(merged.rows)}),)


def _marks(held: Stored, stored: Stored) -> Mapping[str, int]:
    """The counters. Where they are lost they go on from the time in seconds, which is beyond every count."""
    known = (each.marks for each in (held, stored) if each.marks is not None)
    return next(known, {"seq": int(time.time())})


def _unread(marks: Iterable[str]) -> Iterator[Message]:
    """What these names of marks say. One that is damaged, or of another version, says that something was lost."""
    for name in marks:
        if name.startswith(_UNREAD):
            try:
                message = msgspec.json.decode(name.removeprefix(_UNREAD), type=Message)
                texts(message)
            except (msgspec.DecodeError, LookupError, ValueError):
                message = Message("journal.lost_before")
            yield message
