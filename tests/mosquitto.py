"""A real Mosquitto of a test's own, on a free port of this computer."""

from __future__ import annotations

import shutil
import socket
import subprocess
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tablecoin.mqtt.connection import Connection, Received
from tablecoin.mqtt.options import BrokerOptions, MqttOptions

PROGRAM = shutil.which("mosquitto") or shutil.which("mosquitto", path="/usr/sbin")
needs_mosquitto = pytest.mark.skipif(PROGRAM is None, reason="mosquitto is not installed")
USER, PASSWORD = "k7", "open sesame"
PATIENCE_S = 60.0  # the longest a test waits for the next news: the machine may be busy


def free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        port: int = found.getsockname()[1]
        return port


class Broker:
    """`start`, `kill`, `start` again: nothing is kept in between, as a broker without persistence."""

    def __init__(self, folder: Path, *, passwords: Path | None = None, more: str = "") -> None:
        """`passwords`: as `password_file` makes them. `more`: further lines of its settings."""
        self.port = free_port()
        self._config = folder / "mosquitto.conf"
        allowed = f"allow_anonymous false\npassword_file {passwords}" if passwords else "allow_anonymous true"
        self._config.write_text(
            f"listener {self.port} 127.0.0.1\n{allowed}\npersistence false\nmax_queued_messages 100000\n"
            f"log_dest stderr\nlog_type information\nconnection_messages false\nuser {_owner()}\n{more}"
        )
        self._process: subprocess.Popen[str] | None = None

    def start(self) -> None:
        assert PROGRAM
        self._process = subprocess.Popen([PROGRAM, "-c", self._config], stderr=subprocess.PIPE, text=True)
        assert self._process.stderr
        said = list[str]()
        for line in self._process.stderr:
            said.append(line)
            if line.endswith(" running\n"):
                return
        raise AssertionError("".join(said))

    def kill(self) -> None:
        """As a power cut would."""
        if self._process:
            self._process.kill()
            self._process.communicate()
            self._process = None

    def freeze(self) -> None:
        assert self._process
        self._process.send_signal(19)  # SIGSTOP

    def thaw(self) -> None:
        assert self._process
        self._process.send_signal(18)  # SIGCONT

    def options(self, **more: object) -> MqttOptions:
        return MqttOptions(broker=f"127.0.0.1:{self.port}", **more)  # type: ignore[arg-type]


def password_file(folder: Path) -> Path:
    """Lets USER in with PASSWORD, and nobody else."""
    program = shutil.which("mosquitto_passwd")
    assert program
    file = folder / "passwords"
    subprocess.run([program, "-b", "-c", file, USER, PASSWORD], check=True)
    return file


def _owner() -> str:
    """Started as root, Mosquitto becomes another user unless told not to."""
    import getpass

    return getpass.getuser()


@contextmanager
def running(broker: Broker) -> Iterator[Broker]:
    broker.start()
    try:
        yield broker
    finally:
        broker.kill()


_news = threading.Event()


def ring(*_: object) -> None:
    """Have `wait_until` look again: something has happened on another thread."""
    _news.set()


def wait_until(true: Callable[[], object]) -> None:
    """Wait until `true()`, which is asked again after each `ring`. AssertionError after PATIENCE_S without any."""
    while not true():
        assert _news.wait(PATIENCE_S), "it did not come about in time"
        _news.clear()


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pauses that only save work are short: before a new try to connect, and between two steps of table and club."""
    monkeypatch.setattr("tablecoin.mqtt.connection._RETRY_S", (0.05, 0.2))
    for name, pause_s in (("_STEP_S", 0.01), ("_SUMMARY_S", 0.02), ("_IDLE_S", 0.2)):
        monkeypatch.setattr(f"tablecoin.publishing.publisher.{name}", pause_s)
    monkeypatch.setattr("tablecoin.publishing.publisher._BIRTH_S", (0.0, 0.02))
    monkeypatch.setattr("tablecoin.club.listener._TICK_S", 0.02)


class Listener:
    """A client that writes down everything it hears on some topics, oldest first, and rings at each message."""

    def __init__(self, broker: Broker, *topics: str, options: BrokerOptions | None = None) -> None:
        self.heard: list[Received] = []
        self._topics = topics
        self.connection = Connection(options or broker.options(), f"listener-{id(self)}", self._subscribe, self._hear)

    def _subscribe(self) -> None:
        self.connection.subscribe(*self._topics)
        ring()

    def _hear(self, received: Received) -> None:
        self.heard.append(received)
        ring()

    def __enter__(self) -> Listener:
        self.connection.start()
        wait_until(lambda: self.connection.is_up)
        return self

    def __exit__(self, *raised: object) -> None:
        self.connection.stop()

    def newest(self, topic: str) -> bytes | None:
        """The newest payload on this topic; None: none came."""
        return next((each.payload for each in reversed(self.heard) if each.topic == topic), None)
