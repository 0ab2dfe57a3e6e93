"""Damage to the journal's files, at rest and under a running table: each is noticed and said; the readable is kept."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from tablecoin.journal import database, second_copy
from tablecoin.journal.chain import Row
from tablecoin.journal.journal import Journal
from tablecoin.referee.events import Acted, Event, Started
from tests.journal.damages import (
    COPY,
    LOG,
    NAME,
    Damage,
    after_a_stop,
    both,
    change,
    cut,
    delete,
    foreign,
    instead,
    poke,
    sql,
    write,
    zero,
    zeros,
)

GAMES, ACTS = 4, 60


def game(number: int) -> list[Event]:
    """The events of a game. Their groups tell them from those of other games."""
    acts = [Acted(100 * number + k, {"do": "place", "coin": "penny"}, "heads", "camera") for k in range(ACTS)]
    return [Started(number, "steal", {"starter": "heads"}, {"heads": "person"}), *acts]


EVENTS = GAMES * (ACTS + 1)


@pytest.fixture(autouse=True)
def _given_up_sooner(monkeypatch: pytest.MonkeyPatch) -> None:
    """A file of which nothing can be read is given up after 2,000 errors: its 244 events give 500 at most."""
    monkeypatch.setattr(database, "_MOST_ERRORS", 2_000)


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a table that was killed: the last game is in SQLite's log alone."""
    folder = tmp_path_factory.mktemp("played")
    journal = Journal(folder / "running" / NAME)
    for number in range(1, GAMES + 1):
        for event in game(number):
            journal.append([event])
        if number < GAMES:
            journal.checkpoint()
    shutil.copytree(folder / "running", folder / "killed")
    journal.close()
    return folder / "killed"


@pytest.fixture
def folder(played: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(played, tmp_path / "data"))


def anothers(folder: Path) -> None:
    """The journal of another table takes this one's place."""
    other = Journal(folder / "other" / NAME)
    other.append(game(9)[:5])
    other.close()
    (folder / "other" / NAME).replace(folder / NAME)


ONE_OLD = "update event set body = replace(body, 'penny', 'dime') where number = 70"
SWAPPED = (
    "update event set number = -1 where number = 70",
    "update event set number = 70 where number = 71",
    "update event set number = 71 where number = -1",
)

# what is done, and how many of the events are kept
AT_REST: dict[str, tuple[Damage, int]] = {
    "a part in the middle is zeroed": (zero(NAME, 0.4, 0.6), EVENTS),
    "the first page is zeroed": (after_a_stop(zero(NAME, 0, 0.05)), EVENTS),
    "the last page is zeroed": (after_a_stop(zero(NAME, 0.95, 1)), EVENTS),
    "all of it is zeroed": (zero(NAME, 0, 1), EVENTS),
    "it is cut in half": (cut(NAME, 0.5), EVENTS),
    "it is cut to nothing": (cut(NAME, 0), EVENTS),
    "only its header is left": (cut(NAME, 0.001), EVENTS),
    "its header is garbled": (after_a_stop(change(NAME, b"SQLite format", b"SQLite farmat")), EVENTS),
    "its header has another version": (after_a_stop(poke(NAME, 60, b"\0\0\0\x42")), EVENTS),
    "its header has no version": (after_a_stop(poke(NAME, 60, bytes(4))), EVENTS),
    "its schema is garbled": (after_a_stop(change(NAME, b"not null", b"not n\xffll")), EVENTS),
    "it is replaced by a text": (write(NAME, b"this is no database\n" * 400), EVENTS),
    "it is replaced by an empty file": (write(NAME, b""), EVENTS),
    "it is replaced by another program's database": (foreign, EVENTS),
    "it is deleted": (delete(NAME), EVENTS),
    "it is deleted with its log": (delete(NAME, LOG), EVENTS),
    "a letter of an old event is changed": (change(NAME, b"camera", b"cAmera", 30), EVENTS),
    "the log is deleted": (delete(LOG), EVENTS),
    "the log is cut in half": (cut(LOG, 0.5), EVENTS),
    "the log is cut to nothing": (cut(LOG, 0), EVENTS),
    "the log is zeroed at its beginning": (zero(LOG, 0, 0.01), EVENTS),
    "the log is zeroed in the middle": (zero(LOG, 0.5, 0.6), EVENTS),
    "the log is replaced by a text": (write(LOG, b"no log\n" * 100), EVENTS),
    "the newest event is deleted": (sql(f"delete from event where number = {EVENTS}"), EVENTS),
    "an old event is deleted": (sql("delete from event where number = 70"), EVENTS),
    "a whole game is deleted": (sql("delete from event where game = 2", "delete from game where id = 2"), EVENTS),
    "an old event is altered": (sql(ONE_OLD), EVENTS),
    "an event's time is altered": (sql("update event set at = '2001-01-01' where number = 70"), EVENTS),
    "an event is given another picture": (sql("update event set evidence = 'ab' where number = 70"), EVENTS),
    "two events are swapped": (sql(*SWAPPED), EVENTS),
    "an event is put in": (sql("insert into event select 999, game, at, body, null, link from event limit 1"), EVENTS),
    "a game is renamed": (sql("update game set name = 'exact' where id = 2"), EVENTS),
    "a game's line is deleted": (sql("delete from game where id = 2"), EVENTS),
    "the table of events is dropped": (sql("drop table event"), EVENTS),
    "the table of games is dropped": (sql("drop table game"), EVENTS),
    "the table of counters is dropped": (sql("drop table mark"), EVENTS),
    "the index is dropped": (sql("drop index event_game"), EVENTS),
    "the triggers are dropped": (sql("drop table counted"), EVENTS),
    "the second copy is deleted": (delete(COPY), EVENTS),
    "the second copy is cut in half": (cut(COPY, 0.5), EVENTS),
    "the second copy is cut to nothing": (cut(COPY, 0), EVENTS),
    "the second copy is zeroed in the middle": (zero(COPY, 0.4, 0.6), EVENTS),
    "the second copy is replaced by a text": (write(COPY, b"no copy\n"), EVENTS),
    "a letter of the second copy is changed": (change(COPY, b"camera", b"cAmera", 30), EVENTS),
    "a pipe has its name": (instead(NAME, os.mkfifo), EVENTS),
    "a folder has its name": (instead(NAME, Path.mkdir), EVENTS),
    "a device has its name": (instead(NAME, zeros), EVENTS),
    "a pipe has the log's name": (instead(LOG, os.mkfifo), EVENTS),
    "a folder has the log's name": (instead(LOG, Path.mkdir), EVENTS),
    "a folder has the name of the log's index": (instead(f"{NAME}-shm", Path.mkdir), EVENTS),
    "a pipe has the name of a rollback journal": (instead(f"{NAME}-journal", os.mkfifo), EVENTS),
    "a pipe has the second copy's name": (instead(COPY, os.mkfifo), EVENTS),
    "a folder has the second copy's name": (instead(COPY, Path.mkdir), EVENTS),
    "a device has the second copy's name": (instead(COPY, zeros), EVENTS),
    "the main file alone was copied": (delete(COPY, LOG), EVENTS - ACTS - 1),
    "both are damaged at other places": (both(zero(NAME, 0.2, 0.4), zero(COPY, 0.7, 0.8)), EVENTS),
    "the journal is gone, its copy damaged": (both(delete(NAME, LOG), zero(COPY, 0.995, 1)), EVENTS - 3),
}
UNDER_A_RUNNING_TABLE: dict[str, Damage] = {
    "its folder is deleted": shutil.rmtree,
    "it is deleted": delete(NAME),
    "all its files are deleted": delete(NAME, LOG, COPY),
    "its log is deleted": delete(LOG),
    "its second copy is deleted": delete(COPY),
    "a pipe has its name": instead(NAME, os.mkfifo),
    "a folder has its name": instead(NAME, Path.mkdir),
    "a pipe has its log's name": instead(LOG, os.mkfifo),
    "a folder has its log's name": instead(LOG, Path.mkdir),
    "a pipe has its second copy's name": instead(COPY, os.mkfifo),
    "a folder has its second copy's name": instead(COPY, Path.mkdir),
    "a device has its second copy's name": instead(COPY, zeros),
    "its second copy is cut": cut(COPY, 0.3),
    "it is replaced by an empty file": write(NAME, b""),
    "it is replaced by a text": write(NAME, b"no database\n" * 500),
    "it is replaced by another program's database": foreign,
    "it is replaced by another table's journal": anothers,
    "a part in the middle is zeroed": zero(NAME, 0.4, 0.6),
    "its first page is zeroed": zero(NAME, 0, 0.05),
    "it is cut in half": cut(NAME, 0.5),
    "the newest event is deleted": sql(f"delete from event where number = {EVENTS + ACTS + 2}"),
    "an old event is altered": sql(ONE_OLD),
    "the table of events is dropped": sql("drop table event"),
}


def bodies(journal: Journal) -> list[Event]:
    """Every event of every game."""
    return [event for number in journal.last_events() for _, event in journal.game(number)]


@pytest.fixture
def opened() -> Iterator[list[Journal]]:
    journals: list[Journal] = []
    yield journals
    for journal in journals:
        journal.close()


@pytest.mark.parametrize("what", AT_REST)
def test_damage_at_rest_is_noticed_and_said_and_everything_readable_is_kept(
    what: str, folder: Path, opened: list[Journal]
) -> None:
    damage, kept = AT_REST[what]
    damage(folder)
    opened.append(journal := Journal(folder / NAME))
    every = [event for number in range(1, GAMES + 1) for event in game(number)]
    assert journal.said, "nothing is said"
    assert bodies(journal) == every[: len(bodies(journal))]
    assert len(bodies(journal)) >= kept
    journal.append(game(GAMES + 1))  # play goes on
    unread = journal.unread
    journal.close()
    opened.append(again := Journal(folder / NAME))
    assert again.said == unread, "damage that lost nothing is said once, and every loss until the owner has read it"
    again.acknowledge(unread)
    assert again.said == ()
    assert bodies(again)[-ACTS - 1 :] == game(GAMES + 1)


@pytest.mark.parametrize("what", UNDER_A_RUNNING_TABLE)
def test_damage_under_a_running_table_is_noticed_with_the_next_ruling_and_nothing_is_lost(
    what: str, folder: Path, opened: list[Journal]
) -> None:
    opened.append(journal := Journal(folder / NAME))
    assert journal.said == ()
    ruling = Acted(999, {"do": "done"}, "heads", "camera")
    every = [event for number in range(1, GAMES + 2) for event in game(number)] + [ruling, ruling]
    journal.append(game(GAMES + 1))
    journal.checkpoint()
    journal.append([ruling])
    UNDER_A_RUNNING_TABLE[what](folder)
    journal.append([ruling])
    assert journal.said, "nothing is said"
    assert bodies(journal) == every
    journal.close()
    opened.append(again := Journal(folder / NAME))
    assert (bodies(again), again.said) == (every, ())


def test_an_undamaged_journal_says_nothing(folder: Path, opened: list[Journal]) -> None:
    opened.append(journal := Journal(folder / NAME))
    assert (len(bodies(journal)), journal.said) == (EVENTS, ())


def test_deep_brackets_in_the_second_copy_are_a_line_that_cannot_be_read(tmp_path: Path) -> None:
    row = Row(1, 1, "2026-11-22T12:00:00+00:00", "{}", None, "0" * 64)
    copy = tmp_path / "second"
    copy.write_bytes(b'{"number":' + b"[" * 100_000 + b"\n" + msgspec.json.encode(row) + b"\n")
    assert second_copy.read(copy).rows == (row,)
