"""The referee: it alone changes the state of play.

It takes looks (what the settler saw) and commands (what people ask for) one after the other on one thread, and gives a
snapshot after each. Every event is recorded durably before a snapshot shows it. It uses no pixels and no clock.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from tablecoin import mat as mats
from tablecoin import opponents
from tablecoin.opponents import Level
from tablecoin.referee.choices import leads_to
from tablecoin.referee.commands import Command
from tablecoin.referee.desk import Blind, Desk, DoneTooEarly, Expected, Watching
from tablecoin.referee.events import Event
from tablecoin.referee.hearing import Hearing
from tablecoin.referee.interlude import Interlude
from tablecoin.referee.judging import Judging
from tablecoin.referee.match import Match
from tablecoin.referee.prompt import AboutCoin, Asking, Close, TossDue, Turn, menu_of
from tablecoin.referee.recall import taken_back
from tablecoin.referee.scribe import Exhibit, Recorder, Scribe
from tablecoin.referee.settled import SettledCoin, settled_coins
from tablecoin.referee.showing import show, warnings
from tablecoin.referee.snapshot import Snapshot
from tablecoin.referee.standing import standing
from tablecoin.referee.timing import Timing
from tablecoin.rules.game import Action, Seat, State
from tablecoin.rules.rulebook import Message
from tablecoin.vision.frame import Reading
from tablecoin.vision.rest.settle import Look


class Referee:
    """`record` must have stored the events durably when it returns."""

    def __init__(self, record: Recorder) -> None:
        self._desk = Desk()
        self._scribe = Scribe(self._desk, record)
        self._judging = Judging(self._desk, self._scribe)
        self._hearing = Hearing(self._desk, self._scribe, self._judging)
        self._timing = Timing(self._desk, self._scribe, self._judging, self._hearing.ending)

    def restore(
        self, events: Iterable[Event], count: int, pictured: Callable[[int], bool] = lambda number: True
    ) -> None:
        """Continue the game of `events`, once the table shows it. The journal holds `count` events of all games.

        `pictured`: whether pictures were kept with the ruling of that number.
        """
        told = list(events)
        self._scribe.restore(told, count, pictured)
        self._desk.expected = Expected.RESTORING if taken_back(told) else Expected.ARRANGING
        self._desk.prompt = standing(self._desk)
        if self._desk.match:
            self._hearing.interrupting.restore(told)

    def see(self, look: Look) -> None:
        """A new look at the table. It is ruled on when the table is settled and the picture is clear."""
        if why := self._unusable(look):
            self.lose_camera(why)
            return
        desk = self._desk
        touched = look.moving or look.hand
        desk.view = Watching(look, None if touched else look.sighting or desk.sighting)
        if desk.interlude:
            return
        if look.sighting and desk.settled:
            desk.forget_moved_corrections()
            if isinstance(desk.waiting, DoneTooEarly):
                waiting, desk.waiting = desk.waiting, None
                try:
                    self._judging.finish(waiting.seat, waiting.action)
                except Exception:  # it could not be recorded: DONE counts at the next sighting
                    desk.waiting = waiting
                    raise
            else:
                self._judging.judge(finished=desk.waiting is not None)
                if not isinstance(desk.prompt, Asking):
                    desk.waiting = None  # the table was changed instead of an answer: DONE was meant for it as it lay
            self._computers()

    def _unusable(self, look: Look) -> Message | None:
        """Why nothing may be ruled on by what was read: the picture is not clear, or it shows another game's mat."""
        reading, match = look.reading, self._desk.match
        if reading is None or reading.unclear:
            return reading.unclear if reading else None
        if reading.mat is None or match is None or match.outcome or match.is_played_on(reading.mat):
            return None
        # while another one is being laid, what was read is the mat before
        lies_there = not look.moving and (look.sighting is not None or look.is_overdue or self._desk.by_hand)
        return Message("referee.other_mat", {"title": mats.load(match.mat).title}) if lies_there else None

    def lose_camera(self, problem: Message) -> None:
        """No picture can be ruled on: play goes on with buttons and phones until one can."""
        self._desk.view = Blind(problem)
        self._desk.shown = None

    @property
    def is_blind(self) -> bool:
        """Whether no picture comes that can be ruled on, and people were told why."""
        return self._desk.by_hand

    def command(self, command: Command, seat: Seat | None) -> tuple[bool, Message | None]:
        """Carry out what a person asks for: (accepted, why not). Raises CommandError.

        `seat` is the seat the person has taken; None is somebody at the table, who may do anything.
        """
        before, interlude = self._desk.ruled, self._desk.interlude
        self._hearing.command(command, seat)
        self._computers()
        ruling = self._desk.ruling
        if interlude is None and ruling and ruling.number != before and not ruling.accepted:
            return False, ruling.aside or ruling.message
        return True, None

    def time_out(self) -> None:
        """The time for a choice is over: every seat that has not chosen gets the choice that the rules name."""
        match = self._desk.playing()
        self._timing.choose_for(match.game.to_act(match.state))
        self._computers()

    def pass_time(self, seconds: float) -> None:
        """So much time passed since the last call. The chess clocks of those who think run down by it."""
        self._timing.passed(seconds)
        self._computers()

    def lapse(self) -> None:
        """The time to agree is over: what was asked for is not done."""
        self._hearing.interrupting.lapse()
        self._computers()

    @property
    def looks(self) -> int:
        """How often people asked to have the table looked at again."""
        return self._desk.looks

    @property
    def interlude(self) -> Interlude | None:
        """What interrupts play, so that no time runs."""
        return self._desk.interlude

    def snapshot(self) -> Snapshot:
        """What everybody may see now, not yet numbered."""
        return show(self._desk)

    @property
    def warnings(self) -> tuple[Message, ...]:
        """What people should know of the camera and its newest picture."""
        return warnings(self._desk)

    def answers(self) -> list[State]:
        """The state that each answer to the open question leads to."""
        match = self._desk.match
        return [leads_to(match, choice) for choice in menu_of(self._desk.prompt).choices] if match else []

    @property
    def questioned(self) -> Close | None:
        """The coin that people are asked about, in the picture where it was doubted; None: no coin is."""
        prompt = self._desk.prompt
        return prompt.close if isinstance(prompt, AboutCoin) else None

    @property
    def exhibit(self) -> Exhibit | None:
        """What the ruling being recorded rests on, for the recorder; None for a ruling made without a camera."""
        return self._scribe.exhibit

    @property
    def settled_coins(self) -> tuple[SettledCoin, ...]:
        """What people and rulings settled about the coins of the newest sighting."""
        return settled_coins(self._desk)

    @property
    def sighted(self) -> Reading | None:
        """The reading of the settled table; None while it is not at rest."""
        return self._desk.sighting.reading if self._desk.sighting else None

    @property
    def match(self) -> Match | None:
        return self._desk.match

    def _computers(self) -> None:
        """Let the computer's seats act while the table shows the state. People then move the coins for them."""
        desk = self._desk
        # Some games let seats act before a toss.
        while desk.match and not desk.interlude and isinstance(desk.prompt, Turn | TossDue):
            match = desk.match
            game, acting = match.game, match.game.may_act(match.state)
            seat = next((seat for seat in acting if match.started.seats.get(seat) == "computer"), None)
            if seat is None:
                return
            choose = opponents.load(game.name)
            state, actions = match.state, list[Action]()
            while game.may_act(state) == acting:
                actions.append(choose(state, seat, Level(match.started.level), len(match.plies) + len(actions)))
                state = game.apply(state, actions[-1])
            self._scribe.carry(actions, 0, "computer")
            self._judging.changed()
