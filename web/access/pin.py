"""The owner's PIN: which are good enough, how one is kept, how one is checked, and the growing wait after wrong ones.

hashlib.scrypt with n = 2^15, r = 8, p = 1 takes about 90 ms on a PC and half a second on a Pi 4. That does not save a
short PIN from somebody who has read the file: the file is readable by its owner alone.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import secrets
import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from itertools import pairwise

import msgspec

LEAST = 6  # letters or digits
MOST = 200
_COST, _BLOCK = 2**15, 8
_MEMORY = 64 * 2**20  # bytes; 2^15 × 8 × 128 = 32 MiB, more than OpenSSL allows by itself

Clock = Callable[[], float]  # seconds, monotonic


class Hashed(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A PIN as it is kept: scrypt's salt and hash, base64."""

    salt: str
    hash: str


def too_easy(pin: str) -> bool:
    """Whether a PIN is too short, too long, one letter all over, or digits in a row (123456, 987654)."""
    steps = {ord(b) - ord(a) for a, b in pairwise(pin)}
    return not LEAST <= len(pin) <= MOST or (len(steps) == 1 and steps <= {-1, 0, 1})


def hashed(pin: str) -> Hashed:
    """A new hash of `pin`, with a salt of its own."""
    salt = secrets.token_bytes(16)
    return Hashed(base64.b64encode(salt).decode(), base64.b64encode(_scrypt(pin, salt)).decode())


def matches(pin: str, kept: Hashed) -> bool:
    """Whether this is the PIN. ValueError where `kept` is not base64."""
    return hmac.compare_digest(_scrypt(pin, base64.b64decode(kept.salt)), base64.b64decode(kept.hash))


def _scrypt(pin: str, salt: bytes) -> bytes:
    return hashlib.scrypt(pin.encode(), salt=salt, n=_COST, r=_BLOCK, p=1, maxmem=_MEMORY, dklen=32)


class Waits:
    """How long to wait after wrong PINs: by address, and over all addresses for those who try from many.

    The first `_FREE` wrong ones cost nothing; then the wait doubles with each, from a second to five minutes. A wait is
    forgotten an hour after the last wrong PIN. This machine has a count of its own and never waits longer than five
    seconds, so people at the table cannot be locked out from elsewhere.

    A session that knew the PIN of today has a wait of its own in place of the one over all addresses, so people who
    guess cannot keep the owner's phone out. `knew`: the name of such a session; it stays when its token changes.
    """

    _FREE, _LONGEST_S, _LONGEST_HERE_S, _FORGOTTEN_S = 3, 300.0, 5.0, 3600.0
    _FREE_OVERALL, _LONGEST_OVERALL_S = 20, 30.0
    _ADDRESSES = 1024  # remembered at most

    def __init__(self, clock: Clock = time.monotonic) -> None:
        self._clock = clock
        self._wrong: OrderedDict[str, tuple[int, float]] = OrderedDict()  # address -> (how many, the last at)
        self._lock = threading.Lock()

    def left_s(self, address: str, here: bool, knew: str | None = None) -> float:
        """Seconds until this address may try again; 0: now."""
        with self._lock:
            if here:
                return self._left("here", self._FREE, self._LONGEST_HERE_S)
            own = self._left(address, self._FREE, self._LONGEST_S)
            if knew:
                return max(own, self._left(_of(knew), self._FREE, self._LONGEST_S))
            return max(own, self._left("overall", self._FREE_OVERALL, self._LONGEST_OVERALL_S))

    def wrong(self, address: str, here: bool, knew: str | None = None) -> None:
        """A wrong PIN came from there."""
        with self._lock:
            for name in ["here"] if here else [address, "overall", *([_of(knew)] if knew else [])]:
                count, _ = self._counted(name)
                self._wrong[name] = (count + 1, self._clock())
                self._wrong.move_to_end(name)
            while len(self._wrong) > self._ADDRESSES:
                self._wrong.popitem(last=False)

    def right(self, address: str, here: bool, knew: str | None = None) -> None:
        """The right PIN came from there, so its counts start again."""
        with self._lock:
            for name in ["here"] if here else [address, *([_of(knew)] if knew else [])]:
                self._wrong.pop(name, None)

    def _counted(self, name: str) -> tuple[int, float]:
        count, at = self._wrong.get(name, (0, 0.0))
        return (count, at) if self._clock() - at < self._FORGOTTEN_S else (0, 0.0)

    def _left(self, name: str, free: int, longest_s: float) -> float:
        count, at = self._counted(name)
        if count < free:
            return 0.0
        return max(0.0, at + min(longest_s, 2.0 ** min(count - free, 30)) - self._clock())


def _of(session: str) -> str:
    return f"session {session}"
