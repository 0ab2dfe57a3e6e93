"""Why the disk does not take what is written, and what people can do about it."""

from __future__ import annotations

import errno
import sqlite3
from pathlib import Path
from typing import Literal

from tablecoin.rules.rulebook import Message
from tablecoin.storage import durable

Cause = Literal["full", "read_only", "refused", "locked", "gone", "broken", "other"]

_OF_SYSTEM: dict[int, Cause] = {
    errno.ENOSPC: "full",
    errno.EDQUOT: "full",
    errno.EFBIG: "full",  # the file system, or a limit of the process, allows no longer file
    errno.EROFS: "read_only",
    errno.EACCES: "refused",
    errno.EPERM: "refused",
    errno.ENOENT: "gone",
    errno.ENOTDIR: "gone",
    errno.EEXIST: "gone",  # a file is where the folder was
    errno.ENODEV: "gone",
    errno.EIO: "broken",
    errno.ENXIO: "broken",
}
_OF_SQLITE: dict[int, Cause] = {
    sqlite3.SQLITE_FULL: "full",
    sqlite3.SQLITE_BUSY: "locked",
    sqlite3.SQLITE_LOCKED: "locked",
    sqlite3.SQLITE_READONLY: "refused",
    sqlite3.SQLITE_PERM: "refused",
    sqlite3.SQLITE_CANTOPEN: "refused",
    sqlite3.SQLITE_IOERR: "broken",
}
_TRIAL, _TRIAL_BYTES = "trial", 3 << 15  # as much as a ruling needs with its pictures


def unwritten(key: str, error: OSError | sqlite3.Error, folder: Path, **facts: object) -> Message:
    """The message `key`, with `facts`, about a file in `folder` that could not be opened or written."""
    if isinstance(error, OSError):
        return Message(key, facts | why_and_do(error))
    cause = _OF_SQLITE.get(getattr(error, "sqlite_errorcode", 0) & 0xFF, "other")  # the primary result code
    if cause not in ("full", "locked"):  # SQLite says no more than that a write failed, the system says why
        try:
            try_disk(folder)
        except OSError as told:
            return Message(key, facts | why_and_do(told))
    return Message(key, facts | {"why": str(error), "do": Message(f"disk.{cause}")})


def why_and_do(error: OSError) -> dict[str, object]:
    """What a sentence about a file that could not be written needs: `why`, and what to `do`."""
    cause = _OF_SYSTEM.get(error.errno or 0, "other")
    return {"why": error.strerror or str(error), "do": Message(f"disk.{cause}")}


def try_disk(folder: Path) -> None:
    """Write a small file into `folder` and delete it. Raises OSError where the disk does not take it."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    trial = folder / _TRIAL
    durable.replace(trial, bytes(_TRIAL_BYTES), 0o600)
    trial.unlink()
