"""From the journal's events to the messages that tell of them.

Each event is told by itself and from the journal alone, so it has the same message whenever it is sent. Of a sealed
choice only its kind is told, also after it was opened: the event that opens it tells what was in it.
"""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Iterator, Mapping
from typing import Any, Protocol

from tablecoin.journal.journal import BadLine, Journal, Numbered
from tablecoin.mqtt.messages import Began, GameResult, Ruling, Texts
from tablecoin.referee.desk import Ruling as Ruled
from tablecoin.referee.events import (
    Acted,
    Corrected,
    Disputed,
    Ended,
    Event,
    Hinted,
    Rejected,
    Started,
    TakenBack,
)
from tablecoin.referee.match import Match
from tablecoin.referee.recall import ruling_of
from tablecoin.rules.game import RulesError, Seat
from tablecoin.rules.rulebook import Message, texts

log = logging.getLogger(__name__)


class Assigned(Protocol):
    games: dict[int, str]  # number of a game -> the assignment that it is played for


class Narrator:
    """Tells one game after the other. Give it the events in their order, from the start of a game on."""

    def __init__(self, table: str, journal: str, assigned: Assigned) -> None:
        self._table, self._journal, self._assigned = table, journal, assigned
        self.number = 0  # of the newest game; 0: none yet
        self.began = ""  # when that was
        self.match: Match | None = None  # that game as it stands; None where it cannot be told
        self.result: GameResult | None = None
        self.newest: Ruling | None = None
        self._first = 0
        self._digest = hashlib.sha256()
        self._said: dict[int, tuple[int, Message]] = {}  # of the game's rulings: number -> group, what was said

    @property
    def assignment(self) -> str:
        """The assignment that the newest game is played for; "" for none."""
        return self._assigned.games.get(self.number, "")

    def tell(self, line: Numbered) -> Ruling:
        """The message of the next event."""
        if line.game != self.number:
            self.number, self.match, self.result, self._first = line.game, None, None, line.number
            self._digest, self._said = hashlib.sha256(), {}
        self._digest.update(f"{line.at} {line.body}\n".encode())
        try:
            ruling = self._told(line, line.event)
        except (BadLine, RulesError) as error:
            log.warning("event %d cannot be told: %s", line.number, error)
            self.match = None
            ruling = self._ruling(line, kind="unreadable", said=texts(Message("publish.unreadable")))
        self.newest = ruling
        return ruling

    def missing(self, number: int) -> Ruling:
        """The message of an event that the journal has lost."""
        said = texts(Message("publish.missing"))
        return Ruling(
            table=self._table, journal=self._journal, number=number, game=0, group=0, at="", kind="missing", said=said
        )

    def _told(self, line: Numbered, event: Event) -> Ruling:
        """Raises RulesError."""
        before = self.match
        if isinstance(event, Started):
            self.match, self.began = Match.begin(event), line.at
        elif before is None:
            return self._ruling(line, kind="unreadable", said=texts(Message("publish.unreadable")))
        else:
            self.match = before.take(event)
        ruled = ruling_of(before, [event], line.number)
        if ruled:
            self._said[line.number] = event.group, ruled.message
        outcome = self.match.outcome
        if outcome is None:
            self.result = None
        elif self.result is None:
            self.result = self._ended(line, self.match, outcome.winners, texts(outcome.reason))
        return self._ruling(
            line,
            kind="game_over" if outcome and isinstance(event, Acted | Ended) else kind_of(event),
            said=self._sentence(event, ruled),
            group=event.group,
            seat=ruled.seat if ruled else getattr(event, "seat", None),
            by=str(getattr(event, "by", "")),
            clause=ruled.clause if ruled else None,
            action=ruled.action if ruled else None,
            began=_began(event) if isinstance(event, Started) else None,
            result=self.result,
        )

    def _sentence(self, event: Event, ruled: Ruled | None) -> Texts:
        """What is said of an event; of a dispute also which ruling it is about. Empty where there is nothing to say."""
        if ruled:
            return texts(ruled.message)
        if not isinstance(event, Disputed):
            return {}
        group, _ = self._said.get(event.ruling, (None, None))
        about = Message("referee.several", {"said": [said for each, said in self._said.values() if each == group]})
        return texts(Message(f"publish.dispute.{event.step}", {"ruling": about}))

    def _ruling(self, line: Numbered, kind: str, said: Texts, group: int = 0, **more: Any) -> Ruling:
        return Ruling(
            table=self._table,
            journal=self._journal,
            number=line.number,
            game=line.game,
            group=group,
            at=line.at,
            kind=kind,
            said=said,
            **more,
        )

    def _ended(self, line: Numbered, match: Match, winners: tuple[Seat, ...], said: Texts) -> GameResult:
        return GameResult(
            table=self._table,
            journal=self._journal,
            number=line.game,
            first=self._first,
            last=line.number,
            digest=self._digest.hexdigest(),
            began=self.began,
            ended=line.at,
            how=_began(match.started),
            winners=winners,
            scores=scores(match.game.public(match.state, None)),
            said=said,
            assignment=self.assignment,
        )


def told_again(journal: Journal, narrator: Narrator, first: int, last: int) -> Iterator[Ruling]:
    """The messages of events `first` to `last` of the journal; what it lacks is told to be missing.

    `narrator` is a fresh one. Raises JournalError.
    """
    lines = journal.lines_after(first - 1, 1)
    begun = min((line.number for line, _ in journal.whole_game(lines[0].game)), default=first) if lines else first
    after, due = begun - 1, first
    while due <= last and (lines := journal.lines_after(after, 100)):
        for line in lines:
            ruling = narrator.tell(line)
            if line.number > last:
                break
            if line.number >= first:
                yield from (narrator.missing(number) for number in range(due, line.number))
                yield ruling
                due = line.number + 1
        after = lines[-1].number
        if after >= last:
            break
    yield from (narrator.missing(number) for number in range(due, last + 1))


def kind_of(event: Event) -> str:
    """The kind of message of an event that ends no game: one of RULINGS."""
    match event:
        case Started():
            return "start"
        case Acted():
            return "toss" if event.action.get("do") == "flip" else "move"
        case TakenBack():
            return "undo"
        case Rejected():
            return "refused"
        case Corrected():
            return "correct"
        case Hinted():
            return "hint"
        case Disputed(step="opened"):
            return "dispute"
        case Disputed():
            return "settled"
        case _:
            return "other"


def scores(public: Mapping[str, Any]) -> dict[Seat, float]:
    """What each seat has by the game's own measure, from its public state: cents, points, pennies, or in Coin Wars
    twelfths of an experience point."""
    if characters := public.get("characters"):
        return {name: float(one.get("twelfths", 0)) for name, one in characters.items()}
    has = public.get("totals") or public.get("score") or public.get("banks") or {}
    return {seat: float(one) for seat, one in has.items() if isinstance(one, int | float)}


def _began(event: Started) -> Began:
    return Began(event.game, event.options, event.seats, event.names, event.level, event.series.best_of)
