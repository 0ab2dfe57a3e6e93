"""A full or slow disk: what cannot be written is not ruled, people are told, and play goes on when there is room."""

from __future__ import annotations

import errno
import os
import sqlite3
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, closing, contextmanager
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient

from tablecoin import mat
from tablecoin.coins import Heap
from tablecoin.journal.evidence import Evidence
from tablecoin.journal.evidence_folder import EvidenceFolder
from tablecoin.journal.journal import Journal, JournalError
from tablecoin.journal.unwritten import unwritten
from tablecoin.live import referee_thread
from tablecoin.live.table import LiveTable
from tablecoin.referee.commands import CommandError, read_command
from tablecoin.referee.events import Acted, Event, Started
from tablecoin.virtual.camera import VirtualCamera
from tablecoin.virtual.table import VirtualTable
from tablecoin.vision.coins.reader import Reader
from tablecoin.vision.rest.settle import Look
from tests.live.looking import PATIENCE_S, Clock, looked, settled, table_over
from tests.web.quiet import QuietTable
from web.app import create_app

pytestmark = pytest.mark.usefixtures("loaded")

TOSS: dict[str, Any] = {"do": "flip", "coins": ["penny:heads"] * 3 + ["penny:tails"] * 2}


Fault = Callable[[Journal], AbstractContextManager[None]]


def refusing(number: int) -> Fault:
    """The system refuses every write with this error."""

    @contextmanager
    def fault(journal: Journal) -> Iterator[None]:
        def refuse() -> None:
            error = OSError(number, os.strerror(number))
            raise JournalError(unwritten("journal.unwritten", error, journal.path.parent))

        with pytest.MonkeyPatch.context() as disk:
            disk.setattr(journal, "_writing", refuse)
            disk.setattr(journal, "try_disk", refuse)
            yield

    return fault


full, read_only = refusing(errno.ENOSPC), refusing(errno.EROFS)


@contextmanager
def locked(journal: Journal) -> Iterator[None]:
    with closing(sqlite3.connect(journal.path, isolation_level=None)) as other:
        other.execute("begin immediate")
        yield


@contextmanager
def gone(journal: Journal) -> Iterator[None]:
    folder = journal.path.parent
    away = folder.rename(folder.with_name("away"))
    folder.touch()  # so that it cannot be made again
    yield
    folder.unlink()
    away.rename(folder)


@pytest.fixture
def journal(tmp_path: Path) -> Journal:
    return Journal(tmp_path / "journal.sqlite")


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def live(journal: Journal, clock: Clock) -> Iterator[LiveTable]:
    made = table_over(VirtualTable(mat.load("two-row"), seed=1), journal, clock)
    yield made
    made.stop()


def game_of(live: LiveTable) -> Mapping[str, Any]:
    """The public state of the game under way."""
    game = live.snapshot().game
    assert game is not None
    return game


def post(client: FlaskClient, address: str, **body: Any) -> dict[str, Any]:
    """What the page is answered."""
    answer = client.post(address, json=body)
    said: dict[str, Any] = answer.get_json()
    return said | {"status": answer.status_code}


def warned(live: LiveTable) -> bool:
    """Whether people are told that the disk is full."""
    return any("free some disk space" in said for said in live.snapshot().health.warnings)


def test_what_cannot_be_written_is_not_ruled_and_people_are_warned_meanwhile(live: LiveTable, journal: Journal) -> None:
    client = create_app(live).test_client()
    assert post(client, "/api/games", game="steal")["ok"] is True
    with full(journal):
        answer = post(client, "/api/act", **TOSS)
        assert answer["status"] == 503
        assert "free some disk space" in answer["error"]
        looked(live, settled)  # looks go on, and the warning stays
        assert warned(live)
        assert game_of(live)["phase"] == "setup"
    assert post(client, "/api/act", **TOSS)["ok"] is True
    assert game_of(live)["rows"] == {"heads": {"penny": 3}, "tails": {"penny": 2}}
    assert not warned(live)


@pytest.mark.parametrize(
    ("fault", "do"),
    [
        (full, "free some disk space"),
        (read_only, "restart the computer, and replace its card or disk if it becomes read-only again"),
        (locked, "close the other program that uses the journal"),
        (gone, "put the data folder back, or plug its disk in again"),
    ],
)
def test_a_toss_that_lay_at_rest_meanwhile_is_ruled_on_within_five_seconds(
    tmp_path: Path, clock: Clock, monkeypatch: pytest.MonkeyPatch, fault: Fault, do: str
) -> None:
    monkeypatch.setattr("tablecoin.journal.database.WAIT_S", 0.01)
    table = QuietTable(tmp_path / "data")
    monkeypatch.setattr(table._referee, "_clock", clock)

    def rest(seconds: int) -> bool:
        """Nothing happens for so long; whether the table is then to be looked at again."""
        for _ in range(seconds):
            clock.now_s += 1
            table._inbox.post(Look(moving=False, hand=False, still_s=9.0, reading=None, sighting=None))
        again = table._eye._again.is_set()
        table._eye._again.clear()
        return again

    table.command({"start": {"game": "steal"}}, None)
    table.see()
    with fault(table.journal):
        table.toss(Heap(penny=5), "tray")
        table.see()
        assert not rest(60)
        (warning,) = table.snapshot().health.warnings
        assert do in warning
        with pytest.raises(JournalError, match=do):
            table.command({"act": TOSS}, None)
        assert game_of(table)["phase"] == "setup"
    assert rest(3)
    assert table.snapshot().health.warnings == ()
    table.see()
    assert game_of(table)["phase"] != "setup"
    assert not rest(60), "it is looked at again once"
    table.stop()


def test_the_table_is_looked_at_again_too_when_a_command_is_the_first_to_be_written(tmp_path: Path) -> None:
    table = QuietTable(tmp_path / "data")
    table.command({"start": {"game": "steal"}}, None)
    table.see()
    with full(table.journal):
        table.toss(Heap(penny=5), "tray")
        table.see()
    assert not table.command({"act": {"do": "place", "coin": "dime"}}, None)[0]
    assert table._eye._again.is_set()
    assert not warned(table)
    table.stop()


@pytest.mark.parametrize(
    ("spoil", "why"),
    [
        (None, "First toss 5 pennies in the tray"),  # an act that was legal in an older version, say
        ("dance", "a line that this tablecoin cannot read"),
    ],
)
def test_a_game_that_cannot_be_taken_up_stays_in_the_journal_and_a_new_one_is_played(
    tmp_path: Path, spoil: str | None, why: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    journal = Journal(tmp_path / "journal.sqlite")
    journal.append([Started(1, "steal", {}, {})])
    with monkeypatch.context() as newer:
        if spoil:
            newer.setattr("tablecoin.journal.journal.write_event", lambda event: {"event": spoil})
        journal.append([Acted(2, {"do": "place", "coin": "dime"}, "heads", "camera")])
    journal.close()
    live = table_over(VirtualTable(mat.load("two-row"), seed=1), Journal(tmp_path / "journal.sqlite"), Clock())
    client = create_app(live).test_client()
    (warning,) = live.snapshot().health.warnings
    assert why in warning
    assert client.get("/api/record").status_code in (404, 503)
    assert post(client, "/api/games", game="exact")["ok"] is True
    assert game_of(live)["game"] == "exact"
    assert client.get("/api/record").status_code == 200
    live.stop()


def test_the_page_comes_up_on_a_full_disk_and_play_begins_when_there_is_room(
    tmp_path: Path, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*given: object) -> int:
        raise OSError(errno.ENOSPC, "No space left on device")

    before = Journal(tmp_path / "journal.sqlite")
    before.append([Started(1, "steal", {"starter": "heads"}, {})])
    before.close()
    with monkeypatch.context() as disk:
        disk.setattr("tablecoin.journal.journal.own", full)
        live = table_over(VirtualTable(mat.load("two-row"), seed=1), Journal(tmp_path / "journal.sqlite"), clock)
        client = create_app(live).test_client()
        assert client.get("/").status_code == 200
        assert warned(live)
        assert post(client, "/api/games", game="exact")["status"] == 503
        live.look()  # it tries in vain to open the journal
    live.look()
    assert live.snapshot().game is None, "it tries again only now and then"
    clock.now_s += referee_thread._UNMENDED_S
    live.look()
    assert game_of(live)["game"] == "steal", "the game that the journal holds"
    live.stop()


def test_people_are_warned_before_the_disk_is_full(
    live: LiveTable, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    live.look()
    assert "live.disk_low" not in [notice.code for notice in live.snapshot().health.said]
    monkeypatch.setattr(referee_thread, "_LOW_BYTES", 1 << 60)
    clock.now_s += referee_thread._MIND_S
    live.look()
    assert "live.disk_low" in [notice.code for notice in live.snapshot().health.said]


def test_a_ruling_that_fits_on_the_disk_without_its_pictures_is_written_without_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*given: object) -> str:
        raise OSError(errno.ENOSPC, "No space left on device")

    journal = Journal(tmp_path / "journal.sqlite")
    journal.append([Started(1, "steal", {"starter": "heads"}, {})])
    toss = Acted(2, TOSS, "table", "camera")
    with monkeypatch.context() as disk:
        disk.setattr(EvidenceFolder, "keep", full)
        assert journal.append([toss], Evidence(b"{}", None, b"x" * 80_000)) is False
    assert journal.newest_game()[-1][1] == toss
    assert journal.evidence(2) is None
    assert journal.append([toss], Evidence(b"{}", None, b"x" * 100)) is True
    journal.close()


@pytest.fixture
def started(journal: Journal) -> Iterator[LiveTable]:
    """A live table with its threads."""
    table = VirtualTable(mat.load("two-row"), seed=1)
    made = LiveTable(VirtualCamera(table, fps=2), Reader("two-row"), journal, virtual=table)
    made.start()
    yield made
    made.stop()


def test_a_command_reported_as_failed_is_not_carried_out_later(
    started: LiveTable, journal: Journal, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The SD card stalls: the referee works on the first command; the second waits behind it until it is given up."""
    live = started
    assert live.command({"start": {"game": "steal", "options": {"starter": "heads"}}}, None)[0]
    store, stalled, goes_on = journal.append, threading.Event(), threading.Event()

    def slow(events: Sequence[Event], evidence: Evidence | None = None) -> bool:
        stalled.set()
        assert goes_on.wait(PATIENCE_S)
        return store(events, evidence)

    monkeypatch.setattr(journal, "append", slow)
    monkeypatch.setattr("tablecoin.live.inbox._ANSWER_TIMEOUT_S", 0.01)
    live._inbox.send(read_command("act", TOSS))
    assert stalled.wait(PATIENCE_S)
    with pytest.raises(CommandError, match="did not answer in time"):
        live.command({"undo": {}}, None)
    monkeypatch.undo()
    goes_on.set()
    assert live.command({"act": {"do": "place", "coin": "penny"}}, "heads")[0], "what waited before it was dealt with"
    assert game_of(live)["rows"] == {"heads": {"penny": 4}, "tails": {"penny": 2}}
