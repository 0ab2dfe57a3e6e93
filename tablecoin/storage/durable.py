"""Reading a file with a limit on its size, and writing one that survives a power cut."""

from __future__ import annotations

import errno
import os
from pathlib import Path


def read(path: Path, most: int) -> bytes:
    """The file's content. Raises OSError, with EFBIG where it is longer than `most` bytes (as /dev/zero is)."""
    with path.open("rb") as file:
        data = file.read(most + 1)
    if len(data) > most:
        raise OSError(errno.EFBIG, os.strerror(errno.EFBIG), str(path))
    return data


def replace(path: Path, data: bytes) -> None:
    """Make `data` the content of `path`, on the disk when this returns. Makes its folder. Raises OSError.

    The data is written to a file beside it, synced and then renamed, for some file systems rename before they write.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    unfinished = path.with_name(path.name + ".part")
    with unfinished.open("wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    unfinished.replace(path)
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(folder)  # makes the rename durable
    finally:
        os.close(folder)
