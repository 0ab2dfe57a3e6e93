"""The journal's format: events that cannot be changed, a chain, a second copy, private files; older journals open."""

from __future__ import annotations

import sqlite3
import stat
from contextlib import closing
from pathlib import Path

import msgspec
import pytest

from tablecoin.journal.chain import whole
from tablecoin.journal.database import salvage
from tablecoin.journal.evidence import Evidence
from tablecoin.journal.journal import Journal
from tablecoin.journal.second_copy import read
from tablecoin.referee.events import Acted, Event, Started, write_event

STARTED = Started(1, "steal", {"starter": "heads"}, {"heads": "person"})
TOSS = Acted(2, {"do": "flip", "coins": ["penny:heads"] * 3 + ["penny:tails"] * 2}, "table", "camera")
PLACED = Acted(3, {"do": "place", "coin": "penny"}, "heads", "camera")
KEPT = Evidence(b"{}", None, b"a picture")
VERSION_1 = """
create table game (id integer primary key, began text not null, name text not null);
create table event (number integer primary key, game integer not null references game (id), at text not null,
    body text not null);
create index event_game on event (game, number);
create table evidence (number integer primary key references event (number), digest text not null, body blob not null,
    before blob, after blob not null);
create table counted (game integer primary key references game (id), last integer not null, body blob not null);
create table mark (name text primary key, value integer not null);
pragma user_version = 1;
"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "data" / "journal.sqlite"


def old_journal(path: Path) -> list[Event]:
    """A journal as version 1 wrote it: two games, one picture, 3,000 numbers given; its events."""
    path.parent.mkdir()
    events: list[Event] = [STARTED, TOSS, PLACED, STARTED, TOSS]
    with closing(sqlite3.connect(path)) as db:
        db.executescript(VERSION_1)
        for number, event in enumerate(events, 1):
            game = 1 if number <= 3 else 2
            body = msgspec.json.encode(write_event(event)).decode()
            db.execute("insert into event values (?, ?, ?, ?)", (number, game, f"2026-01-0{number}", body))
        db.execute("insert into game values (1, '2026-01-01', 'steal'), (2, '2026-01-04', 'steal')")
        db.execute("insert into evidence values (5, ?, ?, ?, ?)", (KEPT.digest, KEPT.body, KEPT.before, KEPT.after))
        db.execute("insert into mark values ('seq', 3000)")
        db.commit()
    return events


def test_a_journal_of_version_1_opens_with_all_it_held_and_is_chained_from_then_on(path: Path) -> None:
    events = old_journal(path)
    journal = Journal(path)
    assert journal.said == ()
    assert [event for number in (1, 2) for _, event in journal.game(number)] == events
    assert [at for at, _ in journal.game(1)] == ["2026-01-01", "2026-01-02", "2026-01-03"]
    assert journal.evidence(5) == (TOSS, KEPT)
    assert journal.digests() == (None, KEPT.digest)
    assert journal.reserve("seq", 1) == range(3000, 3001)
    journal.append([PLACED])
    journal.close()
    with closing(sqlite3.connect(path)) as db:
        rows = salvage(db).rows
    assert [row.number for row in rows] == [1, 2, 3, 4, 5, 6]
    assert whole(rows)
    assert len(list(path.parent.glob("journal-version-1-*.sqlite"))) == 1, "the old file stays"


def test_a_damaged_journal_of_version_1_keeps_what_can_be_read(path: Path) -> None:
    events = old_journal(path)
    with closing(sqlite3.connect(path)) as db:
        db.execute("update event set body = 'garbage' where number = 2")
        db.commit()
    journal = Journal(path)
    assert [event for _, event in journal.game(1)] == events[:1], "up to the gap"
    assert [event for _, event in journal.game(2)] == events[3:]
    assert [said.key for said in journal.said] == ["journal.rescued.part"]
    journal.close()


@pytest.mark.parametrize(
    "statement",
    [
        "update event set body = '{}' where number = 1",
        "delete from event where number = 2",
        "insert or replace into event select number, game, at, '{}', evidence, link from event where number = 1",
        "replace into event values (2, 1, '', '{}', null, '')",
        "update game set name = 'exact'",
        "delete from game",
        "insert or replace into game values (1, '', 'exact')",
    ],
)
def test_no_statement_changes_or_removes_an_event(path: Path, statement: str) -> None:
    """Not even `replace`, which passes by the trigger against delete on other programs' connections."""
    journal = Journal(path)
    journal.append([STARTED, TOSS])
    journal.close()
    with closing(sqlite3.connect(path)) as db, pytest.raises(sqlite3.IntegrityError, match="are never"):
        db.execute(statement)


def test_the_second_copy_holds_the_same_events(path: Path) -> None:
    journal = Journal(path)
    journal.append([STARTED, TOSS])
    journal.append([PLACED])
    copied = read(path.with_suffix(".jsonl"))
    journal.close()
    with closing(sqlite3.connect(path)) as db:
        assert copied.rows == salvage(db).rows
    assert [row.number for row in copied.rows] == [1, 2, 3]


def test_a_copy_one_ruling_behind_is_a_power_cut_and_nothing_is_said(path: Path) -> None:
    journal = Journal(path)
    journal.append([STARTED, TOSS])
    copy = path.with_suffix(".jsonl")
    before = copy.read_bytes()
    journal.append([PLACED])
    journal.close()
    copy.write_bytes(before + b'{"number":3,"ga')  # torn
    again = Journal(path)
    assert (again.said, again.count(), len(read(copy).rows)) == ((), 3, 3)
    again.close()


def test_the_files_are_private(path: Path) -> None:
    journal = Journal(path)
    journal.append([STARTED])
    journal.append([TOSS], KEPT)
    files = [file for file in path.parent.rglob("*") if file.is_file()]
    assert {file.name.partition(".")[2] for file in files} >= {"sqlite", "sqlite-wal", "jsonl", "sqlite.lock"}
    assert {stat.S_IMODE(file.stat().st_mode) for file in files} == {0o600}
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    journal.close()


def test_after_a_checkpoint_the_main_file_holds_every_event_alone(path: Path, tmp_path: Path) -> None:
    journal = Journal(path)
    journal.append([STARTED, TOSS, PLACED])
    journal.checkpoint()
    alone = tmp_path / "alone.sqlite"
    alone.write_bytes(path.read_bytes())
    with closing(sqlite3.connect(alone)) as db:
        assert db.execute("select count(*) from event").fetchone() == (3,)
    journal.close()


@pytest.mark.parametrize(("longest", "in_the_main_file"), [(0, 1), (1 << 20, 0)])
def test_a_long_log_is_written_into_the_main_file(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, longest: int, in_the_main_file: int
) -> None:
    monkeypatch.setattr("tablecoin.journal.journal._LONG_LOG_BYTES", longest)
    journal = Journal(path)
    journal.checkpoint()
    journal.append([STARTED])
    alone = tmp_path / "alone.sqlite"
    alone.write_bytes(path.read_bytes())
    with closing(sqlite3.connect(alone)) as db:
        assert db.execute("select count(*) from event").fetchone() == (in_the_main_file,)
    journal.close()
