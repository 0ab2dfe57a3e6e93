"""How long the pages of history take at a table where many games were played: a journal of random games, asked anew."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tablecoin import mat, rules
from tablecoin.journal.history import History
from tablecoin.journal.journal import Journal, Numbered
from tablecoin.live.table import LiveTable
from tablecoin.referee.events import Acted, Event, Started
from tablecoin.referee.match import Match
from tablecoin.rules.random_play import random_game
from tablecoin.virtual.camera import VirtualCamera
from tablecoin.virtual.table import VirtualTable
from tablecoin.vision.coins.reader import Reader
from web.app import create_app

PEOPLE = ("Ann", "Bob", "Cem", "小明", "Eve")
OPTIONS: Mapping[str, dict[str, Any]] = {"coin-wars": {"players": ["Ann", "Bob"]}}
CALLS = (
    "/api/history",
    "/api/history/players",
    "/api/history?player=Ann&game=steal",
    "/api/flips",
    "/api/flips?tosses=0",
)
_LARGEST = 1 << 20  # events: all of any journal here


@dataclass(frozen=True)
class Asked:
    """One call of a program that has just started."""

    path: str
    core_ms: float  # of the thread that answers
    read: int  # events of the journal that were read
    answer_bytes: int


class ReadCounter(Journal):
    """A journal that counts the events that are read for the history."""

    read = 0

    def lines_after(self, number: int, most: int) -> tuple[Numbered, ...]:
        lines = super().lines_after(number, most)
        self.read += len(lines)
        return lines


def write_games(path: Path, games: int) -> int:
    """A new journal with so many random games, of all kinds in turn; how many events it holds."""
    with closing(Journal(path)) as journal:
        for seed in range(games):
            journal.append(list(_game(rules.NAMES[seed % len(rules.NAMES)], seed)))
        return journal.count()


def count_games(path: Path) -> float:
    """Count all games for the first time; ms of a core. Later starts need not."""
    with closing(Journal(path)) as journal:
        history, began_s = History(journal), time.thread_time()
        history.count(_LARGEST)
        return 1000 * (time.thread_time() - began_s)


def ask(path: Path, calls: Sequence[str] = CALLS) -> Iterator[Asked]:
    """Each of the calls in a program that has just started, so nothing is known from an earlier call."""
    for call in calls:
        table, journal = VirtualTable(mat.load("two-row"), seed=1), ReadCounter(path)
        live = LiveTable(VirtualCamera(table), Reader("two-row"), journal, virtual=table)
        client = create_app(live).test_client()
        client.get("/api/history/none")  # what the first call of any kind costs
        began_s = time.thread_time()
        answer = client.get(call)
        core_ms = 1000 * (time.thread_time() - began_s)
        assert answer.status_code == 200, answer.text
        yield Asked(call, core_ms, journal.read, len(answer.data))
        live.stop()


def _game(name: str, seed: int) -> Iterator[Event]:
    """The events of one random game between two of PEOPLE."""
    game, options = rules.load(name), OPTIONS.get(name, {})
    seats = game.seats(game.read_options(options))
    names = (
        dict(zip(seats, (*PEOPLE[seed % len(PEOPLE) :], *PEOPLE), strict=False)) if seats == ("heads", "tails") else {}
    )
    started = Started(1, name, options, dict.fromkeys(seats, "person"), names=names)
    yield started
    state = Match.begin(started).state
    for k, (action, after) in enumerate(random_game(game, seed, start=state), 1):
        if action is not None:
            yield Acted(k, game.write_action(action), game.actor(state, action), "camera")
        state = after
