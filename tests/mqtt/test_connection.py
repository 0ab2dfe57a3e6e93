"""The connection with a real Mosquitto: what goes wrong is said in one sentence, and what was sent arrives."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tablecoin.mqtt.connection import Connection
from tablecoin.mqtt.options import Address, BrokerOptions
from tablecoin.rules.rulebook import LANGUAGES, sentence
from tests.mosquitto import (
    PASSWORD,
    PATIENCE_S,
    USER,
    Broker,
    Listener,
    free_port,
    needs_mosquitto,
    password_file,
    ring,
    running,
    wait_until,
)


@pytest.mark.parametrize(
    ("broker", "address"),
    [
        ("", None),
        ("club.local", Address("club.local", 1883, False)),
        ("club.local:1884", Address("club.local", 1884, False)),
        ("mqtt://10.0.0.7", Address("10.0.0.7", 1883, False)),
        ("mqtts://club.example", Address("club.example", 8883, True)),
        ("mqtts://[fe80::1]:99", Address("fe80::1", 99, True)),
        ("club.local:65535", Address("club.local", 65535, False)),
        ("club.local:65536", None),
        ("club.local:0", None),
    ],
)
def test_a_broker_is_named_in_one_line(broker: str, address: Address | None) -> None:
    assert BrokerOptions(broker=broker).address == address


pytestmark = pytest.mark.usefixtures("quick")


class Clock:
    """Stands still until a test puts it forward."""

    now_s = 100.0

    def __call__(self) -> float:
        return self.now_s


class Ringing(Connection):
    """Rings whenever it comes up, is lost or refused."""

    def _connected(self, *given: Any) -> None:
        super()._connected(*given)
        ring()

    def _failed(self, *given: Any) -> None:
        super()._failed(*given)
        ring()

    def _lost(self, *given: Any) -> None:
        super()._lost(*given)
        ring()


def connection(options: BrokerOptions, name: str = "one", clock: Clock | None = None) -> Connection:
    return Ringing(options, name, lambda: None, lambda message: None, clock=clock or Clock())


def trouble(connection: Connection) -> str:
    """The key of what is wrong; "" where nothing is. Its sentence is there in every language."""
    said = connection.trouble
    assert said is None or all(sentence(said, language) for language in LANGUAGES)
    return said.key if said else ""


@pytest.fixture(scope="module")
def broker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Broker]:
    folder = tmp_path_factory.mktemp("broker")
    with running(Broker(folder, passwords=password_file(folder))) as broker:
        yield broker


def login(broker: Broker) -> BrokerOptions:
    return BrokerOptions(broker=f"127.0.0.1:{broker.port}", user=USER, password=PASSWORD)


def test_a_broker_that_is_not_there_is_said() -> None:
    lost = connection(BrokerOptions(broker=f"127.0.0.1:{free_port()}"))
    assert trouble(lost) == "mqtt.silent"
    lost.start()
    wait_until(lambda: trouble(lost) == "mqtt.away")
    lost.stop()


@needs_mosquitto
@pytest.mark.parametrize(("user", "password"), [(USER, "wrong"), ("nobody", PASSWORD), ("", "")])
def test_a_wrong_password_is_said(broker: Broker, user: str, password: str) -> None:
    locked_out = connection(BrokerOptions(broker=f"127.0.0.1:{broker.port}", user=user, password=password))
    locked_out.start()
    wait_until(lambda: trouble(locked_out) == "mqtt.password")
    assert not locked_out.is_up
    locked_out.stop()


@needs_mosquitto
def test_two_programs_of_one_id_throw_each_other_out_and_it_is_said(broker: Broker) -> None:
    one, two = connection(login(broker), "same"), connection(login(broker), "same")
    one.start()
    wait_until(lambda: one.is_up)
    two.start()
    wait_until(lambda: "mqtt.twice" in (trouble(one), trouble(two)))
    one.stop()
    two.stop()


@needs_mosquitto
def test_a_broker_that_goes_after_a_while_is_away_however_often_it_went_at_once(tmp_path: Path) -> None:
    clock = Clock()
    with running(Broker(tmp_path)) as broker:
        one = connection(broker.options(), "one", clock)
        one.start()
        for _ in range(3):
            wait_until(lambda: one.is_up)
            broker.kill()
            wait_until(lambda: not one.is_up)
            broker.start()
        wait_until(lambda: one.is_up)
        clock.now_s += 30.0
        broker.kill()
        wait_until(lambda: not one.is_up)
        assert trouble(one) == "mqtt.away"
        one.stop()


@needs_mosquitto
def test_a_slow_broker_is_said_and_takes_a_window_of_messages_and_no_more(broker: Broker) -> None:
    clock = Clock()
    with Listener(broker, "slow/#", options=login(broker)) as other:
        slow = connection(login(broker), "slow", clock)
        slow.start()
        wait_until(lambda: slow.is_up)
        broker.freeze()
        while slow.room:
            slow.publish("slow/x", b"%d" % slow.room)
        assert trouble(slow) == ""
        clock.now_s += 11.0
        assert trouble(slow) == "mqtt.slow"
        broker.thaw()
        wait_until(lambda: len(other.heard) == 20)
        assert slow.wait_clear(PATIENCE_S)
        assert trouble(slow) == ""
        slow.stop()


def certificate(folder: Path) -> tuple[Path, Path]:
    """A certificate for 127.0.0.1 that signs itself, and its key."""
    openssl = shutil.which("openssl")
    if openssl is None:
        pytest.skip("openssl is not installed")
    file, key = folder / "cert.pem", folder / "key.pem"
    what = ["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2"]
    name = ["-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1"]
    subprocess.run([openssl, *what, *name, "-keyout", key, "-out", file], check=True, capture_output=True)
    return file, key


@needs_mosquitto
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")  # paho leaves a refused socket open
def test_over_tls_it_trusts_the_certificate_it_was_given_and_no_other(tmp_path: Path) -> None:
    file, key = certificate(tmp_path)
    with running(Broker(tmp_path, more=f"certfile {file}\nkeyfile {key}\n")) as broker:
        address = f"mqtts://127.0.0.1:{broker.port}"
        trusting = connection(BrokerOptions(broker=address, ca=str(file)))
        doubting = connection(BrokerOptions(broker=address), "two")
        for each in (trusting, doubting):
            each.start()
        wait_until(lambda: trusting.is_up)
        wait_until(lambda: trouble(doubting) == "mqtt.untrusted")
        for each in (trusting, doubting):
            each.stop()


@pytest.mark.parametrize("make", [lambda path: None, os.mkfifo, Path.mkdir], ids=["nothing", "a pipe", "a folder"])
def test_a_certificate_that_is_not_there_is_said(tmp_path: Path, make: Callable[[Path], None]) -> None:
    make(tmp_path / "none.pem")
    lost = connection(BrokerOptions(broker="mqtts://127.0.0.1", ca=str(tmp_path / "none.pem")))
    lost.start()
    assert trouble(lost) == "mqtt.ca"
    lost.stop()
