"""A club, real publishers and a real Mosquitto: killed, restarted, with a wrong password, and written to by others."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from lab.club.evening import evening
from lab.club.tables import PlayedTable
from tablecoin.club.hall import Hall
from tablecoin.club.ledger import Ledger
from tablecoin.club.listener import Listener
from tablecoin.mqtt import topics
from tablecoin.mqtt.options import BrokerOptions
from tablecoin.publishing import feed
from tablecoin.tournament.field import Plan
from tablecoin.tournament.tournament import Published, Resulted
from tests.club.slow import SlowLine
from tests.mosquitto import Broker, needs_mosquitto, password_file, ring, running, wait_until
from tests.mosquitto import Listener as Ear

pytestmark = [needs_mosquitto, pytest.mark.usefixtures("quick")]


@pytest.fixture
def broker(tmp_path: Path) -> Iterator[Broker]:
    with running(Broker(tmp_path)) as broker:
        yield broker


class Club:
    """A ledger with its listener; `stop` keeps what was heard, as an orderly end does."""

    def __init__(self, folder: Path, options: BrokerOptions) -> None:
        self.ledger = Ledger(folder, "Club", Hall("Club", changed=ring))
        self.listener = Listener(self.ledger, options, folder)
        self.listener.start()

    def codes(self) -> list[str]:
        return [notice.code for notice in self.ledger.hall.now().notices]

    def stop(self) -> None:
        self.listener.stop()
        self.ledger.close()


def plain(broker: Broker) -> BrokerOptions:
    return BrokerOptions(broker=f"127.0.0.1:{broker.port}")


@pytest.fixture
def tables(tmp_path: Path, broker: Broker) -> Iterator[list[PlayedTable]]:
    made = [PlayedTable(name, tmp_path, f"127.0.0.1:{broker.port}", i) for i, name in enumerate(("k7", "m2"))]
    for table in made:
        table.publisher.start()
    yield made
    for table in made:
        table.stop()


def test_nothing_is_lost_while_broker_and_club_are_away(
    tmp_path: Path, broker: Broker, tables: list[PlayedTable]
) -> None:
    club = Club(tmp_path / "club", plain(broker))
    wait_until(lambda: {table.id for table in club.ledger.hall.now().tables if table.up} == {"k7", "m2"})

    def play(events: int) -> None:
        for _ in range(events):
            for table in tables:
                table.step()

    play(10)
    broker.kill()
    play(10)
    wait_until(lambda: "club.link" in club.codes())
    broker.start()
    play(5)
    wait_until(lambda: club.ledger.database.count() == 50)
    club.stop()
    play(10)
    broker.kill()
    broker.start()
    club = Club(tmp_path / "club", plain(broker))
    wait_until(lambda: club.ledger.database.count() == 70)
    play(5)
    wait_until(lambda: club.ledger.database.count() == 80)
    wait_until(lambda: club.codes() == [])
    assert {table.missing for table in club.ledger.hall.now().tables} == {0}
    club.stop()


def test_a_wrong_password_is_said(tmp_path: Path) -> None:
    with running(Broker(tmp_path, passwords=password_file(tmp_path))) as broker:
        wrong = BrokerOptions(broker=f"127.0.0.1:{broker.port}", user="k7", password="wrong")
        club = Club(tmp_path / "club", wrong)

        def said() -> str:
            notices = club.ledger.hall.now().notices
            return " ".join(notice.texts["en"] for notice in notices if notice.code == "club.link")

        wait_until(lambda: "password" in said())
        club.stop()


def test_over_a_slow_line_everything_comes_late_and_once(tmp_path: Path, broker: Broker) -> None:
    with SlowLine(broker.port) as line:
        table = PlayedTable("k7", tmp_path, f"127.0.0.1:{line.port}", 1)
        table.publisher.start()
        club = Club(tmp_path / "club", BrokerOptions(broker=f"127.0.0.1:{line.port}"))
        wait_until(lambda: [each for each in club.ledger.hall.now().tables if each.up])
        line.is_open.clear()
        for _ in range(60):  # three times as many as may be under way
            table.step()
        assert table.journal.count() == 60  # at the table nothing waits for the broker
        assert club.ledger.database.count() == 0
        line.is_open.set()
        wait_until(lambda: club.ledger.database.count() == 60)
        wait_until(lambda: club.codes() == [])
        table.stop()
        club.stop()


def test_what_does_not_fit_into_the_brokers_queue_is_asked_for(tmp_path: Path) -> None:
    with running(Broker(tmp_path, more="max_queued_messages 5\n")) as broker:
        table = PlayedTable("k7", tmp_path, f"127.0.0.1:{broker.port}", 1)
        table.publisher.start()
        club = Club(tmp_path / "club", plain(broker))
        wait_until(lambda: [each for each in club.ledger.hall.now().tables if each.up])
        club.stop()  # the broker keeps five messages for it
        table.told = ring
        for _ in range(60):
            table.step()
        wait_until(lambda: table.messages >= 60)
        club = Club(tmp_path / "club", plain(broker))
        wait_until(lambda: club.ledger.database.count() == 60)
        table.stop()
        club.stop()


def test_what_does_not_fit_into_the_tables_queue_is_asked_for(
    tmp_path: Path, broker: Broker, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(feed, "_WAITING", 20)
    table = PlayedTable("k7", tmp_path, f"127.0.0.1:{broker.port}", 1)
    table.publisher.start()
    club = Club(tmp_path / "club", plain(broker))
    wait_until(lambda: [each for each in club.ledger.hall.now().tables if each.up])
    broker.kill()
    for _ in range(60):
        table.step()
    broker.start()
    wait_until(lambda: club.ledger.database.count() == 60)
    table.stop()
    club.stop()


def test_a_club_that_dies_in_a_round_takes_the_results_up_when_it_is_back(tmp_path: Path, broker: Broker) -> None:
    club = Club(tmp_path / "club", plain(broker))
    number = club.ledger.tournaments.found(Plan("Friday", "swiss", "exact", ("k7",), 1), ("Ann", "Bob", "Cat", "Dan"))
    table = PlayedTable("k7", tmp_path, f"127.0.0.1:{broker.port}", 1)
    table.publisher.start()
    club.ledger.tournaments.pair(number)
    club.ledger.tournaments.do(number, Published())
    wait_until(table.play_assigned)
    wait_until(lambda: len(club.ledger.tournaments.get(number).open_matches) == 1)
    wait_until(lambda: table.publisher.assigned)  # the second match
    club.listener.stop()
    club.ledger.database._db.close()  # as a kill does: nothing else is done
    wait_until(table.play_assigned)
    club = Club(tmp_path / "club", plain(broker))
    wait_until(lambda: not club.ledger.tournaments.get(number).open_matches)
    results = [change.event for change in club.ledger.tournaments.changes(number) if isinstance(change.event, Resulted)]
    assert [each.by for each in results] == ["table", "table"]
    table.stop()
    club.stop()


def test_a_round_is_offered_to_its_table_and_taken_back(tmp_path: Path, broker: Broker) -> None:
    club = Club(tmp_path / "club", plain(broker))
    with Ear(broker, topics.topic("+", topics.ASSIGNED)) as ear:
        number = club.ledger.tournaments.found(Plan("Friday", "swiss", "steal", ("k7",), 1), ("Ann", "Bob"))
        club.ledger.tournaments.pair(number)
        club.ledger.tournaments.do(number, Published())
        wait_until(lambda: b'"Friday"' in (ear.newest(topics.topic("k7", topics.ASSIGNED)) or b""))
        match = club.ledger.tournaments.get(number).open_matches[0]
        club.ledger.tournaments.do(number, Resulted(match.id, dict.fromkeys(match.players, 1), "organiser"))
        wait_until(lambda: ear.newest(topics.topic("k7", topics.ASSIGNED)) == b"")
    club.stop()


@pytest.mark.parametrize(
    ("players", "seats", "rounds"),
    [(4, 2, 2), pytest.param(16, 4, 4, marks=pytest.mark.long)],
    ids=["four at two tables", "sixteen at four"],
)
def test_a_swiss_is_played_at_several_tables_to_its_end(
    tmp_path: Path, broker: Broker, players: int, seats: int, rounds: int
) -> None:
    """Every game is offered, played and told over the broker; the organiser only pairs and publishes."""
    club = Club(tmp_path / "club", plain(broker))
    names = [f"Player {i}" for i in range(1, players + 1)]
    tables = [PlayedTable(f"t{i}", tmp_path, f"127.0.0.1:{broker.port}", i) for i in range(seats)]
    plan = Plan("Friday", "swiss", "exact", tuple(table.name for table in tables))
    number = club.ledger.tournaments.found(plan, names)
    for table in tables:
        table.publisher.start()

    def play() -> bool:
        for table in tables:
            table.play_assigned()
        return not club.ledger.tournaments.get(number).open_matches

    for _ in range(rounds):
        club.ledger.tournaments.pair(number)
        club.ledger.tournaments.do(number, Published())
        wait_until(play)
    stands = club.ledger.tournaments.get(number)
    assert {result.by for result in stands.results.values()} == {"table"}
    assert sum(line.halves for line in stands.standings()) == players * rounds
    assert len(club.ledger.ratings()) == players
    for table in tables:
        table.stop()
    club.stop()


@pytest.mark.long
def test_a_short_evening(tmp_path: Path) -> None:
    """What `python -m lab club evening` measures, small: the club is a process of its own, and is killed."""
    found = evening(tmp_path, tables=3, seconds=6, broker_kills=1, club_kills=1)
    assert found.rulings == 18
    assert (found.held, found.lost, found.other) == (18, 0, 0)
    assert found.games_held == found.games_made
