"""A program that dies at random moments: its referee is lost, and a new one starts from the journal.

Either the referee is thrown away in this process: before a call, just before or after a write to the journal, or after
the call. Or it runs in another process, which is killed (SIGKILL) while it works. Afterwards exactly what was ruled
must be there again.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Sequence
from multiprocessing.connection import Connection
from pathlib import Path
from random import Random
from typing import Any, Literal

from tablecoin.journal.journal import Journal
from tablecoin.referee.commands import Command, CommandError
from tablecoin.referee.events import Event
from tablecoin.referee.match import Match
from tablecoin.referee.referee import Referee
from tablecoin.referee.snapshot import Snapshot
from tablecoin.rules.game import State
from tablecoin.rules.rulebook import Message
from tablecoin.vision.rest.settle import Look

Way = Literal["thrown-away", "killed"]
_IN_A_CALL = 0.006  # share of calls at which a referee in this process dies, before or after
_KILLED = 0.02  # share of calls during which a referee in another process is killed: about once a game
_AT_A_WRITE = 0.06  # share of writes at which a referee in this process dies, before or after
_WITHIN_S = 0.004  # a process is killed within this time of a call's beginning: before, during or after its write


class Killed(BaseException):
    """The program died here."""


class Mortal:
    """Stands in for a Referee with its journal at `path`, and dies at random moments.

    Call `born` once with a function. It is called after every death, with True where the table must be looked at again
    at once.
    """

    def __init__(self, path: Path, dice: Random, way: Way) -> None:
        self._path, self._way, self._dice = path, way, dice
        self._life: _Thrown | _Process
        self._reborn: Callable[[bool], None] = lambda look_again: None
        self._begin()

    def born(self, reborn: Callable[[bool], None]) -> None:
        self._reborn = reborn

    def _begin(self) -> None:
        self._life = _Thrown(self._path, self._dice) if self._way == "thrown-away" else _Process(self._path, self._dice)

    def see(self, look: Look) -> None:
        try:
            self._life.call("see", look)
        except Killed:
            self._begin()
            self._reborn(False)  # the next frames show it the table

    def command(self, command: Command, seat: str | None) -> tuple[bool, Message | None]:
        try:
            answer: tuple[bool, Message | None] = self._life.call("command", command, seat)
        except Killed:
            self._begin()
            self._reborn(True)
            return False, None
        except CommandError as error:  # the question was answered just before the program died
            return False, error.message
        return answer

    def snapshot(self) -> Snapshot:
        shown: Snapshot = self._asked("snapshot")
        return shown

    def answers(self) -> list[State]:
        states: list[State] = self._asked("answers")
        return states

    @property
    def match(self) -> Match | None:
        match: Match | None = self._asked("match")
        return match

    def _asked(self, what: str) -> Any:
        while True:
            try:
                return self._life.call(what)
            except Killed:
                self._begin()
                self._reborn(True)

    def end(self) -> None:
        """Close the journal for good."""
        self._life.end()


class _Thrown:
    """A referee in this process, until it dies."""

    def __init__(self, path: Path, dice: Random) -> None:
        self._dice, self._journal = dice, Journal(path)
        self._referee = Referee(self._store)
        self._referee.restore([event for _, event in self._journal.newest_game()], self._journal.count())

    def call(self, name: str, *given: Any) -> Any:
        try:
            self._maybe_die(_IN_A_CALL / 2)
            answer = _called(self._referee, name, given)
            self._maybe_die(_IN_A_CALL / 2)
        except Killed:
            self._journal.close()
            raise
        return answer

    def _store(self, events: Sequence[Event]) -> None:
        self._maybe_die(_AT_A_WRITE / 2)
        self._journal.append(events)
        self._maybe_die(_AT_A_WRITE / 2)

    def _maybe_die(self, share: float) -> None:
        if self._dice.random() < share:
            raise Killed

    def end(self) -> None:
        self._journal.close()


class _Process:
    """A referee in another process, which may be killed while it answers a call."""

    def __init__(self, path: Path, dice: Random) -> None:
        self._dice = dice
        context = multiprocessing.get_context("forkserver")  # the server has no threads, so it forks fast and safely
        context.set_forkserver_preload([__name__])
        self._line, theirs = context.Pipe()
        self._child = context.Process(target=_serve, args=(path, theirs), daemon=True)
        self._child.start()
        theirs.close()

    def call(self, name: str, *given: Any) -> Any:
        murder = None
        if name in ("see", "command") and self._dice.random() < _KILLED:
            murder = threading.Timer(self._dice.uniform(0, _WITHIN_S), self._kill)
            murder.start()
        try:
            self._line.send((name, given))
            good, answer = self._line.recv()
        except (EOFError, OSError):
            self._child.join()
            raise Killed from None
        finally:
            if murder:
                murder.join()
        if not good:
            raise answer
        return answer

    def _kill(self) -> None:
        with contextlib.suppress(ProcessLookupError):
            os.kill(self._child.pid or 0, signal.SIGKILL)

    def end(self) -> None:
        with contextlib.suppress(OSError):
            self._line.close()
        self._child.join()


def _serve(path: Path, line: Connection) -> None:
    """The other process: restore a referee from the journal and answer calls until the line is closed."""
    journal = Journal(path)
    referee = Referee(journal.append)
    referee.restore([event for _, event in journal.newest_game()], journal.count())
    with contextlib.suppress(EOFError):
        while True:
            name, given = line.recv()
            try:
                line.send((True, _called(referee, name, given)))
            except CommandError as error:
                line.send((False, error))
    journal.close()


def _called(referee: Referee, name: str, given: Sequence[Any]) -> Any:
    return referee.match if name == "match" else getattr(referee, name)(*given)
