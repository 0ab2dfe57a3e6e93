"""Every game and every toss of the journal is counted, and each event is read once."""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import closing
from pathlib import Path

import pytest

from tablecoin.coins import Coin
from tablecoin.journal.history import History
from tablecoin.journal.journal import Journal, JournalError, Numbered
from tablecoin.journal.tosses import Toss
from tablecoin.referee.events import Acted, Started, TakenBack
from tablecoin.referee.match import Match
from tablecoin.rules import load
from tablecoin.rules.random_play import random_game
from tablecoin.rules.rulebook import Message

STARTED = Started(1, "steal", {"starter": "heads"}, {})
COIN_AGE = load("coin-age")
UNDONE = TakenBack(3, "phone")
PLACED = Acted(3, {"do": "place", "coin": "penny"}, "heads", "camera")


def toss(*coins: str) -> Acted:
    return Acted(2, {"do": "flip", "coins": list(coins)}, "table", "camera")


FOUR_ONE = toss(*["penny:heads"] * 4, "penny:tails")
FIVE_HEADS, FIVE_TAILS = toss(*["penny:heads"] * 5), toss(*["penny:tails"] * 5)


class ReadCounter(Journal):
    """A journal that notes the numbers of the events that were read."""

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self.read: list[int] = []

    def lines_after(self, number: int, most: int) -> tuple[Numbered, ...]:
        lines = super().lines_after(number, most)
        self.read += [line.number for line in lines]
        return lines


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A journal of 300 games, each with a toss and an act."""
    file = tmp_path / "journal.sqlite"
    journal = Journal(file)
    journal.append([STARTED, FOUR_ONE, PLACED] * 300)
    journal.close()
    return file


@pytest.fixture
def journal(path: Path) -> Iterator[ReadCounter]:
    opened = ReadCounter(path)
    yield opened
    opened.close()


def counted(history: History) -> History:
    """The same, once all is counted."""
    while history.count(100):
        pass
    return history


def told(history: History) -> tuple[Toss, ...]:
    """Every toss, once all is counted."""
    return counted(history).tossed().tosses


def test_each_event_is_read_once_however_often_it_is_asked_for(journal: ReadCounter) -> None:
    history = History(journal)
    assert len(told(history)) == 300
    assert journal.read == list(range(1, 901))

    journal.append([UNDONE, UNDONE, FIVE_HEADS])  # the newest game goes on
    changed = told(history)
    assert [(one.game, one.stands) for one in changed[-3:]] == [(299, True), (300, False), (300, True)]

    journal.append([STARTED, FIVE_TAILS])  # and another begins
    assert told(history)[-1].game == 301
    assert told(history)[-1].game == 301
    assert journal.read == list(range(1, 906))


def test_no_more_events_are_counted_at_once_than_was_asked(journal: ReadCounter) -> None:
    history = History(journal)
    assert history.count(250) == 650
    assert journal.read == list(range(1, 251))
    so_far = history.tossed()
    assert (len(so_far.tosses), so_far.uncounted) == (83, 650)
    assert sum(so_far.falls.values()) == 5 * 83


def test_what_stands_is_counted_as_it_fell(journal: ReadCounter) -> None:
    history = History(journal)
    journal.append([UNDONE, UNDONE, FIVE_HEADS, STARTED, FIVE_TAILS])
    told(history)
    heads, tails = 4 * 299 + 5, 299 + 5
    assert history.tossed().falls == {("table", Coin.PENNY_HEADS): heads, ("table", Coin.PENNY_TAILS): tails}


def test_after_a_restart_finished_games_are_not_read_again(path: Path) -> None:
    first = ReadCounter(path)
    history = History(first)
    before, falls = told(history), history.tossed().falls
    first.close()
    again = ReadCounter(path)
    anew = History(again)
    assert (told(anew), anew.tossed().falls) == (before, falls)
    assert again.read == [898, 899, 900]  # the newest game may have gone on
    again.close()


@pytest.mark.parametrize(
    ("version", "old"),
    [
        ("an unknown one", b'{"of another version": true}'),
        (
            "before there was a list of games, only tosses",
            b'[{"game":7,"name":"steal","at":"","seat":"table","coins":[],"stands":true}]',
        ),
    ],
)
def test_counts_written_by_another_version_are_made_again(path: Path, version: str, old: bytes) -> None:
    first = Journal(path)
    before = told(History(first))
    first.keep_counts({7: (21, old)})
    first.close()
    again = ReadCounter(path)
    assert told(History(again)) == before
    assert again.read == list(range(19, 901))  # from game 7 on
    again.close()


def test_a_journal_that_lost_events_is_counted_anew(journal: ReadCounter, monkeypatch: pytest.MonkeyPatch) -> None:
    """As one does that was damaged under the running table, and built anew from what was left."""
    history = History(journal)
    told(history)
    monkeypatch.setattr(journal, "count", lambda: 3)
    monkeypatch.setattr(journal, "last_events", lambda: {1: 3})
    monkeypatch.setattr(journal, "lines_after", lambda number, most: ())
    assert [one.game for one in told(history)] == [1]


def test_on_a_full_disk_tosses_are_still_told(
    journal: ReadCounter, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def full(counts: Mapping[int, tuple[int, bytes]]) -> None:
        raise JournalError(Message("journal.unwritten", {"why": "full", "do": Message("disk.full")}))

    monkeypatch.setattr(journal, "keep_counts", full)
    assert len(told(History(journal))) == 300
    assert "free some disk space" in caplog.text


def test_an_event_that_cannot_be_read_hides_no_other_games_tosses(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    journal = Journal(tmp_path / "journal.sqlite")
    journal.append([STARTED, FOUR_ONE])
    with monkeypatch.context() as newer:
        newer.setattr("tablecoin.journal.journal.write_event", lambda event: {"event": "dance"})
        journal.append([PLACED])
    journal.append([STARTED, FIVE_HEADS])
    assert [one.game for one in told(History(journal))] == [2]
    journal.close()


def test_every_game_is_in_the_list_and_the_one_under_way_too(journal: ReadCounter) -> None:
    history = History(journal)
    journal.append([STARTED, FIVE_HEADS])
    games = counted(history).games().games
    assert [one.number for one in games] == list(range(1, 302))
    assert (games[299].rulings, games[300].rulings) == (2, 1)
    journal.append([PLACED, UNDONE])
    newest = counted(history).games().games[-1]
    assert (newest.number, newest.rulings, newest.undone) == (301, 2, 1)


def test_after_a_restart_the_list_is_the_same_and_only_the_newest_game_is_read(path: Path) -> None:
    first = ReadCounter(path)
    before = counted(History(first)).games()
    first.close()
    again = ReadCounter(path)
    assert counted(History(again)).games() == before
    assert again.read == [898, 899, 900]
    again.close()


def test_a_list_that_is_gone_is_counted_again(path: Path) -> None:
    first = Journal(path)
    before = counted(History(first)).games()
    first.close()
    with closing(sqlite3.connect(path)) as db:
        db.execute("delete from counted")
        db.commit()
    again = ReadCounter(path)
    assert counted(History(again)).games() == before
    assert again.said == (), "and that is no damage"
    again.close()


def test_tosses_count_for_the_person_in_the_seat_whose_they_are(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "journal.sqlite")
    for names in ({"heads": "Ann", "tails": "Bob"}, {"heads": "Bob", "tails": "ann"}, {}):
        started = Started(1, "coin-age", {}, {}, names=names)
        beginning = Match.begin(started).state
        played = [action for action, _ in random_game(COIN_AGE, 3, start=beginning) if action]
        journal.append([started, *(Acted(2, COIN_AGE.write_action(one), "heads", "camera") for one in played)])
    history = counted(History(journal))
    fell = history.tossed().falls
    whose: Counter[str] = Counter()
    for (who, _), times in history.games().falls.items():
        whose[who] += times
    every = sum(fell.values()) // 3 * 2  # two of the three games had names, and all three fell alike
    assert whose["ann"] == whose["bob"] == every // 2
    assert set(whose) == {"ann", "bob"}
    journal.close()
