"""The pictures that rulings rest on, and their clips: a folder beside the journal, files named by the pictures' digest.

They are large and many, so they stay out of the journal: damage to a picture harms nothing else. The journal keeps the
digest for good, and the digest tells whether a file is still what was written. A clip is written a little later, beside
its pictures, and begins with a digest of its own. Both are kept under one budget, 1 GB or a tenth of the disk,
whichever is smaller: the oldest make room.
"""

from __future__ import annotations

import hashlib
import logging
import shutil
import sqlite3
from contextlib import closing, suppress
from pathlib import Path
from threading import Lock

import msgspec

from tablecoin.journal.clip import MOST_BYTES as MOST_CLIP_BYTES
from tablecoin.journal.evidence import Evidence
from tablecoin.storage import durable

log = logging.getLogger(__name__)

_MOST_BYTES = 1_000_000_000  # about 12,000 rulings, or 2,600 with clips
_MOST_SHARE = 0.1  # of the disk
_SUFFIX, _CLIP = ".evidence", ".clip"
_LARGEST_BYTES = 1 << 20  # of a file; two pictures have at most 80 kB
_HEAD_BYTES = hashlib.sha256().digest_size  # of a clip's file


class EvidenceFolder:
    """Keeps evidence by its digest. Safe to use from several threads, which then share one object."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._used_bytes: int | None = None  # None: not counted yet
        self._counting = Lock()
        self._clearing = Lock()  # held while old files are deleted; nobody waits for it

    def keep(self, evidence: Evidence) -> str:
        """Write the evidence, on the disk when this returns, and return its digest. Raises OSError."""
        digest = evidence.digest
        self._write(f"{digest}{_SUFFIX}", msgspec.msgpack.encode(evidence))
        return digest

    def keep_clip(self, digest: str, clip: bytes) -> None:
        """Write the clip of the ruling whose evidence has this digest. On the disk when this returns. OSError."""
        self._write(f"{digest}{_CLIP}", _sealed(digest, clip) + clip)

    def clip(self, digest: str) -> bytes | None:
        """The clip of the ruling whose evidence has this digest; None where it is not there or damaged."""
        try:
            data = durable.read(self._folder / f"{digest}{_CLIP}", _HEAD_BYTES + MOST_CLIP_BYTES)
        except OSError:
            return None
        head, clip = data[:_HEAD_BYTES], data[_HEAD_BYTES:]
        return clip if head == _sealed(digest, clip) else None

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
        """Delete the oldest files until a little less than the budget is used."""
        files = self._files()
        used_bytes = sum(size for _, size, _ in files)
        for _, size, path in sorted(files)[:-1]:  # the newest stays whatever the budget
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


def _sealed(digest: str, clip: bytes) -> bytes:
    """SHA-256 over the name and content of a clip, so that neither damage nor another ruling's clip is shown."""
    return hashlib.sha256(digest.encode() + clip).digest()
