"""Carries out what people ask for with buttons and phones, or says why it cannot be done."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Literal

from msgspec import UnsetType, structs, to_builtins

from tablecoin import rules
from tablecoin.referee import commands
from tablecoin.referee.belief import TableBelief
from tablecoin.referee.buttons import what_it_does
from tablecoin.referee.choices import Choice, is_legal
from tablecoin.referee.commands import Button, Command, CommandError
from tablecoin.referee.desk import Desk, DoneTooEarly, Expected, Ruling
from tablecoin.referee.events import Corrected, Ended, Hinted, Nature, Series, Started
from tablecoin.referee.hinting import asker, view_of
from tablecoin.referee.interlude import Dispute, Request
from tablecoin.referee.interrupting import Interrupting, needed
from tablecoin.referee.judging import Judging
from tablecoin.referee.match import Match
from tablecoin.referee.memory import BY_PEOPLE, near
from tablecoin.referee.prompt import AboutCoin, Over, Question, Refused, highlight_next
from tablecoin.referee.rewrite import Rewritten, rewrite
from tablecoin.referee.scribe import Scribe
from tablecoin.referee.series import another, once_more, swapped
from tablecoin.referee.standing import nature_of
from tablecoin.referee.voice import not_yours, seat_name, zone_name
from tablecoin.rules.game import TABLE, Action, IllegalAction, RulesError, Seat
from tablecoin.rules.names import LONGEST_NAME, name_fault
from tablecoin.rules.rulebook import Message, sentence
from tablecoin.vision.frame import SeenCoin


class Hearing:
    """Carries out commands. Raises only CommandError."""

    def __init__(self, desk: Desk, scribe: Scribe, judging: Judging) -> None:
        self._desk, self._scribe, self._judging = desk, scribe, judging
        self.interrupting = Interrupting(desk, scribe, judging, self._agreed)

    def command(self, command: Command, seat: Seat | None) -> None:
        """Carry out what a person asks for; a refusal is the Desk's new ruling. Raises CommandError."""
        self._check_interlude(command)
        match command:
            case commands.Start():
                self._start(command)
            case commands.Act():
                self._act(command, seat)
            case commands.Press():
                self._press(command.button, seat)
            case commands.Answer():
                self._answer(command.choice, "phone", seat, command.text)
            case commands.Correct():
                self._correct(command, seat)
            case commands.Reread():
                self._reread(command, seat)
            case commands.Undo():
                self._undo("phone", seat)
            case commands.Replay():
                self._replay(command.ruling)
            case commands.Dispute():
                self.interrupting.dispute(command.ruling, seat)
            case commands.Pause():
                self.interrupting.pause(seat)
            case commands.Resign():
                self._resign(command.seat, seat)
            case commands.OfferDraw():
                self._offer_draw(seat)
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

    def _start(self, command: commands.Start) -> None:
        """Begin a game. The event holds every option as it was read, so a random map is the same in a replay."""
        try:
            game = rules.load(command.game)
            options = game.read_options(command.options)
        except RulesError as error:
            raise CommandError(error.message) from None
        seats = game.seats(options)
        strangers = [seat for seat in (*command.seats, *command.names, *command.colours) if seats and seat not in seats]
        if strangers:
            raise CommandError(Message("command.no_seat", {"seat": strangers[0][:20], "seats": seats}))
        _check_names(command.names)
        chosen: dict[str, Any] = to_builtins(options)
        started = Started(
            group=self._scribe.group + 1,
            game=game.name,
            options=chosen,
            seats=command.seats,
            level=command.level,
            bad_coin=command.bad_coin,
            odds=command.odds,
            hints=command.hints,
            undo=command.undo,
            names=command.names,
            colours=command.colours,
            series=Series(command.best_of),
        )
        self._begin(started)

    def _begin(self, started: Started) -> None:
        try:
            match = Match.begin(started)
        except RulesError as error:
            raise CommandError(error.message) from None
        self._scribe.numbers.clear()
        self._scribe.group = started.group
        self._scribe.write([started])
        self._desk.match, self._desk.shown, self._desk.interlude = match, None, None
        self._desk.memory, self._desk.expected = replace(self._desk.memory, corrections=()), Expected.ARRANGING
        title = Message("referee.began", {"title": match.game.title})
        self._desk.ruling = Ruling(self._scribe.count, True, title, None)
        self._judging.changed()

    def _act(self, command: commands.Act, seat: Seat | None) -> None:
        match = self._desk.playing()
        try:
            action = match.game.read_action(command.action)
        except RulesError as error:
            raise CommandError(error.message) from None
        actor = match.game.actor(match.state, action)
        if seat is not None and actor not in (seat, TABLE) and match.game.newcomer(action) != seat:
            raise not_yours("do", seat, actor)
        if action.ends_turn and is_legal(match, action):
            self._done(actor, action)  # before a turn ends, the table must be seen
        else:
            self._scribe.carry((action,), 0, "phone")
            self._judging.changed()

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
                self.interrupting.say(next(choice for choice in desk.menu.choices if choice.seat == side), side)
            case "refuse":
                self.interrupting.say(desk.menu.choices[-1], side)
            case "confirm" if desk.interlude:
                self.interrupting.say(desk.menu.choices[desk.menu.highlighted or 0], side)
            case "stand" | "go on":
                self.interrupting.say(desk.menu.choices[0], seat)
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
                self._undo("button", seat)
            case _ if desk.interlude or isinstance(desk.prompt, Over):
                return
            case _ if what == "done":
                self._done(side)
            case _ if what == "hold":
                self._undo("button", seat)  # it says that there is nothing to take back

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
            self.interrupting.say(chosen, seat)
            return
        self._check_answers(chosen, seat)
        if isinstance(prompt, AboutCoin):
            self._tell(prompt, chosen.coin)
            return
        waiting = self._desk.waiting
        if chosen.again:
            over = self._desk.playing()
            again = once_more(over, self._scribe.group + 1)
            self._begin(swapped(over, again) if chosen.again == "swapped" else again)
        elif chosen.game and self._desk.match:
            self._begin(another(self._desk.match, chosen.game, self._scribe.group + 1))
        elif chosen.game:
            self._start(commands.Start(chosen.game))
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
            if chosen.actions or chosen.undone:
                self._scribe.carry(chosen.actions, chosen.undone, "answer" if asked else by)
            if asked and self._desk.settled:
                match = self._desk.playing()
                self._desk.learn(match.game.layout(match.state), BY_PEOPLE)
            self._judging.changed()
            if asked and waiting:
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

    def _correct(self, command: commands.Correct, seat: Seat | None) -> None:
        """Correct a coin. Whoever sits in a seat asks the others; at the table people are asked where it was tossed."""
        coin, place, nature = self._corrected(command)
        match = self._desk.match
        concerned = match.people() if match and match.started.undo == "asked" else ()
        if seat is None and not self._was_tossed(coin):
            concerned = ()
        missing = needed(concerned, seat)
        if missing:
            facts: dict[str, object] = {"is": nature_of(nature)}
            why = Message("consent.correct.anywhere", facts)
            if coin.zone:
                why = Message("consent.correct", facts | {"zone": zone_name(coin.zone)})
            self.interrupting.ask("correct", why, seat, structs.replace(command, center_mm=place), missing)
        else:
            self._correct_now(command)

    def _correct_now(self, command: commands.Correct) -> None:
        coin, place, nature = self._corrected(command)
        self.interrupting.settled()
        self._overrule(command.coin, place, nature)
        match = self._desk.match
        if match and self._was_tossed(coin):
            self._read_toss_again(match)
        self._judging.judge(finished=False)

    def _corrected(self, command: commands.Correct) -> tuple[SeenCoin, tuple[float, float], Nature]:
        """The coin that is meant, its place, and what it is said to be. Raises CommandError where it is gone."""
        coins = self._desk.coins()
        coin = coins[command.coin] if command.coin < len(coins) else None
        place = coin.place_mm if coin else None
        if coin is None or place is None or (command.center_mm and not near(place, command.center_mm)):
            raise CommandError(Message("command.no_coin"))
        kind = coin.denomination if isinstance(command.denomination, UnsetType) else command.denomination
        return coin, place, Nature(kind, command.face)

    def _was_tossed(self, coin: SeenCoin) -> bool:
        """Whether it is one of the coins of the toss that was read last."""
        match = self._desk.match
        return bool(match and match.plies and coin.zone in match.game.tosses_due(match.plies[-1].before))

    def _overrule(
        self, number: int, place_mm: tuple[float, float], nature: Nature, asked: tuple[Nature, ...] = ()
    ) -> None:
        """A person says what coin `number` of the newest reading is; `asked` are the answers that were offered."""
        seen = self._desk.read()[number]
        circle = round(seen.disc.x_px, 1), round(seen.disc.y_px, 1), round(seen.disc.r_px, 1)
        if self._desk.match:
            said = Corrected(
                group=self._scribe.group,
                place_mm=place_mm,
                denomination=nature.denomination,
                face=nature.face,
                coin=number,
                disc_px=circle,
                read=seen.denominations,
                heads=seen.heads,
                asked=asked,
            )
            self._scribe.write([said])
        self._desk.overrule(number, nature.denomination, nature.face)

    def _tell(self, question: AboutCoin, nature: Nature | None) -> None:
        """The answer to a question about one coin: what it is; None: it shall be looked at again."""
        if nature is None:
            self._desk.prompt = question.looking_again()
            self._desk.memory = self._desk.memory.relit(question.close.coin)
            return
        place = question.close.coin.place_mm
        lying = ((number, coin.place_mm) for number, coin in enumerate(self._desk.read()))
        found = next(((number, here) for number, here in lying if place and here and near(here, place)), None)
        if found is None:
            raise CommandError(Message("command.no_coin"))
        offered = tuple(choice.coin for choice in question.menu.choices if choice.coin)
        self._overrule(*found, nature, offered)
        waiting = self._desk.waiting
        if self._desk.settled and waiting:
            self._desk.waiting = None
            self._judging.finish(waiting.seat, waiting.action)
        else:
            self._judging.judge(finished=False)

    def _read_toss_again(self, match: Match) -> None:
        """Take back the toss just ruled, if its coins still lie there: the corrected coin may be one of them."""
        belief = TableBelief(self._desk.coins())
        due = match.game.tosses_due(match.plies[-1].before)
        if all(belief[zone].likeliest == heap for zone, heap in due.items()):
            self._scribe.take_back(match.last_group(), "phone")
            self._desk.untossed = ()

    def _reread(self, command: commands.Reread, seat: Seat | None) -> None:
        """Correct an earlier toss, once the others agree."""
        match, new = self._desk.playing(), self._rewritten(command)
        missing = needed(match.people() if match.started.undo == "asked" else (), seat)
        if missing:
            self.interrupting.ask("reread", Message("consent.reread", {"said": new.said}), seat, command, missing)
        else:
            self._reread_now(command)

    def _rewritten(self, command: commands.Reread) -> Rewritten:
        match = self._desk.playing()
        try:
            return rewrite(match, self._scribe.numbers.get(command.ruling, -1), command.coins, self._scribe.group + 1)
        except RulesError as error:
            raise CommandError(error.message) from None

    def _reread_now(self, command: commands.Reread) -> None:
        """Acts after the toss that are no longer legal are taken back and named."""
        new = self._rewritten(command)
        self.interrupting.settled()
        dropped = Message("referee.reread.all")
        if new.dropped:
            dropped = Message("referee.reread.dropped", {"acts": new.dropped})
        self._scribe.group += len(new.events)
        self._scribe.write(new.events)
        self._desk.match = new.match
        self._desk.ruling = Ruling(
            self._scribe.count, True, Message("referee.reread", {"said": new.said, "dropped": dropped}), None
        )
        self._desk.expected = Expected.RESTORING
        self._judging.changed()

    def _undo(self, by: str, seat: Seat | None) -> None:
        """Take back the last ruling. Where it is a toss, or an act of others, they are asked first."""
        match = self._desk.playing()
        plies = match.taken_back()
        if not plies:
            self._scribe.reject(IllegalAction("undo"), None, None, by)
            return
        missing = needed(match.concerned(plies), seat)
        if missing:
            why = Message("consent.undo", {"what": self._undone(match)})
            self.interrupting.ask("undo", why, seat, commands.Undo(), missing)
        else:
            self._take_back(len(plies), self._undone(match), by)

    def _undone(self, match: Match) -> Message:
        """What the next undo takes back, in words."""
        undone = match.undoable()[0]
        return match.game.tell(undone.before, undone.action)

    def _replay(self, number: int) -> None:
        """Take back ruling `number` and all after it."""
        match = self._desk.playing()
        group = self._scribe.numbers.get(number)
        first = next((k for k, ply in enumerate(match.plies) if ply.group == group), None)
        if first is None:
            raise CommandError(Message("dispute.none"))
        disputed = match.plies[first]
        self._take_back(len(match.plies) - first, match.game.tell(disputed.before, disputed.action), "agreed")

    def _take_back(self, count: int, what: Message, by: str) -> None:
        match = self._desk.playing()
        seat = match.plies[-count].seat
        self._scribe.group += 1  # two undos in a row are two rulings
        self._scribe.take_back(count, by)
        self._desk.ruling = Ruling(self._scribe.count, True, Message("referee.undone", {"what": what}), seat)
        self._desk.expected = Expected.RESTORING
        self._judging.changed()

    def _resign(self, loser: Seat, seat: Seat | None) -> None:
        """A side gives the game up. Raises CommandError where there are not two sides, NotYourSeat for another's."""
        sides = self._sides()
        if loser not in sides:
            raise CommandError(Message("command.no_seat", {"seat": loser[:20], "seats": sides}))
        if seat not in (None, loser):
            raise not_yours("do", seat or "", loser)
        self._end("resigned", loser, tuple(side for side in sides if side != loser))

    def _offer_draw(self, seat: Seat | None) -> None:
        """Ask the other side for a draw. Raises CommandError where nobody can agree to one."""
        sides, people = self._sides(), self._desk.playing().people()
        missing = needed(people, seat)
        if not missing or len(people) < len(sides):
            raise CommandError(Message("draw.nobody"))
        self.interrupting.ask("draw", Message("consent.draw"), seat, commands.OfferDraw(), missing)

    def _sides(self) -> tuple[Seat, ...]:
        """The two sides of the game under way. Raises CommandError where there are none, or it is over."""
        match = self._desk.playing()
        if match.outcome:
            raise CommandError(Message("command.over"))
        if not match.sides():
            raise CommandError(Message("command.no_sides"))
        return match.sides()

    def _end(self, how: Literal["resigned", "draw"], seat: Seat | None, winners: tuple[Seat, ...]) -> None:
        """People end the game."""
        self._scribe.group += 1
        event = Ended(self._scribe.group, how, seat, winners)
        self._scribe.write([event])
        match = self._desk.playing().take(event)
        self._desk.match = match
        if match.outcome:
            self._desk.ruling = Ruling(self._scribe.count, True, match.outcome.reason, seat)
        self._judging.changed()

    def _agreed(self, request: Request) -> None:
        """Everybody agreed."""
        match request.command:
            case commands.Undo():
                match = self._desk.playing()
                self._take_back(len(match.taken_back()), self._undone(match), "agreed")
            case commands.Correct() as command:
                self._correct_now(command)
            case commands.Reread() as command:
                self._reread_now(command)
            case commands.Replay(ruling=number):
                self._replay(number)
            case commands.OfferDraw():
                self._end("draw", request.by, self._desk.playing().sides())


def _check_names(names: Mapping[Seat, str]) -> None:
    """Raises CommandError for a name that cannot be one, or that two seats have."""
    for name in names.values():
        if wrong := name_fault(name):
            raise CommandError(
                Message("command.name", {"problem": Message(wrong, {"name": repr(name), "most": LONGEST_NAME})})
            )
    if len({name.casefold() for name in names.values()}) < len(names):
        raise CommandError(Message("command.name", {"problem": Message("options.names.same")}))
