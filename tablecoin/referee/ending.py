"""Ends games before their rules do: a side gives up or loses by time, or both agree on a draw."""

from __future__ import annotations

from typing import Literal

from tablecoin.referee import commands
from tablecoin.referee.commands import CommandError
from tablecoin.referee.desk import Desk, Ruling
from tablecoin.referee.events import Ended
from tablecoin.referee.interrupting import Interrupting, needed
from tablecoin.referee.judging import Judging
from tablecoin.referee.scribe import Scribe
from tablecoin.referee.voice import not_yours
from tablecoin.rules.game import Seat
from tablecoin.rules.rulebook import Message


class Ending:
    """Ends the game under way. Raises only CommandError."""

    def __init__(self, desk: Desk, scribe: Scribe, judging: Judging, interrupting: Interrupting) -> None:
        self._desk, self._scribe, self._judging, self._interrupting = desk, scribe, judging, interrupting

    def resign(self, loser: Seat, seat: Seat | None) -> None:
        """A side gives the game up. Raises CommandError where there are not two sides, NotYourSeat for another's."""
        sides = self._sides()
        if loser not in sides:
            raise CommandError(Message("command.no_seat", {"seat": loser[:20], "seats": sides}))
        if seat not in (None, loser):
            raise not_yours("do", seat or "", loser)
        self._end("resigned", loser, tuple(side for side in sides if side != loser))

    def offer_draw(self, seat: Seat | None) -> None:
        """Ask the other side for a draw. Raises CommandError where nobody can agree to one."""
        sides, people = self._sides(), self._desk.playing().people()
        missing = needed(people, seat)
        if not missing or len(people) < len(sides):
            raise CommandError(Message("draw.nobody"))
        self._interrupting.ask("draw", Message("consent.draw"), seat, commands.OfferDraw(), missing)

    def draw(self, by: Seat | None) -> None:
        """Everybody agreed to the draw that `by` offered."""
        self._end("draw", by, self._desk.playing().sides())

    def lose_by_time(self, loser: Seat) -> None:
        """The time of `loser` is over, and the house rule says that the other side has won."""
        self._end("time", loser, tuple(side for side in self._sides() if side != loser))

    def _sides(self) -> tuple[Seat, ...]:
        """The two sides of the game under way. Raises CommandError where there are none, or it is over."""
        match = self._desk.playing()
        if match.outcome:
            raise CommandError(Message("command.over"))
        if not match.sides():
            raise CommandError(Message("command.no_sides"))
        return match.sides()

    def _end(self, how: Literal["resigned", "draw", "time"], seat: Seat | None, winners: tuple[Seat, ...]) -> None:
        self._scribe.group += 1
        event = Ended(self._scribe.group, how, seat, winners)
        self._scribe.write([event])
        match = self._desk.playing().take(event)
        self._desk.match = match
        if match.outcome:
            self._desk.ruling = Ruling(self._scribe.count, True, match.outcome.reason, seat)
        self._judging.changed()
