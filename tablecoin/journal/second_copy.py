"""The journal's second copy: the same events as JSON lines in a file beside it, in case one of the two is damaged.

Its last line tells the number and the hash of the newest event. It is written after the journal, so a power cut leaves
it at most one append behind.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

import msgspec

from tablecoin.journal.chain import Row
from tablecoin.storage import durable

_decoder = msgspec.json.Decoder(Row)


class Copied(msgspec.Struct, frozen=True):
    """What a second copy holds."""

    rows: tuple[Row, ...] = ()
    sound: bool = True  # no line is damaged but perhaps the last one, which a power cut may tear
    there: bool = False  # the file is there
    sound_bytes: int = 0  # up to the end of the last line that can be read


class SecondCopy:
    """An open second copy, to append to. One thread at a time."""

    def __init__(self, path: Path, size: int) -> None:
        """Open or create the file; what stands behind `size` bytes is overwritten. Raises OSError."""
        self.path, self._size = path, size
        self._waiting: list[Row] = []  # could not be written yet
        self.trouble: OSError | None = None  # why not
        self._file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)

    def append(self, rows: Iterable[Row]) -> None:
        """Write the rows; they are on the disk when this returns, unless `trouble` tells why not. They then wait."""
        self._waiting += rows
        data = _lines(self._waiting)
        try:
            durable.write_at(self._file, self._size, data)
        except OSError as error:
            self.trouble = error
            return
        self._size += len(data)
        self._waiting, self.trouble = [], None

    def read(self) -> Copied:
        """What the open file holds, also after its name was deleted. Raises OSError."""
        return _copied(self._file)

    def close(self) -> None:
        os.close(self._file)


def read(path: Path) -> Copied:
    """What the second copy at `path` holds; nothing where there is none. Raises OSError."""
    try:
        file = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    except FileNotFoundError:
        return Copied()
    try:
        return _copied(file)
    finally:
        os.close(file)


def rewrite(path: Path, rows: Iterable[Row]) -> int:
    """Replace the file by one with these rows; its size in bytes. Raises OSError."""
    data = _lines(rows)
    durable.replace(path, data, 0o600)
    return len(data)


def _lines(rows: Iterable[Row]) -> bytes:
    return b"".join(msgspec.json.encode(row) + b"\n" for row in rows)


def _copied(file: int) -> Copied:
    lines = os.pread(file, os.fstat(file).st_size, 0).split(b"\n")
    rows: list[Row] = []
    place = sound_bytes = 0  # in bytes
    bad_at = None  # the first line that cannot be read
    bad_between = False
    for line in lines[:-1]:  # the last piece has no newline: it is empty or torn
        place += len(line) + 1
        try:
            rows.append(_decoder.decode(line))
        except (msgspec.DecodeError, UnicodeError, RecursionError):
            bad_at = place if bad_at is None else bad_at
            continue
        bad_between = bad_at is not None
        sound_bytes = place
    return Copied(tuple(rows), not bad_between, True, sound_bytes)
