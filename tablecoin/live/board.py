"""The board: the newest snapshot, numbered, and a bell that tells of it."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator

from msgspec.structs import replace

from tablecoin.journal.journal import Journal, JournalError
from tablecoin.live.bell import Bell
from tablecoin.referee.match import Match
from tablecoin.referee.prompt import Close
from tablecoin.referee.snapshot import Clock, Snapshot

_SEQ_BLOCK = 1000  # numbers reserved at a time, to write to the disk rarely


class Board:
    """For any thread; only the referee's thread calls `show`.

    Numbers grow over restarts too, because blocks of them are reserved in the journal. While the journal cannot be
    written, numbers go on without it, so that people still see what is wrong.
    """

    def __init__(self, journal: Journal, on_snapshot: Callable[[Snapshot], None]) -> None:
        self._journal, self._on_snapshot = journal, on_snapshot
        self.changed = Bell()  # rings when there is a newer snapshot
        self._lock = threading.Lock()
        self._shown: tuple[Snapshot, Match | None] | None = None
        self._questioned: Close | None = None
        self._clock: tuple[Clock | None, float] = None, 0.0  # as it was shown last, and when
        self._seqs: Iterator[int] = iter(())

    @property
    def newest(self) -> tuple[Snapshot, Match | None]:
        """The newest snapshot and the match behind it. RuntimeError before the first."""
        with self._lock:
            if self._shown is None:
                raise RuntimeError("the live table was not started")
            return self._shown

    @property
    def clock(self) -> Clock | None:
        """The chess clock as it stands now: it runs on between two snapshots."""
        clock, at_s = self._clock
        return clock.after(time.monotonic() - at_s) if clock else None

    @property
    def questioned(self) -> Close | None:
        """The coin that people are asked about, and the frame that shows it; None: no coin is."""
        with self._lock:
            return self._questioned

    def show(self, fresh: Snapshot, match: Match | None, questioned: Close | None = None) -> None:
        """Put up a new snapshot, unless nothing in it is new. `questioned`: the coin that its prompt asks about.

        The number is taken outside the lock, because it may need the disk: no reader waits for that.
        """
        self._clock = fresh.clock, time.monotonic()
        with self._lock:
            self._questioned = questioned
        if self._shown and _content(fresh) == _content(self._shown[0]):
            return
        numbered = replace(fresh, seq=self._next_seq())
        with self._lock:
            self._shown = numbered, match
        self.changed.ring()
        self._on_snapshot(numbered)

    @property
    def _seq(self) -> int:
        """The newest number; -1 before the first."""
        return self._shown[0].seq if self._shown else -1

    def _next_seq(self) -> int:
        while True:
            for number in self._seqs:
                if number > self._seq:
                    return number
            try:
                self._seqs = iter(self._journal.reserve("seq", _SEQ_BLOCK))
            except JournalError:
                return self._seq + 1


def _content(snapshot: Snapshot) -> Snapshot:
    """The snapshot without number, frame rate and seconds of the clock: only what is left is worth a new number."""
    clock = replace(snapshot.clock, left_s={}) if snapshot.clock else None
    return replace(snapshot, seq=0, clock=clock, health=replace(snapshot.health, fps=0))
