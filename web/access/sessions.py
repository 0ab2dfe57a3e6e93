"""Sessions: who came in by a code or a PIN, and at which seat they sit. Kept in sessions.json, with the signing key.

A browser holds its session's random number, signed; what the session may do stays here. So it can be taken back at
once, and it survives a reload, a phone that slept and a restart of the table.
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

log = logging.getLogger(__name__)

FILE = "sessions.json"
MODE = 0o600  # readable by its owner alone
OWNER_FOR_S = 12 * 3600.0  # after this the PIN is asked for again
KEPT_FOR_S = 30 * 86400.0  # a phone that was away for longer comes in anew
MOST = 200
_LARGEST = 1 << 20  # bytes


class Session(msgspec.Struct, frozen=True):
    """What one browser proved."""

    came: float  # seconds since 1970
    code: bool = False  # it came in by the code at the table
    seat: Seat | None = None
    owner: str = ""  # the mark of the PIN that it knew; "" for none
    owner_since: float = 0.0


class _Kept(msgspec.Struct, frozen=True):
    key: str
    sessions: dict[str, Session]
    crossed: int | None = None  # the ruling at which two of them swapped their seats


class Sessions:
    """May be used from any thread. `path` None: kept in memory alone. `now`: seconds since 1970."""

    def __init__(self, path: Path | None = None, now: Callable[[], float] = time.time) -> None:
        self._path, self._now = path, now
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
            session = self._all.get(name) if name else None
            return name if session and self._now() - session.came < KEPT_FOR_S else None

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
                del self._all[min(self._all, key=lambda each: (self._all[each].seat is not None, self._all[each].came))]
            self._all[_digest(number)] = session
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
            return next((name for name, session in self._all.items() if session.seat == seat), None)

    def seated(self) -> dict[Seat, Session]:
        """Who sits where."""
        with self._lock:
            return {session.seat: session for session in self._all.values() if session.seat is not None}

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
        return msgspec.json.decode(durable.read(path, _LARGEST), type=_Kept)
    except FileNotFoundError:
        return None
    except (OSError, msgspec.MsgspecError, UnicodeDecodeError) as error:
        log.warning("%s cannot be read (%s): phones scan the code again", path, error)
        return None


def _digest(number: str | bytes) -> str:
    """A session's name: whoever reads the file cannot make its token from it."""
    return hashlib.sha256(number if isinstance(number, bytes) else number.encode()).hexdigest()
