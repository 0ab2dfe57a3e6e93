"""How long a game was played, in steady seconds: the time of day may be set while people play.

Each event keeps the seconds from the start of its game in a key beside its own fields. Pauses of the program are left
out. What was played since the newest event is kept when the journal is closed; a power cut loses it. Events of older
programs lack the key, and older programs ignore it.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import suppress
from typing import Annotated

import msgspec

KEY = "played_s"
_MARKS = ("played_event", "played_ms")  # the newest event when the journal was closed, and the time since then


class _Timed(msgspec.Struct, frozen=True):
    played_s: Annotated[float, msgspec.Meta(ge=0)] | None = None


_decoder = msgspec.json.Decoder(_Timed)


def played_s(body: str) -> float | None:
    """The seconds that an event keeps; None where an older program wrote it."""
    try:
        return _decoder.decode(body).played_s
    except msgspec.DecodeError:
        return None


class Stopwatch:
    """Runs from the newest event of a journal on. For one thread at a time."""

    def __init__(self, clock: Callable[[], float]) -> None:
        """`clock` is steady, in seconds."""
        self._clock = clock
        self._number, self._since_s = 0, 0.0

    def note(self, number: int) -> None:
        """Event `number` is the newest, and was written now."""
        self._number, self._since_s = number, self._clock()

    def keep(self, db: sqlite3.Connection) -> None:
        """Keep in the journal what was played since its newest event. Raises sqlite3.Error."""
        since_ms = round(1000 * (self._clock() - self._since_s))
        marks = zip(_MARKS, (self._number, since_ms), strict=True)
        db.executemany("insert into mark values (?1, ?2) on conflict (name) do update set value = ?2", marks)

    def take_up(self, db: sqlite3.Connection, number: int) -> None:
        """Go on where `keep` stopped, if event `number` is still the newest."""
        self.note(number)
        with suppress(sqlite3.Error, ValueError, TypeError):
            event, since_ms = (
                int(value)
                for name in _MARKS
                for (value,) in db.execute("select value from mark where name = ?", (name,))
            )
            if event == number:
                self._since_s -= max(0, since_ms) / 1000

    def played_s(self, number: int, body: str) -> float | None:
        """The seconds played now in the game whose newest event is this one; None where it does not tell its own."""
        before_s = played_s(body)
        if before_s is None or number != self._number:  # another journal took its place: nobody knows since when
            return before_s
        return round(before_s + self._clock() - self._since_s, 3)
