"""Tables without cameras: games played by chance into real journals, told by the real publisher."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from tablecoin.journal.journal import Journal
from tablecoin.mqtt.options import MqttOptions
from tablecoin.publishing.publisher import Publisher
from tablecoin.publishing.standing import Shown
from tablecoin.referee.events import Acted, Event, Started
from tablecoin.referee.match import Match

_NAMES = ("Ann", "Ben", "Cleo", "Dev", "Elif", "Finn", "Gus", "Hana", "Ivo", "Jun")
_GAMES = ("steal", "exact", "coin-age")
_LONGEST = 60  # events; a longer game is left, and another one begins


class StillTable:
    """What the publisher asks of a table. Nothing is seen here; `now` is what it shows."""

    def __init__(self) -> None:
        self.now = Shown()
        self.light: float | None = None
        self.dims = False
        self.jpeg: tuple[int, bytes] | None = None  # the newest picture, and its number
        self._heard: Callable[[], None] = lambda: None

    def shown(self) -> Shown:
        return self.now

    def listen(self, heard: Callable[[], None]) -> Callable[[], None]:
        self._heard = heard
        return lambda: None

    def ring(self) -> None:
        self._heard()

    def picture(self, after: int) -> tuple[int, bytes] | None:
        return self.jpeg if self.jpeg and self.jpeg[0] > after else None

    def shine(self, share: float | None) -> None:
        self.light = 1.0 if share is None else share


class PlayedTable:
    """One table: `step` lets one event happen and tells the publisher."""

    def __init__(self, name: str, folder: Path, broker: str, seed: int) -> None:
        self.name = name
        self.journal = Journal(folder / name / "journal.sqlite")
        self._assigned = ""  # the assignment that was played last
        self.made_s: list[float] = []  # when each event was on the disk
        self._table, self._chance = StillTable(), random.Random(seed)
        self._events = self._play()
        options = MqttOptions(broker=broker, table=name, name=name, home_assistant="off")
        self.publisher = Publisher(options, folder / name, self.journal, self._table)
        self.messages = self.bytes = 0  # published so far
        self.told: Callable[[], None] = lambda: None  # called after each message
        self._count_messages()

    def play_assigned(self) -> bool:
        """Play the game that a club offers, to its end; whether there was one."""
        task = self.publisher.assigned
        if task is None or task.id == self._assigned:
            return False
        self._assigned = task.id
        self.journal.append(list(self._game(task.game, task.names, task.options, longest=10_000)))
        self._table.ring()
        return True

    def step(self) -> None:
        self.journal.append([next(self._events)])
        self.made_s.append(time.monotonic())
        self._table.ring()

    def _count_messages(self) -> None:
        connection = self.publisher._connection
        publish = connection.publish

        def counted(topic: str, payload: bytes, retain: bool = False) -> None:
            self.messages += 1
            self.bytes += len(topic) + len(payload)
            publish(topic, payload, retain)
            self.told()

        connection.publish = counted  # type: ignore[method-assign]

    def stop(self) -> None:
        self.publisher.stop()
        self.journal.close()

    def _play(self) -> Iterator[Event]:
        while True:
            heads, tails = self._chance.sample(_NAMES, 2)
            game = self._chance.choice(_GAMES)
            yield from self._game(game, {"heads": heads, "tails": tails}, {}, _LONGEST)

    def _game(self, name: str, people: Mapping[str, str], options: Mapping[str, Any], longest: int) -> Iterator[Event]:
        started = Started(1, name, options, dict.fromkeys(people, "person"), names=people)
        match, group = Match.begin(started), 1
        yield started
        while match.game.outcome(match.state) is None and group < longest:
            action = self._chance.choice(list(match.game.legal_actions(match.state)))
            group += 1
            acted = Acted(group, match.game.write_action(action), match.game.actor(match.state, action), "camera")
            match = match.take(acted)
            yield acted
