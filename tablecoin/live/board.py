"""The notice board: the newest snapshot, numbered, for everybody to read and wait for."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from typing import Any

from tablecoin.journal.journal import Journal, JournalError
from tablecoin.referee.match import Match

_SEQ_BLOCK = 1000


class Board:
    """Thread-safe. Numbers grow over restarts too: a block of them is reserved in the journal at a time.

    While the journal cannot be written they are counted on without, so that people see what is wrong.
    """

    def __init__(self, journal: Journal, on_snapshot: Callable[[dict[str, Any]], None]) -> None:
        self._journal, self._on_snapshot = journal, on_snapshot
        self._changed = threading.Condition()
        self._snapshot: dict[str, Any] = {}
        self._match: Match | None = None
        self._seqs: Iterator[int] = iter(())

    @property
    def newest(self) -> tuple[dict[str, Any], Match | None]:
        """The newest snapshot, and the match behind it."""
        with self._changed:
            return self._snapshot, self._match

    def wait(self, after_seq: int, timeout_s: float, stopping: threading.Event) -> bool:
        """Whether there is a snapshot whose number is above `after_seq`, waiting up to `timeout_s` for it."""
        with self._changed:
            self._changed.wait_for(lambda: stopping.is_set() or self._snapshot["seq"] > after_seq, timeout_s)
            return not stopping.is_set() and bool(self._snapshot["seq"] > after_seq)

    def wake(self) -> None:
        """Let everybody who waits look again whether it is over."""
        with self._changed:
            self._changed.notify_all()

    def show(self, fresh: dict[str, Any], match: Match | None) -> None:
        """Put up a new snapshot, unless nothing in it is new."""
        if _content(fresh) == _content(self._snapshot):
            return
        with self._changed:
            self._snapshot, self._match = {"seq": self._next_seq()} | fresh, match
            self._changed.notify_all()
        self._on_snapshot(self._snapshot)

    def _next_seq(self) -> int:
        newest = self._snapshot.get("seq", -1)
        while True:
            for number in self._seqs:
                if number > newest:
                    return number
            try:
                self._seqs = iter(self._journal.reserve("seq", _SEQ_BLOCK))
            except JournalError:
                return int(newest) + 1


def _content(snapshot: dict[str, Any]) -> dict[str, Any]:
    """What makes a snapshot worth a new number: everything but the number and the frame rate."""
    health = {k: v for k, v in snapshot.get("health", {}).items() if k != "fps"}
    return {k: v for k, v in snapshot.items() if k != "seq"} | {"health": health}
