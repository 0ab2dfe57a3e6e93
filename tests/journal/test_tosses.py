"""Every toss is found in the journal, and each game is replayed once."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest
from msgspec.structs import replace

from tablecoin.coins import Coin
from tablecoin.journal.journal import Journal, JournalError, Line, Numbered
from tablecoin.journal.tosses import Toss, TossHistory, tosses_of
from tablecoin.referee.events import Acted, Event, Started, TakenBack
from tablecoin.rules import load
from tablecoin.rules.coin_age.state import Toss as CoinAgeToss
from tablecoin.rules.random_play import random_game
from tablecoin.rules.rulebook import Message

STARTED = Started(1, "steal", {"starter": "heads"}, {})
UNDONE = TakenBack(3, "phone")
PLACED = Acted(3, {"do": "place", "coin": "penny"}, "heads", "camera")


def toss(*coins: str) -> Acted:
    return Acted(2, {"do": "flip", "coins": list(coins)}, "table", "camera")


FOUR_ONE = toss(*["penny:heads"] * 4, "penny:tails")
FIVE_HEADS, FIVE_TAILS = toss(*["penny:heads"] * 5), toss(*["penny:tails"] * 5)


def lines(*events: Event) -> list[Line]:
    """The events, one second apart."""
    return [(f"2026-01-01T00:00:{k:02d}", event) for k, event in enumerate(events)]


@pytest.mark.parametrize(
    ("what", "events", "stand"),
    [
        ("a toss stands", [STARTED, FOUR_ONE], [True]),
        ("acts are no tosses", [STARTED, FOUR_ONE, PLACED], [True]),
        ("a toss taken back does not stand", [STARTED, FOUR_ONE, UNDONE], [False]),
        ("an act taken back leaves it standing", [STARTED, FOUR_ONE, PLACED, UNDONE], [True]),
        ("taken back and tossed again, the second stands", [STARTED, FIVE_HEADS, UNDONE, FOUR_ONE], [False, True]),
        ("what a computer entered was not tossed", [STARTED, replace(FOUR_ONE, by="computer")], []),
        ("from where today's rules refuse a line, nothing is counted", [STARTED, FOUR_ONE, FOUR_ONE, PLACED], [True]),
        ("a game that does not begin is left out", [FOUR_ONE], []),
    ],
)
def test_which_tosses_are_found_and_stand(what: str, events: list[Event], stand: list[bool]) -> None:
    assert [one.stands for one in tosses_of(1, lines(*events))] == stand, what


def test_tosses_keep_their_order_although_the_clock_was_set_back() -> None:
    times = ("12:00:00", "12:00:10", "12:00:20", "11:00:00")
    found = tosses_of(1, list(zip(times, (STARTED, FIVE_HEADS, UNDONE, FIVE_TAILS), strict=True)))
    assert [(one.at, one.stands) for one in found] == [("12:00:10", False), ("11:00:00", True)]


def test_every_toss_of_a_whole_game_is_found_with_its_player() -> None:
    game = load("coin-age")
    start = Started(1, "coin-age", {}, {})
    played = [(action, state) for action, state in random_game(game, 3) if action is not None]
    acts: list[Event] = [Acted(k, game.write_action(action), "heads", "camera") for k, (action, _) in enumerate(played)]
    every = tosses_of(1, lines(start, *acts))
    tossed = [action.coins for action, _ in played if isinstance(action, CoinAgeToss)]
    assert [one.coins for one in every] == tossed
    assert {one.seat for one in every} == {"heads", "tails"}


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


def told(history: TossHistory) -> tuple[Toss, ...]:
    """Every toss, once all is counted."""
    while history.count(100):
        pass
    return history.tossed().tosses


def test_each_event_is_read_once_however_often_it_is_asked_for(journal: ReadCounter) -> None:
    history = TossHistory(journal)
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
    history = TossHistory(journal)
    assert history.count(250) == 650
    assert journal.read == list(range(1, 251))
    so_far = history.tossed()
    assert (len(so_far.tosses), so_far.uncounted) == (83, 650)
    assert sum(so_far.falls.values()) == 5 * 83


def test_what_stands_is_counted_as_it_fell(journal: ReadCounter) -> None:
    history = TossHistory(journal)
    journal.append([UNDONE, UNDONE, FIVE_HEADS, STARTED, FIVE_TAILS])
    told(history)
    heads, tails = 4 * 299 + 5, 299 + 5
    assert history.tossed().falls == {("table", Coin.PENNY_HEADS): heads, ("table", Coin.PENNY_TAILS): tails}


def test_after_a_restart_finished_games_are_not_read_again(path: Path) -> None:
    first = ReadCounter(path)
    history = TossHistory(first)
    before, falls = told(history), history.tossed().falls
    first.close()
    again = ReadCounter(path)
    anew = TossHistory(again)
    assert (told(anew), anew.tossed().falls) == (before, falls)
    assert again.read == [898, 899, 900]  # the newest game may have gone on
    again.close()


def test_counts_written_by_another_version_are_made_again(path: Path) -> None:
    first = Journal(path)
    before = told(TossHistory(first))
    first.keep_counts({7: (21, b'{"of another version": true}')})
    first.close()
    again = ReadCounter(path)
    assert told(TossHistory(again)) == before
    assert again.read == list(range(19, 901))  # from game 7 on
    again.close()


def test_a_journal_that_lost_events_is_counted_anew(journal: ReadCounter, monkeypatch: pytest.MonkeyPatch) -> None:
    """As one does that was damaged under the running table, and built anew from what was left."""
    history = TossHistory(journal)
    told(history)
    monkeypatch.setattr(journal, "count", lambda: 3)
    monkeypatch.setattr(journal, "last_events", lambda: {1: 3})
    monkeypatch.setattr(journal, "lines_after", lambda number, most: ())
    assert [one.game for one in told(history)] == [1]


def test_on_a_full_disk_tosses_are_still_told(
    journal: ReadCounter, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def full(counts: Mapping[int, tuple[int, bytes]]) -> None:
        raise JournalError(Message("journal.unwritten", {"why": "disk full"}))

    monkeypatch.setattr(journal, "keep_counts", full)
    assert len(told(TossHistory(journal))) == 300
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
    assert [one.game for one in told(TossHistory(journal))] == [2]
    journal.close()
