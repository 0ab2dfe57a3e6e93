"""What becomes of a side that did not act in time: by its chess clock, or by the limit of a choice."""

from __future__ import annotations

from collections.abc import Iterable

from tablecoin.referee.clocks import left_s
from tablecoin.referee.desk import Desk
from tablecoin.referee.ending import Ending
from tablecoin.referee.judging import Judging
from tablecoin.referee.scribe import Scribe
from tablecoin.rules.game import Seat


class Timing:
    """Counts the time that it is told of, and does what follows at zero."""

    def __init__(self, desk: Desk, scribe: Scribe, judging: Judging, ending: Ending) -> None:
        self._desk, self._scribe, self._judging, self._ending = desk, scribe, judging, ending

    def passed(self, seconds: float) -> None:
        """So much time passed: it counts for the sides that think."""
        desk, thinking = self._desk, self._desk.thinking
        if not thinking:
            return
        match = desk.playing()
        before = left_s(match, desk.clocks)
        desk.clocks = desk.clocks.ran(thinking, seconds)
        after = left_s(match, desk.clocks)
        over = [seat for seat in thinking if after[seat] <= 0]
        lost = match.started.clock is not None and match.started.clock.at_zero == "lost"
        if over and lost and match.sides():
            self._ending.lose_by_time(over[0])
            return
        for seat in over:
            if before[seat] > 0:
                self._scribe.time_over(seat)
            if lost:
                self.choose_for([seat])

    def choose_for(self, seats: Iterable[Seat]) -> None:
        """These seats did not choose in time: each gets the choice that the rules name."""
        for seat in seats:
            match = self._desk.playing()
            self._scribe.carry((match.game.on_timeout(match.state, seat),), 0, "clock")
            self._judging.changed()
