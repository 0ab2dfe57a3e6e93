"""From a game's events to its record, which people read, compare, pass on and replay."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain, repeat
from typing import NamedTuple

from msgspec import to_builtins

from tablecoin.journal.record import Entry, Record
from tablecoin.referee.events import (
    Acted,
    Clocked,
    Consent,
    Corrected,
    Disputed,
    Ended,
    Event,
    Fell,
    Hinted,
    Paused,
    Rejected,
    Started,
    TakenBack,
)
from tablecoin.referee.match import Match
from tablecoin.rules.rulebook import Complaint, Message, sentence


class NoGame(Complaint, ValueError):
    """There is no game to write a record of."""


class Exported(NamedTuple):
    """The record of a game, and which of its events each entry tells, counted from 0; the last entry tells none."""

    record: Record
    events: tuple[int, ...]


def record_of(events: Iterable[tuple[str, Event]], digests: Iterable[str | None] = (), verified: bool = True) -> Record:
    """The record that `exported` makes."""
    return exported(events, digests, verified).record


def exported(
    events: Iterable[tuple[str, Event]], digests: Iterable[str | None] = (), verified: bool = True
) -> Exported:
    """The record of one game from its (when, event) lines. Its last line holds the state the game stands in.

    `digests` are those of the evidence kept with each event, in the same order. The record is open to everybody, so of
    what follows a choice that is still sealed it tells only that people ended the game. `verified` is false where
    damage to the journal may have altered the game; the header then says so. Raises NoGame when no game was started.
    """
    match: Match | None = None
    header: Record | None = None
    entries: list[tuple[int, Entry]] = []
    sealed: tuple[int, Match] | None = None  # lines and match before the first act that is still sealed
    for number, ((at, event), digest) in enumerate(zip(events, chain(digests, repeat(None)), strict=False)):
        if isinstance(event, Started):
            match = Match.begin(event)
            people = {"seats": dict(event.seats), "names": dict(event.names)}
            clock = {"clock": to_builtins(event.clock)} if event.clock else {}
            doubt = {} if verified else {"verified": False}
            header = Record(event.game, event.options, (), people | clock | {"t": at} | doubt)
        elif match:
            if sealed is None and _seals(match, event):
                sealed = len(entries), match
            extra: dict[str, object] = {"t": at, "evidence": digest} if digest else {"t": at}
            entries.append((number, _entry(extra, event, match)))
            match = match.take(event)
            if isinstance(event, Acted) and isinstance(match.plies[-1].action, match.game.unsealing):
                sealed = None
    if match and sealed:
        upto, match = sealed
        entries = entries[:upto] + [each for each in entries[upto:] if each[1].event == "ended"]
    if match is None or header is None:
        raise NoGame(Message("record.none"))
    end = Entry(event="end", state=match.game.write_state(match.state))
    told = Record(header.game, header.options, (*(entry for _, entry in entries), end), header.extra)
    return Exported(told, tuple(number for number, _ in entries))


def _seals(match: Match, event: Event) -> bool:
    written = event.action if isinstance(event, Acted | Rejected) else None
    return written is not None and match.game.seals(match.game.read_action(written))


def _entry(extra: dict[str, object], event: Event, match: Match) -> Entry:
    match event:
        case Acted():
            said = sentence(match.game.tell(match.state, match.game.read_action(event.action)))
            return Entry(action=event.action, extra={"said": said, "seat": event.seat, "by": event.by} | extra)
        case TakenBack():
            return Entry(event="undo", extra={"by": event.by} | extra)
        case Rejected(action=None):
            return Entry(event="refused", clause=event.clause, extra={"why": event.why, "by": event.by} | extra)
        case Rejected():
            why = {"why": event.why, "by": event.by} | extra
            return Entry(action=event.action, ok=False, clause=event.clause, after=event.after, extra=why)
        case Corrected():
            coin: dict[str, object] = {
                "place_mm": event.place_mm,
                "denomination": event.denomination,
                "face": event.face,
                "coin": event.coin,
                "disc_px": event.disc_px,
                "read": event.read,
                "heads": event.heads,
                "asked": event.asked,
            }
            return Entry(event="correct", extra=coin | extra)
        case Fell():
            return Entry(event="fell", extra={"zone": event.zone, "coins": to_builtins(event.coins)} | extra)
        case Hinted():
            return Entry(event="hint", extra={"seat": event.seat, "advised": event.action} | extra)
        case Consent():
            return Entry(event="consent", extra={"what": event.what, "step": event.step, "seat": event.seat} | extra)
        case Disputed():
            return Entry(
                event="dispute", extra={"ruling": event.ruling, "step": event.step, "seat": event.seat} | extra
            )
        case Paused():
            return Entry(event="pause", extra={"step": event.step, "seat": event.seat} | extra)
        case Clocked():
            return Entry(event="clock", extra={"used_s": dict(event.used_s), "over": event.over} | extra)
        case Ended():
            outcome = match.take(event).outcome
            told = {"how": event.how, "seat": event.seat, "winners": event.winners}
            return Entry(event="ended", extra=told | {"why": sentence(outcome.reason) if outcome else ""} | extra)
        case Started():
            raise ValueError("a game starts once")
