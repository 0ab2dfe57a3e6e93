"""Events behind a gap, where no link proves the first: its own sum does, or its game is marked as not verified."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec
import pytest

from tablecoin.journal.backup import back_up, restore
from tablecoin.journal.chain import Row
from tablecoin.journal.ended import ended_game
from tablecoin.journal.export import record_of
from tablecoin.journal.history import History
from tablecoin.journal.journal import Journal
from tablecoin.journal.record import write_record
from tablecoin.referee.events import Paused, Started
from tests.journal.damages import COPY, NAME

FIRST_OF_2 = 4  # the number of the event that begins game 2
Change = Callable[[bytes], bytes]
CHANGES: dict[str, Change] = {
    "nothing is changed": lambda line: line,
    "a choice is changed": lambda line: line.replace(b"heads", b"tails", 1),
    "its event is no JSON": lambda line: line.replace(b'seats\\":{', b'seats\\"@@'),
    "its event is of no kind": lambda line: line.replace(b'event\\":\\"start', b'event\\":\\"st4rt'),
    "its number is too large": lambda line: line.replace(b'"number":4', b'"number":9223372036854775808'),
    "it is no line": lambda line: b"{" + line,
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The folder of a table that was stopped: two games of three events."""
    journal = Journal(tmp_path / "data" / NAME)
    for game in (1, 2):
        journal.append([Started(game, "steal", {"starter": "heads"}, {"heads": "person"})])
        for group in (1, 2):
            journal.append([Paused(10 * game + group, "begun", "heads")])
    journal.close()
    return tmp_path / "data"


def damage(folder: Path, change: Change, old: bool) -> None:
    """Delete the journal; of the second copy zero the last event of game 1, and change the first one of game 2.

    `old`: version 1b859819 wrote its lines.
    """
    (folder / NAME).unlink()
    lines = (folder / COPY).read_bytes().splitlines()
    if old:
        lines = [msgspec.json.encode(msgspec.json.decode(line, type=Row)) for line in lines]
    lines[FIRST_OF_2 - 2] = bytes(len(lines[FIRST_OF_2 - 2]))
    lines[FIRST_OF_2 - 1] = change(lines[FIRST_OF_2 - 1])
    (folder / COPY).write_bytes(b"\n".join([*lines, b""]))


@pytest.fixture
def start(folder: Path) -> Iterator[Callable[[], Journal]]:
    """Start again."""
    opened: list[Journal] = []

    def starts() -> Journal:
        for each in opened:
            each.close()
        opened.append(Journal(folder / NAME))
        return opened[-1]

    yield starts
    opened[-1].close()


def said(journal: Journal) -> list[str]:
    return [message.key for message in journal.said]


@pytest.mark.parametrize("what", CHANGES)
def test_the_sum_of_a_line_proves_it_or_it_is_left_out(folder: Path, start: Callable[[], Journal], what: str) -> None:
    damage(folder, CHANGES[what], old=False)
    for _ in range(2):
        journal = start()
        assert list(journal.last_events()) == ([1, 2] if what == "nothing is changed" else [1])
        assert (said(journal), journal.unverified) == (["journal.gone"], frozenset())
        assert journal.said[0].facts["lost"] == (1 if what == "nothing is changed" else 2)


@pytest.mark.parametrize("what", CHANGES)
def test_an_old_line_that_can_be_read_is_kept_and_its_game_marked(
    folder: Path, start: Callable[[], Journal], what: str
) -> None:
    damage(folder, CHANGES[what], old=True)
    readable = what in ("nothing is changed", "a choice is changed")
    for _ in range(2):
        journal = start()
        assert list(journal.last_events()) == ([1, 2] if readable else [1])
        assert said(journal) == ["journal.gone", *(["journal.unverified"] if readable else [])]
        assert journal.unverified == ({2} if readable else set())


@pytest.fixture
def doubtful(folder: Path, start: Callable[[], Journal]) -> Journal:
    """A journal whose game 2 is not verified."""
    damage(folder, CHANGES["a choice is changed"], old=True)
    return start()


def test_the_list_of_games_and_the_record_say_that_a_game_is_not_verified(doubtful: Journal) -> None:
    doubtful.append([Started(3, "steal", {}, {})])
    history = History(doubtful)
    history.count(100)
    assert [game.verified for game in history.games().games] == [True, False, True]
    headers = [json.loads(next(write_record(ended_game(doubtful, number).record))) for number in (1, 2)]
    assert [header.get("verified") for header in headers] == [None, False]
    assert "verified" not in next(write_record(record_of(doubtful.newest_game())))


@pytest.mark.parametrize("lost", [NAME, COPY])
def test_the_mark_stays_when_either_file_is_lost_later(
    folder: Path, doubtful: Journal, start: Callable[[], Journal], lost: str
) -> None:
    doubtful.close()
    (folder / lost).unlink()
    assert start().unverified == {2}


def test_a_backup_keeps_the_mark_and_what_the_owner_has_not_read(doubtful: Journal, tmp_path: Path) -> None:
    back_up(doubtful.path, tmp_path / "kept.backup")
    restore(tmp_path / "kept.backup", tmp_path / "new" / NAME)
    restored = Journal(tmp_path / "new" / NAME)
    assert (restored.unverified, restored.unread) == (doubtful.unverified, doubtful.unread)
    restored.close()


def test_losses_are_said_until_they_are_acknowledged(doubtful: Journal, start: Callable[[], Journal]) -> None:
    first, second = doubtful.unread
    doubtful.acknowledge([first])
    assert doubtful.said == doubtful.unread == (second,)
    again = start()
    assert again.said == (second,)
    again.acknowledge([first, second])
    assert again.said == start().said == ()


def test_a_loss_of_another_version_is_said_in_general(doubtful: Journal, start: Callable[[], Journal]) -> None:
    doubtful.acknowledge(doubtful.unread)
    doubtful.reserve('unread {"key":"journal.of_tomorrow"}', 1)
    journal = start()
    assert said(journal) == ["journal.lost_before"]
    journal.acknowledge(journal.unread)
    assert start().said == ()
