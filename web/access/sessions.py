"""Sessions: who came in by a code or a PIN, and at which seat they sit. Kept in sessions.json, with the signing key.

A browser holds its session's random number, signed; what the session may do stays here. So it can be taken back at
once, and it survives a reload, a phone that slept and a restart of the table.

A session ends when its browser was away for thirty days. That is told by the time of day, over restarts. But a Pi
without a clock of its own starts with an old time and jumps, perhaps by weeks, when a network tells it better: so
whoever called since the program began is away only when its steady clock says so too. The owner's hours go by the time
of day alone: at worst the PIN is asked for again.
"""

from __future__ import annotations

import hashlib
import logging
import secrets
import threading
import time
from collections.abc import Callable
from pathlib import Path

import msgspec
from itsdangerous import BadSignature, Signer
from msgspec.structs import replace

from tablecoin.rules.game import Seat
from tablecoin.storage import durable
from tablecoin.storage.documents import DocumentError, read_json

log = logging.getLogger(__name__)

FILE = "sessions.json"
MODE = 0o600  # readable by its owner alone
OWNER_FOR_S = 12 * 3600.0  # after this the PIN is asked for again
KEPT_FOR_S = 30 * 86400.0  # a phone that was away for longer comes in anew
RENEWED_S = 86400.0  # when it came is written anew after this, and its cookie renewed: once a day, not with each call
MOST = 200
_LARGEST = 1 << 20  # bytes


class Session(msgspec.Struct, frozen=True):
    """What one browser proved."""

    came: float  # seconds since 1970, to a day: when it called last
    code: bool = False  # it came in by the code at the table
    seat: Seat | None = None
    owner: str = ""  # the mark of the PIN that it knew; "" for none
    owner_since: float = 0.0


class _Kept(msgspec.Struct, frozen=True):
    key: str
    sessions: dict[str, Session]
    crossed: int | None = None  # the ruling at which two of them swapped their seats


class Sessions:
    """May be used from any thread. `path` None: kept in memory alone. `now`: seconds since 1970; `clock`: steady."""

    def __init__(
        self,
        path: Path | None = None,
        now: Callable[[], float] = time.time,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._path, self._now, self._clock = path, now, clock
        self._heard: dict[str, float] = {}  # session -> when it called last, by `clock`; those since the start
        self._lock = threading.RLock()
        kept = _load(path) if path else None
        self._key = kept.key if kept else secrets.token_urlsafe(32)
        self._all = dict(kept.sessions) if kept else {}
        self._crossed = kept.crossed if kept else None
        self._signer = Signer(self._key, salt="tablecoin session", digest_method=hashlib.sha256)

    def named(self, token: str) -> str | None:
        """The session of a browser that sent this token; None where it is not ours or ended."""
        try:
            name = _digest(self._signer.unsign(token)) if token else None
        except BadSignature:
            return None
        with self._lock:
            if not name or name not in self._all or not self._lasts(name):
                return None
            self._heard[name] = self._clock()
            return name

    def renewed(self, name: str) -> bool:
        """Whether this session, which just called, is kept for thirty days more from now on: once a day."""
        with self._lock:
            session, now = self._all.get(name), self._now()
            if session is None or abs(now - session.came) <= RENEWED_S:  # ahead of now where the clock was wrong
                return False
            self._change(name, came=now)
            return True

    def get(self, name: str | None) -> Session | None:
        """The session of that name; None where there is none."""
        with self._lock:
            return self._all.get(name) if name else None

    def came_in(self, name: str | None) -> bool:
        """Whether this session came in by the code at the table."""
        session = self.get(name)
        return session is not None and session.code

    def owns(self, name: str | None, mark: str) -> bool:
        """Whether this session is the owner's, by the PIN of today (`mark`)."""
        session = self.get(name)
        return bool(session and mark and session.owner == mark and self._now() - session.owner_since < OWNER_FOR_S)

    def begin(self) -> tuple[str, str]:
        """A new session, of somebody who proved nothing yet: its name, and the token for its browser."""
        return self._add(Session(self._now()))

    def come_in(self) -> tuple[str, str]:
        """A new session of somebody who came in by the code: its name, and the token for its browser."""
        return self._add(Session(self._now(), code=True))

    def _add(self, session: Session) -> tuple[str, str]:
        number = secrets.token_urlsafe(24)
        with self._lock:
            if len(self._all) >= MOST:  # those without a seat leave first, the oldest of them before others
                leaves = min(self._all, key=lambda each: (self._seat(each) is not None, self._all[each].came))
                del self._all[leaves]
                self._heard.pop(leaves, None)
            self._all[_digest(number)] = session
            self._heard[_digest(number)] = self._clock()
            self._keep()
        return _digest(number), self._signer.sign(number).decode()

    def make_owner(self, name: str, mark: str) -> None:
        """This session knew the PIN. `mark` "": it is the owner's no more."""
        self._change(name, owner=mark, owner_since=self._now() if mark else 0.0)

    def sit(self, name: str, seat: Seat | None) -> None:
        """This session sits at `seat` from now on, and nobody else there; None: at none."""
        with self._lock:
            for other, session in list(self._all.items()):
                if seat is not None and session.seat == seat and other != name:
                    self._all[other] = replace(session, seat=None)
            self._change(name, seat=seat)

    def cross(self, ruling: int, seats: tuple[Seat, Seat]) -> None:
        """Whoever sits in one of two seats sits in the other from `ruling` on; heard of again it changes nothing."""
        across = dict(zip(seats, reversed(seats), strict=True))
        with self._lock:
            if ruling == self._crossed:
                return
            self._crossed = ruling
            for name, session in list(self._all.items()):
                if session.seat in across:
                    self._all[name] = replace(session, seat=across[session.seat])
            self._keep()

    def send_away(self, name: str | None) -> None:
        """This session holds no seat any more, and must come in anew; the owner's stays the owner's."""
        if name:
            self._change(name, seat=None, code=False)

    def holder(self, seat: Seat) -> str | None:
        """The session that sits there."""
        with self._lock:
            return next((name for name in self._all if self._seat(name) == seat), None)

    def seated(self) -> dict[Seat, Session]:
        """Who sits where."""
        with self._lock:
            seats = {name: self._seat(name) for name in self._all}
            return {seat: self._all[name] for name, seat in seats.items() if seat is not None}

    def _lasts(self, name: str) -> bool:
        """Whether this session has not ended."""
        heard_s = self._heard.get(name)
        here = heard_s is not None and self._clock() - heard_s < KEPT_FOR_S
        return here or self._now() - self._all[name].came < KEPT_FOR_S

    def _seat(self, name: str) -> Seat | None:
        """Where this session sits; one that ended sits nowhere."""
        return self._all[name].seat if self._lasts(name) else None

    def _change(self, name: str, **fields: object) -> None:
        with self._lock:
            if session := self._all.get(name):
                self._all[name] = replace(session, **fields)
                self._keep()

    def _keep(self) -> None:
        if not self._path:
            return
        try:
            durable.replace(self._path, msgspec.json.encode(_Kept(self._key, self._all, self._crossed)), MODE)
        except OSError as error:  # the evening goes on; after a restart phones come in anew
            log.warning("who sits where cannot be kept in %s (%s)", self._path, error.strerror)


def _load(path: Path) -> _Kept | None:
    try:
        return read_json(durable.read(path, _LARGEST), _Kept)
    except FileNotFoundError:
        return None
    except (OSError, DocumentError) as error:
        log.warning("%s cannot be read (%s): phones scan the code again", path, error)
        return None


def _digest(number: str | bytes) -> str:
    """A session's name: whoever reads the file cannot make its token from it."""
    return hashlib.sha256(number if isinstance(number, bytes) else number.encode()).hexdigest()
