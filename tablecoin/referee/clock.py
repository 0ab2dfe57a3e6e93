"""Time limits, on a clock that is given: of each side, of a choice, and of the answer to a request.

A seat that has not chosen in time gets the choice that the rules name. Whoever does not answer a request in time says
no. While play is interrupted, no time for a choice runs.
"""

from __future__ import annotations

import time
from collections.abc import Callable

from tablecoin.referee.interlude import ANSWER_S, Request
from tablecoin.referee.referee import Referee

_STOOD_STILL_S = 5.0  # between two calls: then the program itself stood still, and the rest of it counts for nobody


class ChessClock:
    """Tells the referee how much time passes. Runs on the referee's thread, like ChoiceClock."""

    def __init__(self, referee: Referee, now_s: Callable[[], float] = time.monotonic) -> None:
        self._referee, self._now_s = referee, now_s
        self._minded_s = now_s()

    def mind(self) -> None:
        """Count the time since the last call. Call it before anything is ruled on, so that it counts for who had it."""
        before_s, self._minded_s = self._minded_s, self._now_s()
        self._referee.pass_time(min(self._minded_s - before_s, _STOOD_STILL_S))


class ChoiceClock:
    """Runs on the referee's thread. Call `mind` regularly: a limit is noticed at the next call."""

    def __init__(self, referee: Referee, now_s: Callable[[], float] = time.monotonic) -> None:
        self._referee, self._now_s = referee, now_s
        self._timed: object = None  # the choice whose time runs
        self._began_s = self._minded_s = 0.0

    def mind(self) -> None:
        """Start the clock for a new choice; end a choice whose time is over."""
        now_s, before_s = self._now_s(), self._minded_s
        self._minded_s = now_s
        if self._referee.interlude:
            self._began_s += now_s - before_s
            return
        match = self._referee.match
        limit_s = match.game.limit_s(match.state) if match and not match.ended else None
        if match is None or limit_s is None:
            self._timed = None
            return
        choice = match.started.group, match.game.timed(match.state)
        if choice != self._timed:
            self._timed, self._began_s = choice, now_s
        elif now_s - self._began_s >= limit_s:
            self._timed = None
            self._referee.time_out()


class AnswerClock:
    """Gives people `ANSWER_S` to agree to a request. Runs on the referee's thread, like ChoiceClock."""

    def __init__(self, referee: Referee, now_s: Callable[[], float] = time.monotonic) -> None:
        self._referee, self._now_s = referee, now_s
        self._number: int | None = None  # of the request whose time runs
        self._began_s = 0.0

    def mind(self) -> None:
        """Start the time of a new request; end one whose time is over."""
        request = self._referee.interlude
        if not isinstance(request, Request):
            self._number = None
        elif request.number != self._number:
            self._number, self._began_s = request.number, self._now_s()
        elif self._now_s() - self._began_s >= ANSWER_S:
            self._referee.lapse()
