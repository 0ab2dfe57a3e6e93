"""A table's publisher with a real Mosquitto."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from pathlib import Path
from secrets import token_hex

import msgspec
import pytest

from lab.club.tables import StillTable
from tablecoin.journal.journal import Journal
from tablecoin.mqtt import topics
from tablecoin.mqtt.connection import Received
from tablecoin.mqtt.messages import Ask, Assignment, Health, Ruling, Summary, read, write
from tablecoin.mqtt.options import MqttOptions
from tablecoin.publishing.leaving import leave
from tablecoin.publishing.publisher import Publisher
from tablecoin.publishing.standing import Shown
from tests.mosquitto import PATIENCE_S, Broker, Listener, needs_mosquitto, ring, running, wait_until
from tests.publishing.played import play
from tests.publishing.test_feed import Clock

pytestmark = [needs_mosquitto, pytest.mark.usefixtures("quick")]

TABLE = "k7"


def on(kind: str) -> str:
    return topics.topic(TABLE, kind)


@pytest.fixture
def broker(tmp_path: Path) -> Iterator[Broker]:
    with running(Broker(tmp_path)) as broker:
        yield broker


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    journal = Journal(tmp_path / "data" / "journal.sqlite")
    yield journal
    journal.close()


def publisher(broker: Broker, journal: Journal, table: StillTable, **more: object) -> Publisher:
    return Publisher(broker.options(table=TABLE, **more), journal.path.parent, journal, table)


class Looked(StillTable):
    """Counts how often the publisher looks at it, which it does in each step while it is connected."""

    looks = 0

    def shown(self) -> Shown:
        self.looks += 1
        ring()
        return super().shown()


def rulings(club: Listener, *kinds: str) -> list[Ruling]:
    wanted = [on(kind) for kind in kinds]
    return [read(Ruling, each.payload, TABLE) for each in club.heard if each.topic in wanted]


def summary(club: Listener) -> Summary:
    return read(Summary, club.newest(on(topics.SUMMARY)) or b"", TABLE)


def test_every_ruling_of_a_game_comes_once_and_in_order(broker: Broker, journal: Journal) -> None:
    table = StillTable()
    with Listener(broker, on("#")) as club, publisher(broker, journal, table):
        wait_until(lambda: club.newest(on(topics.SUMMARY)))
        for _ in play(journal, goal=25):
            table.ring()
        held = journal.count()
        wait_until(lambda: len(rulings(club, topics.EVENT)) == held)
        wait_until(lambda: summary(club).newest == held)
    told = rulings(club, topics.EVENT)
    assert [ruling.number for ruling in told] == list(range(1, held + 1))
    assert told[-1].kind == "game_over"
    assert told[-1].result
    assert summary(club).winners == told[-1].result.winners
    assert club.newest(on(topics.UP)) == b"offline"  # it said so itself when it stopped


def test_what_a_killed_broker_lost_is_had_for_the_asking(broker: Broker, journal: Journal) -> None:
    table = StillTable()
    with Listener(broker, on("#")) as club, publisher(broker, journal, table):
        wait_until(lambda: club.newest(on(topics.SUMMARY)))
        broker.kill()
        for _ in play(journal):
            table.ring()
        broker.start()
        wait_until(lambda: club.newest(on(topics.SUMMARY)) and summary(club).newest == journal.count())
        club.heard.clear()
        ask = Ask(table=TABLE, journal=read_name(broker), first=3, last=7)
        club.connection.publish(on(topics.ASKED), write(ask))
        wait_until(lambda: {3, 4, 5, 6, 7} <= {ruling.number for ruling in rulings(club, topics.AGAIN)})


def read_name(broker: Broker) -> str:
    """The journal's name, as its retained summary has it."""
    with Listener(broker, on(topics.SUMMARY)) as late:
        wait_until(lambda: late.heard)
        return summary(late).journal


def test_the_will_says_offline_when_the_program_dies(broker: Broker, journal: Journal) -> None:
    with Listener(broker, on(topics.UP)) as club:
        table = publisher(broker, journal, StillTable())
        with table:
            wait_until(lambda: club.newest(on(topics.UP)) == b"online")
            line = table._connection._client.socket()
            assert isinstance(line, socket.socket)
            line.shutdown(socket.SHUT_RDWR)  # as if the program had gone
            wait_until(lambda: b"offline" in [each.payload for each in club.heard])
            wait_until(lambda: club.heard[-1].payload == b"online")  # it came back


GARBAGE = [
    (topics.ASKED, b"\xff", "mqtt.garbage"),
    (topics.ASSIGNED, b'{"version": "7.1"}', "mqtt.version"),
    (topics.RING_SET, b'{"state": "DIM"}', "mqtt.garbage"),
    (topics.ASKED, b'{"table": "attic", "journal": "j", "first": 1, "last": 1}', "mqtt.other"),
]


@pytest.mark.parametrize(("kind", "payload", "key"), GARBAGE)
def test_foreign_messages_are_said_and_left_out(
    broker: Broker, journal: Journal, kind: str, payload: bytes, key: str
) -> None:
    with Listener(broker, on(topics.HEALTH)) as other, publisher(broker, journal, StillTable()) as table:
        wait_until(lambda: other.heard)
        other.connection.publish(on(kind), payload)
        wait_until(lambda: table.trouble)
        assert table.trouble
        assert table.trouble.key == key
        wait_until(lambda: read(Health, other.heard[-1].payload, TABLE).faults)


def test_a_flood_on_one_topic_drops_nothing_of_another_and_is_logged_rarely(
    journal: Journal, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    options = MqttOptions(broker="127.0.0.1:9", table=TABLE)  # no broker: the messages are given by hand
    table = Publisher(options, tmp_path / "flooded", journal, StillTable())
    match = Assignment(table=TABLE, id="a1", game="steal", names={"heads": "Ann", "tails": "Bob"})
    table._heard(Received(on(topics.ASSIGNED), write(match), retained=True))
    for _ in range(3):
        for _ in range(1000):
            table._heard(Received(on(topics.RING_SET), b"{}", retained=False))
        table._step()
    assert table.assigned == match
    assert len(caplog.records) == 3  # of 300 that are kept: the 1st, the 10th and the 100th


def test_two_tables_of_one_name_are_told(broker: Broker, journal: Journal, tmp_path: Path) -> None:
    other = Journal(tmp_path / "other" / "journal.sqlite")
    with Listener(broker, on(topics.HEALTH)) as club, publisher(broker, journal, StillTable()) as one:
        wait_until(lambda: club.heard)  # so `one` hears what is said under its name
        with publisher(broker, other, StillTable()) as two:
            wait_until(lambda: one.trouble and one.trouble.key == "mqtt.name")
            assert two.is_up
    other.close()


def test_a_broker_that_passes_nothing_on_is_said(journal: Journal, tmp_path: Path) -> None:
    allowed, clock, still = tmp_path / "acl", Clock(), Looked()
    allowed.write_text("topic read #\ntopic write tablecoin/1/table1/#\n")  # the table has another name
    with running(Broker(tmp_path, more=f"acl_file {allowed}\n")) as broker:
        options = broker.options(table=TABLE)
        with Publisher(options, journal.path.parent, journal, still, clock=clock) as table:
            wait_until(lambda: still.looks > 1)  # the first step after it came up sent everything
            assert (table.is_up, table.trouble) == (True, None)
            clock.now_s += 21.0
            assert table.trouble
            assert table.trouble.key == "mqtt.unheard"


def test_retained_topics_of_another_tables_are_not_ours(broker: Broker, journal: Journal) -> None:
    stale = Summary(table=TABLE, name="Old", device="gone", journal="x", newest=9, program="0", sent="")
    with Listener(broker, on(topics.SUMMARY)) as club:
        club.connection.publish(on(topics.SUMMARY), write(stale), retain=True)
        wait_until(lambda: club.heard)
        with publisher(broker, journal, StillTable()) as table:
            wait_until(lambda: summary(club).device != "gone")
            assert table.trouble is None


def test_a_home_hears_of_the_device_until_it_is_switched_off(broker: Broker, journal: Journal) -> None:
    with Listener(broker, "homeassistant/#") as home:
        with publisher(broker, journal, StillTable()):
            wait_until(lambda: home.heard)
            home.connection.publish("homeassistant/status", b"online")
            wait_until(lambda: len([each for each in home.heard if each.topic.endswith("config")]) == 2)
        with publisher(broker, journal, StillTable(), home_assistant="off"):
            wait_until(lambda: home.heard[-1].payload == b"")
    assert "components" in msgspec.json.decode(home.heard[0].payload)


def test_a_table_that_publishes_no_more_takes_everything_away(broker: Broker, journal: Journal) -> None:
    folder = journal.path.parent
    with Listener(broker, on("summary"), "homeassistant/#") as home, publisher(broker, journal, StillTable()):
        wait_until(lambda: len({each.topic for each in home.heard}) == 2)
    leaving = leave(MqttOptions(), folder)
    assert leaving
    leaving.join(PATIENCE_S)
    with Listener(broker, "#") as late:
        late.connection.publish("end", b"")
        wait_until(lambda: late.newest("end") is not None)
        assert [each.topic for each in late.heard if each.topic != "end"] == []
    assert leave(MqttOptions(), folder) is None


def kept(broker: Broker) -> set[str]:
    """The topics on which the broker keeps something."""
    with Listener(broker, "#") as late:
        late.connection.publish("end", b"")
        wait_until(lambda: late.newest("end") is not None)
        return {each.topic for each in late.heard if each.retained}


def offered(broker: Broker, table: str) -> None:
    """Offer a table a game, and wait for its reply."""
    task = Assignment(table=table, id=token_hex(4), game="steal", names={"heads": "Ann", "tails": "Bob"})
    with Listener(broker, topics.topic(table, topics.REPLY)) as club:
        club.connection.publish(topics.topic(table, topics.ASSIGNED), write(task), retain=True)
        wait_until(lambda: any(task.id.encode() in each.payload for each in club.heard))


def heard_out(broker: Broker, table: str) -> None:
    """Wait until a table has dealt with everything that the broker kept for it."""
    offered(broker, table)  # perhaps heard with the first of what is kept, and before the rest
    offered(broker, table)


def test_a_table_that_is_renamed_leaves_nothing_under_its_old_name(broker: Broker, journal: Journal) -> None:
    still = StillTable()
    announced = f"homeassistant/device/tablecoin_{TABLE}/config"
    with Listener(broker, on(topics.SUMMARY), announced) as listener, publisher(broker, journal, still):
        wait_until(lambda: listener.newest(on(topics.SUMMARY)) and listener.newest(announced))
    with Publisher(broker.options(table="new"), journal.path.parent, journal, still) as table:
        heard_out(broker, "new")
        assert not [topic for topic in kept(broker) if TABLE in topic]
        with Listener(broker, "end") as home:  # what others send to the old name is not for this table
            home.connection.publish(on(topics.RING_SET), b'{"state": "ON"}')
            home.connection.publish(on(topics.ASKED), b"garbage")
            assert home.connection.wait_clear(PATIENCE_S)
        heard_out(broker, "new")
        assert (table.trouble, still.light) == (None, None)


def test_a_table_that_is_renamed_takes_nothing_from_another_that_has_its_old_name(
    broker: Broker, journal: Journal, tmp_path: Path
) -> None:
    other = Journal(tmp_path / "other" / "journal.sqlite")
    with Listener(broker, on(topics.SUMMARY)) as listener, publisher(broker, journal, StillTable()):
        wait_until(lambda: listener.heard)
    with publisher(broker, other, StillTable()):
        heard_out(broker, TABLE)
        with Publisher(broker.options(table="new"), journal.path.parent, journal, StillTable()) as table:
            heard_out(broker, "new")
            assert {on(topics.UP), on(topics.SUMMARY)} <= kept(broker)
            assert table.trouble is None
    other.close()


def test_a_ring_light_that_can_be_dimmed_obeys_a_brightness(broker: Broker, journal: Journal) -> None:
    table = StillTable()
    table.light, table.dims = 0.6, True
    with Listener(broker, on(topics.RING), "homeassistant/#") as home, publisher(broker, journal, table):
        wait_until(lambda: home.newest(on(topics.RING)) == b'{"state":"ON","brightness":153}')
        home.connection.publish(on(topics.RING_SET), b'{"state": "ON", "brightness": 51}')
        wait_until(lambda: home.newest(on(topics.RING)) == b'{"state":"ON","brightness":51}')
        assert table.light == pytest.approx(0.2)
        wait_until(lambda: [each for each in home.heard if b'"supported_color_modes":["brightness"]' in each.payload])


def test_the_ring_light_obeys_and_the_picture_comes_only_when_something_moved(broker: Broker, journal: Journal) -> None:
    table, clock = StillTable(), Clock()
    table.light, table.jpeg = 1.0, (1, b"first")
    options = broker.options(table=TABLE, picture="on", picture_s=2.0)
    showing = Publisher(options, journal.path.parent, journal, table, clock=clock)
    with Listener(broker, on("#")) as home, showing:
        wait_until(lambda: home.newest(on(topics.PICTURE)) == b"first")
        table.jpeg = 2, b"second"
        home.connection.publish(on(topics.RING_SET), b'{"state": "OFF"}')
        wait_until(lambda: home.newest(on(topics.RING)) == b'{"state":"OFF"}')
        assert home.newest(on(topics.PICTURE)) == b"first"
        table.now = Shown(seq=1)
        clock.now_s += 2.0
        table.ring()
        wait_until(lambda: home.newest(on(topics.PICTURE)) == b"second")
