"""The chess clock, a house rule: each side has so much time to think for the whole game, and more for each turn.

A side's clock runs while the referee waits for that side: in its turn, also after a refusal and before a lawful
position is reached. In a round of sealed choices several run at once. All stand while nobody or a toss is due, while
people are asked something, dispute a ruling or make a break, while the table is to be set, and while no picture comes.
A computer has no clock. What is left follows from the journal: the time that the clock ran, and the turns that stand.
So an undo gives no time back, and the increments of what it takes back go with it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from tablecoin.referee.events import Clocked, Event, Started
from tablecoin.referee.match import Match
from tablecoin.rules.game import Seat


@dataclass(frozen=True)
class Clocks:
    """How long each side's clock ran in the game under way."""

    used_s: Mapping[Seat, float] = field(default_factory=dict)
    written: bool = True  # whether the journal knows

    def ran(self, seats: Iterable[Seat], seconds: float) -> Clocks:
        """The clocks after those of `seats` ran for so long."""
        more = {seat: self.used_s.get(seat, 0.0) + seconds for seat in seats}
        return replace(self, used_s={**self.used_s, **more}, written=False) if more else self

    @property
    def noted(self) -> Clocks:
        """The same as the journal keeps it: to the millisecond, in favour of the player."""
        return Clocks({seat: int(1000 * used) / 1000 for seat, used in self.used_s.items()})


def clocked_seats(match: Match) -> tuple[Seat, ...]:
    """The seats that have a clock: those of people, in a game that is played with one."""
    return match.people() if match.started.clock else ()


def left_s(match: Match, clocks: Clocks) -> dict[Seat, float]:
    """The seconds that each clock has left; below zero where its time is over and play goes on."""
    control = match.started.clock
    if control is None:
        return {}
    return {
        seat: control.each_s + control.increment_s * match.turns_ended.get(seat, 0) - clocks.used_s.get(seat, 0.0)
        for seat in clocked_seats(match)
    }


def recalled(events: Iterable[Event]) -> Clocks:
    """The clocks of the newest game of `events`. Time that passed after the newest event counts for nobody."""
    clocks = Clocks()
    for event in events:
        match event:
            case Started():
                clocks = Clocks()
            case Clocked():
                clocks = Clocks(event.used_s)
    return clocks
