"""The scribe: it records every change of the state of play durably, before anybody is shown it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

from tablecoin.referee import clocks, falls
from tablecoin.referee.desk import Desk, Ruling
from tablecoin.referee.events import Acted, Clocked, Event, Rejected, TakenBack
from tablecoin.referee.falls import Falls
from tablecoin.referee.match import replay
from tablecoin.referee.recall import last_ruling, told_since
from tablecoin.referee.voice import seat_name
from tablecoin.rules.game import TABLE, Action, IllegalAction, Seat
from tablecoin.rules.rulebook import Message
from tablecoin.vision.frame import Reading

Recorder = Callable[[Sequence[Event]], object]  # gives False where the pictures could not be kept
_SEEN = ("camera", "button", "answer")  # who tells of rulings that rest on what the table showed


@dataclass(frozen=True)
class Exhibit:
    """What a ruling rests on: the reading before it, the reading ruled on, and the sentence."""

    before: Reading | None
    after: Reading
    said: Message


class Scribe:
    """Changes the Desk's match and ruling. `record` must have stored the events durably when it returns."""

    def __init__(self, desk: Desk, record: Recorder) -> None:
        self._desk, self._record = desk, record
        self.count = 0  # events recorded, over all games
        self.group = 0
        self.numbers: dict[int, int] = {}  # number of an act -> its group, of this game
        self.exhibit: Exhibit | None = None  # what the ruling being recorded rests on
        self.complained: object = None  # the last refusal recorded for this table and state

    def restore(self, events: Iterable[Event], count: int, pictured: Callable[[int], bool]) -> None:
        """Continue after `events`, those of the newest game. The journal holds `count` events of all games.

        `pictured`: whether pictures were kept with the ruling of that number.
        """
        standing = list(events)
        self.count = count
        self.group = max((event.group for event in standing), default=0)
        self.numbers = {count - k: event.group for k, event in enumerate(reversed(standing)) if _acts(event)}
        self._desk.match = replay(standing)
        ruling = last_ruling(standing, count)
        unpictured = ruling and ruling.evidence and not pictured(ruling.number)
        self._desk.ruling = replace(ruling, evidence=False) if ruling and unpictured else ruling
        self._desk.memory = told_since(standing)
        self._desk.falls = falls.recalled(standing)
        self._desk.clocks = clocks.recalled(standing)

    def carry(self, actions: Sequence[Action], undone: int, by: str) -> None:
        """Take back `undone` acts and do `actions` as one ruling. An illegal one is refused, and nothing changes."""
        match = self._desk.playing()
        self.group += 1
        events: list[Event] = [TakenBack(self.group, by)] * undone
        after = match
        for event in events:
            after = after.take(event)
        said: list[Message] = []
        for action in actions:
            before, seat = after.state, match.game.actor(after.state, action)
            acted = Acted(self.group, match.game.write_action(action), seat, by)
            try:
                after = after.take(acted)
            except IllegalAction as broken:
                self.reject(broken, action, seat, by)
                return
            said.append(match.game.tell(before, action))  # an illegal act may have no sentence
            events.append(acted)
        seat = match.game.actor(match.state, actions[-1]) if actions else match.game.to_act(after.state)[0]
        message = Message("referee.took_back", {"seat": seat_name(seat)})
        if said:
            message = Message("referee.several", {"said": said})
        self._keep(message, by)
        evidence = self.write(events)
        self._desk.match = after
        shown = match.game.write_shown(actions[-1]) if actions else None
        self._desk.ruling = Ruling(self.count, True, message, seat, action=shown, evidence=evidence)

    def take_back(self, count: int, by: str) -> None:
        """Take back the newest `count` acts."""
        match = self._desk.playing()
        events = [TakenBack(self.group, by)] * count
        self.write(events)
        for event in events:
            match = match.take(event)
        self._desk.match = match

    def reject(
        self, broken: IllegalAction, action: Action | None, seat: Seat | None, by: str, after: Sequence[Action] = ()
    ) -> None:
        """Record a refusal, once while the table and the state stay as they are.

        `after` are the lawful acts seen before `action` that make it illegal: the first of two coins placed.
        """
        match = self._desk.match
        written = match.game.write_action(action) if match and action else None
        complaint = (broken.clause, written, self._desk.differences, len(match.plies) if match else 0)
        if by == "camera" and complaint == self.complained:
            return
        self._keep(broken.message, by)
        before = tuple(match.game.write_action(act) for act in after) if match else ()
        evidence = self.write([Rejected(self.group, broken.clause, broken.why(), by, written, before)])
        self.complained = complaint  # only now: a refusal that could not be recorded is made again
        if match and action and match.game.seals(action):
            said, shown = Message("referee.sealed", {"seat": seat_name(seat or TABLE)}), match.game.write_shown(action)
            self._desk.ruling = Ruling(self.count, False, said, seat, None, shown, aside=broken.message)
        else:
            self._desk.ruling = Ruling(
                self.count, False, broken.message, seat, broken.clause, written, evidence=evidence
            )

    def fell(self, now: Falls) -> None:
        """Record which trays of the toss that is due were read, and that some count no more."""
        if news := now.news(self._desk.falls, self.group):
            self.write(news)
        self._desk.falls = now

    def _keep(self, said: Message, by: str) -> None:
        """Keep pictures, if there are any, with what is recorded next."""
        desk = self._desk
        if by in _SEEN and desk.sighting:
            after = replace(desk.sighting.reading, coins=desk.coins())
            self.exhibit = Exhibit(desk.agreed, after, said)

    def write(self, events: Sequence[Event]) -> bool:
        """Record events, and before them what the clocks show; whether pictures were kept with them."""
        ran = self._desk.clocks
        return self._append(events if ran.written else [Clocked(self.group, ran.noted.used_s), *events])

    def time_over(self, seat: Seat) -> None:
        """Record that the time of `seat` is over."""
        self._append([Clocked(self.group, self._desk.clocks.noted.used_s, seat)])

    def _append(self, events: Sequence[Event]) -> bool:
        """Record events, and count them; whether pictures were kept with them."""
        try:
            kept = self._record(events) is not False and self.exhibit is not None
        finally:
            self.exhibit = None
        self.numbers |= {self.count + k: event.group for k, event in enumerate(events, 1) if _acts(event)}
        self.count += len(events)
        self._desk.clocks = self._desk.clocks.noted
        return kept


def _acts(event: Event) -> bool:
    return isinstance(event, Acted)
