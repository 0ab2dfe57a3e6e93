"""The referee: the one writer of the state of play.

It takes looks (what the settler saw) and commands (what people ask for), one after the other on one thread, and after
each gives a snapshot. Every event is recorded, durably, before a snapshot shows it. It knows no pixels and no clock.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from msgspec import UnsetType, to_builtins

from tablecoin import mat as mats
from tablecoin import opponents, rules
from tablecoin.coins import Heap
from tablecoin.opponents import Level
from tablecoin.referee import commands, flip
from tablecoin.referee.belief import Difference, TableBelief
from tablecoin.referee.choices import Choice, closing, games, is_legal, leads_to, offers
from tablecoin.referee.commands import Command, CommandError, NotYourSeat
from tablecoin.referee.desk import Desk, Ruling, near, to_put_right
from tablecoin.referee.events import Acted, Corrected, Event, Rejected, Started, TakenBack
from tablecoin.referee.explain import CERTAIN, FITS, Accepted, Ask, Explanation, Refused, Unchanged, Unfinished, explain
from tablecoin.referee.flip import across_edges, untouched
from tablecoin.referee.match import Match, replay
from tablecoin.referee.memory import BY_PEOPLE
from tablecoin.referee.rewrite import NoToss, rewrite
from tablecoin.referee.voice import zone_name
from tablecoin.rules.game import TABLE, Action, IllegalAction, RulesError, Seat, State
from tablecoin.rules.rulebook import Message, sentence
from tablecoin.vision.frame import Reading, SeenCoin
from tablecoin.vision.settle import Look

Recorder = Callable[[Sequence[Event]], None]
_ANSWERS = 8  # offered for a toss that cannot be read, at most
_HARDLY = 0.002  # results less likely than this are not offered
_SEEN = ("camera", "button", "answer")  # rulings that rest on what the table showed


@dataclass(frozen=True)
class Exhibit:
    """What a ruling rests on: the table as it stood before, the table ruled on, and the referee's words."""

    before: Reading | None
    after: Reading
    said: Message


class Referee:
    """Owns a Desk. `record` must have stored the events for good when it returns."""

    def __init__(self, record: Recorder) -> None:
        self._record = record
        self._desk = Desk()
        self._count = 0  # events recorded, over all games
        self._group = 0
        self._arranging = False  # the referee itself changed the state; the table is to follow
        self._strictly = False  # taken back: nothing is ruled until the table shows the state exactly
        self._waiting: tuple[Seat, Action | None] | None = None  # who pressed DONE before the table was still
        self._stale: tuple[SeenCoin, ...] | None = None  # coins in the flip's zones that were not tossed; None: unknown
        self._numbers: dict[int, int] = {}  # ruling's number -> its group, of this game
        self._exhibit: Exhibit | None = None  # what the ruling being recorded rests on
        self._complained: object = None  # the refusal already recorded for the table as it lies
        self._stand()

    # -- from the journal ---------------------------------------------------------------------------------------------

    def restore(self, events: Iterable[Event], count: int) -> None:
        """Go on with the game of `events`, the journal holding `count` in all; the table is compared before play."""
        standing = list(events)
        self._count = count
        self._group = max((event.group for event in standing), default=0)
        self._numbers = {count - k: event.group for k, event in enumerate(reversed(standing))}
        self._desk.match = replay(standing)
        self._arranging = True
        self._stand()

    # -- what comes in ------------------------------------------------------------------------------------------------

    def see(self, look: Look) -> None:
        """A new look at the table; ruled on when it is settled."""
        self._desk.look, self._desk.camera_problem = look, None
        if look.sighting or look.moving or look.hand:
            self._desk.sighting = None if look.moving or look.hand else look.sighting
        if look.sighting and self._desk.settled:
            self._desk.forget_moved_corrections()
            waiting, self._waiting = self._waiting, None
            self._judge(finished=waiting is not None)
            if waiting:
                self._close_turn(*waiting)
            self._computers()

    def lose_camera(self, problem: str) -> None:
        """No pictures come: play goes on by buttons and phones until they do."""
        self._desk.look, self._desk.sighting, self._desk.camera_problem = None, None, problem

    def command(self, command: Command, seat: Seat | None) -> tuple[bool, str | None]:
        """Carry out what a person asks for. (accepted, why not). Raises CommandError when it makes no sense.

        `seat` is the seat the person has taken, or None for somebody at the table, who may do anything.
        """
        before = self._desk.ruling
        match command:
            case commands.Start():
                self._start(command)
            case commands.Act():
                self._act(command, seat)
            case commands.Press():
                self._press(command.button, seat)
            case commands.Answer():
                self._answer(command.choice, "phone")
            case commands.Correct():
                self._correct(command)
            case commands.Reread():
                self._reread(command)
            case commands.Undo():
                self._undo("phone")
        self._computers()
        ruling = self._desk.ruling
        if ruling is not before and ruling and not ruling.accepted:
            return False, sentence(ruling.aside or ruling.message)
        return True, None

    def time_out(self) -> None:
        """The time for a choice is over: the rulebook's choice is made for every seat that has made none."""
        match = self._playing()
        for seat in match.game.to_act(match.state):
            self._carry((match.game.on_timeout(self._playing().state, seat),), 0, "clock")
            self._changed()
        self._computers()

    def snapshot(self) -> dict[str, Any]:
        return self._desk.snapshot()

    def answers(self) -> list[State]:
        """The state each answer to the open question leads to; the one that stands where it would be refused."""
        match = self._desk.match
        return [leads_to(match, choice) for choice in self._desk.choices] if match else []

    @property
    def exhibit(self) -> Exhibit | None:
        """For the recorder, while it records: what the ruling rests on; None when it was not seen at the table."""
        return self._exhibit

    @property
    def match(self) -> Match | None:
        return self._desk.match

    # -- commands -----------------------------------------------------------------------------------------------------

    def _start(self, command: commands.Start) -> None:
        """Begin a game. The event holds every option as it was read, so that lots drawn for it stay drawn."""
        try:
            game = rules.load(command.game)
            options = game.read_options(command.options)
            chosen: dict[str, Any] = to_builtins(options)
            started = Started(self._group + 1, game.name, chosen, command.seats, command.level, command.bad_coin)
            match = Match.begin(started)
        except RulesError as error:
            raise CommandError(str(error)) from None
        seats = game.seats(options)
        strangers = [seat for seat in command.seats if seats and seat not in seats]
        if strangers:
            raise CommandError(f"there is no seat {strangers[0][:20]!r}; the seats are {', '.join(seats)}")
        self._numbers.clear()
        self._write([started])
        self._desk.match, self._desk.corrections, self._strictly = match, (), False
        title = Message("referee.began", {"title": match.game.title})
        self._desk.ruling = Ruling(self._count, True, title, None)
        self._changed()

    def _act(self, command: commands.Act, seat: Seat | None) -> None:
        match = self._playing()
        try:
            action = match.game.read_action(command.action)
        except RulesError as error:
            raise CommandError(str(error)) from None
        actor = match.game.actor(match.state, action)
        if seat is not None and actor not in (seat, TABLE):
            raise NotYourSeat(f"you sit at {seat}; this is {actor}'s to do")
        if not action.__struct_fields__ and is_legal(match, action):
            self._done(actor, action)  # DONE and its like end a turn, so the table must be seen first
        else:
            self._carry((action,), 0, "phone")
            self._changed()

    def _press(self, button: str, seat: Seat | None) -> None:
        side, _, what = button.partition(".")
        if seat is not None and side != "referee" and side != seat:
            raise NotYourSeat(f"you sit at {seat}; this is {side}'s button")
        if button == "referee.hold":
            self._undo("button")
        elif button == "referee":
            self._judge(finished=False)
        elif what == "choose":
            if self._desk.choices:
                chosen = self._desk.highlighted
                self._desk.highlighted = 0 if chosen is None else (chosen + 1) % len(self._desk.choices)
        elif self._desk.highlighted is not None and self._may_choose(side):
            self._answer(self._desk.highlighted, "button")
        elif self._desk.kind != "over":
            self._done(side)

    def _may_choose(self, side: Seat) -> bool:
        """Whether DONE on this side takes what is highlighted: an answer or a game anybody's, an act one's own."""
        match = self._desk.match
        return self._desk.kind != "turn" or not match or side in match.game.to_act(match.state)

    def _done(self, seat: Seat, action: Action | None = None) -> None:
        match = self._playing()
        due = match.game.to_act(match.state)
        if seat not in due:
            self._reject(IllegalAction("turn", due=due[0] if due else TABLE, seat=seat), None, seat, "button")
        elif self._desk.settled:
            self._judge(finished=True)
            self._close_turn(seat, action)
        elif self._desk.camera_problem:
            self._close_turn(seat, action)
        else:
            self._waiting = seat, action
            self._desk.said = Message("referee.hold_still")

    def _answer(self, choice: int, by: str) -> None:
        if choice >= len(self._desk.choices):
            raise CommandError("there is no such choice now; look at the newest question")
        chosen, asked = self._desk.choices[choice], self._desk.kind == "question"
        if chosen.game:
            self._start(commands.Start(chosen.game))
        elif not asked and chosen.actions and not chosen.actions[0].__struct_fields__:
            match = self._playing()
            self._done(match.game.actor(match.state, chosen.actions[0]), chosen.actions[0])
        elif chosen.broken:
            self._return_to(chosen.undone, TableBelief(self._desk.coins()))
            self._reject(chosen.broken, chosen.actions[-1], None, by)
            self._refused(chosen.broken)
        else:
            if chosen.actions or chosen.undone:
                self._carry(chosen.actions, chosen.undone, by)
            if asked and self._desk.settled:
                match = self._playing()
                self._desk.learn(match.game.layout(match.state), BY_PEOPLE)
            self._changed()
            if asked and self._waiting and self._desk.kind != "question":
                waiting, self._waiting = self._waiting, None
                self._close_turn(*waiting)

    def _correct(self, command: commands.Correct) -> None:
        coins = self._desk.coins()
        coin = coins[command.coin] if command.coin < len(coins) else None
        if coin is None or coin.place_mm is None:
            raise CommandError("that coin is not on the table any more; look at the newest picture")
        place = coin.place_mm
        kind = coin.denomination if isinstance(command.denomination, UnsetType) else command.denomination
        correction = Corrected(self._group, place, kind, command.face)
        if self._desk.match:
            self._write([correction])
        others = [c for c in self._desk.corrections if not near(c.place_mm, place)]
        self._desk.corrections = (*others, correction)
        match = self._desk.match
        if match and match.plies and match.game.flips_due(match.plies[-1].before):
            self._read_flip_again(match)
        self._judge(finished=False)

    def _read_flip_again(self, match: Match) -> None:
        """The coin a person put right may belong to the flip just ruled, if its coins still lie in the tray."""
        belief = TableBelief(self._desk.coins())
        due = match.game.flips_due(match.plies[-1].before)
        if all(belief[zone].likeliest == heap for zone, heap in due.items()):
            self._take_back(match.last_group(), "phone")
            self._stale = ()

    def _reread(self, command: commands.Reread) -> None:
        """Put an earlier toss right; what no longer fits after it is taken back, and named."""
        match = self._playing()
        try:
            new = rewrite(match, self._numbers.get(command.ruling, -1), command.coins, self._group + 1)
        except (NoToss, RulesError) as error:
            raise CommandError(str(error)) from None
        dropped = Message("referee.reread.all")
        if new.dropped:
            dropped = Message("referee.reread.dropped", {"acts": new.dropped})
        self._group += len(new.events)
        self._write(new.events)
        self._desk.match = new.match
        self._desk.ruling = Ruling(
            self._count, True, Message("referee.reread", {"said": new.said, "dropped": dropped}), None
        )
        self._strictly = True
        self._changed()

    def _undo(self, by: str) -> None:
        match = self._playing()
        count = match.last_group()
        if not count:
            self._reject(IllegalAction("undo"), None, None, by)
            return
        undone = match.plies[-count]
        self._take_back(count, by)
        what = match.game.tell(undone.before, undone.action)
        self._desk.ruling = Ruling(self._count, True, Message("referee.undone", {"what": what}), undone.seat)
        self._strictly = True
        self._changed()

    # -- judging ------------------------------------------------------------------------------------------------------

    def _judge(self, *, finished: bool) -> None:
        """Rule on the settled table."""
        match = self._desk.match
        if not match or not self._desk.settled:
            return
        game, state = match.game, match.state
        belief = TableBelief(self._desk.coins())
        layout = game.layout(state)
        self._desk.differences = belief.differences(layout)
        if belief.ratio(layout) >= FITS:
            self._strictly = False
            if self._arranging:  # people were told what to put where, so what may be that is that
                self._desk.learn(layout)
                self._desk.differences, self._arranging = (), False
                belief = TableBelief(self._desk.coins())
        if self._strictly or game.outcome(state) or game.flips_due(state):
            self._stand()
            if game.flips_due(state) and self._desk.kind == "flip":
                self._judge_flip(match, belief)
            return
        astray = across_edges(self._desk.coins(), mats.load(match.mat))
        if astray:
            self._stop_for(astray)
            return
        verdict = explain(game, match.turn_states(), belief, finished=finished and not self._arranging)
        match verdict:
            case Unchanged():
                self._desk.learn(layout)
                self._arranging = False
                self._desk.differences = ()
                self._stand()
            case Accepted(best):
                self._arranging = False
                self._carry(best.actions, best.source, "camera")
                self._desk.learn(game.layout(best.state))
                self._changed(arranging=False)
            case Refused(best) if not self._arranging and best.broken:
                self._return_to(best.source, belief)
                self._reject(best.broken, best.actions[-1], game.actor(state, best.actions[-1]), "camera")
                self._refused(best.broken)
            case Ask(candidates) if not self._arranging:
                self._ask("referee.ask", [self._choice(match, candidate) for candidate in candidates])
            case Unfinished() if not self._arranging:
                self._desk.kind, self._desk.said, self._desk.choices = "unfinished", Message("referee.unfinished"), ()
                if finished:
                    steps = to_put_right(self._desk.differences)
                    self._reject(IllegalAction("unfinished", **steps), None, game.to_act(state)[0], "button")
            case _ if not self._arranging and (taken := _out_of_a_bank(self._desk.differences)):
                self._reject(taken, None, None, "camera")
                self._refused(taken)
            case _:
                self._stand()

    def _stop_for(self, astray: Sequence[tuple[SeenCoin, str]]) -> None:
        """A coin across an edge is neither here nor there: nothing is ruled until it is."""
        coins = Heap.of(coin.denomination for coin, _ in astray if coin.denomination)
        facts = {"coins": coins, "zone": zone_name(astray[0][1])}
        self._desk.kind, self._desk.said = "paused", Message("referee.edge", facts)
        self._desk.choices, self._desk.highlighted = (), None

    def _return_to(self, source: int, belief: TableBelief) -> None:
        """What was done in the turn is not on the table any more: judge from the state it shows instead."""
        if source:
            self._take_back(source, "camera")
            match = self._playing()
            self._desk.differences = belief.differences(match.game.layout(match.state))

    def _judge_flip(self, match: Match, belief: TableBelief) -> None:
        """Read a flip once its coins lie in their zones, tossed, complete and alone (rules.md §0, FLIP)."""
        desk, due = self._desk, match.game.flips_due(match.state)
        there = [coin for coin in desk.coins() if coin.zone in due]
        if self._stale is None:  # after a restart nobody knows what lay there before
            self._stale = tuple(there)
        self._stale = untouched(self._stale, there)
        again = match.started.bad_coin
        badly = flip.fallen_badly(desk.coins(), due, mats.load(match.mat), again)
        if badly:
            desk.said = badly
            self._stale = tuple(there) if again == "all" else self._stale
            return
        wrong = flip.lacking(due, belief)
        if wrong:
            desk.said = wrong if there else desk.said
            return
        if untouched(there, self._stale):
            desk.said = Message("referee.flip.stale")
            return
        results = flip.results(match, belief, due)
        if results[0][1] >= CERTAIN:
            self._carry((results[0][0],), 0, "camera")
            self._changed()
        else:
            answers = [
                Choice(match.game.tell(match.state, action), (action,))
                for action, share in results[:_ANSWERS]
                if share > _HARDLY
            ]
            self._ask("referee.ask.flip", answers)

    def _close_turn(self, seat: Seat, action: Action | None) -> None:
        """DONE: `action`, or the act without fields that is legal now (done, keep, skip, reveal).

        While a question is open it waits for the answer.
        """
        match = self._desk.match
        if self._desk.kind == "question":
            self._waiting = seat, action
            return
        if (
            not match
            or self._desk.kind not in ("turn", "arrange", "flip")
            or seat not in match.game.to_act(match.state)
        ):
            return
        if self._desk.kind == "arrange" and not self._desk.camera_problem:
            steps = to_put_right(self._desk.differences)
            self._reject(IllegalAction("unfinished", **steps), None, seat, "button")
            return
        acts = closing(match) if action is None else [action]
        legal = [act for act in acts if is_legal(match, act)]
        self._carry(tuple((legal or acts)[:1]), 0, "button")
        self._changed()

    def _computers(self) -> None:
        """Seats played by the computer act while the table shows the state; people then move the coins for them."""
        while self._desk.match and self._desk.kind in ("turn", "flip"):  # before a toss too, where a game lets them
            match = self._desk.match
            game, acting = match.game, match.game.may_act(match.state)
            seat = next((seat for seat in acting if match.started.seats.get(seat) == "computer"), None)
            if seat is None:
                return
            choose = opponents.load(game.name)
            state, actions = match.state, list[Action]()
            while game.may_act(state) == acting:
                actions.append(choose(state, seat, Level(match.started.level), len(match.plies) + len(actions)))
                state = game.apply(state, actions[-1])
            self._carry(actions, 0, "computer")
            self._changed()

    # -- ruling -------------------------------------------------------------------------------------------------------

    def _carry(self, actions: Sequence[Action], undone: int, by: str) -> None:
        """Take back `undone` acts and do `actions` as one ruling; an illegal one is refused and nothing changes."""
        match = self._playing()
        self._group += 1
        events: list[Event] = [TakenBack(self._group, by)] * undone
        after = match
        for event in events:
            after = after.take(event)
        said: list[Message] = []
        for action in actions:
            seat = match.game.actor(after.state, action)
            said.append(match.game.tell(after.state, action))
            acted = Acted(self._group, match.game.write_action(action), seat, by)
            try:
                after = after.take(acted)
            except IllegalAction as broken:
                self._reject(broken, action, seat, by)
                return
            events.append(acted)
        seat = match.game.actor(match.state, actions[-1]) if actions else match.game.to_act(after.state)[0]
        message = Message("referee.several", {"said": said}) if said else Message("referee.took_back", {"seat": seat})
        evidence = self._keep(message, by)
        self._write(events)
        self._desk.match = after
        shown = match.game.write_shown(actions[-1]) if actions else None
        self._desk.ruling = Ruling(self._count, True, message, seat, action=shown, evidence=evidence)

    def _take_back(self, count: int, by: str) -> None:
        match = self._playing()
        events = [TakenBack(self._group, by)] * count
        self._write(events)
        for event in events:
            match = match.take(event)
        self._desk.match = match

    def _reject(self, broken: IllegalAction, action: Action | None, seat: Seat | None, by: str) -> None:
        """Record a refusal, once for as long as the table and the state stay as they are."""
        match = self._desk.match
        written = match.game.write_action(action) if match and action else None
        complaint = (broken.clause, written, self._desk.differences, len(match.plies) if match else 0)
        if by == "camera" and complaint == self._complained:
            return
        self._complained = complaint
        evidence = self._keep(broken.message, by)
        self._write([Rejected(self._group, broken.clause, broken.why(), by, written)])
        if match and action and match.game.seals(action):
            said, shown = Message("referee.sealed", {"seat": seat}), match.game.write_shown(action)
            self._desk.ruling = Ruling(self._count, False, said, seat, None, shown, aside=broken.message)
        else:
            self._desk.ruling = Ruling(
                self._count, False, broken.message, seat, broken.clause, written, evidence=evidence
            )

    def _refused(self, broken: IllegalAction) -> None:
        facts = {"why": broken.message} | to_put_right(self._desk.differences)
        self._desk.kind, self._desk.said, self._desk.choices = "refused", Message("referee.put_back", facts), ()

    def _ask(self, key: str, choices: Sequence[Choice]) -> None:
        if self._desk.kind != "question" or tuple(choices) != self._desk.choices or self._desk.highlighted is None:
            self._desk.highlighted = 0
        self._desk.kind, self._desk.said, self._desk.choices = "question", Message(key), tuple(choices)

    def _choice(self, match: Match, explanation: Explanation) -> Choice:
        state = match.turn_states()[explanation.source]
        said = []
        for action in explanation.actions:
            said.append(match.game.tell(state, action))
            if action is not explanation.actions[-1]:
                state = match.game.apply(state, action)
        what = Message("referee.several", {"said": said}) if said else Message("referee.ask.nothing")
        if explanation.broken:
            what = Message("referee.ask.broken", {"what": what})
        return Choice(what, explanation.actions, explanation.source, explanation.broken)

    def _changed(self, *, arranging: bool = True) -> None:
        """The state moved: say what is to be done now, and compare the table with it."""
        match = self._playing()
        self._arranging = arranging
        self._complained = None
        belief = TableBelief(self._desk.coins())
        layout = match.game.layout(match.state)
        self._desk.differences = belief.differences(layout) if self._desk.settled else ()
        self._stale = tuple(coin for coin in self._desk.coins() if coin.zone in match.game.flips_due(match.state))
        if self._desk.settled and not self._desk.differences:
            self._arranging = self._strictly = False
        self._stand()

    def _stand(self) -> None:
        """Work out the prompt from the state and the differences, with no question open."""
        desk, match = self._desk, self._desk.match
        before, desk.choices = (desk.kind, desk.choices, desk.highlighted), ()
        desk.highlighted = None
        if not match:
            desk.kind, desk.said, desk.choices, desk.highlighted = "lobby", Message("referee.lobby"), games(), 0
            return
        game, state = match.game, match.state
        outcome = game.outcome(state)
        if outcome:
            desk.kind, desk.said, desk.choices = "over", outcome.reason, games()
        elif desk.differences and desk.settled:
            desk.kind = "arrange" if self._arranging or self._strictly else "paused"
            desk.said = Message(f"referee.{desk.kind}", to_put_right(desk.differences))
        elif game.flips_due(state):
            desk.kind, desk.said = "flip", game.prompt(state)
        else:
            desk.kind, desk.said = "turn", game.prompt(state)
            desk.choices = offers(match)
            if sum(is_legal(match, act) for act in closing(match)) > 1:
                desk.highlighted = 0  # DONE alone would not say which
        if (desk.kind, desk.choices) == before[:2]:
            desk.highlighted = before[2]  # looking again does not undo a choice

    def _keep(self, said: Message, by: str) -> bool:
        """Have the pictures kept with what is recorded next; whether there are any."""
        desk = self._desk
        if by in _SEEN and desk.sighting:
            after = replace(desk.sighting.reading, coins=desk.coins())
            self._exhibit = Exhibit(desk.agreed, after, said)
        return self._exhibit is not None

    def _write(self, events: Sequence[Event]) -> None:
        try:
            self._record(events)
        finally:
            self._exhibit = None
        self._numbers |= {self._count + k: event.group for k, event in enumerate(events, 1)}
        self._count += len(events)

    def _playing(self) -> Match:
        if not self._desk.match:
            raise CommandError("no game is being played; start one first")
        return self._desk.match


def _out_of_a_bank(differences: Sequence[Difference]) -> IllegalAction | None:
    """The refusal where all that is wrong is that one bank has too little; None elsewhere."""
    if len(differences) != 1 or not differences[0].zone.startswith("bank"):
        return None
    (only,) = differences
    if only.extra or only.turned:
        return None
    return IllegalAction("bank.taken", coins=only.missing, bank=zone_name(only.zone))
