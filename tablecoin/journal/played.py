"""One game as the list of games shows it: who played what and when, how it ended, and how much was ruled on.

It is counted from the game's events, each read once and in its order. Nothing sealed is in it.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

import msgspec
from msgspec.structs import force_setattr

from tablecoin.journal.journal import BadLine, Numbered
from tablecoin.journal.stopwatch import played_s
from tablecoin.journal.tosses import Toss, Tosses
from tablecoin.referee.events import (
    Acted,
    BadCoin,
    BestOf,
    Corrected,
    Ended,
    Event,
    Hints,
    Level,
    OddsShown,
    Player,
    Rejected,
    Started,
    TakeBack,
    TakenBack,
    TimeControl,
)
from tablecoin.referee.match import Match
from tablecoin.referee.snapshot import Texts
from tablecoin.rules.game import ANYONE, TABLE, RulesError, Seat
from tablecoin.rules.rulebook import texts

log = logging.getLogger(__name__)

_LONGEST = timedelta(hours=12)  # no game takes longer, but a clock that was set may tell so


class Ending(msgspec.Struct, frozen=True):
    """How a game ended. Several winners share; none means nobody won."""

    winners: tuple[Seat, ...]
    texts: Texts


class PlayedGame(msgspec.Struct, frozen=True):
    """A game in the list of games."""

    number: int  # in the journal, from 1
    game: str
    options: Mapping[str, Any]  # its house rules
    seats: Mapping[Seat, Player]
    names: Mapping[Seat, str]  # of the people who gave theirs
    level: Level  # how well computers played
    best_of: BestOf  # games of its series; 1: it stood alone
    bad_coin: BadCoin  # what was thrown again when a coin did not fall flat
    odds: OddsShown  # when the chances of the seats were shown
    hints: Hints  # who might ask for a hint
    undo: TakeBack  # whether the others were asked before something of theirs was taken back
    clock: TimeControl | None  # the chess clock; null: it was played without one
    began: str  # ISO 8601, UTC
    ended: str | None  # the same; null: it was left, or it is still played
    outcome: Ending | None
    rulings: int  # accepted
    refusals: int
    corrections: int  # of single coins
    undone: int  # rulings taken back
    whole: bool  # false: today's tablecoin could not read all of it, and tells of it up to there
    verified: bool = True  # false: damage to the journal may have altered it
    lasted_s: float | None = None  # until it ended, without pauses of the program; null: nobody knows

    def __post_init__(self) -> None:
        """Where an older program counted the game or wrote its events, the times tell how long it lasted, if likely."""
        if self.lasted_s is None and self.ended is not None:
            force_setattr(self, "lasted_s", _lasted_s(self.began, self.ended))


class Counted(msgspec.Struct, frozen=True):
    """What one game adds to the history. `played` is null where not even its start can be read."""

    played: PlayedGame | None
    tosses: tuple[Toss, ...]


class Counting:
    """Counts one game. It is counted up to a line that today's rules refuse or that cannot be read."""

    def __init__(self, number: int) -> None:
        self.number = number
        self._tosses = Tosses(number)
        self._match: Match | None = None
        self._began = self._changed = ""  # when
        self._played_s: float | None = None  # until the last change
        self._ruled: set[int] = set()  # groups of acts
        self._undone: set[int] = set()  # groups of acts taken back
        self._refusals = self._corrections = 0
        self._stopped = False

    def take_line(self, line: Numbered) -> None:
        """Count the next event, as it is written. One that cannot be read hides all tosses of its game."""
        try:
            self.take(line.at, line.event, played_s(line.body))
        except BadLine as error:
            log.warning("game %d is counted up to event %d: %s", self.number, line.number, error)
            self._tosses, self._stopped = Tosses(self.number), True

    def take(self, at: str, event: Event, played: float | None = None) -> None:
        """Count the next event, written down at the time `at`, after so many seconds of play."""
        if self._stopped:
            return
        try:
            if isinstance(event, Started):
                self._match, self._began = Match.begin(event), at
                return
            if self._match is None:
                self._stopped = True
                return
            before, self._match = self._match, self._match.take(event)
        except RulesError:
            self._stopped = True
            return
        self._tosses.take(at, event, before, self._match)
        if isinstance(event, Acted | TakenBack | Ended):
            self._changed, self._played_s = at, played
        match event:
            case Acted():
                self._ruled.add(event.group)
            case TakenBack():
                self._undone.add(event.group)
            case Rejected():
                self._refusals += 1
            case Corrected():
                self._corrections += 1

    @property
    def counted(self) -> Counted:
        """What was counted so far."""
        return Counted(self._played(self._match) if self._match else None, self._tosses.found)

    def _played(self, match: Match) -> PlayedGame:
        started, outcome = match.started, match.outcome
        by_names = not match.game.seats(match.game.read_options({}))  # people sit down by their names
        came = (ply.seat for ply in match.plies if ply.seat not in (TABLE, ANYONE))
        fixed = match.game.seats(match.game.read_options(started.options))
        seats = fixed or tuple(dict.fromkeys((*started.seats, *came)))
        return PlayedGame(
            number=self.number,
            game=started.game,
            options=started.options,
            seats={seat: started.seats.get(seat, "person") for seat in seats},
            names={seat: seat for seat in seats} if by_names else started.names,
            level=started.level,
            best_of=started.series.best_of,
            bad_coin=started.bad_coin,
            odds=started.odds,
            hints=started.hints,
            undo=started.undo,
            clock=started.clock,
            began=self._began,
            ended=self._changed if outcome else None,
            outcome=Ending(outcome.winners, texts(outcome.reason)) if outcome else None,
            rulings=len(self._ruled),
            refusals=self._refusals,
            corrections=self._corrections,
            undone=len(self._undone),
            whole=not self._stopped,
            lasted_s=self._played_s if outcome else None,
        )


def _lasted_s(began: str, ended: str) -> float | None:
    """The seconds between two times; None where the clock was probably set between them."""
    try:
        lasted = datetime.fromisoformat(ended) - datetime.fromisoformat(began)
    except (ValueError, TypeError):
        return None
    return lasted.total_seconds() if timedelta(0) <= lasted <= _LONGEST else None
