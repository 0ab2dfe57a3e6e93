"""The journal gives back what was written, in order, whatever happened in between."""

from __future__ import annotations

import errno
import os
import signal
import sqlite3
import subprocess
import sys
import textwrap
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from tablecoin.journal.export import NoGame, record_of
from tablecoin.journal.journal import Journal, JournalError
from tablecoin.journal.record import read_record, replay, write_record
from tablecoin.referee.events import Acted, Corrected, Event, Rejected, Started, TakenBack
from tablecoin.rules import load
from tablecoin.rules.rulebook import Message

STARTED = Started(1, "steal", {"starter": "heads"}, {"heads": "person"})
TOSS = Acted(2, {"do": "flip", "coins": ["penny:heads"] * 3 + ["penny:tails"] * 2}, "table", "camera")
PLACED = Acted(3, {"do": "place", "coin": "penny"}, "heads", "camera")
REFUSED = Rejected(4, "steal.place.twice", "You have already placed.", "camera", {"do": "place", "coin": "penny"})
UNDONE = TakenBack(5, "phone")
CORRECTED = Corrected(5, (10.0, 20.0), None, None)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "deep" / "journal.sqlite"


def test_events_come_back_in_order_after_reopening(path: Path) -> None:
    events: list[Event] = [STARTED, TOSS, PLACED, REFUSED, UNDONE, CORRECTED]
    journal = Journal(path)
    for event in events:
        journal.append([event])
    journal.close()
    again = Journal(path)
    assert [event for _, event in again.newest_game()] == events
    assert again.count() == len(events)
    again.close()


@pytest.mark.parametrize("games_before", [0, 1])
def test_a_journal_that_was_read_before_it_was_written_is_not_taken_for_damaged(path: Path, games_before: int) -> None:
    """SQLite makes the file of its log at the first read, and that file is our own."""
    for _ in range(games_before):
        with_a_game = Journal(path)
        with_a_game.append([STARTED])
        with_a_game.close()
    journal = Journal(path)
    journal.newest_game()
    journal.append([STARTED])
    assert len(journal.newest_game()) == 1
    assert [file.name for file in path.parent.iterdir() if "damaged" in file.name] == []
    assert journal.said == ()
    journal.close()


def test_the_newest_game_is_given_back_alone(path: Path) -> None:
    journal = Journal(path)
    journal.append([STARTED, TOSS])
    journal.append([STARTED])
    assert [event for _, event in journal.newest_game()] == [STARTED]
    assert journal.count() == 3
    journal.close()


def test_reserved_numbers_are_never_given_twice(path: Path) -> None:
    journal = Journal(path)
    assert journal.reserve("seq", 10) == range(10)
    journal.close()
    again = Journal(path)
    assert again.reserve("seq", 5) == range(10, 15)
    again.close()


def of_sqlite(code: int) -> sqlite3.OperationalError:
    error = sqlite3.OperationalError("why")
    error.sqlite_errorcode = code
    return error


@pytest.mark.parametrize(
    ("step", "error", "todo"),
    [
        ("own", OSError(errno.ENOSPC, "why"), "disk.full"),
        ("own", OSError(errno.EROFS, "why"), "disk.read_only"),
        ("open_files", of_sqlite(sqlite3.SQLITE_FULL), "disk.full"),
        ("open_files", of_sqlite(sqlite3.SQLITE_READONLY), "disk.refused"),
        ("open_files", OSError(errno.EIO, "why"), "disk.broken"),
        ("open_files", of_sqlite(sqlite3.SQLITE_BUSY), "disk.locked"),
    ],
)
def test_a_journal_that_the_system_refuses_stays_unopened_until_it_can_be_opened(
    path: Path, monkeypatch: pytest.MonkeyPatch, step: str, error: Exception, todo: str
) -> None:
    def refuse(*_: object) -> int:
        raise error

    with monkeypatch.context() as disk:
        disk.setattr(f"tablecoin.journal.journal.{step}", refuse)
        journal = Journal(path)
        assert [(said.key, said.facts["do"]) for said in journal.said] == [("journal.unopened", Message(todo))]
        assert (journal.newest_game(), journal.count(), journal.evidence(1)) == ((), 0, None)
        with pytest.raises(JournalError, match="cannot be opened"):
            journal.append([STARTED])
        with pytest.raises(JournalError, match="cannot be opened"):
            journal.mend()
    assert journal.mend() is True
    assert journal.said == ()
    journal.append([STARTED])
    assert journal.mend() is False
    journal.close()


def test_a_place_that_is_no_folder_is_an_error_that_says_what_to_do(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(JournalError, match=r"/file is not a folder, .*choose another folder with --data$"):
        Journal(tmp_path / "file" / "journal.sqlite")


@pytest.mark.parametrize("link", [".", "journal.sqlite", "journal.jsonl"])
def test_a_journal_on_a_disk_that_is_not_there_yet_is_waited_for(path: Path, tmp_path: Path, link: str) -> None:
    disk = tmp_path / "disk"
    path.parent.mkdir()
    place = path.parent / link
    if link == ".":
        place.rmdir()
    place.symlink_to(disk / "kept")
    journal = Journal(path)
    assert [said.key for said in journal.said] == ["journal.unopened.away"]
    assert journal.count() == 0
    with pytest.raises(JournalError, match="which is not there; connect that disk or choose --data"):
        journal.mend()
    disk.mkdir()
    (disk / "kept").mkdir() if link == "." else (disk / "kept").touch()
    assert journal.mend() is True
    journal.append([STARTED])
    journal.close()


@pytest.mark.parametrize("make", [os.mkfifo, Path.mkdir], ids=["pipe", "folder"])
def test_a_lock_that_is_no_file_is_named_until_it_is_gone(path: Path, make: Callable[[Path], object]) -> None:
    lock = path.with_name("journal.sqlite.lock")
    path.parent.mkdir()
    make(lock)
    journal = Journal(path)
    assert [said.key for said in journal.said] == ["journal.unopened.file"]
    assert journal.said[0].facts["path"] == str(lock)
    lock.rename(path.with_name("moved"))
    assert journal.mend() is True
    journal.close()


def test_on_a_full_disk_nobody_is_told_to_move_the_journal_away(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """SQLite reports a full disk here because the journal may not grow by a page."""
    small = "pragma max_page_count = 1; create table more (body blob); insert into more values (zeroblob(100000))"
    monkeypatch.setattr("tablecoin.journal.database._TABLES", small)
    journal = Journal(path)
    assert [(said.key, said.facts["do"]) for said in journal.said] == [("journal.unopened", Message("disk.full"))]
    assert not path.with_name(f"{path.name}.new").exists(), "what is half built would take the last bytes"
    journal.close()


def test_a_journal_of_a_newer_version_is_not_opened(path: Path) -> None:
    Journal(path).close()
    with sqlite3.connect(path) as db:
        db.execute("pragma user_version = 99")
        db.execute("update mark set value = 99 where name = 'version'")
    db.close()
    with pytest.raises(JournalError, match="newer"):
        Journal(path)


def test_a_second_process_cannot_open_the_journal(path: Path) -> None:
    first = Journal(path)
    with pytest.raises(JournalError, match="another tablecoin writes the journal"):
        Journal(path)
    first.append([STARTED])  # the first goes on
    first.close()
    first.close()
    second = Journal(path)
    assert second.count() == 1
    second.close()


def test_only_the_first_write_waits_for_the_lock_of_another_program(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tablecoin.journal.database.WAIT_S", 0.05)
    journal, waits_ms = Journal(path), list[int]()

    def note() -> None:
        assert journal._files
        waits_ms.extend(journal._files.db.execute("pragma busy_timeout").fetchone())

    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("begin immediate")
        for _ in range(2):
            note()
            with pytest.raises(JournalError, match="close the other program that uses the journal"):
                journal.append([STARTED])
    note()
    journal.append([STARTED])
    note()
    assert waits_ms == [50, 0, 0, 50]
    journal.close()


def test_the_record_of_a_game_replays(path: Path) -> None:
    journal = Journal(path)
    journal.append([STARTED, TOSS, PLACED, REFUSED, UNDONE])
    lines = list(write_record(record_of(journal.newest_game())))
    journal.close()
    steps = list(replay(read_record(lines)))
    assert [step.ok for step in steps] == [True, True, True, False, True, True]
    assert load("steal").write_state(steps[-1].state)["rows"]["heads"] == {"penny": 3}


def test_before_the_first_game_there_is_no_record() -> None:
    with pytest.raises(NoGame):
        record_of([])


@pytest.mark.parametrize("lines", [10, *(pytest.param(lines, marks=pytest.mark.long) for lines in (3, 40, 400))])
def test_what_was_written_survives_kill_9(path: Path, lines: int) -> None:
    """A writer is killed after so many reports; everything that it reported as written is there."""
    program = textwrap.dedent(f"""
        from pathlib import Path
        from tablecoin.journal.journal import Journal
        from tablecoin.referee.events import Acted, Started
        journal = Journal(Path({str(path)!r}))
        journal.append([Started(1, "steal", {{}}, {{}})])
        for number in range(100_000):
            journal.append([Acted(number, {{"do": "done"}}, "heads", "camera")])
            print(number, flush=True)
    """)
    with subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True) as writer:
        assert writer.stdout
        told = [int(writer.stdout.readline()) for _ in range(lines)][-1]
        os.kill(writer.pid, signal.SIGKILL)
    journal = Journal(path)
    stored = [event.group for _, event in journal.newest_game() if isinstance(event, Acted)]
    journal.close()
    assert stored[: told + 1] == list(range(told + 1))


def test_a_second_program_is_refused_although_the_lock_file_was_deleted_which_is_said_and_written_again(
    path: Path,
) -> None:
    journal = Journal(path)
    lock = path.with_name(f"{path.name}.lock")
    lock.unlink()
    with pytest.raises(JournalError, match="another tablecoin"):
        Journal(path)
    assert not lock.exists(), "the second program would else hold the new file"
    journal.mend()
    assert [said.key for said in journal.said] == ["journal.lock_gone"]
    assert lock.exists()
    journal.close()
    Journal(path).close()
