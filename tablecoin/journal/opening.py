"""The place of a journal, made ready and locked for one process, or why that journal cannot be opened."""

from __future__ import annotations

import fcntl
import os
import sqlite3
from dataclasses import dataclass
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


@dataclass
class Owned:
    """The locks of a journal's owner: of its folder, and of a lock file, which 1b859819 looks at.

    People delete lock files, and a second program would then make another. Nobody deletes the folder under a running
    table. The database is never opened for this, because closing a second descriptor would release SQLite's own locks.
    """

    path: Path  # of the journal
    folder: int
    file: int

    def renew(self) -> bool:
        """Lock again what was deleted or replaced; whether only the lock file was. Raises OSError, JournalError."""
        if not _is_open(self.path.parent, self.folder):
            self.close()
            again = own(self.path)
            self.folder, self.file = again.folder, again.file
            return False
        if _is_open(lock_of(self.path), self.file):
            return False
        file = _lock_file(self.path)
        os.close(self.file)
        self.file = file
        return True

    def close(self) -> None:
        """Release the locks."""
        for each in (self.file, self.folder):
            if each >= 0:
                os.close(each)
        self.file = self.folder = -1


def own(path: Path) -> Owned:
    """Lock the journal at `path` for this process. Raises OSError; JournalError where another process has it."""
    folder = _locked(os.open(path.parent, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC), path)
    try:
        return Owned(path, folder, _lock_file(path))
    except BaseException:
        os.close(folder)
        raise


def _lock_file(path: Path) -> int:
    return _locked(open_regular(lock_of(path), os.O_RDWR | os.O_CREAT), path)


def _locked(file: int, path: Path) -> int:
    """The open file, locked; it is closed where that fails."""
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(file)
        raise JournalError(Message("journal.busy", {"path": str(path)})) from None
    except BaseException:
        os.close(file)
        raise
    return file


def _is_open(path: Path, file: int) -> bool:
    """Whether the open file is still the one that has this name."""
    try:
        return os.path.samestat(path.stat(), os.fstat(file))
    except OSError:
        return False


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
