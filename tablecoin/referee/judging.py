"""Ruling on the settled table: what was done, how a toss fell, whether a turn may end."""

from __future__ import annotations

from collections.abc import Sequence

from tablecoin import mat as mats
from tablecoin.coins import Heap
from tablecoin.referee import doubt, explain, toss
from tablecoin.referee.belief import Difference, TableBelief, ZoneBelief
from tablecoin.referee.choices import Choice, closing, is_legal
from tablecoin.referee.desk import Desk, DoneDuringQuestion, Expected
from tablecoin.referee.doubt import Doubt
from tablecoin.referee.explain import CERTAIN, FITS
from tablecoin.referee.falls import Falls
from tablecoin.referee.match import Match
from tablecoin.referee.prompt import Arrange, Asking, Lobby, OnEdge, Over, Paused, Refused, TossDue, Unfinished
from tablecoin.referee.scribe import Scribe
from tablecoin.referee.standing import about_coin, explained, on_edge, question, standing
from tablecoin.referee.toss import untouched
from tablecoin.referee.voice import steps, zone_name
from tablecoin.rules.game import Action, IllegalAction, Pile, Seat
from tablecoin.rules.rulebook import Message
from tablecoin.rules.zones import ZoneKind, zone_kind
from tablecoin.vision.place.edges import across_edges

_ANSWERS = 8  # results offered for a toss that cannot be read, at most
_HARDLY = 0.002  # results less probable than this are not offered


class Judging:
    """Compares the table with the state and has the Scribe record the rulings."""

    def __init__(self, desk: Desk, scribe: Scribe) -> None:
        self._desk, self._scribe = desk, scribe

    def judge(self, *, finished: bool) -> None:
        """Rule on the settled table. `finished`: a player says that the turn is done."""
        desk, match = self._desk, self._desk.match
        if not match or not desk.settled or desk.interlude:
            return
        game, state = match.game, match.state
        belief = TableBelief(desk.coins())
        layout = game.layout(state)
        desk.differences = belief.differences(layout)
        if desk.expected is not Expected.FOLLOWING and belief.ratio(layout) >= FITS:
            desk.learn(layout)  # people were told where to put what: a table that may be the layout is taken for it
            desk.differences, desk.expected = (), Expected.FOLLOWING
            belief = TableBelief(desk.coins())
        elif desk.expected is not Expected.FOLLOWING and self._asked(
            doubt.in_arrangement(layout, belief, desk.coins(), FITS)
        ):
            return
        if desk.expected is Expected.RESTORING or match.outcome or game.tosses_due(state):
            prompt = standing(desk)
            if isinstance(prompt, TossDue):
                self._judge_toss(match, prompt)
            else:
                desk.prompt = prompt
            return
        astray = across_edges(desk.coins(), mats.load(match.mat))
        if astray:
            desk.prompt = on_edge(astray)
            return
        self._judge_acts(match, belief, finished=finished)

    def _judge_acts(self, match: Match, belief: TableBelief, *, finished: bool) -> None:
        """Rule on what people did. While the table is being arranged only what is lawful counts."""
        desk, game, state = self._desk, match.game, match.state
        following = desk.expected is Expected.FOLLOWING
        verdict = explain.explain(game, match.turn_states(), belief, finished=finished and following)
        if following and self._asked(doubt.in_verdict(verdict, game.layout(state), desk.coins())):
            return
        match verdict:
            case explain.Unchanged():
                desk.learn(game.layout(state))
                desk.differences, desk.expected = (), Expected.FOLLOWING
                desk.put_right()
                desk.prompt = standing(desk)
            case explain.Accepted(best):
                desk.expected = Expected.FOLLOWING
                self._scribe.carry(best.actions, best.source, "camera")
                desk.learn(game.layout(best.state))
                self.changed(Expected.FOLLOWING)
            case explain.Refused(best) if following and best.broken:
                self.return_to(best.source, belief)
                desk.differences = min(desk.differences, belief.differences(game.layout(best.state)), key=_coins)
                *after, action = best.actions
                self._scribe.reject(best.broken, action, game.actor(state, action), "camera", after)
                desk.prompt = Refused(best.broken, desk.differences)
            case explain.Ask(candidates) if following:
                desk.prompt = question(desk, "referee.ask", [explained(match, one) for one in candidates])
            case explain.Unfinished(towards, early) if following:
                desk.differences = belief.differences(towards)
                desk.prompt = Unfinished(desk.differences, early.message if early else None)
                if finished:
                    self._reject_unfinished(game.to_act(state)[0])
            case _ if following and _clearing(match, belief):
                desk.differences = ()
                desk.prompt = standing(desk)
            case _ if broken := self._misplaced(match, belief):
                self._scribe.reject(broken, None, None, "camera")
                desk.prompt = Refused(broken, desk.differences)
            case _:
                desk.prompt = standing(desk)

    def _asked(self, about: Doubt | None) -> bool:
        """Ask people about a coin on which the ruling hangs; whether there is one."""
        reading = self._desk.reading
        if about and reading:
            self._desk.doubt(about.coin)
            self._desk.prompt = about_coin(self._desk, about, reading.frame)
        return bool(about and reading)

    def _misplaced(self, match: Match, belief: TableBelief) -> IllegalAction | None:
        """The clause that is broken when no act explains the table; None when no clause says so."""
        layout, was = match.game.layout(match.state), self._desk.shown
        if was is not None:
            seen = {zone: _kindly(belief[zone], was.get(zone, pile), pile) for zone, pile in layout.items()}
            if broken := match.game.misplaced(match.state, was, seen):
                return broken
        return _out_of_a_bank(self._desk.differences) if self._desk.expected is Expected.FOLLOWING else None

    def return_to(self, source: int, belief: TableBelief) -> None:
        """Take back the newest `source` acts of the turn: the table does not show them any more."""
        if source:
            self._scribe.take_back(source, "camera")
            match = self._desk.playing()
            self._desk.differences = belief.differences(match.game.layout(match.state))

    def _judge_toss(self, match: Match, prompt: TossDue) -> None:
        """Read a toss once its coins lie in their zones, tossed, complete and alone (ruling G1)."""
        desk, due, mat = self._desk, match.game.tosses_due(match.state), mats.load(match.mat)
        now = [coin for coin in desk.coins() if coin.zone in due]
        before = tuple(now) if desk.untossed is None else desk.untossed  # unknown: they may all have lain there
        desk.untossed = untouched(before, now)
        desk.falls = desk.falls.of(match)
        falls = desk.falls.seeing(desk.read(), desk.coins(), desk.untossed, mat)
        if falls.left(match):
            self._scribe.fell(falls)
        else:  # the toss is ruled on at once
            desk.falls = falls
        coins, left, again = desk.falls.counted(desk.coins()), desk.falls.left(match), match.started.bad_coin
        badly = toss.fallen_badly(coins, left, mat, again)
        if badly:
            desk.prompt = TossDue(badly)
            if again == "all":
                desk.untossed = tuple(now)
                self._scribe.fell(Falls())
            return
        belief, there = TableBelief(coins), [coin for coin in coins if coin.zone in due]
        wrong = toss.lacking(due, belief)
        lies = untouched([coin for coin in there if coin.zone in left], desk.untossed)
        if wrong and not lies and self._asked(doubt.in_wrong_toss(due, belief, there)):
            return
        if wrong:
            thrown = None if lies else toss.wrong_coins(match, belief, due)
            if thrown:
                action, broken = thrown
                desk.differences = belief.differences({zone: Pile(heap) for zone, heap in due.items()})
                self._scribe.reject(broken, action, match.game.actor(match.state, action), "camera")
                desk.prompt = Refused(broken, desk.differences)
            elif desk.falls.touched:
                zones = [zone_name(zone) for zone in desk.falls.touched]
                desk.prompt = TossDue(Message("referee.toss.counted", {"zones": zones, "lacking": wrong}))
            else:
                desk.prompt = TossDue(wrong) if there else prompt
            return
        if lies:
            desk.prompt = TossDue(Message("referee.toss.stale"))
            return
        results, doubts = toss.results(match, belief, due), doubt.in_toss(due, there)
        if len(doubts) == 1:
            self._asked(doubts[0])
        elif not results:  # too many doubtful coins: those due are not among the likely piles
            desk.prompt = TossDue(Message("referee.toss.unread"))
        elif results[0][1] >= CERTAIN and not doubts:
            self._scribe.carry((results[0][0],), 0, "camera")
            self.changed()
        else:
            for each in doubts:
                desk.doubt(each.coin)
            desk.prompt = question(desk, "referee.ask.toss", _answers(match, belief, results))

    def finish(self, seat: Seat, action: Action | None) -> None:
        """DONE on a settled table: rule on what was done, and close the turn unless that is refused."""
        before, turn = self._desk.ruled, self.turn
        self.judge(finished=True)
        refused = self._desk.ruled != before and self._desk.ruling and not self._desk.ruling.accepted
        if not refused and self.turn == turn:
            self.close_turn(seat, action)

    @property
    def turn(self) -> tuple[tuple[Seat, ...], str]:
        """Who is to do what. An act that changes it, such as a coin broken after a steal, needs no DONE."""
        match = self._desk.playing()
        return match.game.to_act(match.state), match.game.phase(match.state)

    def close_turn(self, seat: Seat, action: Action | None) -> None:
        """DONE: `action`, or the one that ends the turn and is legal now (done, keep, skip, reveal).

        While a question is open it waits for the answer.
        """
        desk, match = self._desk, self._desk.match
        if isinstance(desk.prompt, Asking):
            desk.waiting = DoneDuringQuestion(seat, action)
            return
        if not match or isinstance(desk.prompt, Lobby | Over | Unfinished):
            return
        if seat not in match.game.to_act(match.state):
            return
        if isinstance(desk.prompt, Arrange | Paused | OnEdge | Refused) and not desk.by_hand:
            self._reject_unfinished(seat)
            return
        acts = closing(match) if action is None else [action]
        if not acts:  # Coin Wars with a player called heads: no act of it ends a turn
            return
        legal = [act for act in acts if is_legal(match, act)]
        self._scribe.carry(tuple((legal or acts)[:1]), 0, "button")
        self.changed()

    def _reject_unfinished(self, seat: Seat) -> None:
        """DONE while the table does not show a position of the game."""
        broken = IllegalAction("unfinished", steps=steps(self._desk.differences))
        self._scribe.reject(broken, None, seat, "button")

    def changed(self, expected: Expected = Expected.ARRANGING) -> None:
        """The state moved: compare the table with it, and say what is to be done now.

        `expected` of the table from now on; one that is being restored must be restored first.
        """
        desk, match = self._desk, self._desk.playing()
        taken_back = desk.expected is Expected.RESTORING
        desk.falls = Falls() if taken_back and desk.falls.ruled else desk.falls.after(match)
        if not taken_back:
            desk.expected = expected
        desk.waiting = None  # a DONE that waits was meant for the state before
        self._scribe.complained = None
        coins = desk.coins()
        due = match.game.tosses_due(match.state)
        desk.untossed = tuple(coin for coin in coins if coin.zone in due) if desk.reading else None
        known = desk.settled or (taken_back and desk.reading)  # what was taken back surely lies there still
        desk.differences = TableBelief(coins).differences(match.game.layout(match.state)) if known else ()
        if desk.settled and not desk.differences:
            desk.expected = Expected.FOLLOWING
        desk.prompt = standing(desk)


def _clearing(match: Match, belief: TableBelief) -> bool:
    """Whether people take the tossed coins back that lie in a tray until the turn ends, or have done so: then the table
    lies between this state and the one after DONE."""
    game, start = match.game, match.game.layout(match.state)
    trays = [zone for zone, pile in start.items() if zone_kind(zone) is ZoneKind.TRAY and len(pile.heap)]
    after = [game.apply(match.state, act) for act in closing(match) if is_legal(match, act)] if trays else []
    emptied = {**start, **dict.fromkeys(trays, Pile())}
    ends = [{**emptied, **game.untossed(state), **game.layout(state)} for state in after]
    return explain.on_the_way(start, ends, belief) is not None


def _coins(differences: Sequence[Difference]) -> int:
    """How many coins are to be moved: what was lawful before a mistake may stay."""
    return sum(len(one.missing) + len(one.extra) + len(one.turned) for one in differences)


def _answers(match: Match, belief: TableBelief, results: Sequence[tuple[Action, float]]) -> list[Choice]:
    """The answers to a toss that cannot be read for sure, likeliest first; other coins than those due among them."""
    answers = [
        Choice(match.game.tell(match.state, action), (action,))
        for action, share in results[:_ANSWERS]
        if share > _HARDLY
    ]
    other = toss.other_coins(match, belief, match.game.tosses_due(match.state))
    rest = 1 - sum(share for _, share in results)
    if other and rest > _HARDLY:
        action, broken = other
        place = 0 if rest > results[0][1] else len(answers)
        answers.insert(place, Choice(Message("referee.ask.other"), (action,), broken=broken))
    return answers


def _kindly(zone: ZoneBelief, was: Pile, due: Pile) -> Heap:
    """The heap in the zone: the one due or the one before if either fits, else the likeliest. Doubt accuses nobody."""
    return next((pile.heap for pile in (due, was) if zone.ratio(pile) >= FITS), zone.likeliest)


def _out_of_a_bank(differences: Sequence[Difference]) -> IllegalAction | None:
    """The refusal when the only difference is that one bank has too few coins; else None."""
    if len(differences) != 1 or zone_kind(differences[0].zone) is not ZoneKind.BANK:
        return None
    (only,) = differences
    if only.extra or only.turned:
        return None
    return IllegalAction("bank.taken", coins=only.missing, bank=zone_name(only.zone))
