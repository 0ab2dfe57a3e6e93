"""When the rounds of tournaments end: their minutes are counted by a steady clock, for the time of day may be set.

What is kept is a time of day, so that an older club can read it. After the clock was set, another one is to be kept.
While the club is not running only the time of day counts, but no round gets more than its minutes.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import NamedTuple

_SET_S = 2.0  # from here on the clock was set: times are kept to the second


class _Deadline(NamedTuple):
    ends: str  # as it was kept when it was looked at last
    moved: str  # what was to be kept from then on; that may have failed
    at_s: float  # by the steady clock


def written(moment: datetime) -> str:
    """ISO 8601, to the second."""
    return moment.isoformat(timespec="seconds").replace("+00:00", "Z")


class Deadlines:
    """Of the newest round of each tournament. For one thread at a time."""

    def __init__(self, clock: Callable[[], float]) -> None:
        """`clock` is steady, in seconds."""
        self._clock = clock
        self._known: dict[int, _Deadline] = {}  # by the tournament's number

    def moved(self, tournament: int, ends: str, told: str, now: str) -> str | None:
        """When the round ends by the clock as it is set now; None where that is still `ends`.

        `told`: when `ends` was chosen. All times are ISO 8601.
        """
        kept_s = _seconds(now, ends)
        known = self._known.get(tournament)
        if known and ends in (known.ends, known.moved):
            at_s = known.at_s
        else:
            at_s = self._clock() + min(kept_s, _seconds(told, ends))
        left_s, moved = at_s - self._clock(), ends
        if abs(kept_s - left_s) > _SET_S and max(kept_s, left_s) > 0:
            moved = written(datetime.fromisoformat(now) + timedelta(seconds=left_s + 0.5))  # rounded
        self._known[tournament] = _Deadline(ends, moved, at_s)
        return moved if moved != ends else None


def _seconds(first: str, last: str) -> float:
    return (datetime.fromisoformat(last) - datetime.fromisoformat(first)).total_seconds()
