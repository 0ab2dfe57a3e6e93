"""The journal's second copy: the same events as JSON lines in a file beside it, in case one of the two is damaged.

Its last line has the number and the hash of the newest event. It is written after the journal, so a power cut leaves
it at most one append behind. Each line carries its own SHA-256, because behind a gap no other line can prove it.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Collection, Iterable
from pathlib import Path

import msgspec

from tablecoin.journal.chain import Row, begins
from tablecoin.storage import durable
from tablecoin.storage.regular import open_regular


class _Line(Row, frozen=True, omit_defaults=True):
    """A row as the file holds it. Version 1b859819 reads and writes the row alone."""

    verified: bool = True  # false: it begins a game, and nothing proves that it is as it was written
    sum: str = ""  # SHA-256 of the line without this key, in hexadecimal


_decoder = msgspec.json.Decoder(_Line)


class Copied(msgspec.Struct, frozen=True):
    """What a second copy holds."""

    rows: tuple[Row, ...] = ()
    ends: tuple[int, ...] = ()  # where the line of each row ends, in bytes
    summed: frozenset[Row] = frozenset()  # the rows that their own sums prove
    unverified: frozenset[int] = frozenset()  # games
    sound: bool = True  # no line is damaged but perhaps the last one, which a power cut may tear
    there: bool = False  # the file is there
    size_bytes: int = 0

    @property
    def torn(self) -> bool:
        """Something stands behind the last line that can be read."""
        return self.size_bytes > (self.ends[-1] if self.ends else 0)

    def held_more(self, rows: Collection[Row]) -> bool:
        """Whether the file held more events behind its newest one of `rows` than those of `rows` that follow it."""
        if self.sound and not self.torn:
            return False
        kept = {(row.number, row.body) for row in rows}
        newest, end, sums = max(
            ((row.number, end, row in self.summed) for row, end in zip(self.rows, self.ends, strict=True)
             if (row.number, row.body) in kept),
            default=(0, 0, True),
        )  # fmt: skip
        behind = [row for row in rows if row.number > newest]
        if not sums and len({row.at for row in behind}) > 1:  # version 1b859819 wrote these lines: they have no sums
            return self.size_bytes - end > sum(len(msgspec.json.encode(row)) + 1 for row in behind)
        return self.size_bytes - end > len(lines(behind))


class SecondCopy:
    """An open second copy, to append to. One thread at a time."""

    def __init__(self, path: Path, size: int) -> None:
        """Open or create the file; what stands behind `size` bytes is overwritten. Raises OSError."""
        self.path, self._size = path, size
        self._waiting: list[Row] = []  # could not be written yet
        self.trouble: OSError | None = None  # why not
        self._file = open_regular(path, os.O_RDWR | os.O_CREAT)

    def append(self, rows: Iterable[Row]) -> None:
        """Write the rows; they are on the disk when this returns, unless `trouble` tells why not. They then wait."""
        self._waiting += rows
        data = lines(self._waiting)
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
        file = open_regular(path)
    except FileNotFoundError:
        return Copied()
    try:
        return _copied(file)
    finally:
        os.close(file)


def rewrite(path: Path, rows: Iterable[Row], unverified: Collection[int] = ()) -> int:
    """Replace the file by one with these rows; its size in bytes. Raises OSError."""
    data = lines(rows, unverified)
    durable.replace(path, data, 0o600)
    return len(data)


def lines(rows: Iterable[Row], unverified: Collection[int] = ()) -> bytes:
    """The rows as the file holds them. `unverified`: games whose first event nothing proves."""
    return b"".join(_line(row, unverified) for row in rows)


def _line(row: Row, unverified: Collection[int]) -> bytes:
    verified = row.game not in unverified or not begins(row)
    line = _Line(row.number, row.game, row.at, row.body, row.evidence, row.link, verified)
    return msgspec.json.encode(msgspec.structs.replace(line, sum=_sum(line))) + b"\n"


def _sum(line: _Line) -> str:
    return hashlib.sha256(msgspec.json.encode(msgspec.structs.replace(line, sum=""))).hexdigest()


def _copied(file: int) -> Copied:
    size = os.fstat(file).st_size
    rows: list[Row] = []
    ends: list[int] = []
    summed: set[Row] = set()
    unverified: set[int] = set()
    place = 0  # in bytes
    sound, torn = True, False
    for data in os.pread(file, size, 0).split(b"\n")[:-1]:  # the last piece has no newline: it is empty or torn
        place += len(data) + 1
        try:
            line = _decoder.decode(data)
        except (msgspec.DecodeError, UnicodeError, RecursionError):
            torn = True
            continue
        if not line.link or (line.sum and line.sum != _sum(line)):
            sound = False
            continue
        row = Row(line.number, line.game, line.at, line.body, line.evidence, line.link)
        rows.append(row)
        ends.append(place)
        if line.sum:
            summed.add(row)
        if not line.verified:
            unverified.add(line.game)
        sound = sound and not torn
    return Copied(tuple(rows), tuple(ends), frozenset(summed), frozenset(unverified), sound, True, size)
