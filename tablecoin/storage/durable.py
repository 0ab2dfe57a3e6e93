"""Reading a file with a limit on its size, and writing one that survives a power cut."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from tablecoin.storage.regular import open_regular

UNFINISHED = ".part"  # what `replace` puts behind a name until the file is whole


def read(path: Path, most: int) -> bytes:
    """The content of a regular file. Raises OSError, with EFBIG where it is longer than `most` bytes.

    A file that a person named may be a pipe: `given.read` reads that.
    """
    with os.fdopen(open_regular(path), "rb") as file:
        return at_most(file, most, path)


def at_most(file: BinaryIO, most: int, path: Path) -> bytes:
    """The rest of an open file. Raises OSError, with EFBIG where that is longer than `most` bytes."""
    data = file.read(most + 1)
    if len(data) > most:
        raise OSError(errno.EFBIG, os.strerror(errno.EFBIG), str(path))
    return data


def expanded(path: str) -> Path:
    """`path` with the home folder for a leading `~`; as it is written where there is no such user."""
    try:
        return Path(path).expanduser()
    except RuntimeError:
        return Path(path)


def replace(path: Path, data: bytes, mode: int = 0o600) -> None:
    """Make `data` the content of `path`, on the disk when this returns. Makes its folder. Raises OSError.

    The data is written to a file beside it, synced and then renamed, for some file systems rename before they write.
    Where that fails, nothing of it stays. A new file gets the permissions `mode`, less the process's umask: by default
    only its owner reads it. The same holds for a new folder.
    """
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    unfinished = path.with_name(path.name + UNFINISHED)
    unfinished.unlink(missing_ok=True)
    file = os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, mode)
    with whole(unfinished):
        try:
            write_at(file, 0, data)
        finally:
            os.close(file)
        rename(unfinished, path)


@contextmanager
def whole(unfinished: Path) -> Iterator[None]:
    """Remove the file where writing it fails: half of it helps nobody, and takes the last bytes of a full disk."""
    try:
        yield
    except BaseException:
        with suppress(OSError):
            unfinished.unlink(missing_ok=True)
        raise


def write_at(file: int, place: int, data: bytes) -> None:
    """Write `data` at `place` bytes, cut the open file off behind it, and sync it. Raises OSError."""
    rest = memoryview(data)
    while rest:
        rest = rest[os.pwrite(file, rest, place + len(data) - len(rest)) :]
    os.ftruncate(file, place + len(data))
    os.fsync(file)


def rename(old: Path, new: Path) -> None:
    """Rename a file within its folder, replacing what is there; on the disk when this returns. Raises OSError."""
    old.replace(new)
    sync(new.parent)


def sync(path: Path) -> None:
    """Wait until a file, or the names in a folder, are on the disk. Raises OSError."""
    file = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        os.fsync(file)
    finally:
        os.close(file)
