"""How the house stands: closed, open by the owner's PIN, or open to people who are all trusted. Kept in access.json.

The command line writes the file while the table runs, so it is looked at again when it has changed.
"""

from __future__ import annotations

import hashlib
import logging
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Literal

import msgspec
from msgspec.structs import replace

from tablecoin.storage import durable
from tablecoin.storage.documents import DocumentError, read_json
from web.access import pin as pins
from web.access.pin import Clock, Hashed
from web.words import say

log = logging.getLogger(__name__)

FILE = "access.json"
MODE = 0o600  # readable by its owner alone
_LARGEST = 10_000  # bytes
_LOOK_S = 0.5  # between two looks at the file

Mode = Literal["closed", "open", "trusted"]


class Standing(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What access.json holds. `pin` stays when the table is closed: it is asked for nothing then."""

    open: bool = False
    trusted: bool = False  # everybody here is: no PIN and no code is asked for to play
    pin: Hashed | None = None

    @property
    def mode(self) -> Mode:
        """Without a PIN nothing is open: there would be no owner."""
        if not self.open or self.pin is None:
            return "closed"
        return "trusted" if self.trusted else "open"

    @property
    def mark(self) -> str:
        """Changes with the PIN, and tells nothing of it: an owner's session ends with the PIN that opened it."""
        return hashlib.sha256(self.pin.salt.encode()).hexdigest()[:16] if self.pin else ""


class House:
    """The standing, on the disk. May be used from any thread. `path` None: kept in memory alone."""

    def __init__(self, path: Path | None = None, clock: Clock = time.monotonic) -> None:
        self.path, self._clock = path, clock
        self._lock = threading.Lock()
        self._standing, self._look_at = Standing(), 0.0
        self._seen: tuple[int, int] | None = None  # of the file, when it was read last
        self.changed: Callable[[Standing], None] = lambda standing: None  # is called with each that is read or set

    @property
    def now(self) -> Standing:
        """The newest standing. A file that cannot be read counts as closed, with a line in the log."""
        with self._lock:
            if self.path and self._clock() >= self._look_at:
                self._look_at = self._clock() + _LOOK_S
                self._look(self.path)
            return self._standing

    def set(self, standing: Standing) -> None:
        """Keep a new standing. Raises OSError when it cannot be written; then all stays as it was."""
        with self._lock:
            if self.path:
                durable.replace(self.path, msgspec.json.format(msgspec.json.encode(standing)) + b"\n", MODE)
                self._seen = _stamp(self.path)
            self._standing = standing
            self.changed(standing)

    def open(self, pin: str, trusted: bool) -> None:
        """Open the table to the network. ValueError for a PIN that is too easy; OSError."""
        if pins.too_easy(pin):
            raise ValueError(pin)
        self.set(Standing(True, trusted, pins.hashed(pin)))

    def change_pin(self, pin: str) -> None:
        """Another PIN; whoever signed in by the old one is signed out. ValueError for one too easy; OSError."""
        now = self.now
        if pins.too_easy(pin):
            raise ValueError(pin)
        self.set(Standing(now.open, now.trusted, pins.hashed(pin)))

    def close(self) -> None:
        """Close the table: only this machine reaches it. Raises OSError."""
        self.set(replace(self.now, open=False, trusted=False))

    def trust(self, trusted: bool) -> None:
        """Whether everybody here is trusted. Raises OSError."""
        self.set(replace(self.now, trusted=trusted))

    def _look(self, path: Path) -> None:
        stamp = _stamp(path)
        if stamp == self._seen:
            return
        self._seen = stamp
        try:
            self._standing = read_json(durable.read(path, _LARGEST), Standing) if stamp else Standing()
        except (OSError, DocumentError) as error:
            self._standing = Standing()
            log.warning("%s", say("access.unreadable", path=str(path), why=str(error))["en"])
        self.changed(self._standing)


def _stamp(path: Path) -> tuple[int, int] | None:
    """Changes with the file; None where there is none, or none that may be looked at."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_mtime_ns, found.st_ino
