"""Hints: what the computer would do for a person who asks, worked out beside the referee and recorded before it is
shown."""

from __future__ import annotations

import time
from collections.abc import Callable
from concurrent.futures import Future
from concurrent.futures import TimeoutError as FutureTimeout
from typing import Protocol

import msgspec

from tablecoin.live.thinker import Replied
from tablecoin.live.thinking import Advise, Advised, Answer, Question
from tablecoin.opponents.advice import clearly_better
from tablecoin.referee import commands
from tablecoin.referee.belief import Difference
from tablecoin.referee.commands import CommandError
from tablecoin.referee.hinting import asker, moves, view_of
from tablecoin.referee.match import Match
from tablecoin.referee.snapshot import ActionJson, Texts
from tablecoin.rules.game import RulesError, Seat
from tablecoin.rules.rulebook import Message, texts

_THINK_S = 2.5  # the computer compares acts so long at most
_ANSWER_S = 5.0  # a person waits so long, also where the process has to be started first


class Hint(msgspec.Struct, frozen=True):
    """What the computer would do for `seat`, and why. `chance` is that of the seat to win then, 0..1."""

    seat: Seat
    action: ActionJson
    text: str
    texts: Texts
    chance: float
    error: float  # its standard error; 0: exact
    moves: tuple[Difference, ...]  # the coins to add to each zone, to take away and to turn over


class Asking(Protocol):
    """What is asked of a Thinker."""

    def number(self) -> int: ...

    def ask(self, question: Question, replied: Replied) -> None: ...


class Recording(Protocol):
    """What is asked of the referee's Inbox."""

    def ask(self, command: commands.Command, seat: Seat | None) -> tuple[bool, Message | None]: ...


class HintDesk:
    """For any thread that may wait."""

    def __init__(self, thinker: Asking, inbox: Recording, clock: Callable[[], float] = time.monotonic) -> None:
        self._thinker, self._inbox, self._clock = thinker, inbox, clock

    def hint(self, match: Match, seat: Seat | None) -> Hint:
        """A hint in the state of `match`. Raises CommandError, NotYourSeat, and what recording raises."""
        seat = asker(match, seat)
        game, view = match.game, view_of(match, seat)
        advised = self._advised(match, seat)
        try:
            action = game.read_action(advised.best.action)
            said = self._said(match, advised)
            shown = moves(match, view, action)
        except RulesError:
            raise CommandError(Message("hint.unknown")) from None
        self._inbox.ask(commands.Hint(seat, view, action), seat)
        told = texts(said)
        best = advised.best
        return Hint(seat, best.action, told["en"], told, round(best.chance, 4), round(advised.error, 4), shown)

    def _advised(self, match: Match, seat: Seat) -> Advised:
        done: Future[Answer] = Future()
        number, game = self._thinker.number(), match.game
        written = game.write_state(view_of(match, seat))
        until_s = self._clock() + _THINK_S
        about = match.name
        self._thinker.ask(Advise(number, about, game.name, until_s, written, seat), done.set_result)
        try:
            advised = done.result(_ANSWER_S).advised
        except FutureTimeout:
            advised = None
        if advised is None:
            raise CommandError(Message("hint.unknown"))
        return advised

    def _said(self, match: Match, advised: Advised) -> Message:
        """The one sentence that says why."""
        game, state, best, other = match.game, match.state, advised.best, advised.other
        move = game.advise(state, game.read_action(best.action))
        if other is None:
            return Message("hint.only", {"move": move})
        facts = {
            "move": move,
            "chance": round(100 * best.chance),
            "other": game.advise(state, game.read_action(other.action)),
            "next": round(100 * other.chance),
        }
        clear = clearly_better(best.chance, other.chance, advised.error)
        return Message("hint.better" if clear else "hint.level", facts)
