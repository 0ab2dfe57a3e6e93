"""What is found again in the journal after a restart: the last ruling, and what people said about coins since then.

So people see whether their last act was accepted, and nobody is asked about the same coin again.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import takewhile

from tablecoin.referee.desk import Ruling
from tablecoin.referee.events import REMARKS, Acted, Corrected, Ended, Event, Rejected, Started, TakenBack
from tablecoin.referee.match import Match, replay
from tablecoin.referee.memory import Memory, Overruled, near
from tablecoin.referee.voice import seat_name
from tablecoin.rules.game import IllegalAction, RulesError
from tablecoin.rules.rulebook import Message
from tablecoin.vision.frame import Disc, SeenCoin, whichever

_LOOKED = ("camera", "answer")  # pictures are kept with these; with a button's ruling only if a camera looked


def last_ruling(events: Sequence[Event], count: int) -> Ruling | None:
    """The last ruling of the game of `events`, the newest of which has number `count` in the journal; None before any.

    A ruling may be several events of one group. Remarks such as a correction of a coin or a hint are none.
    """
    standing = list(events)
    while standing and isinstance(standing[-1], REMARKS):
        standing.pop()
        count -= 1
    if not standing:
        return None
    last = standing[-1]
    first = len(standing) - 1
    while first and standing[first - 1].group == last.group and type(standing[first - 1]) is type(last):
        first -= 1
    return ruling_of(replay(standing[:first]), standing[first:], count)


def taken_back(events: Sequence[Event]) -> bool:
    """Whether people took the newest act of `events` back, or corrected a toss: coins of it may lie on the table still.
    What the table itself showed as taken back lies there no more."""
    rulings = [event for event in events if not isinstance(event, (*REMARKS, Rejected))]
    acts = list(takewhile(lambda event: isinstance(event, Acted), reversed(rulings)))[::-1]
    before = rulings[: len(rulings) - len(acts)]
    last = before[-1] if before else None
    if not isinstance(last, TakenBack) or last.by in _LOOKED:
        return False
    return not acts or _corrected(before, last, [act for act in acts if isinstance(act, Acted)])


def _corrected(before: Sequence[Event], last: TakenBack, acts: Sequence[Acted]) -> bool:
    """Whether `acts` are a toss corrected after `before`, and of the acts taken back with it those done again.

    The corrected toss belongs to the same ruling as what was taken back. The first act that was not done again had
    become illegal, so people cannot have done it since.
    """
    back = list(takewhile(lambda event: event == last, reversed(before)))
    match = replay(before[: len(before) - len(back)])
    if match is None or acts[0].group != last.group or len(acts) > len(back):
        return False
    again = zip(acts[1:], match.plies[len(match.plies) - len(back) + 1 :], strict=False)
    return all(match.game.read_action(act.action) == ply.action for act, ply in again)


def ruling_of(before: Match | None, ruled: Sequence[Event], count: int) -> Ruling | None:
    """The ruling whose events, all of one kind, are `ruled`; the newest has number `count`. None where it is none.

    `before`: the match before it. Nothing sealed is in it.
    """
    last = ruled[-1]
    match last:
        case Acted() if before:
            return _acted(before, [event for event in ruled if isinstance(event, Acted)], count)
        case TakenBack() if before:
            return _taken_back(before, len(ruled), last.by, count)
        case Rejected() if before:
            return _rejected(before, last, count)
        case Ended() if before:
            outcome = before.take(last).outcome
            return Ruling(count, True, outcome.reason, last.seat) if outcome else None
        case Started():
            return Ruling(count, True, Message("referee.began", {"title": Match.begin(last).game.title}), None)
        case _:
            return None


def told_since(events: Sequence[Event]) -> Memory:
    """What people said about coins since the last act or undo. Coins said before it are part of the state.

    Events of before November 2026 do not tell how the coin was read, so they are left out.
    """
    found: list[Overruled] = []
    for event in reversed(events):
        if isinstance(event, Acted | TakenBack | Started):
            break
        if isinstance(event, Corrected) and event.disc_px and event.read and event.heads is not None:
            seen = SeenCoin(Disc(*event.disc_px), event.read, whichever(event.heads), False, event.place_mm)
            if not any(near(one.place_mm, event.place_mm) for one in found):  # the newest word on a coin counts
                found.append(Overruled(event.place_mm, event.denomination, event.face, seen))
    return Memory(tuple(found))


def _acted(match: Match, acts: Sequence[Acted], number: int) -> Ruling:
    said = []
    for event in acts:
        action = match.game.read_action(event.action)
        said.append(match.game.tell(match.state, action))
        shown = match.game.write_shown(action)
        match = match.take(event)
    message = Message("referee.several", {"said": said})
    return Ruling(number, True, message, acts[-1].seat, action=shown, evidence=acts[-1].by in _LOOKED)


def _taken_back(match: Match, count: int, by: str, number: int) -> Ruling:
    taken = match.plies[-count:]  # a reveal takes the sealed choices it opened with it
    undone = next((ply for ply in taken if isinstance(ply.action, match.game.unsealing)), taken[0])
    if by == "camera":
        seat = match.game.to_act(undone.before)[0]
        return Ruling(number, True, Message("referee.took_back", {"seat": seat_name(seat)}), seat)
    what = match.game.tell(undone.before, undone.action)
    return Ruling(number, True, Message("referee.undone", {"what": what}), undone.seat)


def _rejected(match: Match, event: Rejected, number: int) -> Ruling:
    """The act is judged again, so that the refusal has its sentence in every language; else the stored English one."""
    message, seat = Message("referee.several", {"said": event.why}), None
    if event.action is None:
        return Ruling(number, False, message, seat, event.clause)
    try:
        action = match.game.read_action(event.action)
        seat = match.game.actor(match.state, action)
        if match.game.seals(action):
            sealed = Message("referee.sealed", {"seat": seat_name(seat)})
            return Ruling(number, False, sealed, seat, action=match.game.write_shown(action))
        state = match.state
        for earlier in event.after:
            state = match.game.apply(state, match.game.read_action(earlier))
        match.game.apply(state, action)
    except IllegalAction as broken:
        message = broken.message if broken.clause == event.clause else message
    except RulesError:
        pass
    return Ruling(number, False, message, seat, event.clause, dict(event.action), evidence=event.by in _LOOKED)
