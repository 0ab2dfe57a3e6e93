"""Carries out what people ask for with buttons and phones, or says why it cannot be done."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from msgspec import UnsetType, to_builtins

from tablecoin import rules
from tablecoin.referee import commands
from tablecoin.referee.belief import TableBelief
from tablecoin.referee.choices import Choice, is_legal
from tablecoin.referee.commands import Command, CommandError, NotYourSeat
from tablecoin.referee.desk import Desk, DoneTooEarly, Expected, Ruling
from tablecoin.referee.events import Corrected, Hinted, Nature, Series, Started
from tablecoin.referee.hinting import asker, view_of
from tablecoin.referee.judging import Judging
from tablecoin.referee.match import Match
from tablecoin.referee.memory import BY_PEOPLE, near
from tablecoin.referee.prompt import AboutCoin, Over, Question, Refused, Turn, highlight_next, menu_of
from tablecoin.referee.rewrite import rewrite
from tablecoin.referee.scribe import Scribe
from tablecoin.referee.series import another, once_more, swapped
from tablecoin.referee.voice import seat_name
from tablecoin.rules.game import TABLE, Action, IllegalAction, RulesError, Seat
from tablecoin.rules.names import LONGEST_NAME, name_fault
from tablecoin.rules.rulebook import Message, sentence


class Hearing:
    """Carries out commands. Raises only CommandError."""

    def __init__(self, desk: Desk, scribe: Scribe, judging: Judging) -> None:
        self._desk, self._scribe, self._judging = desk, scribe, judging

    def command(self, command: Command, seat: Seat | None) -> None:
        """Carry out what a person asks for; a refusal is the Desk's new ruling. Raises CommandError."""
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
                self._correct(command)
            case commands.Reread():
                self._reread(command)
            case commands.Undo():
                self._undo("phone", seat, command.of)
            case commands.Hint():
                self._hint(command)

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
        self._desk.match, self._desk.shown = match, None
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
            raise _not_yours("do", seat, actor)
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

    def _press(self, button: str, seat: Seat | None) -> None:
        side, _, what = button.partition(".")
        if seat is not None and side != "referee" and side != seat:
            raise _not_yours("press", seat, side)
        if button == "referee.hold":
            self._undo("button", seat)
        elif button == "referee":
            self._judging.judge(finished=False)
        elif what == "choose":
            self._desk.prompt = highlight_next(self._desk.prompt)
        elif (highlighted := menu_of(self._desk.prompt).highlighted) is not None and self._may_choose(side):
            self._answer(highlighted, "button", seat)
        elif not isinstance(self._desk.prompt, Over):
            self._done(side)

    def _may_choose(self, side: Seat) -> bool:
        """Whether this side's DONE may confirm the highlighted choice (answers and new games: anyone; acts: only the
        player to move)."""
        match = self._desk.match
        return not isinstance(self._desk.prompt, Turn) or not match or side in match.game.to_act(match.state)

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
        choices, asked = menu_of(prompt).choices, isinstance(prompt, Question)
        if choice >= len(choices):
            raise CommandError(Message("command.no_choice"))
        chosen = choices[choice]
        if text is not None and text != sentence(chosen.message):
            raise CommandError(Message("command.answered"))
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
            raise _not_yours("say", seat, *asked)

    def _correct(self, command: commands.Correct) -> None:
        coins = self._desk.coins()
        coin = coins[command.coin] if command.coin < len(coins) else None
        place = coin.place_mm if coin else None
        if coin is None or place is None or (command.center_mm and not near(place, command.center_mm)):
            raise CommandError(Message("command.no_coin"))
        kind = coin.denomination if isinstance(command.denomination, UnsetType) else command.denomination
        self._overrule(command.coin, place, Nature(kind, command.face))
        match = self._desk.match
        if match and match.plies and match.game.tosses_due(match.plies[-1].before):
            self._read_toss_again(match)
        self._judging.judge(finished=False)

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

    def _reread(self, command: commands.Reread) -> None:
        """Correct an earlier toss. Acts after it that are no longer legal are taken back and named."""
        match = self._desk.playing()
        try:
            new = rewrite(match, self._scribe.numbers.get(command.ruling, -1), command.coins, self._scribe.group + 1)
        except RulesError as error:
            raise CommandError(error.message) from None
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

    def _undo(self, by: str, seat: Seat | None, of: Seat | None = None) -> None:
        """Take back the last ruling. An act of another person may be taken back only by that person.

        `of`: only if it is an act of that seat, and no toss. Raises NotYourSeat.
        """
        match = self._desk.playing()
        newest, whose = match.undoable(), match.undo_seat()
        if not newest:
            self._scribe.reject(IllegalAction("undo"), None, None, by)
            return
        if whose and seat not in (None, whose):
            raise _not_yours("undo", seat, whose)
        if of is not None and whose != of:
            raise NotYourSeat(Message("seat.not_yours.taken_back"))
        self._scribe.group += 1  # two undos in a row are two rulings
        self._scribe.take_back(len(newest) + _uncovered(match, len(newest)), by)
        undone = newest[0]
        what = match.game.tell(undone.before, undone.action)
        self._desk.ruling = Ruling(self._scribe.count, True, Message("referee.undone", {"what": what}), undone.seat)
        self._desk.expected = Expected.RESTORING
        self._judging.changed()


def _uncovered(match: Match, count: int) -> int:
    """How many sealed acts the newest `count` plies revealed. They are taken back too: after seeing the others' choices
    nobody may choose again alone."""
    earlier, newest = match.plies[:-count], match.plies[-count:]
    if not any(isinstance(ply.action, match.game.unsealing) for ply in newest):
        return 0
    return next((n for n, ply in enumerate(reversed(earlier)) if not match.game.seals(ply.action)), len(earlier))


def _check_names(names: Mapping[Seat, str]) -> None:
    """Raises CommandError for a name that cannot be one, or that two seats have."""
    for name in names.values():
        if wrong := name_fault(name):
            raise CommandError(
                Message("command.name", {"problem": Message(wrong, {"name": repr(name), "most": LONGEST_NAME})})
            )
    if len({name.casefold() for name in names.values()}) < len(names):
        raise CommandError(Message("command.name", {"problem": Message("options.names.same")}))


def _not_yours(what: str, seat: Seat, *others: Seat) -> NotYourSeat:
    """Somebody at `seat` wants to do, press, say or undo what is only for `others`."""
    facts = {"seat": seat_name(seat), "others": [seat_name(other) for other in others]}
    return NotYourSeat(Message(f"seat.not_yours.{what}", facts))
