"""Coming in and sitting down: one-time codes shown at the table, and seats asked for until somebody there says yes.

A code proves that its phone is near enough to read the screen. On a table with buttons a side's seat is then confirmed
by that side's real DONE; a seat without a button (a number, a name) by the code alone.
"""

from __future__ import annotations

import secrets
import threading
import time
from dataclasses import dataclass
from typing import Literal

from tablecoin.rules.game import Seat
from web.access.pin import Clock
from web.access.sessions import Sessions

CODE_FOR_S = 120.0  # a code may be used this long after it was shown first
SHOWN_FOR_S = 60.0  # then the screen shows a new one, so that a code just read has a minute left
ASKED_FOR_S = 90.0  # a seat asked for waits this long for its DONE
_CODES = 4  # the newest that count

Answer = Literal["seated", "asked", "taken"]
_SIDES = ("heads", "tails")  # seats with a DONE of their own


@dataclass(frozen=True)
class _Asked:
    session: str
    at_s: float


class Joining:
    """May be used from any thread."""

    def __init__(self, sessions: Sessions, *, buttons: bool = False, clock: Clock = time.monotonic) -> None:
        """`buttons`: the table has a DONE for each side, on a panel or drawn on the screen at the table."""
        self._sessions, self._buttons, self._clock = sessions, buttons, clock
        self._lock = threading.Lock()
        self._codes: list[tuple[str, float]] = []  # code, shown first at; the newest last
        self._asked: dict[Seat, _Asked] = {}

    # -- codes --------------------------------------------------------------------------------------------------------

    def code(self) -> str:
        """The code to show now: the newest, or a new one where that was used or is older than a minute."""
        with self._lock:
            now = self._clock()
            if not self._codes or now - self._codes[-1][1] >= SHOWN_FOR_S:
                self._codes = [*self._codes[1 - _CODES :], (secrets.token_urlsafe(16), now)]
            return self._codes[-1][0]

    def come_in(self, code: str) -> tuple[str, str] | None:
        """A new session (its name and token) for a code that counts; the code is used up. None: it does not count."""
        with self._lock:
            now = self._clock()
            good = [each for each in self._codes if now - each[1] < CODE_FOR_S]
            found = [each for each in good if secrets.compare_digest(each[0].encode(), code.encode())]
            self._codes = [each for each in good if each not in found]
        return self._sessions.come_in() if found else None

    # -- seats --------------------------------------------------------------------------------------------------------

    def ask(self, session: str, seat: Seat, at_table: bool) -> Answer:
        """This session wants to sit at `seat`. Somebody who is at the table anyway needs no button."""
        with self._lock:
            if self._sessions.holder(seat) == session:
                return "seated"
            asked = self._waiting().get(seat)
            if self._sessions.holder(seat) or (asked and asked.session != session):
                return "taken"
            self._drop(session)
            if self._buttons and seat in _SIDES and not at_table:
                self._asked[seat] = _Asked(session, self._clock())
                return "asked"
            self._sessions.sit(session, seat)
            return "seated"

    def pressed(self, button: str) -> bool:
        """Whether this press of a button at the table let a phone sit down. Then it means nothing else."""
        seat, _, what = button.partition(".")
        return what == "done" and self.admit(seat)

    def admit(self, seat: Seat) -> bool:
        """Let the phone sit down that asks for `seat`; whether one does."""
        with self._lock:
            asked = self._waiting().pop(seat, None)
            if asked:
                self._sessions.sit(asked.session, seat)
            return asked is not None

    def free(self, seat: Seat) -> None:
        """Nobody sits at `seat` any more, and nobody asks for it. The phone that did comes in by a new code."""
        with self._lock:
            asked = self._waiting().pop(seat, None)
            self._sessions.send_away(self._sessions.holder(seat))
            self._sessions.send_away(asked.session if asked else None)

    def leave(self, session: str) -> None:
        """This session gives up its seat, and what it asks for."""
        with self._lock:
            self._drop(session)
            self._sessions.sit(session, None)

    def asked_by(self, session: str | None) -> Seat | None:
        """The seat that this session waits for."""
        with self._lock:
            return next((seat for seat, asked in self._waiting().items() if asked.session == session), None)

    def asked(self) -> tuple[Seat, ...]:
        """Every seat that a phone waits for."""
        with self._lock:
            return tuple(self._waiting())

    def _waiting(self) -> dict[Seat, _Asked]:
        now = self._clock()
        self._asked = {seat: asked for seat, asked in self._asked.items() if now - asked.at_s < ASKED_FOR_S}
        return self._asked

    def _drop(self, session: str) -> None:
        self._asked = {seat: asked for seat, asked in self._asked.items() if asked.session != session}
