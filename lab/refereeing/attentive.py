"""A table that learns its coins while simulated people play, after every look and command, as the live table does."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from lab.reading.purses import Purse
from lab.refereeing.stage import PictureStage
from tablecoin.live.learning import Learner
from tablecoin.referee.commands import Command
from tablecoin.referee.events import Event
from tablecoin.referee.match import Match
from tablecoin.referee.referee import Referee
from tablecoin.referee.snapshot import Snapshot
from tablecoin.rules.game import State
from tablecoin.rules.rulebook import Message
from tablecoin.vision.coins.network import Identifier
from tablecoin.vision.coins.remembered import Remembered
from tablecoin.vision.rest.settle import Look


class Memory:
    """What a table remembers of its coins while games are played on one stage after another."""

    def __init__(self, purse: Purse, learner: type[Learner]) -> None:
        identifier = Identifier(purse.networks)
        self._recall: Callable[[Remembered], object] = lambda remembered: None
        self._learner = learner(Remembered(identifier.recogniser), lambda: identifier, lambda _, now: self._recall(now))

    @property
    def remembered(self) -> Remembered:
        return self._learner.remembered

    def begin(self, stage: PictureStage) -> None:
        """Help to read on `stage` from now on."""
        self._recall = stage.recall
        stage.recall(self.remembered)

    def recorded(self, events: Sequence[Event]) -> None:
        """These events were recorded."""
        self._learner.recorded(events)

    def heed(self, referee: Referee) -> None:
        """Learn from the table as it lies."""
        self._learner.heed(referee)


class Attentive:
    """A Ruler: a referee, which tells `memory` of its events, and a memory that learns once the referee has ruled."""

    def __init__(self, referee: Referee, memory: Memory) -> None:
        self._referee, self._memory = referee, memory

    @property
    def match(self) -> Match | None:
        return self._referee.match

    def see(self, look: Look) -> None:
        self._referee.see(look)
        self._memory.heed(self._referee)

    def command(self, command: Command, seat: str | None) -> tuple[bool, Message | None]:
        answer = self._referee.command(command, seat)
        self._memory.heed(self._referee)
        return answer

    def snapshot(self) -> Snapshot:
        return self._referee.snapshot()

    def answers(self) -> list[State]:
        return self._referee.answers()
