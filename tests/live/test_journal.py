"""A full disk: nothing is ruled that is not written, everybody is told, and play goes on when there is room."""

from __future__ import annotations

import sqlite3
import threading
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from tablecoin import mat
from tablecoin.journal.evidence import Evidence
from tablecoin.journal.journal import Journal, JournalError
from tablecoin.live.table import LiveTable
from tablecoin.referee.commands import CommandError
from tablecoin.referee.events import Acted, Event, Started
from tablecoin.virtual.camera import VirtualCamera
from tablecoin.virtual.table import VirtualTable
from tablecoin.vision.coins.reader import Reader
from web.app import create_app

TOSS = {"do": "flip", "coins": ["penny:heads"] * 3 + ["penny:tails"] * 2}


class Filling(Journal):
    """A journal on a disk that may be full."""

    full = False

    def append(self, events: Sequence[Event], evidence: Evidence | None = None) -> bool:
        self._check()
        return super().append(events, evidence)

    def reserve(self, name: str, amount: int) -> range:
        self._check()
        return super().reserve(name, amount)

    def _check(self) -> None:
        if self.full:
            raise JournalError("the journal cannot be written (disk full); free some disk space")


@pytest.fixture
def journal(tmp_path: Path) -> Filling:
    return Filling(tmp_path / "journal.sqlite")


@pytest.fixture
def live(journal: Filling) -> Iterator[LiveTable]:
    table = VirtualTable(mat.load("two-row"), seed=1)
    made = LiveTable(VirtualCamera(table, fps=8), Reader("two-row"), journal, virtual=table)
    made.start()
    yield made
    made.stop()


def warned(live: LiveTable) -> bool:
    return any("free some disk space" in said for said in live.snapshot().health.warnings)


def test_what_cannot_be_written_is_not_ruled_and_said_until_it_can(live: LiveTable, journal: Filling) -> None:
    client = create_app(live).test_client()
    assert client.post("/api/games", json={"game": "steal"}).json["ok"] is True
    journal.full = True
    answer = client.post("/api/act", json=TOSS)
    assert answer.status_code == 503
    assert "free some disk space" in answer.json["error"]
    seen, end = live.snapshot().seq, time.monotonic() + 60
    while live.snapshot().seq <= seen + 1 and time.monotonic() < end:  # looks go on, and take nothing back
        time.sleep(0.05)
    assert warned(live)
    assert live.snapshot().game["phase"] == "setup"
    journal.full = False
    assert client.post("/api/act", json=TOSS).json["ok"] is True
    assert live.snapshot().game["rows"] == {"heads": {"penny": 3}, "tails": {"penny": 2}}
    assert not warned(live)


@pytest.mark.parametrize(
    ("spoil", "why"),
    [
        (None, "First toss 5 pennies in the tray"),  # an act that was legal once, say
        ("dance", "a line that this tablecoin cannot read"),
    ],
)
def test_a_game_that_cannot_be_taken_up_is_left_and_the_next_one_played(
    tmp_path: Path, spoil: str | None, why: str
) -> None:
    journal = Journal(tmp_path / "journal.sqlite")
    journal.append([Started(1, "steal", {}, {}), Acted(2, {"do": "place", "coin": "dime"}, "heads", "camera")])
    journal.close()
    if spoil:
        with sqlite3.connect(tmp_path / "journal.sqlite") as db:
            db.execute("update event set body = json_set(body, '$.event', ?) where number = 2", (spoil,))
        db.close()
    table = VirtualTable(mat.load("two-row"), seed=1)
    live = LiveTable(VirtualCamera(table), Reader("two-row"), Journal(tmp_path / "journal.sqlite"), virtual=table)
    live.start()
    client = create_app(live).test_client()
    (warning,) = live.snapshot().health.warnings
    assert why in warning
    assert client.get("/api/record").status_code in (404, 503)
    assert client.post("/api/games", json={"game": "exact"}).json["ok"] is True
    assert live.snapshot().game["game"] == "exact"
    assert client.get("/api/record").status_code == 200
    live.stop()


def test_with_room_for_the_ruling_alone_it_is_ruled_without_pictures(tmp_path: Path) -> None:
    path = tmp_path / "journal.sqlite"
    journal = Journal(path)
    journal.append([Started(1, "steal", {"starter": "heads"}, {})])
    ((used,),) = journal._db.execute("pragma page_count")
    journal._db.execute(f"pragma max_page_count = {used + 4}").fetchall()
    toss = Acted(2, TOSS, "table", "camera")
    assert journal.append([toss], Evidence(b"{}", None, b"x" * 80_000)) is False
    assert journal.newest_game()[-1][1] == toss
    assert journal.evidence(2) is None
    assert journal.append([toss], Evidence(b"{}", None, b"x" * 100)) is True
    journal.close()


def test_a_command_told_to_have_failed_is_not_carried_out_later(
    live: LiveTable, journal: Filling, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A card that stalls: the first command is at work, the second waits behind it and gives up."""
    assert live.command({"start": {"game": "steal"}}, None)[0]
    store, stalled = journal.append, threading.Event()

    def slow(events: Sequence[Event], evidence: Evidence | None = None) -> bool:
        stalled.set()
        time.sleep(1.5)
        return store(events, evidence)

    monkeypatch.setattr(journal, "append", slow)
    monkeypatch.setattr("tablecoin.live.inbox._ANSWER_TIMEOUT_S", 0.5)

    def toss() -> None:
        with pytest.raises(CommandError, match="still working"):
            live.command({"act": TOSS}, None)

    first = threading.Thread(target=toss)
    first.start()
    assert stalled.wait(10)
    with pytest.raises(CommandError, match="did not answer in time"):
        live.command({"undo": {}}, None)
    first.join()
    monkeypatch.undo()
    end = time.monotonic() + 60
    while live.snapshot().game["phase"] == "setup" and time.monotonic() < end:
        time.sleep(0.05)
    time.sleep(0.5)
    assert live.snapshot().game["rows"] == {"heads": {"penny": 3}, "tails": {"penny": 2}}
