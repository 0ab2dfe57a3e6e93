"""Who may ask for a hint, and what a hint may rest on: the house rule, one's own turn, and what one's seat may see."""

from __future__ import annotations

from tablecoin.referee.belief import Difference, apart
from tablecoin.referee.commands import CommandError, NotYourSeat
from tablecoin.referee.match import Match
from tablecoin.referee.voice import seat_name
from tablecoin.rules.game import ANYONE, TABLE, Action, Pile, RulesError, Seat, State
from tablecoin.rules.rulebook import Message


def may_ask(match: Match, seat: Seat) -> bool:
    """Whether the house rule lets `seat`, a person who is to act, ask for a hint."""
    started = match.started
    if match.ended or seat in (TABLE, ANYONE) or started.seats.get(seat) == "computer":
        return False
    return started.hints == "always" or (started.hints == "practice" and "computer" in started.seats.values())


def asker(match: Match, seat: Seat | None) -> Seat:
    """The seat that a hint is for. `seat`: who asks; None: somebody at the table, for the only seat to act.

    Raises CommandError where the house rule allows no hint or several seats are to act, NotYourSeat out of turn.
    """
    due = match.game.to_act(match.state)
    if not any(may_ask(match, each) for each in due):
        raise CommandError(Message("hint.nobody" if due in ((), (TABLE,)) else "hint.rule"))
    if seat is None:
        if len(due) > 1:
            raise CommandError(Message("hint.whose"))
        return due[0]
    if seat not in due:
        raise NotYourSeat(Message("hint.turn", {"seat": seat_name(seat)}))
    return seat


def view_of(match: Match, seat: Seat | None) -> State:
    """The state with only what `seat` may see of it; None: what everybody may see.

    Raises CommandError where that is not enough to think about: the house rules hide what was played.
    """
    try:
        view: State = match.game.read_state(match.game.public(match.state, seat))
    except RulesError:
        raise CommandError(Message("hint.hidden")) from None
    return view


def open_state(match: Match) -> State | None:
    """The newest state of the match that hides nothing from anybody, if all that was done since is sealed.

    None where something was done since that everybody saw: with the past hidden no later state is open, and an earlier
    one says nothing about play as it is now. A game that its rules have ended is worth its outcome, which all may see.
    """
    if match.game.outcome(match.state) or _is_open(match, match.state):
        return match.state
    for ply in reversed(match.plies):
        if not match.game.seals(ply.action):
            return None
        if _is_open(match, ply.before):
            return ply.before
    return None


def moves(match: Match, state: State, action: Action) -> tuple[Difference, ...]:
    """What to change on the table to do `action` in `state`: the coins to add, to take away, and to turn over."""
    before, after = match.game.layout(state), match.game.layout(match.game.apply(state, action))
    return tuple(found for zone in after if (found := _change(zone, before.get(zone, Pile()), after[zone])))


def _change(zone: str, before: Pile, after: Pile) -> Difference | None:
    if before == after:
        return None
    missing, extra = apart(after.heap, before.heap)
    turned, _ = apart(after.heads or before.heads or after.heap, before.heads or after.heads or after.heap)
    return Difference(zone, missing, extra, turned if before.heap == after.heap else type(turned)())


def _is_open(match: Match, state: State) -> bool:
    try:
        return bool(match.game.read_state(match.game.public(state, None)) == state)
    except RulesError:
        return False
