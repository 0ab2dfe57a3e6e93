"""The place of a journal, made ready and locked for one process, or why that journal cannot be opened."""

from __future__ import annotations

import fcntl
import os
import sqlite3
from pathlib import Path

from tablecoin.journal.unwritten import unwritten
from tablecoin.rules.rulebook import Complaint, Message
from tablecoin.storage.regular import NotRegularFile, open_regular

_FINAL = ("journal.busy", "journal.newer", "journal.unopened.folder")  # the others may end while the program runs


class JournalError(Complaint, OSError):
    """The journal cannot be read or written: why, and what to do."""

    @property
    def passes(self) -> bool:
        """Whether a journal that could not be opened may be opened later, without a new start."""
        return self.message.key not in _FINAL


def lock_of(path: Path) -> Path:
    return path.with_name(f"{path.name}.lock")


def make_folder(path: Path) -> None:
    """Make the folder of a journal. Raises JournalError, OSError.

    A link that leads to nothing means that a disk is not there yet: a new journal would take the place of its own.
    """
    for each in (path, path.with_suffix(".jsonl"), *path.parents):
        if each.is_symlink() and not each.exists():
            raise JournalError(Message("journal.unopened.away", {"path": str(each), "disk": str(each.readlink())}))
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)


def own(path: Path) -> int:
    """Lock the file that marks the journal's owner, and return it open.

    Raises OSError; JournalError where another process has it.
    """
    owned = open_regular(lock_of(path), os.O_RDWR | os.O_CREAT)
    try:
        fcntl.flock(owned, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(owned)
        raise JournalError(Message("journal.busy", {"path": str(path)})) from None
    return owned


def unopened(path: Path, error: Complaint | OSError | sqlite3.Error) -> JournalError:
    """Why the journal at `path` cannot be opened, and what to do."""
    if isinstance(error, JournalError):
        return error
    if isinstance(error, Complaint):
        return JournalError(error.message)
    if isinstance(error, NotRegularFile | IsADirectoryError):
        return JournalError(Message("journal.unopened.file", {"path": str(error.filename), "why": error.strerror}))
    if isinstance(error, FileExistsError | NotADirectoryError):
        return JournalError(Message("journal.unopened.folder", {"path": str(path.parent)}))
    return JournalError(unwritten("journal.unopened", error, path.parent, path=str(path)))
