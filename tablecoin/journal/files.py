"""The journal's two files, opened: each is checked, and what is damaged is set aside and built anew from what is left.

No fault of a file keeps the journal from opening; only the system can: a full disk, a folder that may not be written.
"""

from __future__ import annotations

import logging
import sqlite3
import time
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import chain, count
from pathlib import Path

from tablecoin.journal import database, second_copy
from tablecoin.journal.chain import Merged, Row, merge
from tablecoin.journal.database import Stored
from tablecoin.journal.evidence_folder import EvidenceFolder
from tablecoin.journal.second_copy import Copied, SecondCopy
from tablecoin.rules.rulebook import Complaint, Message
from tablecoin.storage import durable

log = logging.getLogger(__name__)


class NewerVersion(Complaint, ValueError):
    """A newer tablecoin wrote the journal."""


@dataclass(frozen=True)
class Files:
    """The journal's files, open and sound."""

    db: sqlite3.Connection
    copy: SecondCopy
    evidence: EvidenceFolder
    newest: Row | None  # the newest event
    said: tuple[Message, ...]  # what was found damaged, and what became of it


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
    stored, copied = database.examine(path), second_copy.read(copy_path)
    if stored.version > database.VERSION:
        raise NewerVersion(Message("journal.newer", {"path": str(path)}))
    held_rows = (held.rows if held else (), held_copy.rows if held_copy else ())
    merged = merge(held_rows[0], stored.rows, held_rows[1], copied.rows)
    evidence = evidence or EvidenceFolder(path.parent / "evidence")
    aside = name_aside(path, "version-1" if stored.sound and stored.version == 1 else "damaged")
    good = stored.there and stored.sound and stored.version == database.VERSION and merged.rows == stored.rows
    known = stored.there or copied.rows or not copied.sound or any(held_rows)  # else it is a new journal
    size = copied.sound_bytes
    if not (copied.there and copied.sound and copied.rows == merged.rows):
        if copied.there and copied.rows != merged.rows[: len(copied.rows)]:
            durable.rename(copy_path, aside.with_suffix(copy_path.suffix))
        size = second_copy.rewrite(copy_path, merged.rows)  # first, so that all is there while the journal is not
    if not good:
        if stored.version == 1 and stored.there:
            evidence.take_from(path)
        set_aside(path, aside)
        marks = _marks(held, stored) if known else {}
        database.build(path, merged.rows, (*stored.apart, *merged.apart), marks)
    path.chmod(0o600)
    evidence.order(merged.rows)
    newest = merged.rows[-1] if merged.rows else None
    said: tuple[Message, ...] = ()
    if known:
        said = _copy_said(copied, merged) if good else _journal_said(stored, copied, merged, aside)
    return Files(database.connect(path), SecondCopy(copy_path, size), evidence, newest, said)


def set_aside(path: Path, aside: Path) -> None:
    """Rename a journal's files, SQLite's log first, so that nobody takes them for the new one's. Raises OSError."""
    for suffix in database.SUFFIXES:
        old = path.with_name(path.name + suffix)
        if suffix == "-shm":
            old.unlink(missing_ok=True)
        elif old.exists():
            durable.rename(old, aside.with_name(aside.name + suffix))


def name_aside(path: Path, why: str = "damaged") -> Path:
    """A name beside `path` that no file has yet."""
    first = path.with_name(f"{path.stem}-{why}-{datetime.now(UTC):%Y%m%d-%H%M%S}{path.suffix}")
    names = (first.with_stem(f"{first.stem}{more}") for more in chain([""], (f"-{k}" for k in count(2))))
    return next(name for name in names if not name.exists())


def _journal_said(stored: Stored, copied: Copied, merged: Merged, aside: Path) -> tuple[Message, ...]:
    """What people should know of a journal that was built anew."""
    facts = {"file": aside.name, "kept": len(merged.rows), "lost": merged.lost, "apart": len(merged.apart)}
    if not stored.there:
        return (Message("journal.gone", facts),)
    if stored.sound and stored.version == 1 and not merged.lost and not merged.apart:
        log.info("the journal has a new format; the old file stays as %s", aside)
        return ()
    all_there = merged.rows and not merged.lost and not merged.apart and copied.there
    return (Message("journal.rescued" if all_there else "journal.rescued.part", facts),)


def _copy_said(copied: Copied, merged: Merged) -> tuple[Message, ...]:
    """What people should know of a second copy that did not hold the same as the journal."""
    behind = {row.at for row in merged.rows[len(copied.rows) :]}
    if not merged.rows or (copied.rows == merged.rows and copied.sound):
        return ()
    if not copied.there:
        return (Message("journal.copy_gone", {"kept": len(merged.rows)}),)
    if copied.sound and copied.rows == merged.rows[: len(copied.rows)] and len(behind) == 1:
        return ()  # a power cut between the two writes
    return (Message("journal.copy_mended", {"kept": len(merged.rows)}),)


def _marks(held: Stored | None, stored: Stored) -> Mapping[str, int]:
    """The counters. Where they are lost they go on from the time in seconds, which is beyond every count."""
    known = (each.marks for each in (held, stored) if each and each.marks is not None)
    return next(known, {"seq": int(time.time())})
