"""Sessions: who came in by a code or a PIN, and at which seat they sit. Kept in sessions.json, with the signing key.

A browser holds its session's random number, signed; what the session may do stays here. So it can be taken back at
once, and it survives a reload, a phone that slept and a restart of the table.

A session ends when its browser was away for thirty days. Over restarts only the time of day can tell this. But a Pi
without a clock of its own starts with an old time and jumps, perhaps by weeks, when it hears a better one. So a session
that called since the program began ends only when the steady clock says so too. The owner's twelve hours end as soon as
one of the two clocks says so: at worst the PIN is asked for again.

A time in the future comes from a clock that was ahead. Such a session counts from the start of the program on, and the
right of such an owner ends.

A token that somebody planted in a browser must not become the owner's. So a session gets a new token with each change
of its rights, and the old token ends. The session keeps its name, and with it its seat, its request for a seat and its
count of wrong PINs.
"""

from __future__ import annotations

import hashlib
import logging
import math
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
SET_S = 60.0  # from here on the clock was set; a steady clock and the time of day never agree quite
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
    knew: str = ""  # the mark of the PIN that it knew last, also after signing out; "" where that PIN was changed


class _Kept(msgspec.Struct, frozen=True):
    key: str
    sessions: dict[str, Session]  # by the digest of the token that counts now
    crossed: int | None = None  # the ruling at which two of them swapped their seats
    names: dict[str, str] = {}  # digest -> name, of those that got a new token


class Sessions:
    """May be used from any thread. `path` None: kept in memory alone. `now`: seconds since 1970; `clock`: steady."""

    def __init__(
        self,
        path: Path | None = None,
        now: Callable[[], float] = time.time,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._path, self._now, self._clock = path, now, clock
        self._began_s = clock()
        self._heard: dict[str, float] = {}  # session -> when it called last, by `clock`; those since the start
        self._signed_in: dict[str, float] = {}  # session -> since when it is the owner's, by `clock`
        self._lock = threading.RLock()
        kept = _load(path) if path else None
        self._key = kept.key if kept else secrets.token_urlsafe(32)
        names = kept.names if kept else {}
        self._all = {names.get(digest, digest): each for digest, each in kept.sessions.items()} if kept else {}
        self._digests = {names.get(digest, digest): digest for digest in kept.sessions} if kept else {}
        self._unused: set[str] = set()  # sessions that did not call since they began
        self._crossed = kept.crossed if kept else None
        self._take_up()
        self._signer = Signer(self._key, salt="tablecoin session", digest_method=hashlib.sha256)

    def _take_up(self) -> None:
        """Go on with the kept sessions; no time of theirs is in the future then."""
        now = self._now()
        for name, session in list(self._all.items()):
            self._signed_in[name] = self._began_s - (now - session.owner_since)
            if session.owner_since > now:
                self._all[name] = session = replace(session, owner="", owner_since=0.0)
            if session.came > now:
                self._all[name] = replace(session, came=now)
                self._heard[name] = self._began_s

    def named(self, token: str) -> str | None:
        """The session of a browser that sent this token; None where it is not ours or ended."""
        try:
            digest = _digest(self._signer.unsign(token)) if token else None
        except BadSignature:
            return None
        with self._lock:
            name = next((name for name, each in self._digests.items() if each == digest), None)
            if name is None or not self._lasts(name):
                return None
            self._heard[name] = self._clock()
            return name

    def new_token(self, old: str) -> str | None:
        """Another token for the session of this one, which ends at once. None where it has ended already."""
        number = secrets.token_urlsafe(24)
        with self._lock:
            name = self.named(old)
            if name is None:
                return None
            self._digests[name] = _digest(number)
            self._keep()
        return self._signer.sign(number).decode()

    def renewed(self, name: str) -> bool:
        """Whether this session, which just called, is kept for thirty days more from now on: once a day."""
        with self._lock:
            self._unused.discard(name)
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
        with self._lock:
            session = self._all.get(name) if name else None
            if not name or not session or not mark or session.owner != mark:
                return False
            now, steady_s = self._now(), self._clock() - self._signed_in[name]
            age_s = max(steady_s, now - session.owner_since)
            if steady_s >= OWNER_FOR_S:
                self.make_owner(name, "")
            elif age_s - (now - session.owner_since) > SET_S:  # the clock was set back: a restart must not gain from it
                self._change(name, owner_since=now - age_s)
            return age_s < OWNER_FOR_S

    def knew(self, name: str | None, mark: str) -> bool:
        """Whether this session knew the PIN of today (`mark`), also if it signed out since."""
        session = self.get(name)
        return bool(session and mark and mark in (session.owner, session.knew))

    def begin(self) -> tuple[str, str]:
        """A new session, of somebody who proved nothing yet: its name, and the token for its browser."""
        return self._add(Session(self._now()))

    def come_in(self) -> tuple[str, str]:
        """A new session of somebody who came in by the code: its name, and the token for its browser."""
        return self._add(Session(self._now(), code=True))

    def _add(self, session: Session) -> tuple[str, str]:
        number = secrets.token_urlsafe(24)
        with self._lock:
            if len(self._all) >= MOST:
                self._drop(min(self._all, key=self._worth))
            name = _digest(number)
            self._all[name], self._digests[name], self._heard[name] = session, name, self._clock()
            self._unused.add(name)
            self._keep()
        return name, self._signer.sign(number).decode()

    def _worth(self, name: str) -> tuple[bool, bool, bool, bool, float, float]:
        """What is kept longer is larger.

        Sessions without rights leave first; then those that never called again; then those without a seat, seats,
        and those that knew the PIN. Among equals the one leaves that called longest ago. But a program that signs in
        again and again and keeps no token must drop its own sessions and not the owner's: of those the newest leaves.
        """
        session, lasts, unused = self._all[name], self._lasts(name), name in self._unused
        knew, seated = bool(session.owner or session.knew), session.seat is not None
        heard_s = self._heard.get(name, -math.inf)
        if unused and knew:
            heard_s = -heard_s
        return lasts and (knew or seated or session.code), not unused, knew, seated, heard_s, session.came

    def _drop(self, name: str) -> None:
        del self._all[name], self._digests[name]
        self._heard.pop(name, None)
        self._signed_in.pop(name, None)
        self._unused.discard(name)

    def end(self, name: str) -> None:
        """End this session: its browser is a stranger's."""
        with self._lock:
            if name in self._all:
                self._drop(name)
                self._keep()

    def make_owner(self, name: str, mark: str) -> None:
        """This session knew the PIN. `mark` "": it is the owner's no more."""
        with self._lock:
            session = self._all.get(name)
            if session:
                self._signed_in[name] = self._clock()
                knew = mark or session.knew
                self._change(name, owner=mark, owner_since=self._now() if mark else 0.0, knew=knew)

    def end_owners(self, mark: str, is_open: bool) -> None:
        """End what was given for other PINs than that of today (`mark`), and every owner's rights if it is closed."""
        with self._lock:
            before = dict(self._all)
            for name, session in before.items():
                owner = session.owner if is_open and session.owner == mark else ""
                knew = mark if self.knew(name, mark) else ""
                if (owner, knew) != (session.owner, session.knew):
                    self._all[name] = replace(session, owner=owner, knew=knew)
            if self._all != before:
                self._keep()

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
        away_s = self._now() - self._all[name].came
        heard_s = self._heard.get(name, self._began_s if away_s < 0 else -math.inf)
        return self._clock() - heard_s < KEPT_FOR_S or 0 <= away_s < KEPT_FOR_S

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
            sessions = {self._digests[name]: session for name, session in self._all.items()}
            names = {digest: name for name, digest in self._digests.items() if digest != name}
            kept = _Kept(self._key, sessions, self._crossed, names)
            durable.replace(self._path, msgspec.json.encode(kept), MODE)
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
    """What the file holds of a token, and a session's first name: nobody who reads it can make the token from it."""
    return hashlib.sha256(number if isinstance(number, bytes) else number.encode()).hexdigest()
