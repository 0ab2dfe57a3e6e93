"""Files read and written so that neither one without an end nor a power cut does harm."""

from __future__ import annotations

import errno
import os
from pathlib import Path


def read(path: Path, most: int) -> bytes:
    """All that the file holds. Raises OSError, also (EFBIG) for one of more than `most` bytes, as /dev/zero is."""
    with path.open("rb") as file:
        data = file.read(most + 1)
    if len(data) > most:
        raise OSError(errno.EFBIG, os.strerror(errno.EFBIG), str(path))
    return data


def replace(path: Path, data: bytes) -> None:
    """Make `data` the content of `path`, on the disk when this returns; its folder is made. Raises OSError.

    Written beside it, brought to the disk and only then renamed: some file systems rename first and write later.
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
        os.fsync(folder)  # the new name is the folder's to keep
    finally:
        os.close(folder)
