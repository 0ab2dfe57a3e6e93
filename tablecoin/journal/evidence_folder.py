"""The pictures that rulings rest on, and their clips: a folder beside the journal, files named by the pictures' digest.

They are large and many, so they stay out of the journal: damage to a picture harms nothing else. The journal keeps the
digest for good, and the digest tells whether a file is still what was written. A clip is written a little later, beside
its pictures, and begins with a digest of its own. Both are kept under one budget, 1 GB or a tenth of the disk,
whichever is smaller. The oldest make room. The number of the newest event that names a picture tells how old it is,
because a file's time may come from a wrong clock.
"""

from __future__ import annotations

import hashlib
import logging
import math
import shutil
import sqlite3
from collections.abc import Iterable
from contextlib import closing, suppress
from pathlib import Path
from threading import Lock
from typing import NamedTuple

import msgspec

from tablecoin.journal.chain import Row
from tablecoin.journal.clip import MOST_BYTES as MOST_CLIP_BYTES
from tablecoin.journal.evidence import Evidence
from tablecoin.journal.unwritten import try_disk
from tablecoin.storage import durable

log = logging.getLogger(__name__)

_MOST_BYTES = 1_000_000_000  # about 12,000 rulings, or 2,600 with clips
_MOST_SHARE = 0.1  # of the disk
_SUFFIX, _CLIP = ".evidence", ".clip"
_LARGEST_BYTES = 1 << 20  # of a file; two pictures have at most 80 kB
_HEAD_BYTES = hashlib.sha256().digest_size  # of a clip's file


class KeptClip(NamedTuple):
    """A clip as it is kept."""

    clip: bytes
    seal: bytes  # SHA-256 over the digest of its ruling's pictures, the clip, and whether it was checked
    checked: bool  # False: it comes from an older backup without seals, so it may have been damaged there


class EvidenceFolder:
    """Keeps evidence by its digest. Safe to use from several threads, which then share one object."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._newest: dict[str, int] = {}  # digest -> the newest event that names it
        self._kept = ""  # the digest that was kept last: its event is not written yet
        self._used_bytes: int | None = None  # None: not counted yet
        self._counting = Lock()
        self._clearing = Lock()  # held while old files are deleted; nobody waits for it

    def keep(self, evidence: Evidence) -> str:
        """Write the evidence, on the disk when this returns, and return its digest. Raises OSError."""
        digest = evidence.digest
        with self._counting:
            self._kept = digest
        self._write(f"{digest}{_SUFFIX}", msgspec.msgpack.encode(evidence))
        return digest

    def order(self, rows: Iterable[Row]) -> None:
        """Learn how old the pictures are from the journal's events, oldest event first. Others are older than all."""
        try:
            there = {path.stem for path in self._folder.iterdir()}  # the journal names many that made room long ago
        except OSError:
            there = set()
        newest = {row.evidence: row.number for row in rows if row.evidence in there}
        with self._counting:
            self._newest = {digest: number for digest, number in newest.items() if digest}

    def named(self, digest: str, number: int) -> None:
        """Event `number`, the newest, names these pictures."""
        with self._counting:
            self._newest[digest] = number

    def keep_clip(self, digest: str, clip: bytes, *, checked: bool = True) -> None:
        """Write the clip of the ruling whose evidence has this digest. On the disk when this returns. OSError.

        `checked` False: nobody knows whether it is still what was filmed.
        """
        self._write(f"{digest}{_CLIP}", seal(digest, clip, checked=checked) + clip)

    def clip(self, digest: str) -> KeptClip | None:
        """The clip of the ruling whose evidence has this digest; None where it is not there or damaged."""
        try:
            data = durable.read(self._folder / f"{digest}{_CLIP}", _HEAD_BYTES + MOST_CLIP_BYTES)
        except OSError:
            return None
        return unsealed(digest, data[_HEAD_BYTES:], data[:_HEAD_BYTES])

    def try_write(self) -> None:
        """Write a file as large as the pictures of a ruling, and delete it. Raises OSError."""
        try_disk(self._folder)

    def _write(self, name: str, data: bytes) -> None:
        """Write a file, and delete old ones where there are too many. Raises OSError."""
        self._folder.mkdir(mode=0o700, exist_ok=True)
        with self._counting:
            if self._used_bytes is None:  # before the first write: what is unfinished now is no other thread's work
                self._clear_unfinished()
                self._used_bytes = sum(size for _, size, _ in self._files())
        durable.replace(self._folder / name, data, 0o600)
        budget_bytes = min(_MOST_BYTES, _MOST_SHARE * shutil.disk_usage(self._folder).total)
        with self._counting:
            self._used_bytes += len(data)
            over = self._used_bytes > budget_bytes
        if over and self._clearing.acquire(blocking=False):
            try:
                self._make_room(budget_bytes)
            finally:
                self._clearing.release()

    def _clear_unfinished(self) -> None:
        """Delete what a power cut left half written: nobody would ever read or count it."""
        for path in self._folder.glob(f"*{durable.UNFINISHED}"):
            with suppress(OSError):
                path.unlink()

    def _make_room(self, budget_bytes: float) -> None:
        """Delete the oldest files until a little less than the budget is used.

        Files that no event names come first, by the time of the file: their journal was set aside.
        """
        files = self._files()
        with self._counting:
            newest = self._newest | {self._kept: math.inf}
        used_bytes = sum(size for _, size, _ in files)
        by_age = sorted((newest.get(path.stem, 0), time_ns, size, path) for time_ns, size, path in files)
        for _, _, size, path in by_age[:-1]:  # the newest stays whatever the budget
            if used_bytes <= 0.95 * budget_bytes:  # so that the folder is not listed for every ruling
                break
            path.unlink(missing_ok=True)
            used_bytes -= size
        with self._counting:
            self._used_bytes = used_bytes

    def _files(self) -> list[tuple[int, int, Path]]:
        """When each file was written, its bytes, and where it is."""
        kept = [path for path in self._folder.iterdir() if path.suffix in (_SUFFIX, _CLIP)]
        found = [(path.stat(), path) for path in kept]
        return [(told.st_mtime_ns, told.st_size, path) for told, path in found]

    def find(self, digest: str) -> Evidence | None:
        """The evidence with this digest; None where it is gone or damaged."""
        try:
            data = durable.read(self._folder / f"{digest}{_SUFFIX}", _LARGEST_BYTES)
            found = msgspec.msgpack.decode(data, type=Evidence)
        except (OSError, ValueError, RecursionError):
            return None
        return found if found.digest == digest else None

    def take_from(self, journal: Path) -> None:
        """Copy the pictures out of a journal of version 1, as far as they can be read. Raises OSError."""
        with closing(sqlite3.connect(journal)) as db:
            try:
                digests = [each for (each,) in db.execute("select digest from evidence order by number")]
            except sqlite3.Error as error:
                log.warning("the pictures of the old journal cannot be read: %s", error)
                return
            for digest in digests:
                try:
                    query = "select body, before, after from evidence where digest = ?"
                    found = msgspec.convert(db.execute(query, (digest,)).fetchone(), tuple[bytes, bytes | None, bytes])
                except (sqlite3.Error, msgspec.ValidationError):
                    continue
                evidence = Evidence(*found)
                if evidence.digest == digest and not (self._folder / f"{digest}{_SUFFIX}").exists():
                    self.keep(evidence)


def seal(digest: str, clip: bytes, *, checked: bool = True) -> bytes:
    """SHA-256 over the name and content of a clip, so that neither damage nor another ruling's clip is shown.

    One that nobody could check gets a seal of another kind. Older programs take it for damage and show no clip.
    """
    return hashlib.sha256((b"" if checked else b"unchecked") + digest.encode() + clip).digest()


def unsealed(digest: str, clip: bytes, sealed: object) -> KeptClip | None:
    """The clip of the ruling whose evidence has this digest, if `sealed` is its seal; None where one is damaged."""
    for checked in (True, False):
        if sealed == (made := seal(digest, clip, checked=checked)):
            return KeptClip(clip, made, checked)
    return None
