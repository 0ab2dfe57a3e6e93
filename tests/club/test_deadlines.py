"""A round ends when its minutes are over, also where the clock of the club was set meanwhile."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random

import pytest

from tablecoin.club.database import Database, DatabaseError
from tablecoin.club.deadlines import written
from tablecoin.club.hall import Hall
from tablecoin.club.tournaments import Tournaments
from tablecoin.mqtt.messages import Seated
from tablecoin.rules.rulebook import Message
from tablecoin.tournament.field import Plan
from tablecoin.tournament.tournament import Published, Timed
from tests.club.said import summary

PLAN = Plan("Friday", "swiss", "steal", ("k7",), rounds=2)


class Club:
    """Its tournaments over a steady clock and a time of day that may be set."""

    def __init__(self, folder: Path, opened: ExitStack) -> None:
        self._folder, self._opened = folder, opened
        self.wall, self.steady = datetime(2026, 11, 28, 20, tzinfo=UTC), 50.0
        self.start()
        self.number = self.tournaments.found(PLAN, ("Ann", "Bob"))
        self.tournaments.pair(self.number)

    def start(self) -> None:
        self._opened.close()
        self.database = self._opened.enter_context(closing(Database(self._folder)))
        self.tournaments = Tournaments(self.database, "c", lambda: written(self.wall), lambda: self.steady)
        self.tournaments.keep_time()

    def publish(self, minutes: int) -> None:
        self.tournaments.do(self.number, Published(self.tournaments.time_in(minutes)))
        self.tournaments.keep_time()

    def wait(self, seconds: float) -> None:
        self.wall += timedelta(seconds=seconds)
        self.steady += seconds
        self.tournaments.keep_time()

    def set(self, seconds: float) -> None:
        self.wall += timedelta(seconds=seconds)
        self.tournaments.keep_time()

    @property
    def left_s(self) -> float:
        """What the hall shows."""
        ends = self.tournaments.get(self.number).rounds[-1].ends
        assert ends
        return (datetime.fromisoformat(ends) - self.wall).total_seconds()


@pytest.fixture
def club(tmp_path: Path) -> Iterator[Club]:
    with ExitStack() as opened:
        yield Club(tmp_path, opened)


@pytest.mark.parametrize("set_s", [-400 * 86400, -3600, -10, 10, 3600, 400 * 86400])
def test_a_clock_that_is_set_changes_no_round(club: Club, set_s: float) -> None:
    club.publish(30)
    club.wait(600)
    club.set(set_s)
    assert club.left_s == pytest.approx(1200, abs=2)
    club.start()
    assert club.left_s == pytest.approx(1200, abs=2)
    club.wait(1200)
    assert club.left_s == pytest.approx(0, abs=2)


def test_a_round_keeps_its_time_as_long_as_the_clock_is_right(club: Club) -> None:
    club.publish(30)
    for _ in range(40):
        club.wait(60)
    assert [type(event) for _, event in club.tournaments.changes(club.number)].count(Timed) == 0


def test_a_round_that_is_over_stays_over(club: Club) -> None:
    club.publish(1)
    club.wait(120)
    club.set(-3600)
    assert club.left_s <= 0
    club.set(7200)
    assert club.left_s <= 0


def test_no_round_gets_more_than_its_minutes_when_the_clock_was_set_while_the_club_was_away(club: Club) -> None:
    club.publish(30)
    club.wall -= timedelta(days=1)
    club.start()
    assert club.left_s == pytest.approx(1800, abs=2)


def test_what_the_organiser_sets_counts_from_then_on(club: Club) -> None:
    club.publish(30)
    club.set(3600)
    club.tournaments.do(club.number, Timed(club.tournaments.time_in(10)))
    club.wait(60)
    club.set(-7200)
    assert club.left_s == pytest.approx(540, abs=2)


def test_a_round_is_moved_once_there_is_room_on_the_disk(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise DatabaseError(Message("club.database", {"path": "club.db", "why": "full"}))

    club.publish(30)
    with monkeypatch.context() as disk:
        disk.setattr(club.database, "happen", full)
        for _ in range(2):
            with pytest.raises(DatabaseError):
                club.set(3600)
    club.wait(1)
    assert club.left_s == pytest.approx(1799, abs=2)


@pytest.mark.parametrize("set_s", [-400 * 86400, -10, 10, 400 * 86400])
def test_a_clubs_clock_that_is_set_changes_no_chess_clock(set_s: float) -> None:
    wall, steady = [1.7e9], [50.0]
    hall = Hall("Club", now=lambda: wall[0], clock=lambda: steady[0])
    zero = datetime.fromtimestamp(wall[0] + 300, UTC).isoformat(timespec="seconds")
    hall.summary(summary(seats=(Seated("heads", "person", zero_at=zero),)), steady[0], 0.0)
    wall[0] += 60 + set_s
    steady[0] += 60
    now = hall.now()
    (seated,) = now.tables[0].seats
    left = datetime.fromisoformat(seated.zero_at) - datetime.fromisoformat(now.at)
    assert left.total_seconds() == pytest.approx(240, abs=2)


@pytest.mark.long
def test_sixty_clocks_that_are_set_change_no_round(club: Club) -> None:
    """The program is started again now and then."""
    random, off = Random(46), []
    club.publish(24 * 60)
    due_s, restarts = club.steady + 86400, 0
    for _ in range(60):
        club.set(random.choice([-1, 1]) * random.choice([3, 30, 3600, 86400, 400 * 86400]))
        if random.random() < 0.2:
            club.start()
            restarts += 1
        club.wait(random.uniform(1, 900))
        off.append(abs(club.left_s - (due_s - club.steady)))
    assert restarts > 5
    assert max(off) <= 2 + restarts, "times are kept to the second, so a restart costs up to one"
