"""The process that thinks beside the referee: `python -m tablecoin.live.thinking FD`, at the lowest priority.

It takes questions from the socket with that number and answers each. It knows no camera, page or journal, so it is
small; it ends when the socket is closed, also because the program was killed.
"""

from __future__ import annotations

import os
import sys
import time
from collections import deque
from collections.abc import Iterator, Mapping
from multiprocessing.connection import Connection
from typing import Any, TypedDict

import msgspec

from tablecoin import rules
from tablecoin.opponents.advice import Advice, Clock, Stopped, advise, chances
from tablecoin.opponents.value import load
from tablecoin.rules.game import RulesError, Seat

_NICE = 19
_FEWEST, _MOST = 4, 400  # imagined games for each state of a course


class _Question(msgspec.Struct, frozen=True, tag=True):
    """`number` comes back with the answer. `about` names the state of play: news of another one make it void."""

    number: int
    about: str
    game: str
    until_s: float  # by time.monotonic, which all processes of a machine share


class Chances(_Question, frozen=True, tag="chances"):
    state: Mapping[str, Any]  # as the game writes it


class Course(_Question, frozen=True, tag="course"):
    states: tuple[Mapping[str, Any], ...]


class Advise(_Question, frozen=True, tag="advise"):
    state: Mapping[str, Any]
    seat: Seat


Question = Chances | Course | Advise


class Worth(msgspec.Struct, frozen=True):
    """Chances of the seats, 0..1, the standard error of the least certain one, and how far ahead each will end."""

    chance: Mapping[Seat, float]
    error: float
    lead: Mapping[Seat, float] | None = None


class Act(msgspec.Struct, frozen=True):
    action: Mapping[str, Any]
    chance: float


class Advised(msgspec.Struct, frozen=True):
    best: Act
    other: Act | None
    error: float


class Answer(msgspec.Struct, frozen=True):
    """What was found out, by kind of question; nothing where there was no time, or the game has no value function."""

    number: int
    chances: Worth | None = None
    course: tuple[Worth, ...] | None = None
    advised: Advised | None = None


class _Terms(TypedDict):
    """With what dice, until when, and for whom."""

    seed: int
    until_s: float
    clock: Clock
    stopped: Stopped


class Asker:
    """The questions of a connection, one after the other."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._waiting: deque[Question] = deque()

    def answer_all(self) -> None:
        """Answer until the other end is closed. Raises EOFError or OSError then."""
        while True:
            question = self._waiting.popleft() if self._waiting else self._receive()
            found = Answer(question.number) if self._void(question) else self._answered(question)
            self._connection.send_bytes(msgspec.json.encode(found))

    def _receive(self) -> Question:
        question: Question = msgspec.json.decode(self._connection.recv_bytes(), type=Question)
        return question

    def _void(self, question: Question) -> bool:
        """Whether play went on since, or its time is over."""
        while self._connection.poll(0):
            self._waiting.append(self._receive())
        passed = any(newer.about != question.about for newer in self._waiting)
        return passed or time.monotonic() >= question.until_s

    def _answered(self, question: Question) -> Answer:
        try:
            match question:
                case Chances():
                    return Answer(question.number, chances=self._chances(question))
                case Advise():
                    return Answer(question.number, advised=self._advised(question))
                case Course():
                    return Answer(question.number, course=tuple(self._course(question)) or None)
        except (RulesError, LookupError):
            return Answer(question.number)

    def _chances(self, question: Chances) -> Worth:
        state = rules.load(question.game).read_state(question.state)
        found = chances(load(question.game), state, **self._terms(question))
        return Worth(found.chance, found.error, found.margin)

    def _course(self, question: Course) -> Iterator[Worth]:
        """The worth of each state, with as many games as the time allows for each; none when play goes on meanwhile."""
        game, value = rules.load(question.game), load(question.game)
        found: list[Worth] = []
        # One in the middle is valued first, and only tells how long that takes: the first states would be rough else.
        samples, states = _FEWEST, [question.states[len(question.states) // 2], *question.states]
        for left, written in zip(range(len(states), 0, -1), states, strict=True):
            if self._void(question):
                return
            began_s = time.monotonic()
            worth = value(game.read_state(written), samples=samples, seed=question.number, margin=False)
            found.append(Worth(worth.chance, worth.error))
            each_s = (time.monotonic() - began_s) / samples
            for_one_s = (question.until_s - time.monotonic()) / left
            most = _MOST if len(found) == 1 else min(_MOST, 2 * samples)
            samples = max(_FEWEST, min(most, int(for_one_s / max(each_s, 1e-6))))
        yield from found[1:]

    def _advised(self, question: Advise) -> Advised:
        game = rules.load(question.game)
        state = game.read_state(question.state)
        found: Advice = advise(question.game, state, question.seat, **self._terms(question))
        best, other = found.best, found.other
        return Advised(
            Act(game.write_action(best.action), best.chance),
            Act(game.write_action(other.action), other.chance) if other else None,
            found.error,
        )

    def _terms(self, question: Question) -> _Terms:
        return _Terms(
            seed=question.number,
            until_s=question.until_s,
            clock=time.monotonic,
            stopped=lambda: self._void(question),
        )


def main() -> None:
    os.setpriority(os.PRIO_PROCESS, 0, _NICE)
    try:
        Asker(Connection(int(sys.argv[1]))).answer_all()
    except (EOFError, OSError, KeyboardInterrupt):
        return


if __name__ == "__main__":
    main()
