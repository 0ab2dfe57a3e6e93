"""A power cut at every write and every sync of whole games: no ruling that was shown is lost, no file is corrupt.

`make test` tries every seventh point, always the same ones; `make long` tries all of them.
"""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from random import Random

import msgspec
import pytest

from tablecoin.journal import database
from tablecoin.journal.journal import Journal
from tablecoin.referee.events import Acted, Event, Started
from tablecoin.rules import load
from tablecoin.rules.random_play import random_game
from tests.journal.crashing import Disk, Recorder, Shown, Step, Sync

GAMES = ("steal", "exact", "goes-around", "coin-age", "coin-wars")
MOST = 10_000  # acts: no game has as many


def played(name: str, most: int) -> list[Event]:
    """The events of a random game: its first `most` acts at most, as JSON gives them back."""
    game = load(name)
    written = [game.write_action(action) for action, _ in random_game(game, 1) if action is not None]
    acts: list[dict[str, object]] = msgspec.json.decode(msgspec.json.encode(written))
    return [Started(1, name, {}, {}), *(Acted(k, act, "table", "camera") for k, act in enumerate(acts[:most], 2))]


def recorded(folder: Path, games: tuple[str, ...], most: int = MOST) -> tuple[list[Step], list[Event]]:
    """What the disk is asked for while these games are played, and their events."""
    recorder = Recorder(folder)
    events = [event for name in games for event in played(name, most)]
    with recorder.recording():
        journal = Journal(folder / "journal.sqlite")
        for number, event in enumerate(events, 1):
            if isinstance(event, Started):
                journal.checkpoint()  # as after each game
            journal.append([event])
            recorder.note(Shown(number))
        journal.close()
    return recorder.steps, events


def looked_at(
    steps: list[Step], events: list[Event], scene: Path, target: Path, every: int = 1, first: int = 0
) -> Iterator[str | None]:
    """For each `every`th point at which the power may fail: None where the journal opens well, else what is wrong.

    `target` is the folder that was recorded, `scene` where each picture of it is laid out.
    """
    disk, shown = Disk(), 0
    for point in range(len(steps)):
        step = steps[point]
        disk.take(step)
        if isinstance(step, Shown):
            shown = step.events
        if isinstance(step, Shown) or point % every != first:
            continue
        shutil.rmtree(scene, ignore_errors=True)
        scene.mkdir(parents=True)
        for path, data in disk.after_a_crash(Random(point)).items():
            (scene / Path(path).relative_to(target)).write_bytes(data)
        yield _wrong(scene, events, shown)


def _wrong(scene: Path, events: list[Event], shown: int) -> str | None:
    journal = Journal(scene / "journal.sqlite")
    there = [event for game in journal.last_events() for _, event in journal.game(game)]
    said = [message.key for message in journal.said]
    journal.close()
    if len(there) < shown or there != events[: len(there)]:
        return f"{shown} events were shown, {len(there)} are there"
    return f"a power cut is taken for damage: {said}" if said else None


# Steal is heavy: the one whole game in `make test`, so long that SQLite writes its log back on the way.
@pytest.mark.parametrize(
    ("name", "most", "every", "first"),
    [
        pytest.param("steal", MOST, 7, 0, marks=pytest.mark.heavy),
        *((name, 30, 7, first) for first, name in enumerate(GAMES[1:], 1)),  # the first 30 acts
        *(pytest.param(name, MOST, 1, 0, marks=pytest.mark.long) for name in GAMES),
    ],
)
def test_no_power_cut_loses_what_was_shown(name: str, most: int, every: int, first: int, tmp_path: Path) -> None:
    folder = tmp_path / "data"
    folder.mkdir()
    steps, events = recorded(folder, (name,), most)
    points = list(looked_at(steps, events, tmp_path / "scene", folder, every, first))
    assert len(points) >= 30
    assert [(number, wrong) for number, wrong in enumerate(points) if wrong] == []


def test_no_power_cut_between_two_games_loses_what_was_shown(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    folder.mkdir()
    steps, events = recorded(folder, ("steal", "exact"), most=2)
    assert [wrong for wrong in looked_at(steps, events, tmp_path / "scene", folder) if wrong] == []


# -- the tests above can fail -----------------------------------------------------------------------------------------


@pytest.fixture
def careless(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[list[Step], list[Event]]:
    """What a journal that asks SQLite for no sync asks of the folder `data`, and its events."""
    real = database.connect

    def connect(path: Path) -> sqlite3.Connection:
        db = real(path)
        db.execute("pragma synchronous = off")
        return db

    monkeypatch.setattr(database, "connect", connect)
    folder = tmp_path / "data"
    folder.mkdir()
    return recorded(folder, ("steal", "exact"), most=1)


def test_without_the_syncs_of_sqlite_the_second_copy_helps(
    tmp_path: Path, careless: tuple[list[Step], list[Event]]
) -> None:
    faults = [wrong for wrong in looked_at(*careless, tmp_path / "scene", tmp_path / "data") if wrong]
    assert any("taken for damage" in wrong for wrong in faults)
    assert not any("are there" in wrong for wrong in faults), "the second copy has them"


def test_without_any_sync_rulings_are_lost(tmp_path: Path, careless: tuple[list[Step], list[Event]]) -> None:
    steps, events = careless
    first = next(point for point, step in enumerate(steps) if isinstance(step, Shown))
    none = [step for number, step in zip(count(), steps, strict=False) if number < first or not isinstance(step, Sync)]
    assert any("are there" in (wrong or "") for wrong in looked_at(none, events, tmp_path / "scene", tmp_path / "data"))
