"""Opening a file only if it is a regular one: opening or reading a pipe or a device may wait for ever."""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path

_KINDS = ((stat.S_ISDIR, "a folder"), (stat.S_ISFIFO, "a pipe"), (stat.S_ISSOCK, "a socket"))


class NotRegularFile(OSError):
    """The path leads to a folder, pipe, socket or device. `strerror` says which."""

    def __init__(self, path: Path, mode: int) -> None:
        """`mode`: `st_mode` of what is there."""
        kind = next((name for is_kind, name in _KINDS if is_kind(mode)), "a device")
        super().__init__(errno.EINVAL, f"it is {kind}, not a regular file", str(path))


def open_regular(path: Path, flags: int = os.O_RDONLY, mode: int = 0o600) -> int:
    """Return the open file's descriptor, without waiting. Raises NotRegularFile, OSError.

    `flags` and `mode` are those of `os.open`. The descriptor is not inherited by other programs.
    """
    try:
        file = os.open(path, flags | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC, mode)
    except OSError as error:
        if error.errno in (errno.ENXIO, errno.EISDIR):  # a pipe, socket or folder may not even be opened
            raise NotRegularFile(path, path.stat().st_mode) from None
        raise
    try:
        found = os.fstat(file)
        if not stat.S_ISREG(found.st_mode):
            raise NotRegularFile(path, found.st_mode)
        os.set_blocking(file, True)
    except BaseException:
        os.close(file)
        raise
    return file
