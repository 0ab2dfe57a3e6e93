"""Ruling on the settled table: what was done, how a toss fell, whether a turn may end."""

from __future__ import annotations

from collections.abc import Sequence

from tablecoin import mat as mats
from tablecoin.coins import Heap
from tablecoin.referee import toss
from tablecoin.referee.belief import Difference, TableBelief, ZoneBelief
from tablecoin.referee.choices import Choice, closing, is_legal
from tablecoin.referee.desk import Desk, to_put_right
from tablecoin.referee.explain import CERTAIN, FITS, Accepted, Ask, Refused, Unchanged, Unfinished, explain
from tablecoin.referee.match import Match
from tablecoin.referee.prompt import ask, explained, refused, stand, stop_for
from tablecoin.referee.scribe import Scribe
from tablecoin.referee.toss import across_edges, untouched
from tablecoin.referee.voice import zone_name
from tablecoin.rules.game import Action, IllegalAction, Pile, Seat
from tablecoin.rules.rulebook import Message
from tablecoin.rules.zones import ZoneKind, zone_kind

_ANSWERS = 8  # offered for a toss that cannot be read, at most
_NOT_AS_IT_SHOULD = ("arrange", "paused", "refused")  # prompts that say what is to be put right
_HARDLY = 0.002  # results less likely than this are not offered


class Judging:
    """Looks at the Desk and has the Scribe record what it finds."""

    def __init__(self, desk: Desk, scribe: Scribe) -> None:
        self._desk, self._scribe = desk, scribe

    def judge(self, *, finished: bool) -> None:
        """Rule on the settled table."""
        match = self._desk.match
        if not match or not self._desk.settled:
            return
        game, state = match.game, match.state
        belief = TableBelief(self._desk.coins())
        layout = game.layout(state)
        self._desk.differences = belief.differences(layout)
        if belief.ratio(layout) >= FITS:
            self._desk.strictly = False
            if self._desk.arranging:  # people were told what to put where, so what may be that is that
                self._desk.learn(layout)
                self._desk.differences, self._desk.arranging = (), False
                belief = TableBelief(self._desk.coins())
        if self._desk.strictly or game.outcome(state) or game.tosses_due(state):
            stand(self._desk)
            if game.tosses_due(state) and self._desk.kind == "flip":
                self._judge_toss(match, belief)
            return
        astray = across_edges(self._desk.coins(), mats.load(match.mat))
        if astray:
            stop_for(self._desk, astray)
            return
        verdict = explain(game, match.turn_states(), belief, finished=finished and not self._desk.arranging)
        match verdict:
            case Unchanged():
                self._desk.learn(layout)
                self._desk.arranging = False
                self._desk.differences = ()
                stand(self._desk)
            case Accepted(best):
                self._desk.arranging = False
                self._scribe.carry(best.actions, best.source, "camera")
                self._desk.learn(game.layout(best.state))
                self.changed(arranging=False)
            case Refused(best) if not self._desk.arranging and best.broken:
                self.return_to(best.source, belief)
                *after, action = best.actions
                self._scribe.reject(best.broken, action, game.actor(state, action), "camera", after)
                refused(self._desk, best.broken)
            case Ask(candidates) if not self._desk.arranging:
                ask(self._desk, "referee.ask", [explained(match, candidate) for candidate in candidates])
            case Unfinished() if not self._desk.arranging:
                self._desk.kind, self._desk.said, self._desk.choices = "unfinished", Message("referee.unfinished"), ()
                if finished:
                    steps = to_put_right(self._desk.differences)
                    self._scribe.reject(IllegalAction("unfinished", **steps), None, game.to_act(state)[0], "button")
            case _ if broken := self._misplaced(match, belief):
                self._scribe.reject(broken, None, None, "camera")
                refused(self._desk, broken)
            case _:
                stand(self._desk)

    def _misplaced(self, match: Match, belief: TableBelief) -> IllegalAction | None:
        """The clause broken where no act explains how the coins lie; None where none can be named."""
        layout, was = match.game.layout(match.state), self._desk.shown
        if was is not None:
            seen = {zone: _kindly(belief[zone], was.get(zone, pile), pile) for zone, pile in layout.items()}
            if broken := match.game.misplaced(match.state, was, seen):
                return broken
        return None if self._desk.arranging else _out_of_a_bank(self._desk.differences)

    def return_to(self, source: int, belief: TableBelief) -> None:
        """What was done in the turn is not on the table any more: judge from the state it shows instead."""
        if source:
            self._scribe.take_back(source, "camera")
            match = self._desk.playing()
            self._desk.differences = belief.differences(match.game.layout(match.state))

    def _judge_toss(self, match: Match, belief: TableBelief) -> None:
        """Read a flip once its coins lie in their zones, tossed, complete and alone (rules.md §0, FLIP)."""
        desk, due = self._desk, match.game.tosses_due(match.state)
        there = [coin for coin in desk.coins() if coin.zone in due]
        if self._desk.stale is None:  # after a restart, or without pictures, nobody knows what lay there before
            self._desk.stale = tuple(there)
        self._desk.stale = untouched(self._desk.stale, there)
        again = match.started.bad_coin
        badly = toss.fallen_badly(desk.coins(), due, mats.load(match.mat), again)
        if badly:
            desk.said = badly
            self._desk.stale = tuple(there) if again == "all" else self._desk.stale
            return
        wrong = toss.lacking(due, belief)
        lies = untouched(there, self._desk.stale)
        if wrong:
            desk.said = wrong if there else desk.said
            thrown = None if lies else toss.wrong_coins(match, belief, due)
            if thrown:
                action, broken = thrown
                desk.differences = belief.differences({zone: Pile(heap) for zone, heap in due.items()})
                self._scribe.reject(broken, action, match.game.actor(match.state, action), "camera")
                refused(desk, broken)
            return
        if lies:
            desk.said = Message("referee.toss.stale")
            return
        results = toss.results(match, belief, due)
        if not results:  # so many doubtful coins that those due are not among what they likely are
            desk.said = Message("referee.toss.unread")
        elif results[0][1] >= CERTAIN:
            self._scribe.carry((results[0][0],), 0, "camera")
            self.changed()
        else:
            answers = [
                Choice(match.game.tell(match.state, action), (action,))
                for action, share in results[:_ANSWERS]
                if share > _HARDLY
            ]
            other, rest = toss.other_coins(match, belief, due), 1 - sum(share for _, share in results)
            if other and rest > _HARDLY:
                action, broken = other
                place = 0 if rest > results[0][1] else len(answers)
                answers.insert(place, Choice(Message("referee.ask.other"), (action,), broken=broken))
            ask(self._desk, "referee.ask.toss", answers)

    def finish(self, seat: Seat, action: Action | None) -> None:
        """DONE with the table settled: what was done is ruled on; unless that is refused, the turn is closed."""
        before = self._desk.ruling
        self.judge(finished=True)
        if self._desk.ruling is before or (self._desk.ruling and self._desk.ruling.accepted):
            self.close_turn(seat, action)

    def close_turn(self, seat: Seat, action: Action | None) -> None:
        """DONE: `action`, or the one that ends the turn and is legal now (done, keep, skip, reveal).

        While a question is open it waits for the answer.
        """
        match = self._desk.match
        if self._desk.kind == "question":
            self._desk.waiting = seat, action
            return
        if (
            not match
            or self._desk.kind not in ("turn", "flip", *_NOT_AS_IT_SHOULD)
            or seat not in match.game.to_act(match.state)
        ):
            return
        if self._desk.kind in _NOT_AS_IT_SHOULD and not self._desk.camera_problem:
            steps = to_put_right(self._desk.differences)
            self._scribe.reject(IllegalAction("unfinished", **steps), None, seat, "button")
            return
        acts = closing(match) if action is None else [action]
        if not acts:  # a game without such acts, played by somebody named like a side
            return
        legal = [act for act in acts if is_legal(match, act)]
        self._scribe.carry(tuple((legal or acts)[:1]), 0, "button")
        self.changed()

    def changed(self, *, arranging: bool = True) -> None:
        """The state moved: say what is to be done now, and compare the table with it."""
        match = self._desk.playing()
        self._desk.arranging = arranging
        self._desk.waiting = None  # a DONE not yet heard was for what stood before
        self._scribe.complained = None
        belief = TableBelief(self._desk.coins())
        layout = match.game.layout(match.state)
        self._desk.differences = belief.differences(layout) if self._desk.settled else ()
        self._desk.stale = None  # without a picture nobody knows what lies there
        if self._desk.reading:
            due = match.game.tosses_due(match.state)
            self._desk.stale = tuple(coin for coin in self._desk.coins() if coin.zone in due)
        if self._desk.settled and not self._desk.differences:
            self._desk.arranging = self._desk.strictly = False
        stand(self._desk)


def _kindly(zone: ZoneBelief, was: Pile, due: Pile) -> Heap:
    """What lies there; as it lay or as it should lie where that may be: nobody is accused of what is not sure."""
    return next((pile.heap for pile in (due, was) if zone.ratio(pile) >= FITS), zone.likeliest)


def _out_of_a_bank(differences: Sequence[Difference]) -> IllegalAction | None:
    """The refusal where all that is wrong is that one bank has too little; None elsewhere."""
    if len(differences) != 1 or zone_kind(differences[0].zone) is not ZoneKind.BANK:
        return None
    (only,) = differences
    if only.extra or only.turned:
        return None
    return IllegalAction("bank.taken", coins=only.missing, bank=zone_name(only.zone))
