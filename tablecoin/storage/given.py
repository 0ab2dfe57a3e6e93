"""Files that a person names on the command line or in tablecoin.toml: regular ones, and pipes that keep nobody waiting.

Scripts give /dev/stdin or a shell's <(…), so a pipe is read. Folders and devices are refused: /dev/zero never ends.
"""

from __future__ import annotations

import errno
import io
import os
import select
import stat
from pathlib import Path
from typing import TYPE_CHECKING

from tablecoin.storage import durable
from tablecoin.storage.regular import NotRegularFile

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

QUIET_S = 2.0  # a pipe that sends no byte for so long is given up


def read(path: Path, most: int) -> bytes:
    """The file's content. Raises OSError, with EFBIG where it is longer than `most` bytes."""
    with opened(path) as file:
        return durable.at_most(file, most, path)


def opened(path: Path) -> io.BufferedReader:
    """The file, open for reading by `read(size)` and `readline(size)`. These raise OSError too when a pipe is quiet.

    Raises OSError.
    """
    return io.BufferedReader(_Patient(path))


class Target:
    """Where a person wants something written. A pipe is opened at once: nobody should work for a pipe without a reader.

    A file is not touched before `write`, so that it stays as it was where the work fails.
    """

    def __init__(self, path: Path) -> None:
        """Raises OSError."""
        self.path = path
        self._pipe = _descriptor(path, os.O_WRONLY) if path.exists() and not path.is_file() else None

    def write(self, data: bytes) -> None:
        """Make `data` the content of the file, or send it through the pipe. Raises OSError."""
        file = _descriptor(self.path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC) if self._pipe is None else self._pipe
        os.set_blocking(file, True)
        with os.fdopen(file, "wb") as target:
            target.write(data)


def _descriptor(path: Path, flags: int) -> int:
    """An open file or pipe. Opening a pipe would wait for its other end, so it is opened without waiting."""
    try:
        file = os.open(path, flags | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC, 0o666)
    except OSError as error:
        if error.errno == errno.ENXIO:
            raise OSError(errno.ENXIO, "nobody is at the other end of it", str(path)) from None
        raise
    mode = os.fstat(file).st_mode
    if not (stat.S_ISREG(mode) or stat.S_ISFIFO(mode)):
        os.close(file)
        raise NotRegularFile(path, mode)
    return file


class _Patient(io.FileIO):
    """Waits for each part of a pipe, but not for ever."""

    def __init__(self, path: Path) -> None:
        super().__init__(_descriptor(path, os.O_RDONLY), "rb")
        self._path = path

    def readinto(self, buffer: WriteableBuffer) -> int | None:
        waiting = select.poll()
        waiting.register(self, select.POLLIN)
        if not waiting.poll(1000 * QUIET_S):
            raise OSError(errno.ETIMEDOUT, f"nothing came from this pipe for {QUIET_S:g} seconds", str(self._path))
        return super().readinto(buffer)
