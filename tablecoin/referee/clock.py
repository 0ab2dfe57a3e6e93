"""The time limit of a choice: a seat that has not chosen in time gets the choice that the rules name."""

from __future__ import annotations

import time
from collections.abc import Callable

from tablecoin.referee.referee import Referee


class ChoiceClock:
    """Runs on the referee's thread. Call `mind` regularly: a limit is noticed at the next call."""

    def __init__(self, referee: Referee, now_s: Callable[[], float] = time.monotonic) -> None:
        self._referee, self._now_s = referee, now_s
        self._timed: object = None  # the choice whose time runs
        self._began_s = 0.0

    def mind(self) -> None:
        """Start the clock for a new choice; end a choice whose time is over."""
        match = self._referee.match
        limit_s = match.game.limit_s(match.state) if match else None
        if match is None or limit_s is None:
            self._timed = None
            return
        choice = match.started.group, match.game.timed(match.state)
        if choice != self._timed:
            self._timed, self._began_s = choice, self._now_s()
        elif self._now_s() - self._began_s >= limit_s:
            self._timed = None
            self._referee.time_out()
