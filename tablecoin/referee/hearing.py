"""Carries out what people ask for with buttons and phones, or says why it cannot be done."""

from __future__ import annotations

from dataclasses import replace

from tablecoin.referee import commands
from tablecoin.referee.beginning import Beginning
from tablecoin.referee.belief import TableBelief
from tablecoin.referee.buttons import what_it_does
from tablecoin.referee.choices import Choice, is_legal
from tablecoin.referee.commands import Button, Command, CommandError
from tablecoin.referee.correcting import Correcting
from tablecoin.referee.desk import Desk, DoneTooEarly
from tablecoin.referee.ending import Ending
from tablecoin.referee.events import Hinted
from tablecoin.referee.hinting import asker, view_of
from tablecoin.referee.interlude import Dispute
from tablecoin.referee.interrupting import Interrupting
from tablecoin.referee.judging import Judging
from tablecoin.referee.memory import BY_PEOPLE
from tablecoin.referee.prompt import AboutCoin, Over, Question, Refused, highlight_next
from tablecoin.referee.scribe import Scribe
from tablecoin.referee.undoing import Undoing
from tablecoin.referee.voice import not_yours, seat_name
from tablecoin.rules.game import TABLE, Action, IllegalAction, RulesError, Seat
from tablecoin.rules.rulebook import Message, sentence


class Hearing:
    """Carries out commands. Raises only CommandError."""

    def __init__(self, desk: Desk, scribe: Scribe, judging: Judging) -> None:
        self._desk, self._scribe, self._judging = desk, scribe, judging
        self.interrupting = Interrupting(desk, scribe, judging)
        self._beginning = Beginning(desk, scribe, judging)
        self._correcting = Correcting(desk, scribe, judging, self.interrupting)
        self._undoing = Undoing(desk, scribe, judging, self.interrupting)
        self.ending = Ending(desk, scribe, judging, self.interrupting)

    def command(self, command: Command, seat: Seat | None) -> None:
        """Carry out what a person asks for; a refusal is the Desk's new ruling. Raises CommandError."""
        self._check_interlude(command)
        match command:
            case commands.Start():
                self._beginning.start(command)
            case commands.Act():
                self._act(command, seat)
            case commands.Press():
                self._press(command.button, seat)
            case commands.Answer():
                self._answer(command.choice, "phone", seat, command.text)
            case commands.Correct():
                self._correcting.correct(command, seat)
            case commands.Reread():
                self._correcting.reread(command, seat)
            case commands.Undo():
                self._undoing.undo("phone", seat)
            case commands.Replay():
                self._undoing.replay(command.ruling)
            case commands.Dispute():
                self.interrupting.dispute(command.ruling, seat)
            case commands.Pause():
                self.interrupting.pause(seat)
            case commands.Resign():
                self.ending.resign(command.seat, seat)
            case commands.OfferDraw():
                self.ending.offer_draw(seat)
            case commands.Hint():
                self._hint(command)

    def _check_interlude(self, command: Command) -> None:
        """Raises CommandError for what cannot be done while play is interrupted, or once people ended the game."""
        ended = self._desk.match is not None and self._desk.match.outcome is not None and self._desk.match.ended
        if ended and not isinstance(command, commands.Start | commands.Answer | commands.Press):
            raise CommandError(Message("command.over"))
        match self._desk.interlude:
            case None:
                return
            case Dispute() if isinstance(command, commands.Correct | commands.Reread):
                return
        if not isinstance(command, commands.Start | commands.Answer | commands.Press):
            raise CommandError(Message("command.interrupted", {"said": self._desk.said}))

    def _act(self, command: commands.Act, seat: Seat | None) -> None:
        match = self._desk.playing()
        try:
            action = match.game.read_action(command.action)
        except RulesError as error:
            raise CommandError(error.message) from None
        actor = match.game.actor(match.state, action)
        if seat is not None and actor not in (seat, TABLE) and match.game.newcomer(action) != seat:
            raise not_yours("do", seat, actor)
        self._check_thrown(action)
        if action.ends_turn and is_legal(match, action):
            self._done(actor, action)  # before a turn ends, the table must be seen
        else:
            self._scribe.carry((action,), 0, "phone")
            self._judging.changed()

    def _check_thrown(self, action: Action) -> None:
        """Raises CommandError for an act that changes what is tossed once a tray was read: its coins count as they
        first fell (ruling G1), so nobody may have them thrown anew."""
        match = self._desk.playing()
        if not self._desk.thrown or match.game.actor(match.state, action) == TABLE or not is_legal(match, action):
            return
        if match.game.tosses_due(match.game.apply(match.state, action)) != match.game.tosses_due(match.state):
            raise CommandError(Message("command.thrown"))

    def _hint(self, command: commands.Hint) -> None:
        """Record a hint, unless the game went on while it was worked out."""
        match = self._desk.playing()
        if asker(match, command.seat) != command.seat or view_of(match, command.seat) != command.view:
            raise CommandError(Message("hint.late"))
        self._scribe.write([Hinted(self._scribe.group, command.seat, match.game.write_shown(command.action))])

    def _press(self, button: Button, seat: Seat | None) -> None:
        side, _, what = button.partition(".")
        if seat is not None and side != "referee" and side != seat:
            raise not_yours("press", seat, side)
        desk = self._desk
        match what_it_does(desk, button):
            case "agree":
                self._say(next(choice for choice in desk.menu.choices if choice.seat == side), side)
            case "refuse":
                self._say(desk.menu.choices[-1], side)
            case "confirm" if desk.interlude:
                self._say(desk.menu.choices[desk.menu.highlighted or 0], side)
            case "stand" | "go on":
                self._say(desk.menu.choices[0], seat)
            case "next":
                self._highlight_next()
            case "confirm":
                self._answer(desk.menu.highlighted or 0, "button", seat)
            case "look":
                desk.looks += 1
                self._judging.judge(finished=False)
            case "dispute":
                self.interrupting.dispute(None, seat)
            case "undo":
                self._undoing.undo("button", seat)
            case _ if desk.interlude or isinstance(desk.prompt, Over):
                return
            case _ if what == "done":
                self._done(side)
            case _ if what == "hold":
                self._undoing.undo("button", seat)  # it says that there is nothing to take back

    def _highlight_next(self) -> None:
        desk = self._desk
        if isinstance(desk.interlude, Dispute):
            desk.interlude = replace(desk.interlude, highlighted=1 - desk.interlude.highlighted)
        else:
            desk.prompt = highlight_next(desk.prompt)

    def _done(self, seat: Seat, action: Action | None = None) -> None:
        match = self._desk.playing()
        due = match.game.to_act(match.state)
        if seat not in due:
            nobody = due in ((), (TABLE,))
            turn = {} if nobody else {"due": seat_name(due[0]), "seat": seat_name(seat)}
            self._scribe.reject(IllegalAction("turn.nobody" if nobody else "turn", **turn), None, seat, "button")
        elif self._desk.settled:
            self._judging.finish(seat, action)
        elif self._desk.by_hand:
            self._judging.close_turn(seat, action)
        else:
            self._desk.waiting = DoneTooEarly(seat, action)

    def _answer(self, choice: int, by: str, seat: Seat | None, text: str | None = None) -> None:
        """Take choice number `choice`. `text` is its wording, if the phone sent it.

        Two people may answer at the same time: when the second answer comes, the choices may have changed.
        """
        prompt = self._desk.prompt
        choices, asked = self._desk.menu.choices, isinstance(prompt, Question)
        if choice >= len(choices):
            raise CommandError(Message("command.no_choice"))
        chosen = choices[choice]
        if text is not None and text != sentence(chosen.message):
            raise CommandError(Message("command.answered"))
        if self._desk.interlude:
            self._say(chosen, seat)
            return
        self._check_answers(chosen, seat)
        if isinstance(prompt, AboutCoin):
            self._correcting.tell(prompt, chosen.coin)
            return
        if not asked and chosen.actions:
            self._check_thrown(chosen.actions[0])
        waiting = self._desk.waiting
        if chosen.again or chosen.game:
            self._beginning.choose(chosen)
        elif not asked and chosen.actions and chosen.actions[0].ends_turn:
            match = self._desk.playing()
            self._done(match.game.actor(match.state, chosen.actions[0]), chosen.actions[0])
        elif chosen.broken:
            self._desk.waiting = None  # the DONE that waited for this answer is void
            self._judging.return_to(chosen.undone, TableBelief(self._desk.coins()))
            *after, action = chosen.actions
            self._scribe.reject(chosen.broken, action, None, "answer", after)
            self._desk.prompt = Refused(chosen.broken, self._desk.differences)
        else:
            turn = self._judging.turn
            if chosen.actions or chosen.undone:
                self._scribe.carry(chosen.actions, chosen.undone, "answer" if asked else by)
            if asked and self._desk.settled:
                match = self._desk.playing()
                self._desk.learn(match.game.layout(match.state), BY_PEOPLE)
            self._judging.changed()
            if asked and waiting and self._judging.turn == turn:
                self._judging.close_turn(waiting.seat, waiting.action)

    def _check_answers(self, chosen: Choice, seat: Seat | None) -> None:
        """Only the seat that acted may say what it did; how a toss fell, anybody may. Raises NotYourSeat."""
        match = self._desk.match
        if seat is None or match is None or chosen.game:
            return
        asked = match.game.to_act(match.state)
        if not isinstance(self._desk.prompt, Question) and chosen.actions:
            asked = (match.game.actor(match.state, chosen.actions[0]),)
        if seat not in asked and TABLE not in asked:
            raise not_yours("say", seat, *asked)

    def _say(self, choice: Choice, seat: Seat | None) -> None:
        """Take a choice of the interlude's menu, and carry out what everybody agreed to. Raises NotYourSeat."""
        agreed = self.interrupting.say(choice, seat)
        if agreed is None:
            return
        match agreed.command:
            case commands.Undo():
                self._undoing.undo_now("agreed")
            case commands.Correct() as command:
                self._correcting.correct_now(command)
            case commands.Reread() as command:
                self._correcting.reread_now(command)
            case commands.Replay(ruling=number):
                self._undoing.replay(number)
            case commands.OfferDraw():
                self.ending.draw(agreed.by)
