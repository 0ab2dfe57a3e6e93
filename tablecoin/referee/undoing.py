"""Takes back what was ruled: the last ruling, or all from a disputed one on."""

from __future__ import annotations

from tablecoin.referee import commands
from tablecoin.referee.commands import CommandError
from tablecoin.referee.desk import Desk, Expected, Ruling
from tablecoin.referee.interrupting import Interrupting, needed
from tablecoin.referee.judging import Judging
from tablecoin.referee.match import Match
from tablecoin.referee.scribe import Scribe
from tablecoin.rules.game import IllegalAction, Seat
from tablecoin.rules.rulebook import Message


class Undoing:
    """Takes rulings back. The table is then restored before anything is ruled on. Raises only CommandError."""

    def __init__(self, desk: Desk, scribe: Scribe, judging: Judging, interrupting: Interrupting) -> None:
        self._desk, self._scribe, self._judging, self._interrupting = desk, scribe, judging, interrupting

    def undo(self, by: str, seat: Seat | None) -> None:
        """Take back the last ruling. Where it is a toss, or an act of others, they are asked first."""
        match = self._desk.playing()
        plies = match.taken_back()
        if not plies:
            self._scribe.reject(IllegalAction("undo"), None, None, by)
            return
        missing = needed(match.concerned(plies, self._desk.thrown), seat)
        if missing:
            why = Message("consent.undo", {"what": self._undone(match)})
            self._interrupting.ask("undo", why, seat, commands.Undo(), missing)
        else:
            self.undo_now(by)

    def undo_now(self, by: str) -> None:
        """Take back the last ruling; nobody is asked any more."""
        match = self._desk.playing()
        self._take_back(len(match.taken_back()), self._undone(match), by)

    def replay(self, number: int) -> None:
        """Take back ruling `number` and all after it."""
        match = self._desk.playing()
        group = self._scribe.numbers.get(number)
        first = next((k for k, ply in enumerate(match.plies) if ply.group == group), None)
        if first is None:
            raise CommandError(Message("dispute.none"))
        disputed = match.plies[first]
        self._take_back(len(match.since(first)), match.game.tell(disputed.before, disputed.action), "agreed")

    def _undone(self, match: Match) -> Message:
        """What the next undo takes back, in words."""
        undone = match.undoable()[0]
        return match.game.tell(undone.before, undone.action)

    def _take_back(self, count: int, what: Message, by: str) -> None:
        match = self._desk.playing()
        seat = match.plies[-count].seat
        self._scribe.group += 1  # two undos in a row are two rulings
        self._scribe.take_back(count, by)
        self._desk.ruling = Ruling(self._scribe.count, True, Message("referee.undone", {"what": what}), seat)
        self._desk.expected = Expected.RESTORING
        self._judging.changed()
