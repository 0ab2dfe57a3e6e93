"""How long a game was played: in steady seconds, whatever the time of day does meanwhile."""

from __future__ import annotations

import shutil
from contextlib import closing
from datetime import datetime, timedelta, tzinfo
from pathlib import Path
from random import Random

import msgspec
import pytest

from tablecoin.journal import journal as module
from tablecoin.journal.history import History
from tablecoin.journal.journal import Journal
from tablecoin.journal.played import Counted, Counting
from tablecoin.journal.stopwatch import played_s
from tablecoin.referee.events import Acted, Corrected, Ended, Event, Started, write_event

STARTED = Started(1, "steal", {"starter": "heads"}, {"heads": "person", "tails": "person"})
TOSSED = Acted(2, {"do": "flip", "coins": ["penny:heads"] * 5}, "table", "camera")
CORRECTED = Corrected(2, (10.0, 20.0), None, None)
ENDED = Ended(3, "resigned", "heads", ("tails",))
SAVED = Path(__file__).parents[1] / "saved" / "1b859819" / "data"


class Clocks:
    """A steady clock and a time of day that may be set."""

    def __init__(self) -> None:
        self.steady_s = 1000.0
        self.set_s = 0.0  # how far the time of day was set since

    def wait(self, seconds: float) -> None:
        self.steady_s += seconds

    def steady(self) -> float:
        return self.steady_s

    def now(self, zone: tzinfo) -> datetime:
        return datetime(2026, 11, 28, tzinfo=zone) + timedelta(seconds=self.steady_s + self.set_s)


@pytest.fixture
def clocks(monkeypatch: pytest.MonkeyPatch) -> Clocks:
    made = Clocks()
    monkeypatch.setattr(module, "datetime", made)
    return made


def times(journal: Journal, game: int = 1) -> list[float | None]:
    """The seconds that each event of a game tells."""
    return [played_s(line.body) for line, _ in journal.whole_game(game)]


def lasted(journal: Journal) -> list[float | None]:
    history = History(journal)
    history.count(10_000)
    return [game.lasted_s for game in history.games().games]


def test_each_event_tells_the_seconds_played_without_the_pauses_of_the_program(tmp_path: Path, clocks: Clocks) -> None:
    with closing(Journal(tmp_path / "journal.sqlite", clocks.steady)) as journal:
        clocks.wait(50)
        journal.append([STARTED, TOSSED])
        clocks.wait(20)
        journal.append([TOSSED])
        clocks.wait(3)
    clocks.wait(3600)
    with closing(Journal(tmp_path / "journal.sqlite", clocks.steady)) as journal:
        clocks.wait(5)
        journal.append([ENDED])
        clocks.wait(7)
        journal.append([STARTED])
        assert times(journal) == [0.0, 0.0, 20.0, 28.0]
        assert times(journal, 2) == [0.0]


@pytest.mark.parametrize("set_s", [-400 * 86400, -3600, 20, 86400, 3 * 365 * 86400])
def test_a_clock_that_is_set_changes_no_duration(tmp_path: Path, clocks: Clocks, set_s: float) -> None:
    with closing(Journal(tmp_path / "journal.sqlite", clocks.steady)) as journal:
        journal.append([STARTED])
        clocks.wait(10)
        clocks.set_s = set_s
        clocks.wait(10)
        journal.append([ENDED])
        assert lasted(journal) == [20.0]


@pytest.mark.long
def test_sixty_clocks_set_in_a_game_change_no_duration(tmp_path: Path, clocks: Clocks) -> None:
    random = Random(46)
    truth: list[float] = []
    for game in range(60):
        journal = Journal(tmp_path / "journal.sqlite", clocks.steady)
        journal.append([STARTED])
        truth.append(0.0)
        for _ in range(random.randint(1, 6)):
            seconds = random.choice([0.1, 3.0, 60.0, 900.0])
            clocks.wait(seconds)
            truth[-1] += seconds
            if random.random() < 0.3:
                if random.random() < 0.5:
                    journal.append([CORRECTED])
                journal.close()
                clocks.wait(random.choice([1.0, 86400.0]))  # a pause of the program
                journal = Journal(tmp_path / "journal.sqlite", clocks.steady)
            if random.random() < 0.7:
                clocks.set_s += random.choice([-1, 1]) * random.choice([0.5, 30, 3600, 13 * 3600, 400 * 86400])
        clocks.set_s += 365 * 86400 * (-1) ** game
        journal.append([ENDED])
        journal.close()
    with closing(Journal(tmp_path / "journal.sqlite", clocks.steady)) as journal:
        assert lasted(journal) == pytest.approx(truth, abs=0.01)


def test_a_game_of_an_older_program_gets_no_times_and_the_next_one_does(tmp_path: Path, clocks: Clocks) -> None:
    data = Path(shutil.copytree(SAVED, tmp_path / "data"))
    with closing(Journal(data / "journal.sqlite", clocks.steady)) as journal:
        game = journal.newest_number()
        journal.append([ENDED])
        journal.append([STARTED])
        assert set(times(journal, game)) == {None}
        assert times(journal, game + 1) == [0.0]


@pytest.mark.parametrize(
    ("began", "ended", "lasted_s"),
    [
        ("2026-11-28T20:00:00.000+00:00", "2026-11-28T20:00:20.500+00:00", 20.5),
        ("2026-11-28T20:00:00.000+00:00", "2026-11-29T08:00:00.000+00:00", 12 * 3600.0),
        ("2026-11-28T20:00:00.000+00:00", "2026-11-29T08:00:00.001+00:00", None),
        ("2026-11-28T20:00:00.000+00:00", "2026-11-28T19:59:59.999+00:00", None),
        ("2026-11-28T20:00:00.000+00:00", "", None),
        ("2026-11-28T20:00:00.000+00:00", "2026-11-28T20:00:20", None),
    ],
)
def test_a_game_of_an_older_program_has_a_duration_where_its_times_are_likely(
    began: str, ended: str, lasted_s: float | None
) -> None:
    counting = Counting(1)
    for at, event in ((began, STARTED), (ended, ENDED)):
        counting.take(at, event)
    assert counting.counted.played
    assert counting.counted.played.lasted_s == lasted_s


@pytest.mark.parametrize("written", ["-1", '"20"', "[]", "true"])
def test_a_time_that_is_none_is_left_out(written: str) -> None:
    body = msgspec.json.encode(write_event(TOSSED)).decode()
    assert played_s(f'{body[:-1]},"played_s":{written}}}') is None


def test_a_game_that_an_older_program_counted_has_a_duration_too() -> None:
    began, ended = "2026-11-28T20:00:00.000+00:00", "2026-11-28T20:07:00.000+00:00"
    counting = Counting(1)
    for at, event in ((began, STARTED), (ended, ENDED)):
        counting.take(at, event)
    stored = msgspec.to_builtins(counting.counted)
    del stored["played"]["lasted_s"]
    assert msgspec.convert(stored, Counted) == counting.counted


def test_an_event_without_its_time_reads_the_same(tmp_path: Path, clocks: Clocks) -> None:
    events: list[Event] = [STARTED, TOSSED, ENDED]
    with closing(Journal(tmp_path / "journal.sqlite", clocks.steady)) as journal:
        journal.append(events)
        assert [event for _, event in journal.newest_game()] == events
