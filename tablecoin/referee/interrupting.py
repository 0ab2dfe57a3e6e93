"""Opens interludes, takes what people say in them, and ends them. Each step is recorded as an event.

Whose word it takes: a seat that asks needs everybody concerned but itself. Somebody at the table may be anybody, so
then everybody concerned is asked; an act of one person alone is taken back at once, because it can be done again as it
was. Nobody asks a computer: who plays against one alone may undo all, and the record tells it. One may agree only for
one's own seat; at the table, with the buttons or on its page, for each seat in turn.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Literal

from tablecoin.referee import commands
from tablecoin.referee.choices import Choice
from tablecoin.referee.commands import Command, CommandError
from tablecoin.referee.desk import Desk, Ruling
from tablecoin.referee.events import Clocked, Consent, Disputed, DisputeStep, Event, Motion, Paused
from tablecoin.referee.interlude import Break, Dispute, Request
from tablecoin.referee.judging import Judging
from tablecoin.referee.scribe import Scribe
from tablecoin.referee.voice import not_yours, seat_name
from tablecoin.rules.game import Seat
from tablecoin.rules.rulebook import Message


def needed(concerned: Sequence[Seat], by: Seat | None) -> tuple[Seat, ...]:
    """Whose word it takes. `by`: the seat that asks; None: somebody at the table."""
    if by is None:
        return tuple(concerned) if len(concerned) > 1 else ()
    return tuple(seat for seat in concerned if seat != by)


class Interrupting:
    """Changes the Desk's interlude. What everybody agreed to is for the caller of `say` to carry out."""

    def __init__(self, desk: Desk, scribe: Scribe, judging: Judging) -> None:
        self._desk, self._scribe, self._judging = desk, scribe, judging
        self._refused: object = None  # what was refused last, in which state

    def restore(self, events: Sequence[Event]) -> None:
        """After a restart an open dispute or break goes on; what was asked for counts as refused."""
        for event in reversed(events):
            match event:
                case Disputed(step="opened"):
                    self._desk.interlude = self._disputed(event.ruling, event.seat)
                    return
                case Paused(step="begun"):
                    self._desk.interlude = Break()
                    return
                case Consent() | Clocked():
                    continue
                case _:
                    return

    # -- a request ----------------------------------------------------------------------------------------------------

    def ask(self, what: Motion, why: Message, by: Seat | None, command: Command, missing: tuple[Seat, ...]) -> None:
        """Ask `missing` to agree to `command`. Raises CommandError where they just refused it to the same seat."""
        desk = self._desk
        if self._refused == (command, by, desk.playing().name):
            raise CommandError(Message("consent.again"))
        self._scribe.write([Consent(self._scribe.group, what, "asked", by)])
        beneath = desk.interlude if isinstance(desk.interlude, Dispute) else None
        desk.interlude = Request(self._scribe.count, what, why, by, command, missing, beneath)
        desk.waiting = None

    def lapse(self) -> None:
        """Nobody answered in time: that is a no."""
        if isinstance(self._desk.interlude, Request):
            self._refuse(self._desk.interlude, "lapsed", None)

    def _agree(self, request: Request, seat: Seat) -> Request | None:
        """The request, if everybody agreed."""
        self._scribe.write([Consent(self._scribe.group, request.what, "agreed", seat)])
        missing = tuple(other for other in request.missing if other != seat)
        if missing:
            self._desk.interlude = replace(request, missing=missing)
            return None
        self._desk.interlude = None
        if request.beneath:
            self._close(request.beneath, "replayed" if request.what == "replay" else "corrected", None)
        return request

    def _refuse(self, request: Request, step: Literal["refused", "lapsed"], seat: Seat | None) -> None:
        self._scribe.write([Consent(self._scribe.group, request.what, step, seat)])
        self._refused = request.command, request.by, self._desk.playing().name
        facts = {"seat": seat_name(seat) if seat else "", "seats": [seat_name(each) for each in request.missing]}
        said = Message(f"consent.{step}" if seat or step == "lapsed" else "consent.refused.table", facts)
        self._desk.ruling = Ruling(self._scribe.count, False, said, seat)
        self._desk.interlude = request.beneath
        self._go_on()

    # -- a dispute ----------------------------------------------------------------------------------------------------

    def dispute(self, number: int | None, by: Seat | None) -> None:
        """Dispute a ruling. Raises CommandError where there is none of that number to dispute."""
        self._desk.playing()
        dispute = self._disputed(number or self._desk.ruled, by)
        if dispute is None:
            raise CommandError(Message("dispute.none"))
        self._scribe.write([Disputed(self._scribe.group, dispute.number, "opened", by)])
        self._desk.interlude, self._desk.waiting = dispute, None

    def _disputed(self, number: int, by: Seat | None) -> Dispute | None:
        """The dispute about that ruling; None where it is neither the last nor an act that stands."""
        match, ruling = self._desk.playing(), self._desk.ruling
        group = self._scribe.numbers.get(number)
        plies = [ply for ply in match.plies if ply.group == group]
        if ruling and ruling.number == number:
            return Dispute(number, ruling.message, by, bool(plies))
        if not plies:
            return None
        said = [match.game.tell(ply.before, ply.action) for ply in plies]
        return Dispute(number, Message("referee.several", {"said": said}), by, standing=True)

    def settled(self) -> None:
        """An open dispute ends because a coin or a toss was corrected."""
        if isinstance(self._desk.interlude, Dispute):
            self._close(self._desk.interlude, "corrected", None)

    def _close(self, dispute: Dispute, step: DisputeStep, seat: Seat | None) -> None:
        self._scribe.write([Disputed(self._scribe.group, dispute.number, step, seat)])
        self._desk.interlude = None

    def _in_dispute(self, dispute: Dispute, does: str | None, seat: Seat | None) -> Request | None:
        match does:
            case "stand":
                if seat is not None and dispute.by not in (None, seat):
                    raise not_yours("say", seat, dispute.by or seat)
                self._close(dispute, "stands", seat)
                self._go_on()
            case "look":
                self._desk.looks += 1
                self._close(dispute, "looked", seat)
                self._go_on()
            case "replay":
                return self._replay(dispute, seat)
        return None

    def _replay(self, dispute: Dispute, seat: Seat | None) -> Request | None:
        """The request to play on from before the disputed ruling; None where others must agree to it first."""
        match = self._desk.playing()
        group = self._scribe.numbers.get(dispute.number)
        first = next(k for k, ply in enumerate(match.plies) if ply.group == group)
        plies = match.plies[first:]
        concerned = match.concerned(plies) if seat is None or match.started.undo == "free" else match.people()
        command, missing = commands.Replay(dispute.number), needed(concerned, seat)
        why = Message("consent.replay", {"ruling": dispute.ruling})
        if missing:
            self.ask("replay", why, seat, command, missing)
            return None
        self._close(dispute, "replayed", seat)
        return Request(0, "replay", why, seat, command, ())

    # -- a break ------------------------------------------------------------------------------------------------------

    def pause(self, by: Seat | None) -> None:
        """Make a break."""
        self._desk.playing()
        self._scribe.write([Paused(self._scribe.group, "begun", by)])
        self._desk.interlude = Break()
        self._desk.waiting = None

    # -- what people say ----------------------------------------------------------------------------------------------

    def say(self, choice: Choice, seat: Seat | None) -> Request | None:
        """Take a choice of the interlude's menu. Returns the request that everybody has agreed to now, if any.

        `seat`: who says it; None: somebody at the table. Raises NotYourSeat.
        """
        match self._desk.interlude:
            case Request() as request if choice.does == "agree" and choice.seat:
                if seat not in (None, choice.seat):
                    raise not_yours("say", seat or "", choice.seat)
                return self._agree(request, choice.seat)
            case Request() as request:
                people = self._desk.playing().people()
                if seat is not None and seat not in people:
                    raise not_yours("say", seat, *people)
                self._refuse(request, "refused", seat)
            case Dispute() as dispute:
                return self._in_dispute(dispute, choice.does, seat)
            case Break():
                self._scribe.write([Paused(self._scribe.group, "ended", seat)])
                self._desk.interlude = None
                self._go_on()
        return None

    def _go_on(self) -> None:
        """Rule on what the table shows by now."""
        self._judging.judge(finished=False)
