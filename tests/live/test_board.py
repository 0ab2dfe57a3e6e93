"""The board: numbers only grow, a snapshot with nothing new is not announced, and no reader waits for the disk."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from msgspec.structs import replace

from tablecoin.journal.journal import Journal, JournalError
from tablecoin.live import board as room
from tablecoin.live.board import Board
from tablecoin.referee.events import TimeControl
from tablecoin.referee.referee import Referee
from tablecoin.referee.snapshot import Clock, Snapshot
from tablecoin.rules.rulebook import Message
from tests.live.looking import PATIENCE_S

LOBBY = Referee(lambda events: None).snapshot()


def test_seconds_that_pass_are_no_news_and_readers_get_them_all_the_same(tmp_path: Path) -> None:
    told: list[Snapshot] = []
    with closing(Journal(tmp_path / "journal.sqlite")) as journal:
        board = Board(journal, told.append)
        for left_s in (60.0, 59.5, 59.0):
            clock = Clock(TimeControl(60), {"heads": left_s, "tails": 60.0}, ("heads",), ())
            board.show(replace(LOBBY, clock=clock), None)
        assert len(told) == 1
        assert board.clock is not None
        assert board.clock.left_s["heads"] <= 59.0
        assert board.clock.left_s["tails"] == 60.0


def numbered(k: int) -> Snapshot:
    """A snapshot that differs from every other."""
    return replace(LOBBY, undo_seat=str(k))


class Disk(Journal):
    """A journal on a disk that may be full, or slow."""

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self.full = False
        self.busy, self.free = threading.Event(), threading.Event()
        self.free.set()

    def reserve(self, name: str, amount: int) -> range:
        self.busy.set()
        self.free.wait(PATIENCE_S)
        if self.full:
            raise JournalError(Message("journal.unwritten", {"why": "full", "do": Message("disk.full")}))
        return super().reserve(name, amount)


@pytest.fixture
def disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Disk]:
    monkeypatch.setattr(room, "_SEQ_BLOCK", 3)
    made = Disk(tmp_path / "journal.sqlite")
    yield made
    made.free.set()
    made.close()


def test_numbers_grow_whatever_the_disk_does_and_over_a_restart(disk: Disk) -> None:
    board, numbers = Board(disk, lambda snapshot: None), list[int]()
    for k in range(40):
        disk.full = 4 <= k < 25
        board.show(numbered(k), None)
        numbers.append(board.newest[0].seq)
    assert numbers == sorted(set(numbers))
    again = Board(disk, lambda snapshot: None)
    again.show(numbered(0), None)
    assert again.newest[0].seq > numbers[-1]


def test_a_slow_disk_keeps_no_reader_waiting(disk: Disk) -> None:
    board = Board(disk, lambda snapshot: None)
    for k in range(3):  # the whole block of numbers
        board.show(numbered(k), None)
    disk.busy.clear()
    disk.free.clear()
    writer = threading.Thread(target=board.show, args=[numbered(3), None])
    writer.start()
    assert disk.busy.wait(PATIENCE_S), "a new block of numbers must be reserved"

    read: list[int] = []
    reader = threading.Thread(target=lambda: read.append(board.newest[0].seq), daemon=True)
    reader.start()
    reader.join(PATIENCE_S)
    assert len(read) == 1, "a reader waits for the disk"

    disk.free.set()
    writer.join(PATIENCE_S)
    assert board.newest[0].undo_seat == "3"


def test_a_snapshot_that_says_nothing_new_is_not_shown(disk: Disk) -> None:
    announced: list[Snapshot] = []
    board = Board(disk, announced.append)
    board.show(LOBBY, None)
    board.show(replace(LOBBY, health=replace(LOBBY.health, fps=17)), None)  # the frame rate alone is no news
    board.show(numbered(1), None)
    assert [snapshot.undo_seat for snapshot in announced] == [None, "1"]
    assert board.newest[0] == announced[-1]


def test_the_bell_rings_once_the_new_snapshot_can_be_read(disk: Disk) -> None:
    board, heard = Board(disk, lambda snapshot: None), list[str | None]()
    stop = board.changed.listen(lambda: heard.append(board.newest[0].undo_seat))
    board.show(LOBBY, None)
    board.show(LOBBY, None)  # nothing new
    board.show(numbered(1), None)
    stop()
    board.show(numbered(2), None)
    assert heard == [None, "1"]


def test_before_the_first_snapshot_there_is_none(disk: Disk) -> None:
    with pytest.raises(RuntimeError, match="not started"):
        _ = Board(disk, lambda snapshot: None).newest
